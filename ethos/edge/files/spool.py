"""Clean up the spool folder, in which versions before 0.2 kept standard input for the daemon. It is no longer written to."""

from __future__ import annotations

import os
import shutil
import time
from pathlib import Path

FOLDER = "spool"
_LONG_AGO = 3_600  # seconds; after this long another process may have the id


def clear(state: Path) -> None:
    """Remove what killed commands left. Keep what a running command of an older version uses."""
    folder = state / FOLDER
    try:
        left = list(folder.iterdir())
    except OSError:
        return
    for each in left:
        if not _in_use(each):
            shutil.rmtree(each, ignore_errors=True)
    try:
        folder.rmdir()
    except OSError:  # something is in use
        return


def _in_use(folder: Path) -> bool:
    try:
        os.kill(int(folder.name), 0)
        return time.clock_gettime(time.CLOCK_REALTIME) - folder.stat().st_mtime < _LONG_AGO
    except (ValueError, OverflowError, OSError):
        return False
