"""openclaw: the session files of OpenClaw, one JSON object a line: a head, then messages and bookkeeping."""

from __future__ import annotations

from collections.abc import Sequence

from ethos.core.model.ids import digest
from ethos.core.model.records import Origin, Role
from ethos.edge.capture.transcripts.moments import time_in
from ethos.edge.capture.transcripts.projects import project_of
from ethos.edge.capture.transcripts.turn import EachLine, Format, Item, Json, Skipped, origin_of_tool, said_by, word

_ROLES: dict[str, Role] = {"user": "user", "assistant": "assistant", "toolResult": "tool", "tool": "tool"}
_STATE = frozenset({"session", "model_change", "thinking_level_change", "custom", "compaction", "branch_summary", "label"})


class _Reader(EachLine):
    """`memory` holds the session's id and folder, which are in the first line only."""

    def feed(self, number: int, record: Json) -> Sequence[Item]:
        """Return at most one turn, and notes about it."""
        where = self._place.at(number)
        kind, message = word(record, "type"), record.get("message")
        if kind == "session":
            self.memory |= {name: value for name in ("id", "cwd") if (value := word(record, name))}
        if kind != "message" or not isinstance(message, dict):
            known = kind in _STATE or kind == "message"
            return (Skipped("bookkeeping" if known else f"unknown type: {kind[:40] or 'none'}", where),)
        role = _ROLES.get(word(message, "role"))
        if role is None:
            return (Skipped("system prompt", where),)
        text = "\n\n".join(_texts(message.get("content"))).strip()
        if not text:
            return (Skipped("no text", where),)
        return self._turn(number, record, message, role, text)

    def _turn(self, number: int, record: Json, message: Json, role: Role, text: str) -> Sequence[Item]:
        session = self.memory.get("id") or self._place.stem
        own = word(record, "id")
        here = (own,) if own else (*self._place.occasion, str(number), digest(role, text))
        return said_by(
            role,
            text,
            time_in(record.get("timestamp")),
            self._place,
            self._place.at(number),
            key=("openclaw", self.memory.get("id", ""), *here),
            session=session,
            project=project_of(self.memory.get("cwd", "")),
            line=number,
            outside=role == "tool" and origin_of_tool(word(message, "toolName")) is Origin.EXTERNAL,
        )


def _texts(content: object) -> list[str]:
    """Return the text parts of a message."""
    if isinstance(content, str):
        return [content]
    parts = content if isinstance(content, list) else []
    return [part["text"] for part in parts if word(part, "type") == "text" and word(part, "text").strip()]


def _recognises(records: Sequence[Json], text: str, name: str) -> bool:  # noqa: ARG001 (the form of every format)
    head = records[0] if records else {}
    return head.get("type") == "session" and "version" in head and "cwd" in head


FORMAT = Format("openclaw", "session files of OpenClaw", _recognises, lines=_Reader)
