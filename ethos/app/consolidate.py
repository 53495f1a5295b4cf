"""Consolidating: one run over the memory, from the answers in the review file to what fades (E-06). `engine.drain` runs each pass of it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from itertools import islice

from ethos import engine
from ethos.app.dependencies import Dependencies
from ethos.app.execution import Execution
from ethos.app.review import Review
from ethos.core.history.diff import Difference
from ethos.core.model import ids
from ethos.core.model.counts import CYCLE_COUNTS
from ethos.core.model.events import Answered, AnswerOutcome, ClaimResolved, Criterion, Event, FactOutcome, Faded, Promoted, Repeated
from ethos.core.model.records import EpisodeState, Run, ScannedBatch
from ethos.stages.passes import CYCLE


@dataclass(frozen=True, slots=True)
class Cycle:
    """One run, in E-28's counts, and what it could not do."""

    run: str
    episodes_scanned: int = 0
    episodes_promoted: int = 0
    facts_created: int = 0
    facts_updated: int = 0
    facts_superseded: int = 0
    facts_flagged: int = 0
    answers_applied: int = 0
    faded: int = 0
    criteria: Mapping[Criterion, int] = field(default_factory=dict)  # why episodes were promoted, and how many weak claims by repetition
    failures: tuple[tuple[str, str], ...] = ()  # (episode, why): left for the next cycle
    more: bool = False  # episodes are left to read
    dry_run: bool = False
    diff: tuple[Difference, ...] = ()  # of a dry run: what the run would change
    review_problem: str = ""  # why the review file could not be read or written, and what to do

    @property
    def counts(self) -> dict[str, int]:
        """Return the six numbers of E-28 under their names."""
        return {name: getattr(self, name) for name in CYCLE_COUNTS}


def consolidate(
    deps: Dependencies,
    review: Review,
    *,
    session: str | None,
    reason: str,
    keep_going: Callable[[], bool],
    units: int | None,
    dry_run: bool,
) -> Cycle:
    """Apply what a person ticked, then run the passes of `CYCLE`. The caller holds the run lease, unless it is a dry run.

    units: at most that many units of `batch_size` episodes; None: until nothing is left. An unknown session gives zeros (X-E13). A dry
    run tells what it would change, and a save of the review file stays due.
    """
    deps.rules.renew()
    now = deps.clock.now()
    run = Run(ids.run_id("consolidate", now.isoformat(), reason), "consolidate", reason, session, now, rules=deps.rules.hash)
    execution = Execution(deps, run, _CycleCounts)
    if not dry_run:
        execution.begin()
    ticked = review.ticked(only_look=dry_run)

    def loop(within: engine.Transactions, counted: _CycleCounts) -> None:
        for decision in ticked:
            answered, _ = review.decide(within, decision, "inbox")
            counted.count(answered)
        ctx = deps.context(run.id, now, session=session)
        for each in CYCLE:
            for outcome in islice(engine.drain(within, each, ctx, lambda: not deps.rules.spent and keep_going()), units):
                counted.add(outcome)

    if dry_run:
        would = execution.rehearse(loop)
        cycle = would.counted.cycle(run.id)
        return replace(cycle, failures=(*cycle.failures, *would.refused), dry_run=True, diff=would.diff)
    with execution.counted() as counted:
        loop(deps.store, counted)
    cycle = counted.cycle(run.id)
    with deps.store.begin() as look:
        more = bool(look.unscanned(deps.rules.hash, session=session, limit=1, skip=[cause for cause, _ in cycle.failures]))
    cycle = replace(cycle, more=more)
    execution.end(cycle.counts, "stopped" if more else "done")
    return cycle


class _CycleCounts:
    """Count the outcomes of a cycle one by one, so that plans can be freed."""

    def __init__(self) -> None:
        self.facts: Counter[FactOutcome] = Counter()
        self.criteria: Counter[Criterion] = Counter()
        self.scanned = self.promoted = self.answers = self.faded = 0
        self.failures: list[tuple[str, str]] = []

    def add(self, outcome: engine.Outcome) -> None:
        """Count a unit."""
        for put in outcome.plan.puts():
            if isinstance(put, EpisodeState):
                self.scanned += 1
            elif isinstance(put, ScannedBatch):
                self.scanned += len(put.episodes)
        for event in outcome.plan.events():
            self.count(event)
        self.failures += [(failure.cause, failure.error) for failure in outcome.failures]

    def count(self, event: Event) -> None:
        """Count an event."""
        match event:
            case ClaimResolved(outcome=outcome):
                self.facts[outcome] += 1
            case Promoted(criterion=criterion):
                self.promoted += 1
                self.criteria[criterion] += 1
            case Repeated():
                self.criteria[Criterion.REPETITION] += 1
            case Faded():
                self.faded += 1
            case Answered(outcome=AnswerOutcome.APPLIED):
                self.answers += 1

    @property
    def counts(self) -> Mapping[str, int]:
        """Return E-28's numbers so far."""
        return self.cycle("").counts

    def cycle(self, run: str) -> Cycle:
        """Return the counts so far."""
        return Cycle(
            run,
            self.scanned,
            self.promoted,
            self.facts[FactOutcome.CREATED],
            self.facts[FactOutcome.UPDATED],
            self.facts[FactOutcome.SUPERSEDED],
            self.facts[FactOutcome.FLAGGED],
            self.answers,
            self.faded,
            dict(self.criteria),
            tuple(self.failures),
        )
