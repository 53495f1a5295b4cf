"""Summaries: a session told in a few sentences, and the profile of a user. Extractive: every word was said."""
