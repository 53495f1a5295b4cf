"""Locks between processes: `flock` on files in the state folder that are never unlinked, so a dead holder leaves no lock behind."""

from __future__ import annotations

import fcntl
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from ethos.core.model.errors import refuse

DAEMON = "daemon.lock"  # held by a running daemon: one daemon for each store
EDIT = "edit.lock"  # held while a person edits a copy of the review file
INBOX = "inbox.lock"  # held while the review file is written
REPLAY = "replay.lock"  # held while captured episodes are replayed with other rules


@contextmanager
def hold(state: Path, name: str, what: str, hint: str = "wait for it to finish, or see `ethos status`") -> Iterator[None]:
    """Hold the lock in this context. Raises `Refused` (busy) with `what` and `hint` if another process holds it."""
    state.mkdir(mode=0o700, parents=True, exist_ok=True)
    handle = os.open(state / name, os.O_RDWR | os.O_CREAT | os.O_NOFOLLOW | os.O_CLOEXEC, 0o600)
    try:
        try:
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            holder = os.pread(handle, 32, 0).decode("ascii", "replace").strip()
            whose = f" (process {holder})" if holder.isdigit() else ""
            raise refuse("busy", what + whose, hint=hint) from None
        os.ftruncate(handle, 0)
        os.pwrite(handle, f"{os.getpid()}\n".encode("ascii"), 0)
        yield
    finally:
        os.close(handle)


def holder(state: Path, name: str) -> str | None:
    """Return the process id of the lock's holder, "" if it is unknown, None if the lock is free.

    The lock is tried only if the process named in it is alive, so that this check never blocks one that is starting.
    """
    try:
        handle = os.open(state / name, os.O_RDONLY | os.O_NOFOLLOW | os.O_CLOEXEC)
    except OSError:
        return None
    try:
        process = os.pread(handle, 32, 0).decode("ascii", "replace").strip()
        if process.isdigit() and not Path("/proc", process).exists():
            return None
        fcntl.flock(handle, fcntl.LOCK_SH | fcntl.LOCK_NB)
    except BlockingIOError:
        return process if process.isdigit() else ""
    finally:
        os.close(handle)
    return None
