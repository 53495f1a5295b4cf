"""Check who owns a file or folder, and who else could read or replace its content (Security, Files)."""

from __future__ import annotations

import os
import stat
from collections.abc import Iterable
from pathlib import Path

from ethos.core.model.errors import Problem
from ethos.core.model.settings import Settings
from ethos.edge.files.store_files import files_of


def why_replaceable(path: Path, *, by: int = stat.S_IWOTH, ours_alone: bool = False) -> str:
    """Return why another user could replace what is at this path; empty if none could, or nothing is there. Raises OSError.

    by: the write bits that must not be set. ours_alone: refuse root as owner too. A link's owner counts as well: they can point it
    elsewhere at any time.
    """
    try:
        link, status = path.lstat(), path.stat()
    except FileNotFoundError:
        return ""
    if {link.st_uid, status.st_uid} - {os.geteuid(), 0} or (ours_alone and status.st_uid != os.geteuid()):
        return "belongs to another user"
    return "can be written by others" if status.st_mode & by else ""


def _mode_for_others(path: Path) -> str:
    """Return the mode, in octal, if others have any access; empty if they have none, or nothing is there. Raises OSError."""
    try:
        mode = stat.S_IMODE(path.stat().st_mode)
    except FileNotFoundError:
        return ""
    return f"{mode:o}" if mode & 0o077 else ""


def memory_files(settings: Settings) -> dict[str, Path]:
    """Return the folders and files that hold the memory, by the names that people use for them."""
    files = files_of(settings)
    beside = {"database": files.database, "write-ahead log": files.log, "journal": files.journal}
    return {"state folder": Path(settings.ethos.state), **beside}


def unsafe(settings: Settings) -> Problem | None:
    """Return why this memory must not be opened: another user could replace it, or owns it. None: it is safe."""
    places = {"database folder": files_of(settings).folder, **memory_files(settings)}
    for name, path in places.items():
        try:
            why = why_replaceable(path)
        except OSError as error:
            return Problem("store", f"the {name} cannot be read: {error.strerror}", f"ls -ld {path}", str(path))
        if why:
            right = f"chmod o-w {path}" if "written" in why else f"make it yours (chown {os.geteuid()} {path})"
            return Problem("store", f"the {name} {why}, who could replace your memory", f"{right}, or set another path", str(path))
    return None


def open_to_others(settings: Settings) -> Iterable[tuple[str, Path, str]]:
    """Yield what others may read of this memory: its name, path and mode. Paths that cannot be inspected are skipped."""
    for name, path in memory_files(settings).items():
        try:
            mode = _mode_for_others(path)
        except OSError:
            continue
        if mode:
            yield name, path, mode
