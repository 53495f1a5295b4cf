"""Capture: read transcripts, follow growing files, mask secrets."""
