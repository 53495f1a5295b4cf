"""Runs over the bank: consolidating a project, all projects, archiving, and the daily upkeep (R-20 to R-36).

Each is a run with a diff and an undo. An undone consolidation is remembered: its sources are not put together again.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import NamedTuple

from ethos import engine
from ethos.app.dependencies import Dependencies
from ethos.core.learning.bank.clusters import valid_threshold
from ethos.core.model import ids
from ethos.core.model.errors import Refused, refuse
from ethos.core.model.events import ClustersLeft, MemoryArchived, MemoryCreated, MemoryKeptApart
from ethos.core.model.memories import Memory, MemoryState
from ethos.core.model.plan import one
from ethos.core.model.questions import Action, MemoryQuestion
from ethos.core.model.records import Run
from ethos.core.model.settings import BankSettings
from ethos.stages.sleep.bank import consolidation

NAME = "memory"  # of the runs
CONSOLIDATE = "consolidate "  # their reasons: this and the project,
_ARCHIVE = "archive "  # or this and the memory,
ACCEPT = "accept "  # or this and the memory
_TIMEOUT = "timeout exceeded"
_STOPPED = "the run was stopped"
RUNS = 500  # of them that are looked at


@dataclass(frozen=True, slots=True)
class Consolidated:
    """What a consolidation did, or would do (R-32). created, archived: ids; kept_apart: pairs that are alike and may not be merged."""

    run: str
    project: str
    created: tuple[str, ...] = ()
    archived: tuple[str, ...] = ()
    evaluated: int = 0  # active memories
    kept_apart: tuple[MemoryKeptApart, ...] = ()
    failures: tuple[tuple[str, str], ...] = ()
    seconds: float = 0.0
    skipped_reason: str = ""
    left: int = 0  # clusters for which there was no time
    dry_run: bool = False

    @property
    def skipped(self) -> int:
        """Return how many memories stayed as they were (X-R9)."""
        return self.evaluated - len(self.archived)


class Changed(NamedTuple):
    """A memory that a person put out of use or accepted, and the run that did it."""

    memory: Memory
    run: str


class Overall(NamedTuple):
    """A run over all projects: what each came to, and (project, why) of those that failed."""

    done: tuple[Consolidated, ...]
    failed: tuple[tuple[str, str], ...]


def window(settings: BankSettings) -> timedelta:
    """Return how long signals are kept one by one."""
    return timedelta(days=settings.signal_days)


def consolidate(
    deps: Dependencies,
    project: str,
    threshold: float | None,
    *,
    dry_run: bool = False,
    max_clusters: int = 0,
    force: bool = False,
    keep_going: Callable[[], bool] = lambda: True,
) -> Consolidated:
    """Make one memory of those that say the same, in one project. Raises Refused.

    keep_going: whether there is time left; asked before each cluster (X-R20). What is put together by then stays.
    Where the project was consolidated within the window, nothing is done unless `force` says so (R-30); a dry run always looks.
    """
    settings = deps.settings.bank
    threshold = valid_threshold(settings.similarity_threshold if threshold is None else threshold)
    if not project:
        raise refuse("usage", "no project is named", hint="ethos memory consolidate --project NAME")
    if max_clusters < 0:
        raise refuse("usage", f"max_clusters is {max_clusters}", hint="0 means no limit")
    now = deps.clock.now()
    run = Run(ids.run_id(NAME, now.isoformat(), CONSOLIDATE + project), NAME, CONSOLIDATE + project, None, now)
    stage = consolidation(project, threshold, max_clusters, keep_going)
    ctx = deps.context(run.id, now)
    if dry_run:
        outcome, refused = engine.rehearse(deps.store, lambda within: engine.run_unit(within, (stage,), ctx))
        failures = tuple((failure.cause, failure.error) for failure in (*outcome.failures, *refused))
        return _told(deps, outcome, run, project, failures, dry_run=True)
    with deps.guard():
        if not force and (last := _last(deps, project)) and now - last < timedelta(hours=settings.window_hours):
            return Consolidated(
                "", project, skipped_reason=f"consolidated {last:%Y-%m-%d %H:%M} UTC; the window is {settings.window_hours:g} hours"
            )
        if not keep_going():
            raise refuse("busy", _TIMEOUT, hint="the next run goes on")
        deps.put(run)
        outcome = engine.run_unit(deps.store, (stage,), ctx)
        failures = tuple((failure.cause, failure.error) for failure in outcome.failures)
        done = _told(deps, outcome, run, project, failures)
        counts = {"memories_created": len(done.created), "memories_archived": len(done.archived), "memories_evaluated": done.evaluated}
        deps.put(replace(run, ended_at=deps.clock.now(), counts=counts, outcome="stopped" if done.left else "done"))
    return done


def _told(
    deps: Dependencies, outcome: engine.Outcome, run: Run, project: str, failures: tuple[tuple[str, str], ...], *, dry_run: bool = False
) -> Consolidated:
    created = [event.memory for event in outcome.plan.events_of(MemoryCreated)]
    return Consolidated(
        run=run.id,
        project=project,
        created=tuple(f"dry-run-cluster-{at}" for at, _ in enumerate(created, 1)) if dry_run else tuple(created),
        archived=tuple(event.memory for event in outcome.plan.events_of(MemoryArchived)),
        evaluated=_active(deps, project, outcome, dry_run=dry_run),
        kept_apart=tuple(outcome.plan.events_of(MemoryKeptApart)),
        failures=failures,
        left=sum(event.clusters for event in outcome.plan.events_of(ClustersLeft)),
        seconds=(deps.clock.now() - run.started_at).total_seconds(),
        dry_run=dry_run,
    )


def _active(deps: Dependencies, project: str, outcome: engine.Outcome, *, dry_run: bool) -> int:
    """Return how many memories were active before."""
    with deps.store.begin() as work:
        active = sum(each.state is MemoryState.ACTIVE for each in work.find(Memory, "project", [project]))
    created, archived = (sum(1 for _ in outcome.plan.events_of(kind)) for kind in (MemoryCreated, MemoryArchived))
    return active if dry_run else active - created + archived


def _last(deps: Dependencies, project: str) -> datetime | None:
    with deps.store.begin() as work:
        runs = work.runs(name=NAME, limit=RUNS, until=deps.clock.now())
    done = (run.started_at for run in runs if run.reason == CONSOLIDATE + project and run.outcome == "done" and not run.undone_by)
    return next(done, None)


def projects(deps: Dependencies) -> tuple[str, ...]:
    """Return the projects that have memories in use."""
    with deps.store.begin() as work:
        active = {memory.project for memory in work.records(Memory) if memory.user == deps.user and memory.state is MemoryState.ACTIVE}
    return tuple(sorted(active))


def last_consolidation(deps: Dependencies) -> datetime | None:
    """Return when a project was consolidated last."""
    with deps.store.begin() as work:
        runs = work.runs(name=NAME, limit=RUNS, until=deps.clock.now())
    return next((run.started_at for run in runs if run.reason.startswith(CONSOLIDATE)), None)


def consolidate_all(deps: Dependencies, keep_going: Callable[[], bool]) -> Overall:
    """Consolidate every project that is due; where one fails the others go on (R-34). Within `timeout_minutes` in all (X-R20).

    Raises Refused where every project failed.
    """
    until = deps.clock.now() + timedelta(minutes=deps.settings.bank.timeout_minutes)

    def in_time() -> bool:
        return keep_going() and deps.clock.now() < until

    names = projects(deps)
    done: list[Consolidated] = []
    failed: list[tuple[str, str]] = []
    for name in names:
        if not keep_going():
            break
        try:
            done.append(consolidate(deps, name, None, keep_going=in_time))
            if done[-1].left:
                failed.append((name, _TIMEOUT if deps.clock.now() >= until else _STOPPED))
        except Refused as refused:
            failed.append((name, refused.problem.what))
    if failed and not done:
        raise refuse("store", f"no project could be consolidated: {failed[0][1]}", hint="ethos doctor")
    return Overall(tuple(done), tuple(failed))


def archive(deps: Dependencies, memory: Memory) -> Changed:
    """Put a memory out of use. Raises Refused where it is already."""
    if memory.state is MemoryState.ARCHIVED:
        raise refuse("usage", f"{memory.id} is archived already", hint=f"ethos memory show {memory.id}")
    now = deps.clock.now()
    action: Action = "reject" if memory.state is MemoryState.QUARANTINED else "retire"
    return _put(deps, _ARCHIVE, replace(memory, state=MemoryState.ARCHIVED, archived_at=now), now, action)


def accept(deps: Dependencies, memory: Memory) -> Changed:
    """Take a memory out of quarantine: a person says that it may be used. Again is harmless. Raises Refused where it is archived."""
    if memory.state is MemoryState.ARCHIVED:
        raise refuse("usage", f"{memory.id} is archived", hint=f"ethos memory show {memory.id}")
    if memory.state is MemoryState.ACTIVE:
        return Changed(memory, "")
    return _put(deps, ACCEPT, replace(memory, state=MemoryState.ACTIVE), deps.clock.now(), "accept")


def _put(deps: Dependencies, reason: str, memory: Memory, now: datetime, action: Action) -> Changed:
    """Put a memory in a run of its own. action: the answer to the question about it, if one is open."""
    run = Run(ids.run_id(NAME, now.isoformat(), reason + memory.id), NAME, reason + memory.id, None, now, now, outcome="done")
    with deps.guard(), deps.store.begin(write=True) as work:
        asked = (each for each in work.find(MemoryQuestion, "memory", [memory.id]) if each.resolved_at is None)
        done = [replace(each, resolved_at=now, action=action, by="cli") for each in asked]
        work.apply(one("", run, memory, *done), run.id)
    return Changed(memory, run.id)
