"""The daemon: its process, the consolidation loop, and the Unix socket server (E-27, E-28)."""
