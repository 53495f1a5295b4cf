"""The bank's scheduler: consolidate all projects once an interval, when the machine is idle (R-33 to R-35). See `app/bank_runs.py`."""

from __future__ import annotations

from datetime import datetime, timedelta

from ethos.app.bank_runs import Overall
from ethos.edge.config import logs
from ethos.edge.server.backoff import Backoff
from ethos.edge.server.loop import Loop

LOOK_AGAIN = timedelta(minutes=5)  # after a look that found nothing due

log = logs.get()


class BankSchedule:
    """Consolidates the memories of every project, one after the other; where one fails the others go on."""

    def __init__(self, loop: Loop) -> None:
        self.backoff = Backoff("The bank")
        self.last: Overall | None = None
        self._loop = loop
        self._looked: datetime | None = None

    def start(self) -> None:
        """Log that the scheduler is there, if it is."""
        settings = self._loop.ethos.settings.bank
        if settings.scheduler_enabled:
            interval = f"{settings.scheduler_interval_hours:g}h"
            log.info("Starting consolidation scheduler", interval=interval, threshold=settings.similarity_threshold)

    def tick(self) -> None:
        """Run if it is due and the machine is idle."""
        ethos = self._loop.ethos
        now = ethos.clock.now()
        looked = self._looked is not None and timedelta(0) <= now - self._looked < LOOK_AGAIN
        if looked or self.backoff.waiting or not ethos.settings.bank.scheduler_enabled:
            return
        with self.backoff.guard():
            projects = ethos.bank.projects() if ethos.bank.due() else ()
            if not projects:
                self._looked = now
                return
            if self._loop.why_not_idle():
                return
            log.info("Consolidation run started", projects=len(projects))
            self.last = self._loop.consolidate_memories_when_idle()
            self._looked = now
            self._log(self.last, (ethos.clock.now() - now).total_seconds())
            self.backoff.succeeded()

    def _log(self, overall: Overall, seconds: float) -> None:
        for project, why in overall.failed:
            log.error("Project consolidation failed", project=project, error=why)
        created, archived = (
            sum(len(each) for each in lists) for lists in zip(*((d.created, d.archived) for d in overall.done), strict=True)
        )
        log.info("Consolidation complete", created=created, archived=archived, duration=f"{seconds:.1f}s")
