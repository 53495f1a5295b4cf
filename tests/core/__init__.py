"""Tests of pure decisions, text and language."""
