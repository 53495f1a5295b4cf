"""Tests of the repository itself: its structure, documents and requirements."""
