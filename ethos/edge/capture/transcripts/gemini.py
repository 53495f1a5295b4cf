"""gemini: the chat files of Gemini CLI, one JSON object a line: a head, messages, and `$set` lines that change the head.

A message that grew is written again under its id. The last version counts, so a message is pending until another id comes.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

from ethos.core.model.ids import digest
from ethos.core.model.records import Role
from ethos.edge.capture.transcripts.moments import time_in
from ethos.edge.capture.transcripts.projects import project_of
from ethos.edge.capture.transcripts.turn import Format, Item, Json, Place, Skipped, said_by, word

_ROLES: Mapping[str, Role] = {"user": "user", "gemini": "assistant"}
_ROOT_FILE = ".project_root"  # beside the folder of the chats; holds the path of the project folder


class _Reader:
    """`memory` holds the session's id, which is in the head."""

    memory: dict[str, str]

    def __init__(self, place: Place, memory: Mapping[str, str]) -> None:
        self.memory = dict(memory)
        self._place = place
        self._held: tuple[int, Json] | None = None

    @property
    def holding(self) -> int | None:
        """Return the line of the message that may be written again."""
        return self._held[0] if self._held else None

    def feed(self, number: int, record: Json) -> Sequence[Item]:
        """Return the message before this one, if another begins."""
        where = self._place.at(number)
        if session := word(record, "sessionId"):
            self.memory["session"] = session
        kind = word(record, "type")
        if not kind:
            return (Skipped("bookkeeping", where),)
        if kind not in _ROLES:
            return (*self._take_pending(), Skipped(f"message of type {kind[:40]}", where))
        held = self._held
        if held and word(held[1], "id") == word(record, "id") != "":
            self._held = (held[0], record)
            return (Skipped("written again: the last one counts", where),)
        items = self._take_pending()
        self._held = (number, record)
        return items

    def end(self, *, quiet: bool) -> Sequence[Item]:
        """Return the last message, unless the file is still being written to."""
        if self._held and not quiet:
            return (Skipped("unfinished: taken when it is complete", self._place.at(self._held[0])),)
        return self._take_pending()

    def _take_pending(self) -> Sequence[Item]:
        held, self._held = self._held, None
        if held is None:
            return ()
        number, record = held
        where = self._place.at(number)
        role, text = _ROLES[word(record, "type")], _text(record.get("content"))
        if not text:
            return (Skipped("no text", where),)
        own = word(record, "id")
        here = (own,) if own else (*self._place.occasion, str(number), digest(role, text))
        return said_by(
            role,
            text,
            time_in(record.get("timestamp")),
            self._place,
            where,
            key=("gemini", self.memory.get("session", ""), *here),
            session=self.memory.get("session") or self._place.stem,
            project=project_of(_folder(self._place)),
            line=number,
        )


def _text(content: object) -> str:
    parts = [content] if isinstance(content, str) else content if isinstance(content, list) else []
    texts = [part if isinstance(part, str) else word(part, "text") for part in parts]
    return "\n\n".join(text.strip() for text in texts if text.strip())


def _folder(place: Place) -> str:
    """Return the project folder of the chat, or ""."""
    if not place.folder:
        return ""
    try:
        return (Path(place.folder).parent / _ROOT_FILE).read_text("utf-8", "replace")[:4096].strip()
    except OSError:
        return ""


def _recognises(records: Sequence[Json], text: str, name: str) -> bool:  # noqa: ARG001 (the form of every format)
    head = records[0] if records else {}
    return "sessionId" in head and "projectHash" in head and "messages" not in head


FORMAT = Format("gemini", "chat files of Gemini CLI", _recognises, lines=_Reader)
