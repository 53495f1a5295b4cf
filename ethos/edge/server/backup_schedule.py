"""Backups while the daemon runs: one when it is due and nobody waits for the store."""

from __future__ import annotations

from ethos.edge.config import logs
from ethos.edge.files import backups
from ethos.edge.server.backoff import Backoff
from ethos.edge.server.loop import Loop

log = logs.get()


class BackupSchedule:
    """Backs up beside a loop, under the same idle conditions and with the same pass lock; what fails is tried again later."""

    def __init__(self, loop: Loop) -> None:
        self.loop = loop
        self.backoff = Backoff("The backup")

    def tick(self) -> None:
        """Back up if a backup is due, no pass runs, and nobody works at the machine."""
        ethos = self.loop.ethos
        if self.backoff.waiting or self.loop.run_lock.taken:
            return
        with self.backoff.guard():
            if not backups.due(ethos) or self.loop.why_not_idle():
                return
            made, gone = self.loop.run_lock.run(lambda: backups.take(ethos), wait_seconds=0)
            self.backoff.succeeded()
            log.info("Backed up", path=str(made), removed=len(gone))
