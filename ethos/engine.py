"""The engine: run a pass. Begin, gather, decide, apply, commit.

`drain` runs the units of one pass; `app/consolidate.py` and `app/sleep.py` loop over the passes. A pass takes one unit of episodes after
another; each unit is one transaction, so that an episode's mark commits with the facts it gave. What dies in between is found again by
`Store.recover` and tried alone. A dry run is the same loop over a `Rehearsal`: one transaction for all units, rolled back at the end.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager
from dataclasses import replace
from typing import NamedTuple, Protocol, TypeVar

from ethos.core.facts.invariants import conserve
from ethos.core.model.plan import ChangeSet, Plan
from ethos.core.model.records import RETIRING
from ethos.core.model.rule_trust import weights
from ethos.core.passes.carried import Carried
from ethos.core.passes.context import Context
from ethos.core.passes.definition import Pass, Stages
from ethos.core.ports.store import Failure, Store, Work

Seen = TypeVar("Seen")


class Outcome(NamedTuple):
    """What one unit came to: what was written, and the groups that the store refused."""

    plan: Plan
    failures: tuple[Failure, ...]


class Transactions(Protocol):
    """Where a pass works: a store, or a rehearsal in one."""

    def begin(self, *, write: bool = False) -> AbstractContextManager[Work]:
        """Open the transaction of a unit."""
        ...

    def begin_unit(self, episodes: Collection[str]) -> None:
        """Note that these episodes are being worked on."""
        ...


class Rehearsal:
    """One open transaction in the place of a store: each unit sees what the units before it wrote, and nothing is committed.

    left_out: causes that the store refused in an earlier try.
    """

    def __init__(self, work: Work, left_out: frozenset[str]) -> None:
        self._work = work
        self.left_out = left_out

    @contextmanager
    def begin(self, *, write: bool = False) -> Iterator[Work]:  # noqa: ARG002 (the form of the protocol)
        """Give the one transaction."""
        yield self._work

    def begin_unit(self, episodes: Collection[str]) -> None:
        """Note nothing: the transaction is rolled back in any case."""


class _UnitRefused(Exception):
    """Leaves the transaction of a unit in which the store refused a group, so that it rolls back."""

    def __init__(self, failures: Sequence[Failure]) -> None:
        super().__init__("the store refused a group")
        self.failures = tuple(failures)


class _RollBack(Exception):
    """Leaves the transaction of a rehearsal that came to its end."""


def plan_of(work: Work, stages: Stages, ctx: Context) -> Plan:
    """Return the stages' plans added up."""
    return sum((stage.plan(work, ctx) for stage in stages), Plan())


def run_unit(within: Transactions, stages: Stages, ctx: Context, *, marked: bool = False) -> Outcome:
    """Decide and apply one unit in one transaction. Raises NotConserved, and rolls back, where something would be lost.

    Where the store refuses the group of an episode, nothing of this try stays: the episode is left out and the rest decided again, because
    another group may have built on it (E-36). marked: see `Pass`.
    """
    failures: tuple[Failure, ...] = ()
    while True:
        try:
            with within.begin(write=True) as work:
                plan = plan_of(work, stages, ctx)
                applied = work.apply(plan, ctx.run)
                refused = {failure.cause for failure in applied.failures}
                if not refused.isdisjoint(utterance.id for utterance in ctx.unit):
                    raise _UnitRefused(applied.failures)
                conserve(ctx.unit if marked else (), plan, applied)
        except _UnitRefused as unit:
            ctx.carried.drop()
            if isinstance(within, Rehearsal):
                raise  # it cannot be rolled back in part
            failures += unit.failures
            left_out = {failure.cause for failure in failures}
            ctx = replace(ctx, unit=tuple(utterance for utterance in ctx.unit if utterance.id not in left_out))
        except BaseException:
            ctx.carried.drop()
            raise
        else:
            if applied.failures or applied.begun_anew:
                ctx.carried.drop()
            else:
                ctx.carried.commit()
            return Outcome(plan.without(refused), failures + tuple(applied.failures))


def drain(within: Transactions, one_pass: Pass, ctx: Context, keep_going: Callable[[], bool]) -> Iterator[Outcome]:
    """Run unit after unit until nothing is left or `keep_going` says stop; it is asked between units (busy pre-empts)."""
    if one_pass.take is None:
        yield run_unit(within, one_pass.stages, ctx)
        return
    failed = set(within.left_out) if isinstance(within, Rehearsal) else set[str]()
    take = one_pass.take()
    informed = False
    while keep_going():
        with within.begin() as work:
            if not informed:
                ctx, informed = _informed(work, ctx), True
            unit = take(work, ctx, failed)
        if not unit:
            return
        if one_pass.marked:
            within.begin_unit([utterance.id for utterance in unit])
        outcome = run_unit(within, one_pass.stages, replace(ctx, unit=unit), marked=one_pass.marked)
        if outcome.failures:
            failed.update(failure.cause for failure in outcome.failures)
            if one_pass.marked:
                _count_attempts(within, ctx, outcome.failures)
        ctx = ctx.after(unit)
        yield outcome


def rehearse(
    store: Store, loop: Callable[[Rehearsal], Seen], keep: Callable[[Seen], bool] = lambda _: False
) -> tuple[Seen, tuple[Failure, ...]]:
    """Run a loop in one transaction that is rolled back; return what it returned, and what the store refused.

    As in `run_unit`, an episode that the store refuses is left out and everything decided again. keep: whether the transaction is committed
    after all, by what the loop returned.
    """
    failures: tuple[Failure, ...] = ()
    while True:
        try:
            with store.begin(write=True) as work:
                seen = loop(Rehearsal(work, frozenset(failure.cause for failure in failures)))
                if not keep(seen):
                    raise _RollBack
        except _UnitRefused as unit:
            failures += unit.failures
        except _RollBack:
            return seen, failures
        else:
            return seen, failures


def _informed(work: Work, ctx: Context) -> Context:
    """Add what is asked once a pass: how far each rule is trusted by now, and up to when everything has been weighed."""
    times = [run.started_at for name in RETIRING for run in work.runs(name=name, limit=1)]
    if latest := work.latest_said():
        times.append(latest)
    trust = weights(work.rule_trust(ctx.settings.ethos.user))
    return replace(ctx, rule_weights=trust, weighed_until=max(times, default=None), carried=Carried())


def _count_attempts(within: Transactions, ctx: Context, failures: Sequence[Failure]) -> None:
    """Raise `attempts` of the episodes whose group was refused; after the last one they are set aside, and said so."""
    limit = ctx.settings.consolidation.max_attempts
    with within.begin(write=True) as work:
        marks = work.marks([failure.cause for failure in failures])
        groups = []
        for failure in failures:
            mark = marks.get(failure.cause)
            if mark is None:
                continue
            tried = mark.attempts + 1
            reason = failure.error if tried >= limit else None
            groups.append(ChangeSet(mark.episode, (replace(mark, attempts=tried, set_aside=reason),)))
        work.apply(Plan(tuple(groups)), ctx.run)
