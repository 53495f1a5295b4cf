"""The consolidation loop: decide whether a cycle is due and may run, and record its outcome (E-01, E-02, E-35).

Requests over the socket get their passes here too, so that all cycles and nights start, are logged and are counted in one place. Which
nights are due is `nights.py`.
"""

from __future__ import annotations

from collections.abc import Callable
from datetime import date
from functools import partial
from threading import Event
from typing import TypeVar

from ethos.app import Cycle, Ethos, Slept
from ethos.app.bank_runs import Overall
from ethos.core.model.errors import Refused
from ethos.core.model.records import Run
from ethos.edge.config import logs
from ethos.edge.files import free_space
from ethos.edge.files.store_files import files_of
from ethos.edge.server import idle
from ethos.edge.server.backoff import Backoff
from ethos.edge.server.run_lock import RunLock

Result = TypeVar("Result")

log = logs.get()


class Loop:
    """Run cycles when they are due and the machine is idle, one unit a tick. Implements `Runs` for the socket."""

    def __init__(self, ethos: Ethos, run_lock: RunLock, *, since_start: Callable[[], float]) -> None:
        """since_start: monotonic seconds. Without a stored run, the first cycle is due one interval after the start."""
        self.ethos = ethos
        self.run_lock = run_lock
        self.backoff = Backoff("Consolidation")
        self.last: Cycle | None = None
        self._since_start = since_start
        self._cycled = 0.0  # by `since_start`: when a cycle over all sessions last ended here
        self._stopping = Event()
        self._last_run: Run | None = None
        self._remember()

    # -- scheduled cycles

    def tick(self) -> None:
        """Run one unit if a cycle is due and the machine is idle."""
        if self.backoff.waiting:
            return
        with self.backoff.guard():
            if not self.due():
                return
            reasons = self.why_not_idle()
            if reasons:
                log.debug("Consolidation skipped: system not idle", why="; ".join(reasons))
                return
            work = partial(self._cycle, reason="interval", units=1, keep_going=self._still_idle)
            self.run_lock.run(work, wait_seconds=0)

    def due(self) -> bool:
        """Return True if the last run is older than the interval or left work over."""
        if self.wait() > 0:
            return False
        self._remember()  # another process may have run one
        return self.wait() <= 0

    def wait(self) -> float:
        """Return the seconds until a cycle is due, by the last run known here."""
        if self._last_run is not None and self._last_run.outcome == "stopped":
            return 0.0
        return max(0.0, self.ethos.settings.consolidation.interval_minutes * 60 - self.age())

    def age(self) -> float:
        """Return the seconds since the last cycle over all sessions ended.

        Without one, or if the clock was set back, return those since the last cycle here, or since the start.
        """
        ended = self._last_run.ended_at if self._last_run else None
        elapsed = (self.ethos.clock.now() - ended).total_seconds() if ended else -1.0
        return elapsed if elapsed >= 0 else self._since_start() - self._cycled

    def why_not_idle(self) -> tuple[str, ...]:
        """Return every reason not to run now; empty: idle."""
        wanted = self.ethos.settings.consolidation
        return idle.why_not(idle.read(self.ethos.store, self.ethos.clock.now(), wanted), wanted)

    def stop(self) -> None:
        """Let the running pass end after its unit, and start no other."""
        self._stopping.set()
        self.run_lock.close()

    # -- passes for requests

    def consolidate(self, *, session: str | None, reason: str, dry_run: bool) -> Cycle:
        """Run one cycle, idle or not (X-E14). See `Runs`."""
        return self.run_lock.run(partial(self._asked, session=session, reason=reason, dry_run=dry_run))

    def sleep(self, day: date | None, *, seed: int | None, dry_run: bool) -> Slept:
        """Run one night, idle or not. See `Runs`."""
        return self.run_lock.run(partial(self._night, day, seed=seed, dry_run=dry_run, keep_going=self._not_stopping))

    def sleep_when_idle(self, day: date) -> Slept:
        """Run one night, as far as the machine is idle; it is not waited for. Raises Refused where another pass runs."""
        return self.run_lock.run(partial(self._night, day, by_itself=True, keep_going=self._still_idle), wait_seconds=0)

    def consolidate_memories_when_idle(self) -> Overall:
        """Consolidate the memories of all projects, as far as the machine is idle. Raises Refused where another pass runs."""
        return self.run_lock.run(lambda: self.ethos.bank.consolidate_all(self._still_idle), wait_seconds=0)

    def alone(self, work: Callable[[], Result]) -> Result:
        """Do `work` during no other run. See `Runs`."""
        return self.run_lock.run(work)

    # -- internals

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
        self.backoff.succeeded()
        if not dry_run:
            self._log_cycle(cycle)
            self.last = cycle
            if session is None:
                self._cycled = self._since_start()
            self._remember()
        return cycle

    def _night(
        self,
        day: date | None,
        *,
        keep_going: Callable[[], bool],
        seed: int | None = None,
        dry_run: bool = False,
        by_itself: bool = False,
    ) -> Slept:
        slept = self.ethos.sleep(day, seed=seed, dry_run=dry_run, by_itself=by_itself, keep_going=keep_going)
        if not dry_run:
            self._log_night(slept)
        return slept

    def _log_night(self, slept: Slept) -> None:
        night = slept.report
        for cause, why in slept.failures:
            log.warning(f"The store refused a part of the night: {why}", run=night.run, cause=cause)
        if slept.problem:
            log.warning("The report of the night could not be kept", problem=slept.problem, run=night.run)
        done = "Night stopped" if slept.stopped else "Night complete"
        log.info(done, run=night.run, date=str(night.date), kind=night.kind.value, changes=night.changes, report=slept.path)

    def _asked(self, *, session: str | None, reason: str, dry_run: bool) -> Cycle:
        try:
            return self._cycle(session=session, reason=reason, dry_run=dry_run, keep_going=self._not_stopping)
        except Refused as refused:
            if refused.problem.code == "store":
                self.backoff.failed(refused.problem)
            raise

    def _log_cycle(self, cycle: Cycle) -> None:
        for episode, why in cycle.failures:
            log.warning(f"Failed to upsert fact for episode {episode}: {why}", run=cycle.run)
        if cycle.review_problem:
            log.warning("The review file has a problem", problem=cycle.review_problem)
        wal = free_space.beside(files_of(self.ethos.settings)).wal
        if wal > free_space.WAL_ALARM:
            log.warning(f"The write-ahead log does not shrink ({wal >> 20} MiB): a reader stays open", hint="ethos doctor")
        told = f"{cycle.episodes_scanned} scanned, {cycle.episodes_promoted} promoted, {cycle.facts_created} facts created"
        log.info(f"Consolidation cycle complete: {told}", run=cycle.run, audit=self.ethos.store.describe()["audit_head"])

    def _remember(self) -> None:
        """Load the last cycle over all sessions; one over a single session does not postpone the others."""
        now = self.ethos.clock.now()
        with self.ethos.store.begin() as work:
            runs = work.runs(name="consolidate", limit=50, until=now)
        self._last_run = next((run for run in runs if run.ended_at is not None and run.session is None), None)

    def _not_stopping(self) -> bool:
        self.run_lock.progressed()
        return not self._stopping.is_set()

    def _still_idle(self) -> bool:
        return self._not_stopping() and not self.why_not_idle()
