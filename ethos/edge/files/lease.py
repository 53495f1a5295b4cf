"""The lease on a store: every process that has it open shares it; replacing the file needs it exclusively.

It is a `flock` on a file beside the database, so it ends with its holder, however that ends.
"""

from __future__ import annotations

import fcntl
import os
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from ethos.core.model.errors import refuse
from ethos.edge.files import folders
from ethos.edge.files.processes import command

SHARED_WAIT = 10.0  # seconds that opening a store waits for a restore to end
ALONE_WAIT = 2.0  # seconds that a restore waits for short commands to end
_POLL = 0.05
_LOCKS = Path("/proc/locks")
_PID, _FILE = 4, 5  # columns of /proc/locks


class Lease:
    """A shared lease, until it is closed."""

    def __init__(self, handle: int | None) -> None:
        self._handle = handle

    def close(self) -> None:
        """Release the lease. Closing it again does nothing."""
        if self._handle is not None:
            os.close(self._handle)
            self._handle = None


def share(database: Path) -> Lease:
    """Take a shared lease. Raises `Refused`.

    If the lock file cannot be created, the store cannot be written to either, and no lease is needed.
    """
    try:
        folders.make(database.parent)
        handle = _opened(database)
    except OSError:
        return Lease(None)
    try:
        if not _locked(handle, fcntl.LOCK_SH, SHARED_WAIT):
            who = _holders(handle)
            raise refuse("busy", f"this memory is being restored{who}", hint="try again when that is done", where=str(database))
    except BaseException:
        os.close(handle)
        raise
    return Lease(handle)


@contextmanager
def alone(database: Path) -> Iterator[None]:
    """Hold the lease exclusively in this context: no other process has the store open. Raises `Refused` naming those that have, OSError."""
    handle = _opened(database)
    try:
        if not _locked(handle, fcntl.LOCK_EX, ALONE_WAIT):
            who = _holders(handle)
            raise refuse("busy", f"this memory is in use{who}", hint="end that process, then do this again", where=str(database))
        yield
    finally:
        os.close(handle)


def _opened(database: Path) -> int:
    path = database.with_name(f".{database.name}.lease")
    return os.open(path, os.O_RDWR | os.O_CREAT | os.O_NOFOLLOW | os.O_CLOEXEC, 0o600)


def _locked(handle: int, kind: int, seconds: float) -> bool:
    until = time.monotonic() + seconds
    while True:
        with suppress(BlockingIOError):
            fcntl.flock(handle, kind | fcntl.LOCK_NB)
            return True
        if time.monotonic() > until:
            return False
        time.sleep(_POLL)


def _holders(handle: int) -> str:
    """Return the holders of a lock on this file, as text in brackets; empty if the kernel does not report them."""
    status = os.fstat(handle)
    file = f"{os.major(status.st_dev):02x}:{os.minor(status.st_dev):02x}:{status.st_ino}"
    try:
        held = [line.split() for line in _LOCKS.read_text("ascii").splitlines()]
    except OSError:
        return ""
    pids = sorted({int(line[_PID]) for line in held if "->" not in line and len(line) > _FILE and line[_FILE] == file} - {os.getpid()})
    return f" by process {', '.join(f'{pid} ({command(pid)})' if command(pid) else str(pid) for pid in pids)}" if pids else ""
