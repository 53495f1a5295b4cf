"""claude-ai: the account export of claude.ai: conversations.json, a list of conversations with their messages in order."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import BinaryIO

from ethos.core.model.errors import Problem
from ethos.core.model.records import Role
from ethos.core.model.settings import CaptureSettings
from ethos.edge.capture.transcripts.documents import values
from ethos.edge.capture.transcripts.identity import among_neighbours
from ethos.edge.capture.transcripts.moments import time_in
from ethos.edge.capture.transcripts.turn import Format, Item, Json, Place, Skipped, said_by, word

_ROLES: Mapping[str, Role] = {"human": "user", "assistant": "assistant"}


def _read(place: Place, stream: BinaryIO, settings: CaptureSettings) -> Iterator[Item]:  # noqa: ARG001 (the form of every format)
    for ordinal, conversation in enumerate(values(stream, place), 1):
        messages = conversation.get("chat_messages") if isinstance(conversation, dict) else None
        if not isinstance(conversation, dict) or not isinstance(messages, list):
            what = "a conversation must be an object with chat_messages"
            yield Problem("bad-input", what, "the others were read", f"{place.name} conversation {ordinal}")
            continue
        memory: dict[str, str] = {}
        for number, message in enumerate(messages, 1):
            where = f"{place.name} conversation {ordinal} message {number}"
            yield from _message(conversation, message, memory, place, where, number)


def _message(conversation: Json, message: object, memory: dict[str, str], place: Place, where: str, number: int) -> Iterator[Item]:
    role = _ROLES.get(word(message, "sender"))
    if role is None or not isinstance(message, dict):
        yield Skipped("not a message", where)
        return
    text = _text(message)
    if not text:
        yield Skipped("no text", where)
        return
    session, own = word(conversation, "uuid"), word(message, "uuid")
    near = among_neighbours(memory, number, role, text)
    time = time_in(message.get("created_at")) or time_in(conversation.get("created_at"))
    yield from said_by(
        role,
        text,
        time,
        place,
        where,
        key=("claude-ai", own) if own else ("claude-ai", session or "".join(place.occasion), *near),
        session=session or place.stem,
    )


def _text(message: Json) -> str:
    """Return the text blocks, or the plain text of older exports."""
    blocks = message.get("content")
    texts = [block["text"] for block in blocks if word(block, "type") == "text" and word(block, "text")] if isinstance(blocks, list) else []
    return "\n\n".join(text.strip() for text in texts or [word(message, "text")] if text.strip())


def _recognises(records: Sequence[Json], text: str, name: str) -> bool:  # noqa: ARG001 (the form of every format)
    return any("chat_messages" in record for record in records) or (text.startswith("[") and '"chat_messages"' in text)


FORMAT = Format("claude-ai", "account export of claude.ai: conversations.json", _recognises, whole=_read)
