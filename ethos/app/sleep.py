"""Sleeping: one night over a day of the memory (L-01, L-02, L-32). The stages of a night stand in `ethos.stages.night`.

A night is a run of its own, with its diff and its undo. Run again for the same date it replaces what it left for that date (X-L8, X-L12);
the report of the first stays, and one that changed nothing has none of its own.
A night that the daemon runs is one transaction, which is rolled back while the memory is new, and where it would change more than its
budget: such a night is in shadow.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date, datetime, time, tzinfo
from zoneinfo import ZoneInfo

from ethos import engine
from ethos.app import explain
from ethos.app.analysis import analyses
from ethos.app.dependencies import Dependencies
from ethos.app.distilling import session_readings
from ethos.app.execution import Execution
from ethos.core.history.diff import Difference
from ethos.core.model import ids
from ethos.core.model.errors import Refused, refuse
from ethos.core.model.events import Faded
from ethos.core.model.records import Run
from ethos.core.model.sections import Line, NightKind, Report, Section, Spent, joined
from ethos.core.model.settings import SleepSettings
from ethos.core.passes.night import REAL, SHADOW, Night, due, last_over, night_of
from ethos.core.ports.language_model import LanguageModel
from ethos.core.ports.reports import Reports
from ethos.core.ports.store import Work
from ethos.stages.night import SLEEP

EARLIEST = date(1970, 1, 2)  # in every zone after the beginning of time as computers count it
LOOKED_AT = 1_000  # nights, for what is done already
_CHANGES = "changes"


@dataclass(frozen=True, slots=True)
class Slept:
    """One night: its report, and what it could not do."""

    report: Report
    failures: tuple[tuple[str, str], ...] = ()  # (cause, why)
    stopped: bool = False  # it was interrupted between two units; the night is still due
    diff: tuple[Difference, ...] = ()  # of a rehearsal: what the night would change
    path: str = ""  # where the report is for a person to read; "" where none is kept
    problem: str = ""  # why no report could be kept


def sleep(
    deps: Dependencies,
    reports: Reports | None,
    model: LanguageModel | None,
    day: date | None,
    *,
    seed: int | None,
    dry_run: bool,
    by_itself: bool,
    keep_going: Callable[[], bool],
) -> Slept:
    """Run the passes of `SLEEP` about a date. The caller holds the run lease, unless it is a dry run.

    day: None is the last one whose night is due. seed: of chance; None is the date's own, so that the same night can be had again.
    model: what it may ask, if the user named one.
    by_itself: nobody asked for this night, so it may come to a night in shadow. Raises Refused for a date that has not begun.
    """
    deps.rules.renew()
    now = deps.clock.now()
    with deps.store.begin() as work:
        night = _night(work, deps.settings.sleep, day, now)
        new = by_itself and _is_new(work, deps.settings.sleep)
    seed = int(f"{night.date:%Y%m%d}") if seed is None else seed
    reason = night.date.isoformat()
    run = Run(ids.run_id(REAL, now.isoformat(), reason), REAL, reason, None, now, rules=deps.rules.hash)
    ctx = replace(deps.context(run.id, now), night=night, seed=seed)
    ctx = replace(ctx, analyses=analyses(deps, model, ctx), session_readings=session_readings(deps, model, ctx))
    stopped = False

    def going() -> bool:
        nonlocal stopped
        stopped = stopped or not keep_going()
        return not stopped

    def loop(within: engine.Transactions, counted: _NightCounts) -> None:
        for each in SLEEP:
            if not going():
                return
            for outcome in engine.drain(within, each, ctx, going):
                counted.add(outcome)

    def report(kind: NightKind, counted: _NightCounts, changes: int) -> Report:
        spent = Spent(_CHANGES, changes, deps.settings.sleep.most_changes)
        sections = joined(counted.sections)
        return Report(run.id, night.date, night.start, night.end, now, seed, kind, changes, counted.counts, (spent,), sections)

    execution = Execution(deps, run, _NightCounts)
    if dry_run or by_itself:

        def kind_of(diff: Sequence[Difference]) -> NightKind:
            return _kind(diff, deps.settings.sleep, dry_run=dry_run, new=new)

        if by_itself:
            execution.prepare()
        would = execution.rehearse(loop, lambda diff: kind_of(diff) is NightKind.REAL and not stopped)
        kind, counted, diff, changes = kind_of(would.diff), would.counted, would.diff, len(would.diff)
        failures = (*counted.failures, *would.refused)
        if kind is not NightKind.REAL or stopped:
            slept = Slept(report(kind, counted, changes), failures, stopped, diff)
            if dry_run or stopped:
                return slept
            deps.put(replace(run, name=SHADOW, ended_at=deps.clock.now(), counts=counted.counts, outcome="done"))
            return _kept(reports, slept)
        execution.end(counted.counts, "done")
    else:
        execution.begin()
        with execution.counted() as counted:
            loop(deps.store, counted)
        execution.end(counted.counts, "stopped" if stopped else "done")
        failures = tuple(counted.failures)
        with deps.store.begin() as work:
            changes = work.number_of_changes(run.id)
    done = report(NightKind.REAL, counted, changes)
    again = bool(night.earlier)
    slept = Slept(done, failures, stopped)
    return slept if again and not done.changes else _kept(reports, slept, beside=again)


def report_of(deps: Dependencies, reports: Reports | None, asked: str | None, day: date | None) -> Report:
    """Return the report of a night; without an id that of the last one, of those about this day if one is named. Raises Refused."""
    with deps.store.begin() as work:
        nights = (night for night in _nights(work) if (day is None or night.reason == day.isoformat()) and not _kept_night(work, night))
        run = explain.one_run(work, asked) if asked else next(nights, None)
        if run is None and day is not None:
            raise refuse("not-found", f"no night about {day} has been run", hint=f"ethos sleep --date {day} runs one")
        if run is None:
            raise refuse("not-found", "no night has been run yet", hint="ethos sleep --dry-run shows what one would do")
        if run.name not in {REAL, SHADOW}:
            raise refuse("usage", f"{run.id} is a run of {run.name}, not a night", hint=f"ethos diff {run.id}")
        changes = work.number_of_changes(run.id)
        kept_night = _kept_night(work, run)
    kept = reports.of(run.id) if reports is not None else None
    if kept is None:
        kind = NightKind.REAL if run.name == REAL else NightKind.SHADOW
        gone = Section("No more is known", (Line("The file with what its stages said is not there.", f"ethos diff {run.id}"),))
        if kept_night:
            gone = Section("Nothing was new", (Line("An earlier night of this date stands as it was.", f"ethos report {kept_night}"),))
        night = night_of(date.fromisoformat(run.reason), _zone(deps.settings.sleep))
        kept = Report(run.id, night.date, night.start, night.end, run.started_at, 0, kind, changes, run.counts, (), (gone,))
    return replace(kept, undone_by=run.undone_by)


def nights_due(deps: Dependencies) -> tuple[date, ...]:
    """Return the dates that are to be slept on, oldest first: each once, and as often as an episode may."""
    settings = deps.settings.sleep
    with deps.store.begin() as work:
        first = next(iter(work.records(Run)), None)
        if first is None:
            return ()
        nights = _nights(work)
    done = {date.fromisoformat(night.reason) for night in nights if night.outcome == "done"}
    failed = Counter(date.fromisoformat(night.reason) for night in nights if night.outcome in {"failed", "running"})
    done |= {day for day, times in failed.items() if times >= deps.settings.consolidation.max_attempts}
    return due(deps.clock.now(), first.started_at, done, _hour(settings), _zone(settings), settings.catch_up_days)


def _nights(work: Work) -> list[Run]:
    """Return the last nights, real and in shadow, the latest first."""
    nights = (*work.runs(name=REAL, limit=LOOKED_AT), *work.runs(name=SHADOW, limit=LOOKED_AT))
    return sorted(nights, key=lambda run: run.started_at, reverse=True)


def _kept_night(work: Work, run: Run) -> str:
    """Return the earlier night of the same date to which this one added nothing; "" where it is a night in its own right."""
    if run.name != REAL or run.outcome != "done" or work.changes(run.id):
        return ""
    same = (night for night in _nights(work) if night.name == REAL and night.reason == run.reason and night.started_at < run.started_at)
    return next((night.id for night in same if not night.undone_by and work.changes(night.id)), "")


def _night(work: Work, settings: SleepSettings, day: date | None, now: datetime) -> Night:
    zone = _zone(settings)
    day = day or last_over(now, _hour(settings), zone)
    if day > now.astimezone(zone).date():
        raise refuse("usage", f"{day} has not begun", hint="a night needs a past day: ethos sleep --date yesterday")
    if day < EARLIEST:
        raise refuse("usage", f"{day} is too long ago", hint=f"a night is about a day from {EARLIEST} on")
    runs = reversed(work.runs(name=REAL, limit=LOOKED_AT))
    return night_of(day, zone, tuple(run.id for run in runs if run.reason == day.isoformat() and not run.undone_by))


def _is_new(work: Work, settings: SleepSettings) -> bool:
    """Return whether the memory is so new that its nights change nothing. Whoever has run one for real has switched them on."""
    return not work.runs(name=REAL, limit=1) and len(work.runs(name=SHADOW, limit=LOOKED_AT)) < settings.shadow_nights


def _kind(diff: Sequence[Difference], settings: SleepSettings, *, dry_run: bool, new: bool) -> NightKind:
    if dry_run:
        return NightKind.DRY_RUN
    if new:
        return NightKind.SHADOW
    return NightKind.OVER_BUDGET if len(diff) > settings.most_changes else NightKind.REAL


def _kept(reports: Reports | None, slept: Slept, *, beside: bool = False) -> Slept:
    """Keep the report: a projection after the commit, like the review file. That it failed harms nothing that was done."""
    if reports is None:
        return slept
    try:
        return replace(slept, path=reports.keep(slept.report, beside=beside))
    except Refused as refused:
        return replace(slept, problem=refused.problem.what)
    except OSError as error:
        return replace(slept, problem=f"the report cannot be written: {error.strerror or error}")


def _hour(settings: SleepSettings) -> time:
    return time.fromisoformat(settings.hour)


def _zone(settings: SleepSettings) -> tzinfo | None:
    """Return the zone of the days; None is the machine's own."""
    return ZoneInfo(settings.zone) if settings.zone else None


class _NightCounts:
    """Count the outcomes of a night one by one, so that plans can be freed."""

    def __init__(self) -> None:
        self.sections: list[Section] = []
        self.failures: list[tuple[str, str]] = []
        self._counts: Counter[str] = Counter()

    @property
    def counts(self) -> Mapping[str, int]:
        """Return the counts so far, by name."""
        return dict(self._counts)

    def add(self, outcome: engine.Outcome) -> None:
        """Count a unit."""
        for event in outcome.plan.events():
            if isinstance(event, Faded):
                self._counts["faded"] += 1
            elif isinstance(event, Section):
                self._counts.update(event.counts)
                self.sections.append(event)
        self.failures += [(failure.cause, failure.error) for failure in outcome.failures]
