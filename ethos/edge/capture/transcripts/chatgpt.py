"""chatgpt: the account export of ChatGPT: conversations.json, conversations-NNN.json, or the zip they come in.

A conversation is a tree, since an edited question starts a branch. The branch that the person ended on is read: from `current_node` up.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import BinaryIO
from zipfile import BadZipFile, ZipFile

from ethos.core.model.errors import Problem, refuse
from ethos.core.model.records import Role
from ethos.core.model.settings import CaptureSettings
from ethos.edge.capture.transcripts.documents import Counted, values
from ethos.edge.capture.transcripts.identity import among_neighbours
from ethos.edge.capture.transcripts.moments import time_in
from ethos.edge.capture.transcripts.turn import Format, Item, Json, Place, Skipped, said_by, word

MOST_UNPACKED = 4 << 30  # bytes of all conversations in a zip; more is no export but a zip bomb
_ZIP = b"PK\x03\x04"
NAMES = re.compile(r"(?:^|/)conversations(?:-\d+)?\.json$")
_ROLES: Mapping[str, Role] = {"user": "user", "assistant": "assistant"}
_CONTENTS = frozenset({"text", "multimodal_text"})


def _branch(conversation: Json) -> list[Json]:
    """Return the messages from the root to the current node; without one, to the newest node."""
    mapping = conversation.get("mapping")
    if not isinstance(mapping, dict):
        return []
    node: str | None = word(conversation, "current_node")
    if node not in mapping:
        node = max(mapping, key=lambda name: (_created(mapping[name]), name), default=None)
    found: list[Json] = []
    seen: set[object] = set()
    while node in mapping and node not in seen:  # ends at a cycle
        seen.add(node)
        here = mapping[node]
        if not isinstance(here, dict):
            break
        if isinstance(here.get("message"), dict):
            found.append(here["message"])
        node = word(here, "parent")
    return found[::-1]


def _created(node: object) -> float:
    message = node.get("message") if isinstance(node, dict) else None
    time = time_in(message.get("create_time")) if isinstance(message, dict) else None
    return time.timestamp() if time else 0.0


def _why_not(message: Json) -> str | None:
    """Return why a message is no turn, or None if it may be one."""
    role, kind = word(message.get("author"), "role"), word(message.get("content"), "content_type")
    metadata = message.get("metadata")
    if message.get("weight") == 0:
        return "hidden"
    if isinstance(metadata, dict) and (metadata.get("is_visually_hidden_from_conversation") or metadata.get("is_user_system_message")):
        return "hidden"
    if role == "tool":
        return "tool"
    if role not in _ROLES:
        return "system prompt"
    if message.get("recipient") not in (None, "all"):
        return "tool call"
    return None if kind in _CONTENTS else f"content: {kind[:40]}"


def _text(message: Json) -> str:
    body = message.get("content")
    parts = body.get("parts") if isinstance(body, dict) else None
    texts = [part if isinstance(part, str) else word(part, "text") for part in parts] if isinstance(parts, list) else []
    return "\n\n".join(text.strip() for text in texts if text.strip())


def _conversation(conversation: Json, place: Place, ordinal: int) -> Iterator[Item]:
    named = word(conversation, "conversation_id") or word(conversation, "id")
    session = named or f"{place.stem}-{ordinal}"
    memory: dict[str, str] = {}
    last = time_in(conversation.get("create_time"))
    for number, message in enumerate(_branch(conversation), 1):
        where = f"{place.name} conversation {ordinal} message {number}"
        if reason := _why_not(message):
            yield Skipped(reason, where)
            continue
        text = _text(message)
        if not text:
            yield Skipped("no text", where)
            continue
        role = _ROLES[word(message.get("author"), "role")]
        last = time_in(message.get("create_time")) or last  # without a time of its own it gets that of the message before
        own = word(message, "id")
        near = among_neighbours(memory, number, role, text)
        yield from said_by(
            role,
            text,
            last,
            place,
            where,
            key=("chatgpt", own) if own else ("chatgpt", named or "".join(place.occasion), *near),  # a branch repeats messages
            former=("chatgpt", "" if own else session, own or str(number)) if own or named else None,
            anywhere=True,
            session=session,
        )


def _export(stream: BinaryIO | Counted, place: Place) -> Iterator[Item]:
    for ordinal, conversation in enumerate(values(stream, place), 1):
        if isinstance(conversation, dict) and "mapping" in conversation:
            yield from _conversation(conversation, place, ordinal)
        else:
            what = "a conversation must be an object with a mapping"
            yield Problem("bad-input", what, "the others were read", f"{place.name} conversation {ordinal}")


def is_export(stream: BinaryIO) -> bool:
    """Return True if the stream is a zip with conversations. Reads only its table of contents."""
    try:
        with ZipFile(stream) as archive:
            return any(NAMES.search(name) for name in archive.namelist())
    except (BadZipFile, NotImplementedError, RuntimeError, EOFError, ValueError):
        return False


def _archive(stream: BinaryIO, place: Place) -> Iterator[Item]:
    try:
        with ZipFile(stream) as archive:
            members = sorted((member for member in archive.infolist() if NAMES.search(member.filename)), key=lambda member: member.filename)
            if not members:
                hint = "choose the zip that ChatGPT's data export sent, or unpack it and name the JSON file"
                raise refuse("bad-input", "no conversations.json in this zip", hint=hint, where=place.name)
            left = MOST_UNPACKED
            for member in members:
                inside = Place(f"{place.name}!{member.filename}", member.filename, place.modified, place.time_source)
                with archive.open(member) as packed:
                    counted = Counted(packed, inside, left)
                    yield from _export(counted, inside)
                    left = counted.left
    except (BadZipFile, NotImplementedError, RuntimeError, EOFError) as error:  # RuntimeError: it is encrypted
        raise refuse("bad-input", f"damaged or locked zip: {error}", hint="download the export again", where=place.name) from error


def _read(place: Place, stream: BinaryIO, settings: CaptureSettings) -> Iterator[Item]:  # noqa: ARG001 (the form of every format)
    start = stream.read(len(_ZIP))
    stream.seek(0)
    yield from _archive(stream, place) if start == _ZIP else _export(stream, place)


def _recognises(records: Sequence[Json], text: str, name: str) -> bool:  # noqa: ARG001 (the form of every format)
    return text.startswith(_ZIP.decode()) or any("mapping" in record for record in records)


FORMAT = Format("chatgpt", "the data export of ChatGPT, as zip or as conversations.json", _recognises, whole=_read, names=NAMES)
