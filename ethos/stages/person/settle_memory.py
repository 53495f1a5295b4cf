"""Settle a question about a memory: apply what a person decided. Given once or ten times, a decision has one effect.

accept: the memory is in use from now on. reject, retire: it is archived, and not proposed again. keep: it stays in use.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import partial

from ethos.core.learning.bank.proposing import NO_LONGER, answered, stands
from ethos.core.model.memories import Memory
from ethos.core.model.plan import Plan, one
from ethos.core.model.questions import MemoryQuestion
from ethos.core.model.records import Record, Run
from ethos.core.passes.context import Context
from ethos.core.passes.stage import Stage
from ethos.core.ports.review_file import Decision
from ethos.core.ports.store import Work
from ethos.core.review.answering import applied, without_effect


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
    question, memory = needs.question, needs.memory
    puts: tuple[Record, ...] = ()
    open_now, closed_by = (stands(question, memory), question.by or NO_LONGER) if question else (False, None)
    came = without_effect(decision, question if memory else None, can_answer=open_now, closed_by=closed_by)
    if came is None and question is not None and memory is not None:
        done = replace(question, resolved_at=ctx.now, action=decision.action, by=by, note=decision.note)
        after = answered(done, memory, ctx.now)
        run = Run(ctx.run, "answer", question.id, None, ctx.now, ctx.now, rules=ctx.rules.hash, outcome="done")
        puts = (run, done, *((after,) if after != memory else ()))
    return one(decision.question, *puts, events=(came or applied(decision),))


def settle_memory(decision: Decision, by: str) -> Stage[Needs]:
    """Return the stage of a decision, which is a run of its own, so that it can be undone alone. by: "inbox", "cli" or "socket"."""
    return Stage("settle memory", partial(gather, decision), partial(decide, decision, by))
