"""openai-messages: lists of `{role, content}`: one list, a list of conversations, or a conversation a line (the fine-tuning form).

The format has no times. Messages get the file's modification time, a millisecond apart, to keep the order. A file is read twice: first to
count what belongs together, then conversation by conversation, so that only one of them is in memory.
"""

from __future__ import annotations

from codecs import BOM_UTF8
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import timedelta
from typing import BinaryIO

from ethos.core.model.errors import Problem
from ethos.core.model.ids import digest
from ethos.core.model.records import Role
from ethos.core.model.settings import CaptureSettings
from ethos.edge.capture.transcripts.documents import LARGEST, values
from ethos.edge.capture.transcripts.identity import among_neighbours
from ethos.edge.capture.transcripts.injected import MEMORY, REMINDERS, Tags
from ethos.edge.capture.transcripts.lines import lines, record_of
from ethos.edge.capture.transcripts.turn import ORIGINS, Format, Item, Json, Place, Skipped, Turn, word

_TAGS = Tags((*REMINDERS, *MEMORY))
_ROLES: Mapping[str, Role] = {"user": "user", "assistant": "assistant", "tool": "tool", "function": "tool"}
_BEGINNING = 3  # messages compared to find conversations with the same beginning
_HEAD = 4096
_PARTS = frozenset({"text", "input_text", "output_text"})


def _text(value: object) -> str:
    if isinstance(value, str):
        return value
    parts = value if isinstance(value, list) else ()
    return "\n\n".join(word(part, "text") for part in parts if word(part, "type") in _PARTS and word(part, "text"))


class _Reader:
    """Read the conversations of one file, and number those that begin alike."""

    def __init__(self, place: Place) -> None:
        self._place = place
        self._alike: Counter[str] = Counter()

    def conversation(self, messages: Sequence[object], session: str, own: str, line: int) -> Iterator[Item]:
        """Yield the turns of one conversation. own: its id, or ""."""
        begins = digest(own, *(str(message) for message in messages[:_BEGINNING]))
        self._alike[begins] += 1
        yield from self.messages(messages, len(messages), session, (own, str(self._alike[begins])), line)

    def messages(self, messages: Iterable[object], count: int, session: str, which: tuple[str, ...], line: int) -> Iterator[Item]:
        """Yield the turns of these messages. count: how many there are. which: distinguishes conversations that begin alike."""
        place, memory = self._place, dict[str, str]()
        for ordinal, message in enumerate(messages, 1):
            where = f"{place.at(line) if line else place.name} message {ordinal}"
            if not isinstance(message, dict) or "role" not in message:
                yield Problem("bad-input", "a message must be an object with role and content", "mend it; the others were read", where)
                continue
            own = word(message, "role")
            said = _text(message.get("content"))
            near = among_neighbours(memory, ordinal, own, said)
            role = _ROLES.get(own)
            if role is None:
                yield Skipped("system prompt" if own in {"system", "developer"} else f"unknown role: {own[:40]}", where)
                continue
            text = _TAGS.strip(said) if role == "user" else said
            if not text or text.isspace():
                yield Skipped("injected text only" if said else "no text", where)
                continue
            yield Turn(
                key=("openai-messages", *place.occasion, *which, *near),
                former=None if place.occasion else (f"openai-messages:{place.file}", session, f"{ordinal}/{digest(role, said)}"),
                session=session,
                project="default",
                role=role,
                speaker=word(message, "name") or role,
                origin=ORIGINS[role],
                text=text,
                said_at=place.modified - timedelta(milliseconds=count - ordinal),
                time_source=place.time_source,
                source=place.name,
                line=line,
            )

    def value(self, found: object, session: str, line: int) -> Iterator[Item]:
        """Yield the turns of one JSON value, in any of the forms."""
        if isinstance(found, dict) and isinstance(found.get("messages"), list):
            own = word(found, "id")
            yield from self.conversation(found["messages"], own or session, own, line)
        elif isinstance(found, dict) and "role" in found:
            yield from self.conversation([found], session, "", line)
        elif isinstance(found, list):
            yield from self.conversation(found, session, "", line)
        else:
            where = self._place.at(line) if line else self._place.name
            yield Problem("bad-input", "neither a list of messages nor an object with messages", "see --format for what can be read", where)


def _read(place: Place, stream: BinaryIO, settings: CaptureSettings) -> Iterator[Item]:
    if _has_lines(stream, settings.max_line_bytes):
        yield from _lines(place, stream, settings)
    else:
        yield from _document(place, stream)


def _has_lines(stream: BinaryIO, limit: int) -> bool:
    """Return True if the first line is an object by itself and more follows."""
    first = stream.readline(_HEAD).removeprefix(BOM_UTF8)
    if first.lstrip().startswith(b"{") and not first.endswith(b"\n"):
        first += stream.readline(min(limit, LARGEST))
    more = stream.read(_HEAD)
    while more.isspace():
        more = stream.read(_HEAD)
    stream.seek(0)
    return bool(more) and first.lstrip().startswith(b"{") and not isinstance(record_of(first, ""), Problem)


def _lines(place: Place, stream: BinaryIO, settings: CaptureSettings) -> Iterator[Item]:
    """Read a conversation a line; lines of one message each form one conversation together."""
    reader, limit = _Reader(place), settings.max_line_bytes
    single = 0
    for line in lines(stream, place, limit=limit):
        if isinstance(line.record, Problem):
            yield line.record
        elif line.record is not None and "role" in line.record:
            single += 1
        elif line.record is not None:
            yield from reader.value(line.record, f"{place.stem}-{line.number}", line.number)
    if single:
        stream.seek(0)
        records = (line.record for line in lines(stream, place, limit=limit) if isinstance(line.record, dict) and "role" in line.record)
        yield from reader.messages(records, single, place.stem, ("", "1"), 0)


def _document(place: Place, stream: BinaryIO) -> Iterator[Item]:
    """Read one JSON value: an object with messages, a list of them, or a list of conversations."""
    reader = _Reader(place)
    start = stream.read(_HEAD).removeprefix(BOM_UTF8).lstrip()
    stream.seek(0)
    if not start.startswith(b"["):
        yield from reader.value(next(values(stream, place)), place.stem, 0)
        return
    count, several = 0, False
    for element in values(stream, place):
        count += 1
        several = several or (isinstance(element, dict) and "messages" in element)
    stream.seek(0)
    if not several:
        yield from reader.messages(values(stream, place), count, place.stem, ("", "1"), 0)
        return
    for ordinal, element in enumerate(values(stream, place), 1):
        yield from reader.value(element, f"{place.stem}-{ordinal}", ordinal)


def _recognises(records: Sequence[Json], text: str, name: str) -> bool:  # noqa: ARG001 (the form of every format)
    return any("messages" in record or ("role" in record and "content" in record) for record in records)


FORMAT = Format("openai-messages", "lists of role and content, or one conversation a line", _recognises, whole=_read)
