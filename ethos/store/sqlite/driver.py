"""Open SQLite so that what is committed stays: library, journal, settings, owner of the files.

The library is Python's own, unless that one has the WAL-reset bug and `pysqlite3` has not. Where only a library with the bug is to
be had, and on file systems whose locks or shared memory cannot be relied on, the journal is DELETE instead of the write-ahead log:
a little slower, and safe.
"""

from __future__ import annotations

import importlib
import os
import sqlite3
from pathlib import Path
from typing import Any, NamedTuple

from ethos.core.model.errors import refuse

BUSY_MS = 10_000
_WAL_LIMIT = 64 * 1024 * 1024
CACHE_KIB = 2 * 1024  # a connection; a bigger one made no cycle faster, and fills up as the store grows

# file systems that are a network, or a program that may be one: no shared memory between machines, locks that may lie
_REMOTE = frozenset(
    {"nfs", "nfs4", "cifs", "smb3", "smbfs", "9p", "afs", "ceph", "glusterfs", "gfs2", "lustre", "ncpfs", "virtiofs", "vboxsf"}
)
_MOUNTS = Path("/proc/self/mountinfo")


class Library(NamedTuple):
    """Describe a DB-API module of SQLite. wal_safe: its write-ahead log is free of the WAL-reset bug."""

    module: Any
    name: str
    version: str
    wal_safe: bool


def wal_safe(version: tuple[int, ...]) -> bool:
    """Return True if this SQLite is free of the WAL-reset bug: 3.7.0 to 3.51.2 have it, but for 3.44.6 and 3.50.7 and their successors."""
    fixed_branch = (3, 44, 6) <= version < (3, 45) or (3, 50, 7) <= version < (3, 51)
    return version < (3, 7, 0) or version >= (3, 51, 3) or fixed_branch


def library() -> Library:
    """Return the SQLite to use: Python's own if it is sound, else `pysqlite3` if that is, else Python's own after all."""
    own = _described(sqlite3, "sqlite3")
    if own.wal_safe:
        return own
    try:
        other = _described(importlib.import_module("pysqlite3.dbapi2"), "pysqlite3")
    except ImportError:
        return own
    return other if other.wal_safe else own


def _described(module: Any, name: str) -> Library:
    return Library(module, name, module.sqlite_version, wal_safe(module.sqlite_version_info))


def file_system(path: Path, mounts: str) -> str:
    """Return the type of file system that a path lies on, from the text of /proc/self/mountinfo; empty if it is not there."""
    best, kind = "", ""
    for line in mounts.splitlines():
        before, _, after = line.partition(" - ")
        parts = before.split(" ")
        if len(parts) < 5 or not after:
            continue
        point = parts[4].replace("\\040", " ")
        if len(point) >= len(best) and path.is_relative_to(point):
            best, kind = point, after.split(" ")[0]
    return kind


def is_remote(kind: str) -> bool:
    """Return True if a file system of this type is a network or a program."""
    return kind in _REMOTE or kind == "fuse" or kind.startswith("fuse.")


def journal_mode(found: Library, path: Path) -> str:
    """Return the journal mode that is safe with this library at this place."""
    mounts = _MOUNTS.read_text(encoding="utf-8", errors="replace") if _MOUNTS.exists() else ""
    return "wal" if found.wal_safe and not is_remote(file_system(path.resolve(), mounts)) else "delete"


def make_file(path: Path) -> None:
    """Make sure there is a file that only its owner may read, in a folder that only its owner may enter."""
    if path.is_dir():
        raise refuse("store", "the store's path is a folder", hint="set `database` in the configuration to a file", where=str(path))
    try:
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        os.close(os.open(path, os.O_RDWR | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o600))
    except FileExistsError:
        if not path.parent.is_dir():
            raise refuse("store", "the store's folder is a file", hint="set `database` to another path", where=str(path.parent)) from None
    except OSError as error:
        what = f"the store cannot be made ({error.strerror})"
        raise refuse("store", what, hint="choose a path that this user may write to", where=str(path)) from error


def connect(path: Path, found: Library, journal: str, *, alone: bool = False) -> Any:
    """Open a connection with the settings that keep what is committed. It begins no transaction by itself, and any thread may use it.

    alone: it has the file for itself from its first look on, so the index of the log is kept in memory and needs no room on the disk.
    """
    connection = found.module.connect(
        str(path),
        check_same_thread=False,
        timeout=BUSY_MS / 1000,
        cached_statements=256,
        isolation_level=None,  # BEGIN is ours: the driver's would come late and be DEFERRED
    )
    try:
        for pragma in (
            f"locking_mode = {'EXCLUSIVE' if alone else 'NORMAL'}",  # first of all: the index is made with the first look at the file
            f"busy_timeout = {BUSY_MS}",
            f"journal_mode = {journal}",
            "synchronous = FULL",
            "foreign_keys = ON",
            "secure_delete = ON",
            f"journal_size_limit = {_WAL_LIMIT}",
            f"cache_size = -{CACHE_KIB}",
            "mmap_size = 0",
            "temp_store = MEMORY",  # no text in a file that nobody knows of
            "trusted_schema = OFF",
            "cell_size_check = ON",
        ):
            connection.execute(f"PRAGMA {pragma}")
    except BaseException:
        connection.close()
        raise
    return connection
