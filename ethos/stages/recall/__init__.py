"""Stages of recall."""
