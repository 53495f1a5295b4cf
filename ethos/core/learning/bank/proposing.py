"""Decide what a person is asked about the memories of the bank: which one may be used, and which one is to be retired."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from datetime import datetime

from ethos.core.learning.bank.belief import Counts, proved
from ethos.core.learning.bank.ranking import useless
from ethos.core.model.ids import memory_question_id
from ethos.core.model.memories import Memory, MemoryState
from ethos.core.model.questions import MemoryQuestion, Proposal

MOST_OPEN = 3  # so that the inbox stays small
HELPED = "it helped since"
NO_LONGER = "it is not asked any more"
_FITS: Mapping[Proposal, MemoryState] = {Proposal.ACCEPT: MemoryState.QUARANTINED, Proposal.RETIRE: MemoryState.ACTIVE}


def stands(question: MemoryQuestion, memory: Memory | None) -> bool:
    """Return True if a person can still answer: the memory is in the state that the proposal is about."""
    return question.resolved_at is None and memory is not None and memory.state is _FITS[question.proposal]


def closed(
    questions: Iterable[MemoryQuestion], memories: Mapping[str, Memory], counts: Mapping[str, Counts], now: datetime
) -> list[MemoryQuestion]:
    """Return those open questions that need no answer any more, closed: the memory changed its state, or helped since."""
    found = []
    for question in questions:
        if question.resolved_at is not None:
            continue
        if not stands(question, memories.get(question.memory)):
            found.append(replace(question, resolved_at=now, by=NO_LONGER))
        elif question.proposal is Proposal.RETIRE and proved(counts.get(question.memory, Counts())):
            found.append(replace(question, resolved_at=now, by=HELPED))
    return found


def proposed(
    memories: Iterable[Memory], counts: Mapping[str, Counts], asked: Iterable[MemoryQuestion], patience: int, now: datetime, run: str
) -> list[MemoryQuestion]:
    """Return the questions to open, about the oldest memories first, so that at most `MOST_OPEN` are open at once.

    asked: all questions so far. Nothing is proposed of a memory twice. counts: the signals of memories that were served often.
    """
    before = tuple(asked)
    known = {question.id for question in before}
    room = MOST_OPEN - sum(question.resolved_at is None for question in before)
    found: list[MemoryQuestion] = []
    for memory in memories:
        if len(found) >= room:
            break
        proposal = _proposal(memory, counts.get(memory.id, Counts()), patience)
        if proposal is None:
            continue
        id_ = memory_question_id(memory.id, retire=proposal is Proposal.RETIRE)
        if id_ not in known:
            found.append(MemoryQuestion(id_, memory.user, memory.project, memory.id, proposal, now, run))
    return found


def _proposal(memory: Memory, counts: Counts, patience: int) -> Proposal | None:
    if memory.state is MemoryState.QUARANTINED:
        return Proposal.ACCEPT
    if memory.state is MemoryState.ACTIVE and useless(memory.usage_count, counts, patience):
        return Proposal.RETIRE
    return None


def answered(question: MemoryQuestion, memory: Memory, now: datetime) -> Memory:
    """Return the memory as the answer leaves it."""
    match question.action:
        case "accept":
            return replace(memory, state=MemoryState.ACTIVE)
        case "reject" | "retire":
            return replace(memory, state=MemoryState.ARCHIVED, archived_at=now)
        case _:
            return memory
