"""Tests of the daemon and its socket."""
