"""Turns: one pass at a time in this process. Callers who want the same one are brought together before (edge/server/socket_server.py).

Other processes are kept out by the lock file in `Ethos`; a turn waits for them as it waits for its neighbours.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from threading import Event, Lock
from typing import TypeVar

from ethos.core.model.errors import Refused, refuse

Result = TypeVar("Result")

POLL_SECONDS = 0.1  # between two looks at another process's lock


class Turns:
    """Gives turns. wait_seconds: how long a caller waits for one before it is `Refused` as busy."""

    def __init__(self, wait_seconds: float) -> None:
        self.wait_seconds = wait_seconds
        self._turn = Lock()
        self._progress: float | None = None  # monotonic time of the last sign of progress in the turn; None: nobody has it
        self._closed = Event()

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
