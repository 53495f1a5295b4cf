"""Plurals: a number with its noun. Imports nothing, because hot commands print through it."""

from __future__ import annotations


def plural(number: int, one: str, many: str = "") -> str:
    """Return the number with the noun that fits it: 1 answer, 2 answers, 2 copies. many: the plural where it does not end in a mere s."""
    return f"{number:,} {one if number == 1 else many or one + 's'}"
