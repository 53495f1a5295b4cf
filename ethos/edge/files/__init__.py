"""Durable, owner-only files and folders, locks, keys, and backups."""
