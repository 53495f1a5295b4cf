"""Tests of the reasoning bank's decisions."""
