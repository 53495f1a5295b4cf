"""Settle: apply what a person decided (X-E11). Given once or ten times, by file, command or socket, a decision has one effect.

accept: a claim in quarantine is held from now on, at the trust of its source, and goes where the same claim would go; where it does not
go with what is held, that is asked. reject: it is not, and is not asked again.
keep-old: the new claim is superseded by the old. keep-new: the other way round. keep-both: neither is doubted any more, and the pair
is remembered as compatible, because the question stays, answered.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial

from ethos.core.facts.ledger import Ledger
from ethos.core.facts.quarantine import says_no_more
from ethos.core.facts.statement import key_of, statement_of
from ethos.core.facts.weighing import Confirms, Contradicts, Fresh, Refines, Supersedes, weigh
from ethos.core.history.salience import initial_salience
from ethos.core.model.plan import Plan, one
from ethos.core.model.records import Fact, Question, Record, Run
from ethos.core.passes.context import Context
from ethos.core.passes.stage import Stage
from ethos.core.ports.review_file import Decision
from ethos.core.ports.store import Work
from ethos.core.review.answering import applied, without_effect


@dataclass(frozen=True, slots=True)
class Needs:
    """Hold the decision, the question that it answers, the others about the same facts, and the facts in them."""

    decision: Decision
    by: str
    questions: Sequence[Question]
    facts: Sequence[Fact]


def gather(decision: Decision, by: str, work: Work, ctx: Context) -> Needs:  # noqa: ARG001 (every stage's gather ends in this form)
    """Read the question, every question about the same facts, and the current version of each fact in them."""
    named = work.questions(ids=[decision.question])
    sides = {side for question in named for side in (question.existing, question.new)}
    related = work.questions(facts=sides) if sides else ()
    sides |= {side for question in related for side in (question.existing, question.new)}
    facts = dict(work.current(sides))
    accepted = {key_of(facts[question.new]) for question in named if question.of_quarantine and question.new in facts}
    rivals = {fact.id: fact for fact in work.active_facts(accepted) if fact.id not in facts} if accepted else {}
    if rivals:
        known = {question.id for question in related}
        related = (*related, *(question for question in work.questions(facts=rivals.keys()) if question.id not in known))
        rivals |= work.current({side for question in related for side in (question.existing, question.new)} - facts.keys() - rivals.keys())
    return Needs(decision, by, related, (*facts.values(), *rivals.values()))


def decide(needs: Needs, ctx: Context) -> Plan:
    """Return the changes of the decision and its run, or the reason why it changes nothing."""
    ledger = Ledger(needs.facts, needs.questions, now=ctx.now, run=ctx.run)
    decision = needs.decision
    more: tuple[Record, ...] = ()
    question = ledger.question(decision.question)
    open_now, closed_by = (question.resolved_at is None, question.by) if question else (False, None)
    came = without_effect(decision, question, can_answer=open_now, closed_by=closed_by)
    if came is None and question is not None:
        ledger.answer(question, decision.action, needs.by, decision.note)
        more = _accept(question.new, ledger, ctx) if decision.action == "accept" else ()
    puts = (*ledger.take(), *more)
    run = (Run(ctx.run, "answer", decision.question, None, ctx.now, ctx.now, rules=ctx.rules.hash, outcome="done"),) if puts else ()
    return one(decision.question, *run, *puts, events=(came or applied(decision),))


def _accept(fact_id: str, ledger: Ledger, ctx: Context) -> tuple[Record, ...]:
    """Hold a claim that was in quarantine; what else is to be put. Where its like is held already, that is enough."""
    fact = ledger.fact(fact_id)
    if fact is None or not fact.quarantined:
        return ()
    new = statement_of(fact)
    held = ledger.active(key_of(fact))
    if says_no_more(new, held):
        return ()
    verdict = weigh(new, held, ctx.settings.conflict_resolution)
    released = ledger.release(fact_id)
    match verdict:
        case Supersedes(old, late=True):
            ledger.supersede(released, old[0].id, max(old[0].valid_from, fact.valid_from))
        case Supersedes(old):
            for each in old:
                ledger.supersede(each, fact_id, fact.valid_from)
        case Refines(one):
            ledger.supersede(one, fact_id, fact.valid_from)
        case Confirms(one) | Contradicts(one):
            ledger.contradict(one, released)
        case Fresh():
            pass
    return (initial_salience(fact_id, fact.kind, fact.confidence, ctx.now, ctx.settings.decay),)


def settle(decision: Decision, by: str) -> Stage[Needs]:
    """Return the stage of a decision, which is a run of its own, so that it can be undone alone. by: "inbox", "cli" or "socket"."""
    return Stage("settle", partial(gather, decision, by), decide)
