"""Tests of configuration, doctor, logs and systemd units."""
