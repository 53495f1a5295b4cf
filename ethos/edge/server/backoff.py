"""Trouble: what keeps failing is tried less and less often, said once, and known to `status` (TRUST, SQLite: degraded)."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager

from ethos.core.model.errors import Problem, Refused
from ethos.edge.config import logs

FIRST_SECONDS = 5.0
MOST_SECONDS = 900.0

log = logs.get()


class Trouble:
    """How one recurring job fares. job: its name in the log."""

    def __init__(self, job: str) -> None:
        self.what = ""  # empty: no trouble
        self._job = job
        self._delay = 0.0
        self._until = 0.0

    @property
    def waits(self) -> bool:
        """It failed, and it is too early to try again."""
        return time.monotonic() < self._until

    @contextmanager
    def handled(self) -> Iterator[None]:
        """The job. What goes wrong in it ends here: the daemon lives on, and tries it again later. Where it went well, say `gone`."""
        try:
            yield
        except Refused as refused:
            if refused.problem.code == "busy":
                log.debug(f"{self._job} waits for its turn", why=refused.problem.what)
                return
            self.found(refused.problem)
        except Exception as error:
            log.exception(f"{self._job} failed")
            self._wait(f"{type(error).__name__}: {error}")

    def found(self, problem: Problem) -> None:
        """It failed for a reason that can be told."""
        if self.what != problem.what:
            log.error(f"{self._job} failed: {problem.what}", hint=problem.hint, where=problem.where)
        self._wait(problem.what)

    def gone(self) -> None:
        """It works."""
        if self.what:
            log.info(f"{self._job} works again")
        self.what, self._delay, self._until = "", 0.0, 0.0

    def _wait(self, what: str) -> None:
        self.what = what
        self._delay = min(MOST_SECONDS, self._delay * 2 or FIRST_SECONDS)
        self._until = time.monotonic() + self._delay
