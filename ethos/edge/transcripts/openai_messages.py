"""openai-messages: lists of `{role, content}`: one list, a list of conversations, or a conversation a line (the fine-tuning form).

The form has no times. The file's time of change is taken, a millisecond apart, so that the order stands.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from datetime import timedelta
from io import BytesIO
from typing import BinaryIO

from ethos.core.errors import Problem
from ethos.core.ids import digest
from ethos.core.records import Role
from ethos.core.settings import CaptureSettings
from ethos.edge.transcripts.documents import content, value
from ethos.edge.transcripts.injected import MEMORY, REMINDERS, Tags
from ethos.edge.transcripts.lines import decode, lines
from ethos.edge.transcripts.turn import ORIGINS, Format, Item, Json, Place, Skipped, Turn, word

_TAGS = Tags((*REMINDERS, *MEMORY))
_ROLES: Mapping[str, Role] = {"user": "user", "assistant": "assistant", "tool": "tool", "function": "tool"}
_PARTS = frozenset({"text", "input_text", "output_text"})


def _text(value: object) -> str:
    if isinstance(value, str):
        return value
    parts = value if isinstance(value, list) else ()
    return "\n\n".join(word(part, "text") for part in parts if word(part, "type") in _PARTS and word(part, "text"))


def _conversation(messages: Sequence[object], session: str, place: Place, line: int) -> Iterator[Item]:
    for ordinal, message in enumerate(messages, 1):
        where = f"{place.at(line) if line else place.name} message {ordinal}"
        if not isinstance(message, dict) or "role" not in message:
            yield Problem("bad-input", "a message must be an object with role and content", "mend it; the others were read", where)
            continue
        own = word(message, "role")
        role = _ROLES.get(own)
        if role is None:
            yield Skipped("system prompt" if own in {"system", "developer"} else f"unknown role: {own[:40]}", where)
            continue
        said = _text(message.get("content"))
        text = _TAGS.strip(said) if role == "user" else said
        if not text or text.isspace():
            yield Skipped("injected text only" if said else "no text", where)
            continue
        yield Turn(
            scope=(f"openai-messages:{place.file}", session),
            record=f"{ordinal}/{digest(role, said)}",
            session=session,
            project="default",
            role=role,
            speaker=word(message, "name") or role,
            origin=ORIGINS[role],
            text=text,
            said_at=place.modified - timedelta(milliseconds=len(messages) - ordinal),
            time_source=place.time_source,
            source=place.name,
            line=line,
        )


def _conversations(found: object, place: Place, line: int) -> Iterator[Item]:
    """The conversations of one JSON value, whichever of the forms it has."""
    session = f"{place.stem}-{line}" if line else place.stem
    if isinstance(found, dict) and isinstance(found.get("messages"), list):
        yield from _conversation(found["messages"], word(found, "id") or session, place, line)
    elif isinstance(found, dict) and "role" in found:
        yield from _conversation([found], session, place, line)
    elif isinstance(found, list) and any(isinstance(item, dict) and "messages" in item for item in found):
        for ordinal, item in enumerate(found, 1):
            yield from _conversations(item, place, ordinal)
    elif isinstance(found, list):
        yield from _conversation(found, session, place, line)
    else:
        where = place.at(line) if line else place.name
        yield Problem("bad-input", "neither a list of messages nor an object with messages", "see --format for what can be read", where)


def _read(place: Place, stream: BinaryIO, settings: CaptureSettings) -> Iterator[Item]:
    data = content(stream, place)
    first, _, rest = data.partition(b"\n")
    try:
        decode(first)
    except ValueError:
        several = False
    else:
        several = bool(rest.strip())
    if not several:
        yield from _conversations(value(data, place), place, 0)
        return
    single: list[object] = []  # lines that are one message each
    for line in lines(BytesIO(data), place, limit=settings.max_line_bytes):
        if isinstance(line.record, Problem):
            yield line.record
        elif line.record is not None and "role" in line.record:
            single.append(line.record)
        elif line.record is not None:
            yield from _conversations(line.record, place, line.number)
    yield from _conversation(single, place.stem, place, 0)


def _recognises(records: Sequence[Json], text: str, name: str) -> bool:  # noqa: ARG001 (the form of every format)
    return any("messages" in record or ("role" in record and "content" in record) for record in records)


FORMAT = Format("openai-messages", "lists of role and content, or one conversation a line", _recognises, whole=_read)
