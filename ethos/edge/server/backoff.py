"""Retry a failing job with exponential backoff; log a failure once and report it in `status`."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager

from ethos.core.model.errors import Problem, Refused
from ethos.edge.config import logs

_FIRST_SECONDS = 5.0
MOST_SECONDS = 900.0

log = logs.get()


class Backoff:
    """Track the failures of one recurring job. job: its name in the log."""

    def __init__(self, job: str) -> None:
        self.problem = ""  # empty: the job works
        self._job = job
        self._delay = 0.0
        self._until = 0.0

    @property
    def waiting(self) -> bool:
        """Return True if the job failed and it is too early to retry."""
        return time.monotonic() < self._until

    @contextmanager
    def guard(self) -> Iterator[None]:
        """Run the job in this context. Any error is caught and logged, and sets the time of the next retry.

        Call `succeeded` when the job went well. A job that is refused as busy is neither a failure nor a success.
        """
        try:
            yield
        except Refused as refused:
            if refused.problem.code == "busy":
                log.debug(f"{self._job} waits for its turn", why=refused.problem.what)
                return
            self.failed(refused.problem)
        except Exception as error:
            log.exception(f"{self._job} failed")  # a bug in one job must not take the daemon down: `status` shows it, and it is retried
            self._wait(f"{type(error).__name__}: {error}")

    def failed(self, problem: Problem) -> None:
        """Record a failure with a known reason; log it unless it is the same as before."""
        if self.problem != problem.what:
            log.error(f"{self._job} failed: {problem.what}", hint=problem.hint, where=problem.where)
        self._wait(problem.what)

    def succeeded(self) -> None:
        """Record a success and reset the delay."""
        if self.problem:
            log.info(f"{self._job} works again")
        self.problem, self._delay, self._until = "", 0.0, 0.0

    def _wait(self, problem: str) -> None:
        self.problem = problem
        self._delay = min(MOST_SECONDS, self._delay * 2 or _FIRST_SECONDS)
        self._until = time.monotonic() + self._delay
