"""How memories of the bank proved themselves: their counts, and when the latest outcome or word came."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from ethos.core.learning.bank.belief import of_kind
from ethos.core.model.memories import Memory, SignalKind
from ethos.core.ports.store import Work
from ethos.stages.sleep.counting import counts_of


@dataclass(frozen=True, slots=True)
class TrackRecord:
    """A memory and how it proved itself. worked, tried: outcomes, good ones and all; helped, judged: words on it, good ones and all;
    last: when the latest outcome or word came.
    """

    memory: Memory
    worked: int
    tried: int
    helped: int
    judged: int
    last: datetime | None


def track_records(work: Work, memories: Sequence[Memory]) -> list[TrackRecord]:
    """Return how each of these memories proved itself."""
    ids = [memory.id for memory in memories]
    recent = tuple(work.signal_counts(ids))
    counts = counts_of(work, ids, recent)
    last: dict[str, datetime] = {}
    for each in recent:
        if each.kind is not SignalKind.USAGE:
            last[each.memory] = max(each.latest, last.get(each.memory, each.latest))
    found = []
    for memory in memories:
        worked, failed = of_kind(counts[memory.id], SignalKind.OUTCOME)
        helped, hindered = of_kind(counts[memory.id], SignalKind.EXPLICIT)
        proved = (worked, worked + failed, helped, helped + hindered)
        found.append(TrackRecord(memory, *proved, last.get(memory.id)))
    return found
