"""The lock that allows one run at a time in this process. Equal requests are merged before they ask for it (edge/server/single_flight.py).

The run lease of the store excludes other processes; a run waits for both in the same way.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from threading import Event, Lock
from typing import TypeVar

from ethos.core.model.errors import Refused, refuse

Result = TypeVar("Result")

_POLL_SECONDS = 0.1  # between two attempts to take the lease


class RunLock:
    """Do runs one at a time. wait_seconds: how long a caller waits before it is `Refused` as busy."""

    def __init__(self, wait_seconds: float) -> None:
        self.wait_seconds = wait_seconds
        self._lock = Lock()
        self._progress: float | None = None  # monotonic time of the last progress of the run; None: there is none
        self._closed = Event()

    def run(self, work: Callable[[], Result], *, wait_seconds: float | None = None) -> Result:
        """Run `work` while holding the lock and return its result. Raises `Refused` (busy) if the lock was not free in time."""
        wait = self.wait_seconds if wait_seconds is None else wait_seconds
        until = time.monotonic() + wait
        if not self._lock.acquire(timeout=wait):
            raise refuse("busy", "another pass is running", hint="try again in a moment; `ethos status` shows how far it is")
        try:
            while True:
                self.progressed()
                try:
                    return work()
                except Refused as refused:
                    if refused.problem.code != "busy" or time.monotonic() + _POLL_SECONDS > until or self._closed.wait(_POLL_SECONDS):
                        raise
        finally:
            self._progress = None
            self._lock.release()

    def progressed(self) -> None:
        """Record that the run has made progress."""
        self._progress = time.monotonic()

    def is_stuck(self, seconds: float) -> bool:
        """Return True if a run has made no progress for this long."""
        progress = self._progress
        return progress is not None and time.monotonic() - progress > seconds

    @property
    def taken(self) -> bool:
        """Return True during a run."""
        return self._lock.locked()

    def close(self) -> None:
        """Stop waiting for other processes."""
        self._closed.set()
