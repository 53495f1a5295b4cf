"""The stores that this process has open. Only SQLite may open and close their files here (see `edge/erasure/scan_worker.py`)."""

from __future__ import annotations

import os

from ethos.core.model.errors import refuse

_SIDES = ("", "-wal", "-shm", "-journal")
_databases: set[str] = set()


def hold(database: str) -> None:
    """Register a store that is open or about to be."""
    _databases.add(database)


def refuse_own(path: str | os.PathLike[str]) -> None:
    """Raise Refused if the path leads to an open store."""
    try:
        wanted = os.stat(path)  # noqa: PTH116 (before each file that is read: a Path costs more than the call)
    except (OSError, ValueError):
        return
    for database in _databases:
        for side in _SIDES:
            try:
                if os.path.samestat(wanted, os.stat(database + side)):  # noqa: PTH116 (as above)
                    raise refuse("bad-input", "this is the memory itself", hint="name a transcript or an export", where=os.fspath(path))
            except OSError:
                continue
