"""Operation: doctor, systemd units, logs, the clock."""
