"""The engine: run a pass. Begin, gather, decide, apply, commit (DESIGN, Transactions).

This is the main loop of consolidation. A pass takes one unit of episodes after another; each unit is one transaction, so that an
episode's mark commits with the facts it gave. What dies in between is found again by `Store.recover` and tried alone.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from typing import Any, NamedTuple, TypeVar

from ethos.core.facts.invariants import conserve
from ethos.core.model.plan import Group, Note, Plan
from ethos.core.model.records import Heard
from ethos.core.model.rule_trust import weights
from ethos.core.passes.context import Context
from ethos.core.passes.stage import Stage
from ethos.core.ports.store import Failure, Store, Work

SORTED_AT_ONCE = 1_000  # units

Stages = Sequence[Stage[Any]]
Seen = TypeVar("Seen")


class Outcome(NamedTuple):
    """What one unit came to: what was written, and the groups that the store refused."""

    plan: Plan
    failures: tuple[Failure, ...]


def decide(work: Work, stages: Stages, ctx: Context) -> Plan:
    """The stages' plans added up; each stage sees what the one before handed on."""
    plan = Plan()
    for stage in stages:
        plan += stage.plan(work, replace(ctx, handed=plan.hands))
    return plan


def run(store: Store, stages: Stages, ctx: Context) -> Outcome:
    """One transaction: decide and apply. Where the store refuses a group, nothing of this try stays: what caused it is left out and the
    rest decided again, because another group may have built on it (E-36). Raises NotConserved, and rolls back, where something would
    be lost.
    """
    failures: tuple[Failure, ...] = ()
    while True:
        try:
            with store.begin(write=True) as work:
                plan = decide(work, stages, ctx)
                applied = work.apply(plan, ctx.run)
                refused = applied.failures
                if refused:
                    raise _TryAgain
                conserve(ctx.unit, plan, applied)
            return Outcome(plan, failures)
        except _TryAgain:
            failures += refused
            left_out = {failure.cause for failure in failures}
            ctx = replace(ctx, unit=tuple(heard for heard in ctx.unit if heard.id not in left_out))


class _TryAgain(Exception):
    """Leaves a transaction so that it rolls back."""


def drain(store: Store, stages: Stages, ctx: Context, keep_going: Callable[[], bool]) -> Iterator[Outcome]:
    """Unit after unit until nothing is left or `keep_going` says stop; it is asked between units (busy pre-empts)."""
    failed: set[str] = set()
    backlog = _Backlog()
    informed = False
    while keep_going():
        with store.begin() as work:
            if not informed:
                ctx, informed = _informed(work, ctx), True
            unit = backlog.take(work, ctx, failed)
        if not unit:
            return
        store.begin_unit([heard.id for heard in unit])
        outcome = run(store, stages, replace(ctx, unit=unit))
        if outcome.failures:
            failed.update(failure.cause for failure in outcome.failures)
            _count_attempts(store, ctx, outcome.failures)
        ctx = _after(ctx, unit)
        yield outcome


def rehearse(
    store: Store,
    first: Sequence[tuple[Stages, Context]],
    stages: Stages,
    last: Stages,
    ctx: Context,
    look: Callable[[Work], Seen],
    keep_going: Callable[[], bool],
) -> tuple[list[Outcome], Seen]:
    """What a pass would do, unit by unit, in one transaction that is rolled back; `look` sees the store as the pass would leave it.

    first: what is done before it, each a run of its own; last: what is done once, at its end. As in `run`, a group that the store
    refuses is left out and everything decided again, so that what is seen is what a real pass then makes.
    """
    failures: list[Failure] = []
    while True:
        outcomes: list[Outcome] = []
        seen: list[Seen] = []
        left_out = {failure.cause for failure in failures}
        try:
            with store.begin(write=True) as work:
                for early, its_own in first:
                    outcomes.append(_rehearsed(work, early, its_own))
                informed, backlog = _informed(work, ctx), _Backlog()
                while keep_going() and (unit := backlog.take(work, ctx, left_out)):
                    outcomes.append(_rehearsed(work, stages, replace(informed, unit=unit)))
                    informed = _after(informed, unit)
                    if refused := outcomes[-1].failures:
                        failures += refused
                        raise _TryAgain
                outcomes.append(_rehearsed(work, last, ctx))
                seen.append(look(work))
                raise _TryAgain
        except _TryAgain:
            if seen:
                return [*outcomes, Outcome(Plan(), tuple(failures))], seen[0]


def _rehearsed(work: Work, stages: Stages, ctx: Context) -> Outcome:
    plan = decide(work, stages, ctx)
    return Outcome(plan, work.apply(plan, ctx.run).failures)


def _informed(work: Work, ctx: Context) -> Context:
    """With what is asked once a pass: how far each rule is trusted by now, and up to when everything has been weighed."""
    return replace(ctx, standings=weights(work.standings(ctx.settings.ethos.user)), weighed_until=work.latest_said())


def _after(ctx: Context, unit: Sequence[Heard]) -> Context:
    """The context of the next unit: what comes to be weighed now was perhaps said before what this one held."""
    latest = max(heard.said_at for heard in unit)
    return replace(ctx, weighed_until=max(latest, ctx.weighed_until or latest))


class _Backlog:
    """What a pass has still to read, in the order in which it was said. Sorted for many units at once: sorting costs as much for one."""

    def __init__(self) -> None:
        self._waiting: deque[str] = deque()

    def take(self, work: Work, ctx: Context, skip: set[str]) -> tuple[Heard, ...]:
        """The next unit; empty when nothing is left."""
        size = ctx.settings.consolidation.batch_size
        while True:
            if not self._waiting:
                self._waiting.extend(work.backlog(ctx.rules.hash, session=ctx.session, limit=size * SORTED_AT_ONCE, skip=skip))
            unit = [self._waiting.popleft() for _ in range(min(size, len(self._waiting)))]
            heard = tuple(work.heard(unit))
            if heard or not unit:  # what was forgotten meanwhile is not heard
                return heard


def _count_attempts(store: Store, ctx: Context, failures: Sequence[Failure]) -> None:
    """Raise `attempts` of the episodes whose group was refused; after the last one they are set aside, and said so."""
    limit = ctx.settings.consolidation.max_attempts
    with store.begin(write=True) as work:
        marks = work.marks([failure.cause for failure in failures])
        groups = []
        for failure in failures:
            mark = marks.get(failure.cause)
            if mark is None:
                continue
            tried = mark.attempts + 1
            reason = failure.error if tried >= limit else None
            groups.append(Group(mark.episode, (replace(mark, attempts=tried, set_aside=reason),), (), (Note("attempt", mark.episode),)))
        work.apply(Plan(tuple(groups)), ctx.run)
