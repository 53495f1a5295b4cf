"""Stages that carry out what a person decides: settle, undo, forget."""
