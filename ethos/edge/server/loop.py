"""The consolidation loop: whether a cycle is due, whether it may run, and what became of it (E-01, E-02, E-35; SPEC, Settled: Schedule).

It is also how callers over the socket get their passes, so that there is one place where cycles begin, are told and are counted.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from pathlib import Path
from threading import Event
from typing import TypeVar

from ethos.app import Cycle, Ethos
from ethos.core.model.errors import Refused
from ethos.core.model.records import Run
from ethos.edge.config import logs
from ethos.edge.files import free_space
from ethos.edge.server import idle
from ethos.edge.server.backoff import Trouble
from ethos.edge.server.pass_lock import Turns

Result = TypeVar("Result")

log = logs.get()


class Loop:
    """Cycles when they are due and the machine is idle, one unit of work a tick; and `Passes` for the socket."""

    def __init__(self, ethos: Ethos, turns: Turns, *, since_start: Callable[[], float]) -> None:
        """since_start: seconds, by a clock that nobody sets. With no run stored yet, the first is due an interval after the start."""
        self.ethos = ethos
        self.turns = turns
        self.trouble = Trouble("Consolidation")
        self.last: Cycle | None = None
        self._since_start = since_start
        self._cycled = 0.0  # by that clock: when a cycle over all sessions last ended here
        self._stopping = Event()
        self._last_run: Run | None = None
        self._remember()

    # -- by itself

    def tick(self) -> None:
        """Run one unit if a cycle is due and the machine is idle."""
        if self.trouble.waits:
            return
        with self.trouble.handled():
            if not self.due():
                return
            reasons = self.why_not_idle()
            if reasons:
                log.debug("Consolidation skipped: system not idle", why="; ".join(reasons))
                return
            work = partial(self._cycle, reason="interval", units=1, keep_going=self._still_idle)
            self.turns.alone(work, wait_seconds=0)

    def due(self) -> bool:
        """The last run is older than the interval, or left something over."""
        if self.wait() > 0:
            return False
        self._remember()  # another process may have run one
        return self.wait() <= 0

    def wait(self) -> float:
        """Seconds until a cycle is due, as far as is remembered."""
        if self._last_run is not None and self._last_run.outcome == "stopped":
            return 0.0
        return max(0.0, self.ethos.settings.consolidation.interval_minutes * 60 - self.age())

    def age(self) -> float:
        """Seconds since the last cycle over all sessions ended. Where the clock was set back, or there was none: since the last one here,
        or the start.
        """
        ended = self._last_run.ended_at if self._last_run else None
        elapsed = (self.ethos.clock.now() - ended).total_seconds() if ended else -1.0
        return elapsed if elapsed >= 0 else self._since_start() - self._cycled

    def why_not_idle(self) -> tuple[str, ...]:
        """Every reason not to run just now; none means idle."""
        wanted = self.ethos.settings.consolidation
        return idle.why_not(idle.read(self.ethos.store, self.ethos.clock.now(), wanted), wanted)

    def stop(self) -> None:
        """What runs ends after its unit; nothing begins any more."""
        self._stopping.set()
        self.turns.close()

    # -- for others

    def consolidate(self, *, session: str | None, reason: str, dry_run: bool) -> Cycle:
        """See `Passes`. Idle or not (X-E14)."""
        return self.turns.alone(partial(self._asked, session=session, reason=reason, dry_run=dry_run))

    def alone(self, work: Callable[[], Result]) -> Result:
        """See `Passes`."""
        return self.turns.alone(work)

    # -- inside

    def _cycle(
        self,
        *,
        keep_going: Callable[[], bool],
        session: str | None = None,
        reason: str = "",
        dry_run: bool = False,
        units: int | None = None,
    ) -> Cycle:
        cycle = self.ethos.consolidate(session=session, reason=reason, dry_run=dry_run, units=units, keep_going=keep_going)
        self.trouble.gone()
        if not dry_run:
            self._tell(cycle)
            self.last = cycle
            if session is None:
                self._cycled = self._since_start()
            self._remember()
        return cycle

    def _asked(self, *, session: str | None, reason: str, dry_run: bool) -> Cycle:
        try:
            return self._cycle(session=session, reason=reason, dry_run=dry_run, keep_going=self._not_stopping)
        except Refused as refused:
            if refused.problem.code == "store":
                self.trouble.found(refused.problem)
            raise

    def _tell(self, cycle: Cycle) -> None:
        for episode, why in cycle.failures:
            log.warning(f"Failed to upsert fact for episode {episode}: {why}", run=cycle.run)
        if cycle.review_problem:
            log.warning("The review file needs a look", problem=cycle.review_problem)
        wal = free_space.beside(Path(self.ethos.settings.ethos.database)).wal
        if wal > free_space.WAL_ALARM:
            log.warning(f"The write-ahead log does not shrink ({wal >> 20} MiB): somebody reads for long", hint="ethos doctor")
        told = f"{cycle.episodes_scanned} scanned, {cycle.episodes_promoted} promoted, {cycle.facts_created} facts created"
        log.info(f"Consolidation cycle complete: {told}", run=cycle.run, audit=self.ethos.store.describe()["audit_head"])

    def _remember(self) -> None:
        """What is stored about the last cycle over all sessions; a cycle over one session does not put off the others."""
        with self.ethos.store.begin() as work:
            ended = (run for run in work.runs(name="consolidate", limit=50) if run.ended_at is not None and run.session is None)
            self._last_run = next(ended, None)

    def _not_stopping(self) -> bool:
        self.turns.progressed()
        return not self._stopping.is_set()

    def _still_idle(self) -> bool:
        return self._not_stopping() and not self.why_not_idle()
