"""Capture: transcripts, following files, masking."""
