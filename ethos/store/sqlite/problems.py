"""Turn errors of SQLite into problems with a hint."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import Any

from ethos.core.model.errors import Problem, Refused

BUSY = frozenset({"SQLITE_BUSY", "SQLITE_LOCKED"})
_DOUBTFUL = frozenset({"SQLITE_IOERR", "SQLITE_CORRUPT"})  # after these nobody knows what the file holds
DAMAGED = "stop Ethos and restore a backup: `ethos backup --list`, then `ethos restore FILE`, which keeps what is there; then capture again"
NO_STORE = "if it was a memory, restore a backup: `ethos backup --list`, then `ethos restore FILE`; else set `database` to another path"

# What SQLite cannot grow on a full disk it may report as an error of the disk, the index of its log among it: 32 KiB, before anything else.
_ROOM = 65_536  # bytes
_NO_FORMAT = "unsupported file format"  # a number in the header is none that there is; SQLite has no code for that either
_NO_TEXT = "Could not decode to UTF-8"  # how the driver tells of a text in the file that is none; it has no code for that

# SQLite's primary result code -> what was found, what to do
_KNOWN: dict[str, tuple[str, str]] = {
    "SQLITE_FULL": ("the disk is full", "free some space and try again; nothing that was acknowledged is lost"),
    "SQLITE_IOERR": ("the disk gave an error", "look at the disk and the system log, then run `ethos doctor`"),
    "SQLITE_PROTOCOL": ("the locks of the store cannot be had", "look at the disk and the system log, then run `ethos doctor`"),
    "SQLITE_READONLY": ("the store cannot be written", "make the file and its folder writable for this user"),
    "SQLITE_PERM": ("this user may not open the store", "make the file and its folder readable and writable for this user"),
    "SQLITE_CANTOPEN": ("the store cannot be opened", "check that the folder exists and that this user may write in it"),
    "SQLITE_CORRUPT": ("the store is damaged", DAMAGED),
    "SQLITE_NOTADB": ("the file is not an Ethos store, or its header is damaged", NO_STORE),
    "SQLITE_TOOBIG": ("a text is too long for the store", "shorten it, or lower `capture.max_text_chars`"),
    "SQLITE_NOMEM": ("there is not enough memory", "free some memory and try again"),
}


def refusal(error: Exception, path: Path) -> Refused | None:
    """Return the refusal for an error of the driver; None if the error is a bug of ours."""
    code = primary(error)
    if code in BUSY:
        return Refused(Problem("busy", "another process is writing to the store", hint="try again in a moment", where=str(path)))
    if code not in _KNOWN:
        return None
    if without_room(error, path.parent):
        code = "SQLITE_FULL"
    what, hint = _KNOWN[code]
    return Refused(Problem("store", f"{what} ({error})", hint=hint, where=str(path)))


def without_room(error: Exception, folder: Path) -> bool:
    """Return whether this error of the disk is that it is full."""
    try:
        return primary(error) == "SQLITE_IOERR" and shutil.disk_usage(folder).free < _ROOM
    except OSError:
        return False


def doubtful(error: Exception) -> bool:
    """Return True if the file must be checked after this error before it is written to again."""
    return primary(error) in _DOUBTFUL


def primary(error: Any) -> str:
    """Return the primary result code of a driver's error, such as `SQLITE_IOERR` for `SQLITE_IOERR_FSYNC`; empty when it has none."""
    if isinstance(error, UnicodeDecodeError) or str(error).startswith(_NO_TEXT):  # Ethos never wrote that
        return "SQLITE_CORRUPT"
    if str(error).startswith(_NO_FORMAT):
        return "SQLITE_NOTADB"
    name: str = getattr(error, "sqlite_errorname", None) or ""
    return "_".join(name.split("_")[:2])
