"""Make folders and files that are durable and accessible to the owner only."""

from __future__ import annotations

import os
from collections.abc import Iterable
from pathlib import Path


def make(folder: Path) -> None:
    """Make the folder and its missing parents."""
    for missing in reversed([each for each in (folder, *folder.parents) if not each.exists()]):
        missing.mkdir(mode=0o700, exist_ok=True)


def sync(place: Path) -> None:
    """Flush a file, or the entries of a folder, to the disk, so that they survive a power loss."""
    handle = os.open(place, os.O_RDONLY | os.O_CLOEXEC)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


def create(path: Path, data: bytes, like: os.stat_result | None = None) -> None:
    """Create a file, durable on return; it must not exist. like: copy its owner and mode; None: 0600 and this user."""
    handle = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC, 0o600)
    with open(handle, "wb") as file:  # noqa: PTH123 (a descriptor, opened exclusively)
        file.write(data)
        file.flush()
        if like is not None:
            made = os.fstat(handle)
            if (made.st_uid, made.st_gid) != (like.st_uid, like.st_gid):
                os.fchown(handle, like.st_uid, like.st_gid)
            os.fchmod(handle, like.st_mode & 0o777)
        os.fsync(handle)


def append(path: Path, blocks: Iterable[bytes]) -> None:
    """Append to a file, durable on return; create it if it is missing."""
    handle = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_APPEND | os.O_NOFOLLOW | os.O_CLOEXEC, 0o600)
    with open(handle, "ab") as file:  # noqa: PTH123 (a descriptor)
        file.writelines(blocks)
        file.flush()
        os.fsync(handle)
    sync(path.parent)
