"""Replace a file that a person may be saving at this very moment.

A plain rename would lose a save between the last check and the rename. `renameat2` with RENAME_EXCHANGE (Linux 3.15; ext4, xfs, btrfs,
tmpfs) moves the old file to the new one's place with its latest content, so it can still be checked, and an editor that has it open writes
into a file that still exists. Where the kernel or the file system has no exchange, a hard link keeps the old file; then only a save by
rename within the same microseconds could be lost. Without hard links, it is a plain rename.
"""

from __future__ import annotations

import ctypes
import errno
import os
from pathlib import Path

from ethos.edge.files import folders
from ethos.edge.inbox.file_version import FileVersion, load

_AT_FDCWD = -100
_NOREPLACE, _EXCHANGE = 1, 2  # linux/fs.h
_UNKNOWN = frozenset({errno.ENOSYS, errno.EINVAL, errno.EOPNOTSUPP})  # an old kernel, or a file system without it
_NO_LINKS = frozenset({errno.EPERM, errno.EOPNOTSUPP, errno.ENOSYS})


def put(found: FileVersion, data: bytes, aside: Path) -> bool:
    """Replace `found` with the data, durably; return False and change nothing if the file was saved meanwhile.

    aside: a free name in the same folder, which the replaced file gets. Raises OSError.
    """
    target = found.path
    folders.make(target.parent)
    unfinished = target.with_name(f".{target.name}.ethos-new")
    unfinished.unlink(missing_ok=True)  # left by a process that died while writing it: we hold the lock, so no process writes it now
    try:
        folders.create(unfinished, data, found.status)
        if load(target).digest != found.digest:
            return False
        done = _new(unfinished, target) if found.data is None else _exchanged(unfinished, target, aside)
    finally:
        unfinished.unlink(missing_ok=True)
    folders.sync(target.parent)
    return done


def _exchanged(fresh: Path, target: Path, aside: Path) -> bool:
    fresh.rename(aside)  # complete: from here on its name says what to do with it after a crash
    try:
        if _renameat2(aside, target, _EXCHANGE):
            return True
        aside.rename(fresh)
        try:
            os.link(target, aside, follow_symlinks=False)
        except OSError as error:
            if error.errno not in _NO_LINKS:
                raise
        fresh.rename(target)
    except FileNotFoundError:  # the file was removed: leave it so
        aside.unlink(missing_ok=True)
        return False
    except OSError:
        aside.unlink(missing_ok=True)
        raise
    return True


def _new(fresh: Path, target: Path) -> bool:
    """Move the file into place, unless one has appeared there."""
    try:
        if _renameat2(fresh, target, _NOREPLACE):
            return True
        os.link(fresh, target)
    except FileExistsError:
        return False
    except OSError as error:
        if error.errno not in _NO_LINKS:
            raise
        fresh.rename(target)
    return True


def _renameat2(source: Path, target: Path, flags: int) -> bool:
    """Call renameat2; return False if there is no such call here. Raises OSError."""
    call = getattr(ctypes.CDLL(None, use_errno=True), "renameat2", None)  # glibc 2.28
    if call is None:
        return False
    if call(_AT_FDCWD, os.fsencode(source), _AT_FDCWD, os.fsencode(target), ctypes.c_uint(flags)) == 0:
        return True
    number = ctypes.get_errno()
    if number in _UNKNOWN:
        return False
    raise OSError(number, os.strerror(number), str(target))
