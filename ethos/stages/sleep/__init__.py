"""Stages of a night."""
