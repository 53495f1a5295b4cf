"""The run lease: one run at a time changes a SQLite store, over all processes and threads.

It is kept in a file beside the database, which its holder locks by `flock` and writes its process, the end of the lease and, with each
heartbeat, a later end into. A process that is gone has no lock, so its lease is free at once. One that lives without a heartbeat (it is
stopped, or hangs outside Python) loses the lease when the end has passed: the next holder puts a file of its own in the place. Whoever
lost the lease finds that at its next write, in the transaction, and is `Refused`: nothing of it is stored.

Times are of the monotonic clock, which all processes of a machine share and nobody sets.
"""

from __future__ import annotations

import fcntl
import json
import os
import secrets
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from threading import Event, Thread, local
from typing import NamedTuple

from ethos.core.model.errors import refuse

SECONDS = 60.0  # from a heartbeat to the end of the lease
_BEATS = 6  # heartbeats in that time
_LONGEST = 200  # bytes of the file
_NO_ROOM = "free some space, or make the folder writable, and try again"
_HINT = "wait for it to finish, or see `ethos status`"


class Holder(NamedTuple):
    """Name the process that holds a lease, and its end on the monotonic clock."""

    process: int
    ends: float


class RunLease:
    """Take and hold the lease of one database. seconds: how long it lasts without a heartbeat."""

    def __init__(self, database: Path, *, seconds: float = SECONDS) -> None:
        self._path = database.with_name(f".{database.name}.pass")
        self._seconds = seconds
        self._mine = local()  # handle: the locked file, in the thread that holds the lease

    @contextmanager
    def hold(self, what: str = "another pass is running on this memory") -> Iterator[None]:
        """Hold the lease in this context. Raises `Refused` (busy) with `what` and the holder's process if another holds it."""
        try:
            handle = self._take(what)
        except OSError as error:
            said = f"the lease of a pass cannot be written ({error.strerror})"
            raise refuse("store", said, hint=_NO_ROOM, where=str(self._path)) from error
        self._mine.handle = handle
        try:
            with self._heartbeat(handle):
                yield
        finally:
            self._mine.handle = None
            os.ftruncate(handle, 0)
            os.close(handle)

    def verify(self) -> None:
        """Raise `Refused` (busy) if this thread held the lease and has lost it. To be called in each transaction that writes."""
        handle = getattr(self._mine, "handle", None)
        if handle is not None and not self._is_current(handle):
            what = f"another pass has taken over: this one showed no life for {self._seconds:.0f} seconds"
            raise refuse("busy", what, hint="nothing of its last step was stored; run it again", where=str(self._path))

    def holder(self) -> Holder | None:
        """Return who holds the lease, or held it last; None if that is unknown."""
        try:
            handle = os.open(self._path, os.O_RDONLY | os.O_NOFOLLOW | os.O_CLOEXEC)
        except FileNotFoundError:
            return None
        try:
            return _read(handle)
        finally:
            os.close(handle)

    def _take(self, what: str) -> int:
        handle = self._locked()
        if handle is None and self._has_ended():
            handle = self._take_over()
        if handle is None:
            found = self.holder()
            whose = f" (process {found.process})" if found is not None else ""
            raise refuse("busy", what + whose, hint=_HINT)
        try:
            self._write(handle)
        except OSError:
            os.close(handle)
            raise
        return handle

    def _locked(self) -> int | None:
        """Lock the file; None if another has."""
        self._path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        while True:
            handle = os.open(self._path, os.O_RDWR | os.O_CREAT | os.O_NOFOLLOW | os.O_CLOEXEC, 0o600)
            if not _lock(handle):
                os.close(handle)
                return None
            if self._is_current(handle):
                return handle
            os.close(handle)  # it was replaced meanwhile

    def _has_ended(self) -> bool:
        """Return True if the holder lives and its lease has ended. A dead one has no lock: whoever has it then has just taken it."""
        found = self.holder()
        return found is not None and found.ends < time.monotonic() and Path("/proc", str(found.process)).exists()

    def _take_over(self) -> int | None:
        """Put a file of our own in the place of one whose lease has ended; None if another process is doing that."""
        next_lock = os.open(self._path.with_name(self._path.name + ".next"), os.O_RDWR | os.O_CREAT | os.O_NOFOLLOW | os.O_CLOEXEC, 0o600)
        try:
            if not _lock(next_lock) or not self._has_ended():
                return None
            fresh = self._path.with_name(f"{self._path.name}.{secrets.token_hex(8)}")
            handle = os.open(fresh, os.O_RDWR | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC, 0o600)
            _lock(handle)
            self._write(handle)
            fresh.replace(self._path)
            return handle
        finally:
            os.close(next_lock)

    def _is_current(self, handle: int) -> bool:
        try:
            return os.path.samestat(os.fstat(handle), self._path.stat())
        except FileNotFoundError:
            return False

    @contextmanager
    def _heartbeat(self, handle: int) -> Iterator[None]:
        """Move the end of the lease on, now and then, as long as the context lasts."""
        stop = Event()
        beating = Thread(target=self._beat, args=(handle, stop), name="run lease", daemon=True)
        beating.start()
        try:
            yield
        finally:
            stop.set()
            beating.join()

    def _beat(self, handle: int, stop: Event) -> None:
        while not stop.wait(self._seconds / _BEATS) and self._is_current(handle):
            self._write(handle)

    def _write(self, handle: int) -> None:
        told = json.dumps({"process": os.getpid(), "ends": time.monotonic() + self._seconds})
        os.pwrite(handle, told.ljust(_LONGEST).encode("ascii"), 0)


def _lock(handle: int) -> bool:
    try:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True


def _read(handle: int) -> Holder | None:
    try:
        told = json.loads(os.pread(handle, _LONGEST, 0))
        return Holder(int(told["process"]), float(told["ends"]))
    except (ValueError, KeyError, TypeError):
        return None  # it is being written, or is of another version
