"""Stages of a cycle: select, extract, resolve."""
