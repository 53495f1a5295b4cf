"""Spool: a folder of the state in which versions before 0.2 kept standard input for the daemon. Nothing is written there any more."""

from __future__ import annotations

import os
import shutil
import time
from pathlib import Path

FOLDER = "spool"
_LONG_AGO = 3_600  # seconds after which an id of a process says nothing: another one may have it by now


def clear(state: Path) -> None:
    """Remove what commands left that were killed. What a command of an older version is using just now stays."""
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
