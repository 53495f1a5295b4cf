"""Lessons across episodes: what went with success, found by exact tests, confirmed on later episodes, retired when it no longer holds."""
