"""Consolidating: one cycle, from the answers in the review file to what fades; `engine.drain` is the loop in its middle (E-06)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime
from itertools import islice

from ethos import engine
from ethos.app import erase
from ethos.app.dependencies import Means
from ethos.app.review import Review
from ethos.core.facts.invariants import NotConserved
from ethos.core.history.diff import Difference, differences
from ethos.core.model import ids
from ethos.core.model.errors import refuse
from ethos.core.model.records import Run, Scanned
from ethos.stages import CONSOLIDATE
from ethos.stages.sleep.decay import DECAY

CYCLE_COUNTS = ("episodes_scanned", "episodes_promoted", "facts_created", "facts_updated", "facts_superseded", "facts_flagged")


@dataclass(frozen=True, slots=True)
class Cycle:
    """One consolidation, in E-28's counts, and what it could not do."""

    run: str
    episodes_scanned: int = 0
    episodes_promoted: int = 0
    facts_created: int = 0
    facts_updated: int = 0
    facts_superseded: int = 0
    facts_flagged: int = 0
    answers_applied: int = 0
    faded: int = 0
    criteria: Mapping[str, int] = field(default_factory=dict)  # why episodes were selected: keyword, importance, retrieval, repetition
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
    means: Means, review: Review, *, session: str | None, reason: str, keep_going: Callable[[], bool], units: int | None
) -> Cycle:
    """Apply what a person ticked, then select, extract and resolve, then let the rest fade. To be done in the turn of a pass.

    units: at most that many units of `batch_size` episodes; None: until nothing is left. An unknown session gives zeros (X-E13).
    """
    now, store, tally = means.clock.now(), means.store, _Tally()
    run = _run(means, now, session, reason)
    ctx = means.context(run.id, now, session=session)
    means.rules.renew()
    means.mend()
    erase.finish(store, now)
    means.served.write()
    means.put(run)
    settled = review.settle()
    try:
        for outcome in islice(engine.drain(store, CONSOLIDATE, ctx, _unspent(means, keep_going)), units):
            tally.add(outcome)
        tally.add(engine.run(store, (DECAY,), ctx))
    except NotConserved as violation:
        counts = tally.cycle(run.id).counts
        means.put(replace(run, ended_at=means.clock.now(), counts=counts, outcome="failed", problem=str(violation)))
        what = f"a unit of the pass would have lost something, so nothing of it was kept: {violation}"
        raise refuse("store", what, hint="this is a bug: please report it, with `ethos doctor --json`") from violation
    with store.begin() as work:
        more = bool(work.unscanned(means.rules.hash, session=session, limit=1, skip=[cause for cause, _ in tally.failures]))
    cycle = replace(tally.cycle(run.id), answers_applied=settled, more=more)
    means.put(replace(run, ended_at=means.clock.now(), counts=cycle.counts, outcome="stopped" if more else "done"))
    store.compact()
    return cycle


def rehearse(means: Means, review: Review, *, session: str | None, reason: str, keep_going: Callable[[], bool]) -> Cycle:
    """The same, rolled back: what it would change. It takes no turn, and a save of the review file stays due."""
    now, tally = means.clock.now(), _Tally()
    run = _run(means, now, session, reason).id
    means.rules.renew()
    outcomes, changes = engine.rehearse(
        means.store,
        review.rehearsals(),
        CONSOLIDATE,
        (DECAY,),
        means.context(run, now, session=session),
        lambda work: work.changes(run),
        _unspent(means, keep_going),
    )
    for outcome in outcomes:
        tally.add(outcome)
    return replace(tally.cycle(run), dry_run=True, diff=differences(changes), answers_applied=tally.notes["answered"])


def _run(means: Means, now: datetime, session: str | None, reason: str) -> Run:
    return Run(ids.run_id("consolidate", now.isoformat(), reason), "consolidate", reason, session, now, rules=means.rules.hash)


def _unspent(means: Means, keep_going: Callable[[], bool]) -> Callable[[], bool]:
    """Go on while the caller says so and the rules have time left."""
    return lambda: not means.rules.spent and keep_going()


class _Tally:
    """Adds up outcomes as they come, so that no plan outlives its unit."""

    def __init__(self) -> None:
        self.notes: Counter[str] = Counter()
        self.failures: list[tuple[str, str]] = []

    def add(self, outcome: engine.Outcome) -> None:
        self.notes.update([note.name for note in outcome.plan.notes()])
        self.notes["scanned"] += sum(len(put.episodes) for put in outcome.plan.puts() if isinstance(put, Scanned))
        self.failures += [(failure.cause, failure.error) for failure in outcome.failures]

    def cycle(self, run: str) -> Cycle:
        return Cycle(
            run,
            self.notes["scanned"],
            self.notes["promoted"],
            self.notes["created"],
            self.notes["updated"],
            self.notes["superseded"],
            self.notes["flagged"],
            faded=self.notes["faded"],
            criteria={name.removeprefix("criterion "): n for name, n in self.notes.items() if name.startswith("criterion ")},
            failures=tuple(self.failures),
        )
