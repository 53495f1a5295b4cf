"""Settle: apply what a person decided (X-E11). Given once or ten times, by file, command or socket, a decision has one effect.

keep-old: the new claim is superseded by the old. keep-new: the other way round. keep-both: neither is doubted any more, and the pair
is remembered as compatible, because the question stays, answered.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial

from ethos.core.context import Context
from ethos.core.ledger import Ledger
from ethos.core.plan import Group, Note, Plan
from ethos.core.ports import Decision, Work
from ethos.core.records import Fact, Question
from ethos.core.review.kinds import kind_of
from ethos.core.stage import Stage


@dataclass(frozen=True, slots=True)
class Needs:
    """The decisions, the questions they answer, and the facts on either side."""

    decisions: tuple[Decision, ...]
    by: str
    questions: Sequence[Question]
    facts: Sequence[Fact]


def gather(decisions: Sequence[Decision], by: str, work: Work, ctx: Context) -> Needs:  # noqa: ARG001 (every stage's gather ends in this form)
    """The questions named, every question about the same facts, and the current version of each fact in them."""
    named = work.questions(ids=[decision.question for decision in decisions]) if decisions else ()
    sides = {side for question in named for side in (question.existing, question.new)}
    related = work.questions(facts=sides) if sides else ()
    sides |= {side for question in related for side in (question.existing, question.new)}
    return Needs(tuple(decisions), by, related, tuple(work.current(sides).values()))


def decide(needs: Needs, ctx: Context) -> Plan:
    """A group for each decision that changes something; a note for each that does not, with the reason."""
    ledger = Ledger(needs.facts, needs.questions, now=ctx.now, run=ctx.run)
    groups: list[Group] = []
    for decision in needs.decisions:
        question = ledger.question(decision.question)
        if question is None:
            note = Note("unknown", decision.question, "no such question")
        elif (kind := kind_of(question.id)) is None or decision.action not in kind.actions:
            note = Note("unfit", question.id, f"{decision.action} is no answer to it")
        elif question.resolved_at is None:
            ledger.answer(question, decision.action, needs.by, decision.note)
            note = Note("answered", question.id, f"{decision.action} applied")
        elif question.action == decision.action:
            note = Note("again", question.id, f"already answered: {question.action}")
        elif question.action is None:
            note = Note("moot", question.id, f"no longer open: {question.by}")
        else:
            note = Note("other", question.id, f"already answered with {question.action}; this choice was not applied")
        groups.append(Group(decision.question, ledger.take(), (), (note,)))
    return Plan(tuple(groups))


def settle(decisions: Sequence[Decision], by: str) -> Stage[Needs]:
    """The stage for these decisions. by: "inbox", "cli" or "socket"."""
    return Stage("settle", partial(gather, decisions, by), decide)
