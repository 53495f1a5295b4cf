"""Detect that an editor has the review file open, if it leaves a lock file."""

from __future__ import annotations

from datetime import datetime, timedelta
from pathlib import Path

from ethos.edge.inbox.file_version import look, modified

_LEFT_BEHIND = timedelta(minutes=10)  # an older lock is from a crash or a forgotten editor

_LOCKS = (".{}.swp", ".{}.swo", ".{}.swn", ".#{}", ".~lock.{}#")  # lock files of vim and nano, Emacs, LibreOffice


def lock_of(paths: tuple[Path, ...], now: datetime) -> str:
    """Return the name of an editor's lock beside one of these paths, or ""."""
    for beside in (path.with_name(form.format(path.name)) for path in dict.fromkeys(paths) for form in _LOCKS):
        status = look(beside)
        if status is not None and abs(now - modified(status)) < _LEFT_BEHIND:
            return beside.name
    return ""
