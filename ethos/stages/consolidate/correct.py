"""Correct: a person says what holds in the place of a fact. The fact is retired, and what the rules read in the words is its successor."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from functools import partial

from ethos.core.facts.extraction import Proposal
from ethos.core.facts.ledger import Ledger
from ethos.core.model.events import ClaimResolved
from ethos.core.model.plan import ChangeSet, Plan
from ethos.core.model.records import CORRECT, Fact, Question, Record, Run
from ethos.core.passes.context import Context
from ethos.core.passes.stage import Stage
from ethos.core.ports.store import Work
from ethos.stages.consolidate import resolve


@dataclass(frozen=True, slots=True)
class Needs:
    """Hold the fact, the questions about it with their other sides, and what the claims of the words could collide with."""

    fact: str
    facts: Sequence[Fact]
    questions: Sequence[Question]
    resolution: resolve.Needs


def gather(fact: str, proposal: Proposal, work: Work, ctx: Context) -> Needs:
    """Read the fact, what is asked about it, and what the words concern."""
    sides = {fact, *_sides(work.questions(facts={fact}))}
    questions = work.questions(facts=sides)
    facts = work.current(sides | _sides(questions))
    return Needs(fact, tuple(facts.values()), tuple(questions), resolve.gather((proposal,), work, ctx))


def _sides(questions: Iterable[Question]) -> set[str]:
    return {side for question in questions for side in (question.existing, question.new) if side}


def decide(needs: Needs, ctx: Context) -> Plan:
    """Retire the fact, and weigh the words against what is held without it; nothing where the fact is not held."""
    ledger = Ledger(needs.facts, needs.questions, now=ctx.now, run=ctx.run)
    fact = ledger.fact(needs.fact)
    if fact is None or not fact.active:
        return Plan()
    ledger.retire(fact, ctx.now)
    retired = ledger.take()
    facts = {each.id: each for each in needs.resolution.facts} | {put.id: put for put in retired if isinstance(put, Fact)}
    questions = {each.id: each for each in needs.resolution.questions} | {put.id: put for put in retired if isinstance(put, Question)}
    learned = resolve.decide(replace(needs.resolution, facts=tuple(facts.values()), questions=tuple(questions.values())), ctx)
    new = next((event.fact for event in learned.events_of(ClaimResolved)), None)
    run = Run(ctx.run, CORRECT, needs.fact, None, ctx.now, ctx.now, rules=ctx.rules.hash, outcome="done")
    puts = (run, *_succeeded(retired, needs.fact, new, ctx), *learned.puts())
    return Plan((ChangeSet("", puts, (), tuple(learned.events())),))


def _succeeded(puts: Iterable[Record], fact: str, by: str | None, ctx: Context) -> tuple[Record, ...]:
    """Return the records, with the fact that holds now as the successor of the one that was corrected."""
    return tuple(
        replace(put, superseded_by=by, valid_to=max(put.valid_from, ctx.now)) if isinstance(put, Fact) and put.id == fact and by else put
        for put in puts
    )


def correct(fact: str, proposal: Proposal) -> Stage[Needs]:
    """Return the stage of a correction, a run of its own, so that it can be undone alone. proposal: what was read in the words."""
    return Stage("correct", partial(gather, fact, proposal), decide)
