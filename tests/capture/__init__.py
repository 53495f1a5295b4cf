"""Tests of transcripts, following files and masking."""
