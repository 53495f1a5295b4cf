"""mem0: an export of mem0, a list of memories or an object with `results`. A model extracted them, so they are the assistant's words."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import BinaryIO

from ethos.core.model.errors import Problem
from ethos.core.model.ids import digest
from ethos.core.model.settings import CaptureSettings
from ethos.edge.capture.transcripts.documents import values
from ethos.edge.capture.transcripts.moments import time_in
from ethos.edge.capture.transcripts.turn import ORIGINS, Format, Item, Json, Place, Skipped, Turn, word

_BESIDE = frozenset({"hash", "user_id", "agent_id", "run_id", "created_at"})  # what a memory has besides its text


def _memories(stream: BinaryIO, place: Place) -> Iterator[object]:
    for each in values(stream, place):
        inner = each.get("results", each.get("memories")) if isinstance(each, dict) else None
        yield from inner if isinstance(inner, list) else (each,)


def _read(place: Place, stream: BinaryIO, settings: CaptureSettings) -> Iterator[Item]:  # noqa: ARG001 (the form of every format)
    for number, memory in enumerate(_memories(stream, place), 1):
        where = f"{place.name} memory {number}"
        if not isinstance(memory, dict):
            yield Problem("bad-input", "a memory must be an object", "the others were read", where)
            continue
        text = (word(memory, "memory") or word(memory, "text")).strip()
        if not text:
            yield Skipped("no text", where)
            continue
        said_at, time_source, notes = place.timed(time_in(memory.get("updated_at")) or time_in(memory.get("created_at")), where)
        yield from notes
        own = word(memory, "id")
        yield Turn(
            key=("mem0", own, digest(text)),
            session=word(memory, "run_id") or word(memory, "agent_id") or place.stem,
            project="default",
            role="assistant",
            speaker="assistant",
            origin=ORIGINS["assistant"],
            text=text,
            said_at=said_at,
            time_source=time_source,
            source=place.name,
            line=0,
        )


def _is_memory(record: object) -> bool:
    return isinstance(record, Mapping) and "memory" in record and not _BESIDE.isdisjoint(record)


def _recognises(records: Sequence[Json], text: str, name: str) -> bool:  # noqa: ARG001 (the form of every format)
    for record in records:
        inner = record.get("results", record.get("memories"))
        if _is_memory(record) or (isinstance(inner, list) and any(map(_is_memory, inner))):
            return True
    return text.startswith("{") and '"results"' in text[:200] and '"memory"' in text and '"hash"' in text


FORMAT = Format("mem0", "an export of mem0", _recognises, whole=_read)
