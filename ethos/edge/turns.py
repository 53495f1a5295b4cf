"""Turns: one pass at a time in this process, and callers who want the same thing share one (single flight; TRUST, Unix socket).

Other processes are kept out by the lock file in `Ethos`; a turn waits for them as it waits for its neighbours.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Hashable
from concurrent.futures import Future
from threading import Event, Lock
from typing import Any, TypeVar

from ethos.core.errors import Refused, refuse

Result = TypeVar("Result")

POLL_SECONDS = 0.1  # between two looks at another process's lock


class Turns:
    """Gives turns. wait_seconds: how long a caller waits for one before it is `Refused` as busy."""

    def __init__(self, wait_seconds: float) -> None:
        self.wait_seconds = wait_seconds
        self._turn = Lock()
        self._hand = Lock()  # on what follows
        self._flights: dict[Hashable, Future[Any]] = {}
        self._progress: float | None = None  # monotonic time of the last sign of progress in the turn; None: nobody has it
        self._closed = Event()

    def share(self, key: Hashable, work: Callable[[], Result]) -> Result:
        """What `work` gives. Callers with the same key who come before it is done get the same, however long it takes."""
        with self._hand:
            flight: Future[Result] | None = self._flights.get(key)
            if flight is not None:
                joined = flight
            else:
                joined = self._flights[key] = Future()
        if flight is not None:
            return joined.result()
        try:
            joined.set_result(self.alone(work))
        except BaseException as error:
            joined.set_exception(error)
            raise
        finally:
            with self._hand:
                del self._flights[key]
        return joined.result()

    def alone(self, work: Callable[[], Result], *, wait_seconds: float | None = None) -> Result:
        """What `work` gives, with no other work beside it. Raises `Refused` as busy when the wait was too long."""
        wait = self.wait_seconds if wait_seconds is None else wait_seconds
        until = time.monotonic() + wait
        if not self._turn.acquire(timeout=wait):
            raise refuse("busy", "another pass is running", hint="try again in a moment; `ethos status` shows how far it is")
        try:
            while True:
                self.progressed()
                try:
                    return work()
                except Refused as refused:
                    if refused.problem.code != "busy" or time.monotonic() + POLL_SECONDS > until or self._closed.wait(POLL_SECONDS):
                        raise
        finally:
            self._progress = None
            self._turn.release()

    def progressed(self) -> None:
        """The work that has the turn has got somewhere."""
        self._progress = time.monotonic()

    def stuck(self, seconds: float) -> bool:
        """The work that has the turn has shown no progress for so long."""
        progress = self._progress
        return progress is not None and time.monotonic() - progress > seconds

    @property
    def taken(self) -> bool:
        """Somebody has the turn."""
        return self._turn.locked()

    def close(self) -> None:
        """Nobody waits for another process any longer."""
        self._closed.set()
