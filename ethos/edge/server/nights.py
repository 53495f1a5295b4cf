"""The nights: decide whether one is due and may run (L-01; docs/requirements.md, Settled). What a night does is `ethos/app/sleep.py`."""

from __future__ import annotations

from datetime import datetime, timedelta

from ethos.app import Slept
from ethos.edge.config import logs
from ethos.edge.server.backoff import Backoff
from ethos.edge.server.loop import Loop

LOOK_AGAIN = timedelta(minutes=1)  # after a look that found nothing due

log = logs.get()


class Nights:
    """Sleep on each day once, from the set hour of the next day on, when the machine is idle; one night a tick."""

    def __init__(self, loop: Loop) -> None:
        self.backoff = Backoff("The night")
        self.last: Slept | None = None
        self._loop = loop
        self._looked: datetime | None = None  # when nothing was due; None: something may be

    def tick(self) -> None:
        """Run a night if one is due and the machine is idle."""
        ethos = self._loop.ethos
        now = ethos.clock.now()
        looked = self._looked is not None and timedelta(0) <= now - self._looked < LOOK_AGAIN
        if looked or self.backoff.waiting or not ethos.settings.sleep.enabled:
            return
        with self.backoff.guard():
            due = ethos.nights_due()
            self._looked = None if due else now
            if not due:
                return
            if reasons := self._loop.why_not_idle():
                log.debug("Night put off: system not idle", date=str(due[0]), why="; ".join(reasons))
                return
            self.last = self._loop.sleep_when_idle(due[0])
            self.backoff.succeeded()
