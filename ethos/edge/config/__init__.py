"""Configuration and paths."""
