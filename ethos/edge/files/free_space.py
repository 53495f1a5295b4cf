"""Check the free disk space before a run begins, rather than run out in the middle."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import NamedTuple

from ethos.core.model.errors import Problem
from ethos.edge.files.store_files import StoreFiles

LEAST_FREE = 50 * 1024 * 1024  # bytes, and twice the write-ahead log
WAL_ALARM = 64 * 1024 * 1024  # bytes; beyond this the log does not shrink, because a reader stays open


class FreeSpace(NamedTuple):
    """Bytes free on the disk of the database, bytes that a run may need, and the size of the write-ahead log."""

    beside: Path
    free: int
    needed: int
    wal: int

    @property
    def problem(self) -> Problem | None:
        """Return why a pass must not begin, or None."""
        if self.free >= self.needed:
            return None
        what = f"the disk is nearly full: {self.free >> 20} MiB are free, and a pass may need {self.needed >> 20}"
        return Problem("store", what, "free some space; nothing is lost, and waiting episodes are read then", str(self.beside))


def beside(files: StoreFiles) -> FreeSpace:
    """Return the free space for this database, which need not exist yet. Raises OSError."""
    folder = next(path for path in files.database.parents if path.exists())
    try:
        wal = files.log.stat().st_size
    except FileNotFoundError:
        wal = 0
    return FreeSpace(folder, shutil.disk_usage(folder).free, LEAST_FREE + 2 * wal, wal)
