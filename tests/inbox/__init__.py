"""Tests of the review file."""
