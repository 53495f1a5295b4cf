"""The questions about memories of the bank, as the review file and `ethos inbox` show them."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import replace

from ethos.app.track_record import track_records
from ethos.core.learning.bank.proposing import NO_LONGER, stands
from ethos.core.model.memories import Memory
from ethos.core.model.questions import MemoryQuestion
from ethos.core.ports.review_file import MemoryEntry, QuestionedMemory
from ethos.core.ports.store import Work


def memory_entries(work: Work, user: str, *, resolved: bool, listed: Collection[str] = ()) -> Iterator[MemoryEntry]:
    """Yield the open questions about memories, oldest first; with `resolved`, the others too. listed: ids that are wanted in any case."""
    questions = [each for each in work.records(MemoryQuestion) if each.user == user]
    wanted = [each for each in questions if resolved or each.resolved_at is None or each.id in listed]
    told = {each.memory.id: each for each in track_records(work, work.find(Memory, "id", {each.memory for each in wanted}))}
    for question in wanted:
        memory = told[question.memory].memory
        open_now = stands(question, memory)
        if not (open_now or resolved or question.id in listed):
            continue
        if not open_now and question.resolved_at is None:
            question = replace(question, resolved_at=memory.archived_at or question.opened_at, by=NO_LONGER)  # noqa: PLW2901
        proved = told[question.memory]
        shown = QuestionedMemory(
            memory.id,
            memory.title,
            memory.description,
            memory.content,
            memory.outcome,
            memory.origin,
            memory.confidence,
            memory.usage_count,
            proved.worked,
            proved.tried,
            proved.helped,
            proved.judged,
        )
        source = next((each for each in memory.sources if not each.startswith("m-")), "")
        yield MemoryEntry(question, shown, source)
