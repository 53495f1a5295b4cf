"""Ownership: whose a file or folder is, and who else could read or replace what is in it (TRUST, Unix socket; Security, Files)."""

from __future__ import annotations

import os
import stat
from collections.abc import Iterable
from pathlib import Path

from ethos.core.model.errors import Problem
from ethos.core.model.settings import Settings


def taken(path: Path, *, by: int = stat.S_IWOTH, ours_alone: bool = False) -> str:
    """Why somebody else could put their own in the place of what is here; empty when nobody could, or nothing is here. Raises OSError.

    by: the write bits that must not be set. ours_alone: it must not be root's either. A link is as good as whoever made it: they can
    point it elsewhere at any time.
    """
    try:
        link, status = path.lstat(), path.stat()
    except FileNotFoundError:
        return ""
    if {link.st_uid, status.st_uid} - {os.geteuid(), 0} or (ours_alone and status.st_uid != os.geteuid()):
        return "belongs to another user"
    return "can be written by others" if status.st_mode & by else ""


def exposed(path: Path) -> str:
    """What others may do with it, as an octal mode; empty when nothing, or nothing is here. Raises OSError."""
    try:
        mode = stat.S_IMODE(path.stat().st_mode)
    except FileNotFoundError:
        return ""
    return f"{mode:o}" if mode & 0o077 else ""


def kept(settings: Settings) -> dict[str, Path]:
    """What holds the memory: folders and files, by what a person calls them."""
    database = Path(settings.ethos.database)
    beside = {name: database.with_name(database.name + end) for name, end in (("write-ahead log", "-wal"), ("journal", "-journal"))}
    return {"state folder": Path(settings.ethos.state), "database": database, **beside}


def seized(settings: Settings) -> Problem | None:
    """Why this memory must not be opened: somebody else could replace it, or be asked to keep it."""
    places = {"database folder": Path(settings.ethos.database).parent, **kept(settings)}
    for name, path in places.items():
        try:
            why = taken(path)
        except OSError as error:
            return Problem("store", f"the {name} cannot be looked at: {error.strerror}", f"ls -ld {path}", str(path))
        if why:
            right = f"chmod o-w {path}" if "written" in why else f"make it yours (chown {os.geteuid()} {path})"
            return Problem("store", f"the {name} {why}, who could replace your memory", f"{right}, or set another path", str(path))
    return None


def open_to_others(settings: Settings) -> Iterable[tuple[str, Path, str]]:
    """What others may read of this memory: what it is, where it is, its mode. What cannot be looked at is left out."""
    for name, path in kept(settings).items():
        try:
            mode = exposed(path)
        except OSError:
            continue
        if mode:
            yield name, path, mode
