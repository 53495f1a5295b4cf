"""Consolidating: one run over the memory, from the answers in the review file to what fades (E-06). `engine.drain` is the loop in it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from itertools import islice
from typing import Literal

from ethos import engine
from ethos.app import erase
from ethos.app.dependencies import Means
from ethos.app.review import Review
from ethos.core.facts.invariants import NotConserved
from ethos.core.history.diff import Difference, differences
from ethos.core.model import ids
from ethos.core.model.counts import CYCLE_COUNTS
from ethos.core.model.errors import Refused, refuse
from ethos.core.model.events import Answered, AnswerOutcome, ClaimResolved, Criterion, Event, FactOutcome, Faded, Promoted, Repeated
from ethos.core.model.records import Mark, Run, Scanned
from ethos.core.passes.definition import Pass
from ethos.core.ports.store import Decision
from ethos.stages import CONSOLIDATE, SLEEP

CYCLE = (CONSOLIDATE, SLEEP)  # the passes of a consolidation, in order: the decay sweep comes last (E-06)


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
        """E-28's six numbers under their names."""
        return {name: getattr(self, name) for name in CYCLE_COUNTS}


def consolidate(
    means: Means, review: Review, *, session: str | None, reason: str, keep_going: Callable[[], bool], units: int | None, dry_run: bool
) -> Cycle:
    """Apply what a person ticked, then run the passes of `CYCLE`. To be done in the turn of a pass, unless it is a dry run.

    units: at most that many units of `batch_size` episodes; None: until nothing is left. An unknown session gives zeros (X-E13). A dry
    run tells what it would change, and a save of the review file stays due.
    """
    means.rules.renew()
    now = means.clock.now()
    run = Run(ids.run_id("consolidate", now.isoformat(), reason), "consolidate", reason, session, now, rules=means.rules.hash)
    work = _Work(means, review, run, CYCLE, lambda: not means.rules.spent and keep_going(), units)
    if dry_run:
        return work.rehearse(review.ticked(only_look=True))
    work.begin()
    tally = work.carry_out(review.ticked())
    cycle = tally.cycle(run.id)
    with means.store.begin() as look:
        more = bool(look.unscanned(means.rules.hash, session=session, limit=1, skip=[cause for cause, _ in cycle.failures]))
    cycle = replace(cycle, more=more)
    work.end(cycle.counts, "stopped" if more else "done")
    return cycle


@dataclass(frozen=True, slots=True)
class _Work:
    """A run on its way: answers first, then its passes in order."""

    means: Means
    review: Review
    run: Run
    passes: tuple[Pass, ...]
    keep_going: Callable[[], bool] = lambda: True
    units: int | None = None

    def begin(self) -> None:
        """Finish what an earlier process left undone, and store that the run began."""
        self.means.mend()
        erase.finish(self.means.store, self.run.started_at)
        self.means.served.write()
        self.means.put(self.run)

    def carry_out(self, ticked: Iterable[Decision]) -> _Tally:
        """Run everything, each unit in a transaction of its own. Raises Refused where a unit would have lost something."""
        tally = _Tally()
        try:
            self._loop(self.means.store, ticked, tally)
        except NotConserved as violation:
            counts = tally.cycle(self.run.id).counts
            self.means.put(replace(self.run, ended_at=self.means.clock.now(), counts=counts, outcome="failed", problem=str(violation)))
            raise _not_conserved(violation) from violation
        return tally

    def rehearse(self, ticked: Iterable[Decision]) -> Cycle:
        """Run everything in one transaction that is rolled back; return what it would change."""
        decisions = tuple(ticked)

        def loop(within: engine.Rehearsal) -> tuple[_Tally, tuple[Difference, ...]]:
            tally = _Tally()
            self._loop(within, decisions, tally)
            with within.begin() as work:
                return tally, tuple(differences(work.changes(self.run.id)))

        try:
            (tally, changed), failures = engine.rehearse(self.means.store, loop)
        except NotConserved as violation:
            raise _not_conserved(violation) from violation
        cycle = tally.cycle(self.run.id)
        refused = tuple((failure.cause, failure.error) for failure in failures)
        return replace(cycle, failures=(*cycle.failures, *refused), dry_run=True, diff=changed)

    def end(self, counts: Mapping[str, int], outcome: Literal["done", "stopped"]) -> None:
        """Store that the run ended."""
        self.means.put(replace(self.run, ended_at=self.means.clock.now(), counts=counts, outcome=outcome))
        self.means.store.compact()

    def _loop(self, within: engine.Transactions, ticked: Iterable[Decision], tally: _Tally) -> None:
        for decision in ticked:
            answered, _ = self.review.decide(within, decision, "inbox")
            tally.count(answered)
        ctx = self.means.context(self.run.id, self.run.started_at, session=self.run.session)
        for each in self.passes:
            for outcome in islice(engine.drain(within, each, ctx, self.keep_going), self.units):
                tally.add(outcome)


def _not_conserved(violation: NotConserved) -> Refused:
    what = f"a unit of the pass would have lost something, so nothing of it was kept: {violation}"
    return refuse("store", what, hint="this is a bug: please report it, with `ethos doctor --json`")


class _Tally:
    """Adds up outcomes as they come, so that no plan outlives its unit."""

    def __init__(self) -> None:
        self.facts: Counter[FactOutcome] = Counter()
        self.criteria: Counter[Criterion] = Counter()
        self.scanned = self.promoted = self.answers = self.faded = 0
        self.failures: list[tuple[str, str]] = []

    def add(self, outcome: engine.Outcome) -> None:
        """Count a unit."""
        for put in outcome.plan.puts():
            if isinstance(put, Mark):
                self.scanned += 1
            elif isinstance(put, Scanned):
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
