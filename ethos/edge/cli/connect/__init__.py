"""Connecting agents: our entries in the configuration files of other programs, written and taken back without touching theirs."""
