"""Retire: a person says that a fact does not hold. The turn that it was read from stays, and so does the fact, in the history.

What was said before the retirement does not bring it back, by whatever rules it is read (`core.facts.timeline`); what is said after it
is a new claim. What the fact had replaced stays replaced: that it is not so does not say what is.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial

from ethos.core.facts.ledger import Ledger
from ethos.core.model.plan import Plan, one
from ethos.core.model.records import RETIRE, Fact, Question, Run
from ethos.core.passes.context import Context
from ethos.core.passes.stage import Stage
from ethos.core.ports.store import Work
from ethos.stages.person.around import questions_around


@dataclass(frozen=True, slots=True)
class Needs:
    """Hold the fact, the questions about it, and the facts on their other sides with the questions about those."""

    fact: str
    facts: Sequence[Fact]
    questions: Sequence[Question]


def gather(fact: str, work: Work, ctx: Context) -> Needs:  # noqa: ARG001 (every stage's gather ends in this form)
    """Read the fact as it stands, and what is asked about it."""
    questions, around = questions_around(work, {fact}, rounds=2)
    return Needs(fact, tuple(work.current(around).values()), tuple(questions.values()))


def decide(needs: Needs, ctx: Context) -> Plan:
    """Return the retirement and its run; nothing where the fact is not held."""
    ledger = Ledger(needs.facts, needs.questions, now=ctx.now, run=ctx.run)
    fact = ledger.fact(needs.fact)
    if fact is None or not fact.active:
        return Plan()
    ledger.retire(fact, ctx.now)
    run = Run(ctx.run, RETIRE, needs.fact, None, ctx.now, ctx.now, rules=ctx.rules.hash, outcome="done")
    return one(needs.fact, run, *ledger.take())


def retire(fact: str) -> Stage[Needs]:
    """Return the stage of a retirement, which is a run of its own, so that it can be undone alone."""
    return Stage("retire", partial(gather, fact), decide)
