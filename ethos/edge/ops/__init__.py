"""Operations: the doctor and the systemd units."""
