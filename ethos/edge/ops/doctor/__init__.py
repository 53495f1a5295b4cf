"""The doctor: check everything that can keep a memory from working, and say what to type (E-38).

It checks the setup (setup.py), the process (process.py), the store (store.py), backups and audit (keeping.py), and the runbook's three
troubles (troubles.py): it never runs, it finds no facts, it flags too much. It changes nothing. To add a check, write a function that
yields `Check`s and call it in `examine`.
"""

from __future__ import annotations

from pathlib import Path

from ethos.core.model.errors import Refused
from ethos.edge.client.connection import Connection
from ethos.edge.ops.doctor import keeping, process, setup, store, troubles
from ethos.edge.ops.doctor.check import Check, Level, fail, quoted

__all__ = ["Check", "Level", "examine"]


def examine(explicit: Path | None) -> list[Check]:
    """Run every check, in order; leave out those that another fault makes impossible."""
    try:
        connection = Connection(explicit)
    except Refused as refused:
        return [quoted("setup", "configuration", refused.problem, "nothing works until it is right")]
    with connection:
        found = [*setup.checks(connection), *process.checks(connection)]
        try:
            status = process.status(connection)
        except Refused as refused:
            return [*found, quoted("memory", "store", refused.problem, "nothing can be read or stored")]
        except OSError as error:
            return [*found, fail("memory", "store", f"{error}", "nothing can be read or stored", "look at who owns the folders above")]
        settings = connection.settings
        return [
            *found,
            *store.checks(connection, status),
            *keeping.checks(status, settings),
            *troubles.checks(status, settings),
        ]
