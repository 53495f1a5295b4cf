"""The systemd units: their templates, and what becomes of them on a machine."""
