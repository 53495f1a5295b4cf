"""The systemd units: templates, installation, and state on this machine."""
