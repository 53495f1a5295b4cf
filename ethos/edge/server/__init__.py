"""The trigger: the Unix socket on which the daemon is asked, from both ends (E-27, E-28; TRUST, Unix socket)."""
