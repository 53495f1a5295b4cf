"""Tests of whole stories: from what was said to what is held."""
