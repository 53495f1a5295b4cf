"""The units under a real systemd."""
