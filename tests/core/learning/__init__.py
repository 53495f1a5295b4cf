"""Tests of replay, lessons, the bank of memories, summaries and statistics."""
