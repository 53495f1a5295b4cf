"""Stages of a night. Each is a pass of its own in `SLEEP` (`night.py`)."""
