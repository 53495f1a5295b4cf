"""Swapping: new bytes in the place of a file that somebody may be saving at this very moment (TRUST, The review inbox, Algorithm).

A plain rename would throw away a save that comes between the last look and the rename. `renameat2` with RENAME_EXCHANGE (Linux 3.15;
ext4, xfs, btrfs, tmpfs) puts the old file where the new one was, whatever it holds by then, so it can still be looked at, and an editor
that has it open writes into something that is not gone. Where the kernel or the file system has no exchange, a hard link holds on
to the old file; then only a save by rename within the same microseconds could be lost. Without hard links either, it is a rename.
"""

from __future__ import annotations

import ctypes
import errno
import os
from pathlib import Path

from ethos.edge.files import folders
from ethos.edge.inbox.found import Found, load

_AT_FDCWD = -100
_NOREPLACE, _EXCHANGE = 1, 2  # linux/fs.h
_UNKNOWN = frozenset({errno.ENOSYS, errno.EINVAL, errno.EOPNOTSUPP})  # of an old kernel, or a file system without it
_NO_LINKS = frozenset({errno.EPERM, errno.EOPNOTSUPP, errno.ENOSYS})


def put(found: Found, data: bytes, aside: Path) -> bool:
    """The data in the place of `found`, durably; False when somebody saved meanwhile, and then nothing was changed.

    aside: a name in the same folder that is not taken; the file that was replaced has it afterwards. Raises OSError.
    """
    target = found.path
    folders.make(target.parent)
    unfinished = target.with_name(f".{target.name}.ethos-new")
    unfinished.unlink(missing_ok=True)  # of a process that died while writing it; the lock says that none is at it
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
    fresh.rename(aside)  # complete: from here on it has the name that tells what becomes of it (`swapped`), should we die
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
    except FileNotFoundError:  # somebody has removed it: their turn
        aside.unlink(missing_ok=True)
        return False
    except OSError:
        aside.unlink(missing_ok=True)
        raise
    return True


def _new(fresh: Path, target: Path) -> bool:
    """Unlike a rename, never over a file that came up just now."""
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
    """False: there is no such call here. Raises OSError."""
    call = getattr(ctypes.CDLL(None, use_errno=True), "renameat2", None)  # glibc 2.28
    if call is None:
        return False
    if call(_AT_FDCWD, os.fsencode(source), _AT_FDCWD, os.fsencode(target), ctypes.c_uint(flags)) == 0:
        return True
    number = ctypes.get_errno()
    if number in _UNKNOWN:
        return False
    raise OSError(number, os.strerror(number), str(target))
