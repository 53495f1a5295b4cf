"""Correct: a person says what holds in the place of a fact. The fact is retired, and what the rules read in the words is its successor."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from functools import partial

from ethos.core.facts.extraction import Proposal
from ethos.core.model.events import ClaimResolved
from ethos.core.model.plan import Group, Plan
from ethos.core.model.records import CORRECT, Fact, Question, Record, Run
from ethos.core.passes.context import Context
from ethos.core.passes.stage import Stage
from ethos.core.ports.store import Work
from ethos.stages.consolidate import resolve
from ethos.stages.person import retire


@dataclass(frozen=True, slots=True)
class Needs:
    """Hold what the retirement needs, and what the claims of the words could collide with."""

    retirement: retire.Needs
    resolution: resolve.Needs


def gather(fact: str, proposal: Proposal, work: Work, ctx: Context) -> Needs:
    """Read the fact and what the words concern."""
    return Needs(retire.gather(fact, work, ctx), resolve.gather((proposal,), work, ctx))


def decide(needs: Needs, ctx: Context) -> Plan:
    """Retire the fact, and weigh the words against what is held without it."""
    retired = tuple(put for put in retire.decide(needs.retirement, ctx).puts() if not isinstance(put, Run))
    if not retired:
        return Plan()
    facts = {fact.id: fact for fact in needs.resolution.facts} | {put.id: put for put in retired if isinstance(put, Fact)}
    questions = {each.id: each for each in needs.resolution.questions} | {put.id: put for put in retired if isinstance(put, Question)}
    learned = resolve.decide(replace(needs.resolution, facts=tuple(facts.values()), questions=tuple(questions.values())), ctx)
    new = next((event.fact for event in learned.events_of(ClaimResolved)), None)
    run = Run(ctx.run, CORRECT, needs.retirement.fact, None, ctx.now, ctx.now, rules=ctx.rules.hash, outcome="done")
    puts = _succeeded(retired, needs.retirement.fact, new, ctx)
    return Plan((Group("", (run, *puts, *learned.puts()), (), tuple(learned.events())),))


def _succeeded(puts: Iterable[Record], fact: str, by: str | None, ctx: Context) -> tuple[Record, ...]:
    """Return the records, with the fact that holds now as the successor of the one that was corrected."""
    return tuple(
        replace(put, superseded_by=by, valid_to=max(put.valid_from, ctx.now)) if isinstance(put, Fact) and put.id == fact and by else put
        for put in puts
    )


def correct(fact: str, proposal: Proposal) -> Stage[Needs]:
    """Return the stage of a correction, a run of its own, so that it can be undone alone. proposal: what was read in the words."""
    return Stage("correct", partial(gather, fact, proposal), decide)
