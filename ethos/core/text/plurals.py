"""Plurals: a number with its noun. This module imports nothing, because fast commands print through it."""

from __future__ import annotations


def plural(number: int, one: str, many: str = "") -> str:
    """Return the number with the noun that fits it: 1 answer, 2 answers, 2 copies. many: the plural if it is not just the noun and an s."""
    return f"{number:,} {one if number == 1 else many or one + 's'}"
