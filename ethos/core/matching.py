"""The matcher (interface first; being built)."""
