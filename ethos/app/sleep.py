"""Sleeping: one night over a day of the memory (L-01, L-02, L-32). The stages of a night stand in `ethos.stages.SLEEP`.

A night is a run of its own, with its diff and its undo. Run again for the same date it replaces what it left for that date (X-L8, X-L12).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from datetime import date, datetime, time, tzinfo
from zoneinfo import ZoneInfo

from ethos import engine
from ethos.app.dependencies import Means
from ethos.app.execution import Execution
from ethos.core.history.diff import Difference
from ethos.core.model import ids
from ethos.core.model.errors import refuse
from ethos.core.model.events import Faded
from ethos.core.model.records import Run
from ethos.core.model.sections import Section
from ethos.core.model.settings import SleepSettings
from ethos.core.passes.night import Night, due, last_over, night_of
from ethos.core.ports.store import Work
from ethos.stages import SLEEP

NAME = "sleep"  # of its runs, whose reason is the date
LOOKED_AT = 1_000  # nights, for what is done already


@dataclass(frozen=True, slots=True)
class Slept:
    """One night: what it counted, what its stages say of it, and what it could not do."""

    run: str
    date: date
    seed: int
    counts: Mapping[str, int] = field(default_factory=dict)
    sections: tuple[Section, ...] = ()
    failures: tuple[tuple[str, str], ...] = ()  # (cause, why)
    stopped: bool = False  # it was interrupted between two units; the night is still due
    dry_run: bool = False
    diff: tuple[Difference, ...] = ()  # of a dry run: what the night would change


def sleep(means: Means, day: date | None, *, seed: int | None, dry_run: bool, keep_going: Callable[[], bool]) -> Slept:
    """Run the passes of `SLEEP` about a date. To be done in the turn of a pass, unless it is a dry run.

    day: None is the last one whose night is due. seed: of chance; None is the date's own, so that the same night can be had again.
    Raises Refused for a date that has not begun.
    """
    means.rules.renew()
    now = means.clock.now()
    with means.store.begin() as work:
        night = _night(work, means.settings.sleep, day, now)
    seed = int(f"{night.date:%Y%m%d}") if seed is None else seed
    reason = night.date.isoformat()
    run = Run(ids.run_id(NAME, now.isoformat(), reason), NAME, reason, None, now, rules=means.rules.hash)
    ctx = replace(means.context(run.id, now), night=night, seed=seed)
    stopped = False

    def going() -> bool:
        nonlocal stopped
        stopped = stopped or not keep_going()
        return not stopped

    def loop(within: engine.Transactions, tally: _Tally) -> None:
        for each in SLEEP:
            if not going():
                return
            for outcome in engine.drain(within, each, ctx, going):
                tally.add(outcome)

    execution = Execution(means, run, _Tally)
    if dry_run:
        would = execution.rehearse(loop)
        slept = would.tally.slept(run.id, night.date, seed)
        return replace(slept, failures=(*slept.failures, *would.refused), stopped=stopped, dry_run=True, diff=would.diff)
    execution.begin()
    slept = replace(execution.carry_out(loop).slept(run.id, night.date, seed), stopped=stopped)
    execution.end(slept.counts, "stopped" if stopped else "done")
    return slept


def nights_due(means: Means) -> tuple[date, ...]:
    """Return the dates that are to be slept on, oldest first: each once, and as often as a pass may fail."""
    settings = means.settings.sleep
    hour, zone = _hour(settings), _zone(settings)
    with means.store.begin() as work:
        first = next(iter(work.records(Run)), None)
        if first is None:
            return ()
        nights = work.runs(name=NAME, limit=LOOKED_AT)
    done = {date.fromisoformat(night.reason) for night in nights if night.outcome == "done"}
    failed = Counter(date.fromisoformat(night.reason) for night in nights if night.outcome in {"failed", "running"})
    done |= {day for day, times in failed.items() if times >= means.settings.consolidation.max_attempts}
    return due(means.clock.now(), first.started_at, done, hour, zone, settings.catch_up_days)


def _night(work: Work, settings: SleepSettings, day: date | None, now: datetime) -> Night:
    zone = _zone(settings)
    day = day or last_over(now, _hour(settings), zone)
    if day > now.astimezone(zone).date():
        raise refuse("usage", f"{day} has not begun", hint="a night is about a day that was: ethos sleep --date yesterday")
    runs = reversed(work.runs(name=NAME, limit=LOOKED_AT))
    return night_of(day, zone, tuple(run.id for run in runs if run.reason == day.isoformat() and not run.undone_by))


def _hour(settings: SleepSettings) -> time:
    return time.fromisoformat(settings.hour)


def _zone(settings: SleepSettings) -> tzinfo | None:
    """Return the zone of the days; None is the machine's own."""
    return ZoneInfo(settings.zone) if settings.zone else None


class _Tally:
    """Adds up outcomes as they come, so that no plan outlives its unit."""

    def __init__(self) -> None:
        self.counts: Counter[str] = Counter()
        self.sections: dict[str, Section] = {}
        self.failures: list[tuple[str, str]] = []

    def add(self, outcome: engine.Outcome) -> None:
        """Count a unit."""
        for event in outcome.plan.events():
            if isinstance(event, Faded):
                self.counts["faded"] += 1
            elif isinstance(event, Section):
                self.counts.update(event.counts)
                told = self.sections.get(event.title, Section(event.title))
                self.sections[event.title] = _joined(told, event)
        self.failures += [(failure.cause, failure.error) for failure in outcome.failures]

    def slept(self, run: str, day: date, seed: int) -> Slept:
        """Return the night so far."""
        return Slept(run, day, seed, dict(self.counts), tuple(self.sections.values()), tuple(self.failures))


def _joined(first: Section, second: Section) -> Section:
    counts = Counter(first.counts)
    counts.update(second.counts)
    return Section(first.title, first.lines + second.lines, first.tables + second.tables, dict(counts))
