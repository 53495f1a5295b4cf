"""Adapters: files, sockets, clocks, terminals."""
