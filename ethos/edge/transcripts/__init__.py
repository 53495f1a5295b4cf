"""Transcript formats: a file in, episodes out."""
