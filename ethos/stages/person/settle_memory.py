"""Settle a question about a memory: apply what a person decided. Given once or ten times, a decision has one effect.

accept: the memory is in use from now on. reject, retire: it is archived, and not proposed again. keep: it stays in use.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import partial

from ethos.core.learning.bank.proposing import NO_LONGER, answered, stands
from ethos.core.model.events import Answered, AnswerOutcome
from ethos.core.model.memories import Memory
from ethos.core.model.plan import Plan, one
from ethos.core.model.questions import MemoryQuestion
from ethos.core.model.records import Record, Run
from ethos.core.passes.context import Context
from ethos.core.passes.stage import Stage
from ethos.core.ports.review_file import Decision
from ethos.core.ports.store import Work
from ethos.core.review.kinds import kind_of


@dataclass(frozen=True, slots=True)
class Needs:
    """Hold the question and its memory."""

    question: MemoryQuestion | None
    memory: Memory | None


def gather(decision: Decision, work: Work, ctx: Context) -> Needs:  # noqa: ARG001 (every stage's gather ends in this form)
    """Read the question and its memory."""
    question = next(iter(work.find(MemoryQuestion, "id", [decision.question])), None)
    memory = next(iter(work.find(Memory, "id", [question.memory])), None) if question else None
    return Needs(question, memory)


def decide(decision: Decision, by: str, needs: Needs, ctx: Context) -> Plan:
    """Return the changes of the decision and its run, or the reason why it changes nothing."""
    question, memory, action = needs.question, needs.memory, decision.action
    puts: tuple[Record, ...] = ()
    if question is None or memory is None:
        came = Answered(decision.question, AnswerOutcome.UNKNOWN, "no such question")
    elif (kind := kind_of(question.id)) is None or action not in kind.actions:
        came = Answered(question.id, AnswerOutcome.UNFIT, f"{action} is no answer to it")
    elif stands(question, memory):
        done = replace(question, resolved_at=ctx.now, action=action, by=by, note=decision.note)
        after = answered(done, memory, ctx.now)
        run = Run(ctx.run, "answer", question.id, None, ctx.now, ctx.now, rules=ctx.rules.hash, outcome="done")
        puts = (run, done, *((after,) if after != memory else ()))
        came = Answered(question.id, AnswerOutcome.APPLIED, f"{action} applied")
    elif question.action == action:
        came = Answered(question.id, AnswerOutcome.AGAIN, f"already answered: {action}")
    elif question.action is None:
        came = Answered(question.id, AnswerOutcome.MOOT, f"no longer open: {question.by or NO_LONGER}")
    else:
        came = Answered(question.id, AnswerOutcome.OTHER, f"already answered with {question.action}; this choice was not applied")
    return one(decision.question, *puts, events=(came,))


def settle_memory(decision: Decision, by: str) -> Stage[Needs]:
    """Return the stage of a decision, which is a run of its own, so that it can be undone alone. by: "inbox", "cli" or "socket"."""
    return Stage("settle memory", partial(gather, decision), partial(decide, decision, by))
