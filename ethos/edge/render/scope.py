"""Say what a statement is about where it does not say so itself: "team uses Postgres" of the billing service. It imports nothing."""

from __future__ import annotations

_EVERYTHING = ("", "default")


def untold(statement: str, slot: str, predicate: str = "") -> str:
    """Return the slot of a fact where its statement leaves it out, else "". predicate: its key, told in other words."""
    return "" if slot in (*_EVERYTHING, predicate) or slot in statement.casefold() else slot
