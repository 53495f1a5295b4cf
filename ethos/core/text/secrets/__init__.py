"""Secrets: their names, values and places, and how they are masked."""
