"""The doctor: looks at everything that can keep a memory from working, and says what to type (E-38).

First the setup (setup.py), then the process (process.py), the store (store.py), what keeps it (keeping.py), and the runbook's three
troubles (troubles.py): it never runs, it finds no facts, it flags too much. Nothing is changed. A new check is a function that yields
`Check`s, and a line in `examine`.
"""

from __future__ import annotations

from pathlib import Path

from ethos.core.model.errors import Refused
from ethos.edge.client.connection import Door
from ethos.edge.ops.doctor import keeping, process, setup, store, troubles
from ethos.edge.ops.doctor.check import Check, Level, fail, quoted

__all__ = ["Check", "Level", "examine"]


def examine(explicit: Path | None) -> list[Check]:
    """Every check, in order. What cannot be looked at because of another fault is left out."""
    try:
        door = Door(explicit)
    except Refused as refused:
        return [quoted("setup", "configuration", refused.problem, "nothing works until it is right")]
    with door:
        found = [*setup.checks(door), *process.checks(door)]
        try:
            status = process.status(door)
        except Refused as refused:
            return [*found, quoted("memory", "store", refused.problem, "nothing can be read or stored")]
        except OSError as error:
            return [*found, fail("memory", "store", f"{error}", "nothing can be read or stored", "look at who owns the folders above")]
        return [*found, *store.checks(door, status), *keeping.checks(status, door.settings), *troubles.checks(status, door.settings)]
