"""Secrets: what their names, values and places look like, and how they are masked."""
