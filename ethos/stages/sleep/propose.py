"""Propose: ask a person about memories that wait in quarantine, and about those that were served often and never helped."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from ethos.core.learning.bank.belief import Counts
from ethos.core.learning.bank.proposing import closed, proposed
from ethos.core.model.memories import Memory, MemoryState
from ethos.core.model.plan import ChangeSet, Plan
from ethos.core.model.questions import MemoryQuestion
from ethos.core.passes.context import Context
from ethos.core.passes.stage import Stage
from ethos.core.ports.store import Work
from ethos.stages.sleep.counting import counts_of


@dataclass(frozen=True, slots=True)
class Needs:
    """Hold the memories that a question may be about, oldest first, the signals of those in use, and all questions so far."""

    memories: Sequence[Memory]
    counts: Mapping[str, Counts]
    asked: Sequence[MemoryQuestion]


def gather(work: Work, ctx: Context) -> Needs:
    """Read the questions, the memories in them, those in quarantine, and those that were served often."""
    user, often = ctx.settings.ethos.user, 2 * ctx.settings.bank.patience
    asked = [each for each in work.records(MemoryQuestion) if each.user == user]
    about = {each.memory for each in asked if each.resolved_at is None}
    memories = [
        each
        for each in work.records(Memory)
        if each.user == user and (each.id in about or each.state is MemoryState.QUARANTINED or each.usage_count >= often)
    ]
    return Needs(memories, counts_of(work, [each.id for each in memories if each.usage_count]), asked)


def decide(needs: Needs, ctx: Context) -> Plan:
    """Close the questions that need no answer any more, and open others in their place."""
    gone = closed(needs.asked, {each.id: each for each in needs.memories}, needs.counts, ctx.now)
    asked = {each.id: each for each in (*needs.asked, *gone)}
    new = proposed(needs.memories, needs.counts, asked.values(), ctx.settings.bank.patience, ctx.now, ctx.run)
    return Plan(tuple(ChangeSet(each.id, (each,)) for each in (*gone, *new)))


PROPOSE = Stage("propose", gather, decide)
