"""Editors: whether somebody has the review file open, as far as their editor tells."""

from __future__ import annotations

from datetime import datetime, timedelta
from pathlib import Path

from ethos.edge.inbox.found import look, modified

LEFT_BEHIND = timedelta(minutes=10)  # an editor's lock that is older is of a crash, or its person is elsewhere

_LOCKS = (".{}.swp", ".{}.swo", ".{}.swn", ".#{}", ".~lock.{}#")  # what vim and nano, Emacs, LibreOffice leave beside an open file


def lock_of(paths: tuple[Path, ...], now: datetime) -> str:
    """The name of a lock beside one of these, or ""."""
    for beside in (path.with_name(form.format(path.name)) for path in dict.fromkeys(paths) for form in _LOCKS):
        status = look(beside)
        if status is not None and abs(now - modified(status)) < LEFT_BEHIND:
            return beside.name
    return ""
