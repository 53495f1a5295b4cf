"""claude-code: the session files of Claude Code, one JSON object a line.

The format is internal and may change, so unknown records are skipped and counted, never an error. Pitfalls: tool results are in
lines of type user; an assistant's message is split over several lines; harnesses write into the person's turns.

Lines of sub-agents (`isSidechain`) are skipped: there the main agent plays the user, and the result returns as a tool result. The key of a
line is its `uuid` alone, because a resumed session copies the lines before it under a new session id. A fork gives them new uuids and names
the old one (`forkedFrom`).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace

from ethos.core.model.ids import digest
from ethos.core.model.records import Origin, Role
from ethos.edge.capture.transcripts.injected import MEMORY, REMINDERS, Tags, written_by_a_harness
from ethos.edge.capture.transcripts.moments import time_in
from ethos.edge.capture.transcripts.projects import project_of
from ethos.edge.capture.transcripts.turn import Format, Item, Json, Place, Skipped, Turn, origin_of_tool, said_by, word

_BOOKKEEPING = frozenset(
    {
        "system", "summary", "custom-title", "agent-name", "ai-title", "attachment", "file-history-snapshot", "file-history-delta",
        "queue-operation", "mode", "last-prompt", "pr-link", "progress", "permission-mode",
    }
)  # fmt: skip
_TAGS = Tags(
    (
        *REMINDERS, *MEMORY, "command-name", "command-message", "command-args", "local-command-stdout", "local-command-stderr",
        "local-command-caveat", "bash-input", "bash-stdout", "bash-stderr", "ide_opened_file", "ide_selection", "ide_diagnostics",
        "new-diagnostics", "task-notification", "user-prompt-submit-hook", "user-memory-input",
    )
)  # fmt: skip
_CALL = "call:"
_CONTINUED = "This session is being continued from a previous conversation"
_PLAN = "Implement the following plan:"  # a plan by the assistant, written into the turn of the person who accepted it
# Flags of a record that is not the turn of the person or assistant it names, and the reason to count.
_FLAGS = {"isSidechain": "sub-agent", "isMeta": "meta", "isCompactSummary": "compaction summary", "isVisibleInTranscriptOnly": "meta"}
_PEOPLE = frozenset({"human", "user"})  # kinds of origin; a task's notification is not among them


def _text_blocks(content: object) -> list[str]:
    """Return the prose of a message: a text, or its text blocks, without thinking, tool calls and images."""
    if isinstance(content, str):
        return [content]
    if not isinstance(content, list):
        return []
    return [block["text"] for block in content if word(block, "type") == "text" and word(block, "text")]


def _said(blocks: Iterable[str]) -> str:
    """Return a person's blocks without what a harness inserted."""
    kept = []
    for block in blocks:
        text = _TAGS.strip(block).strip()
        if text and not written_by_a_harness(text):
            kept.append(text)
    return "\n\n".join(kept)


def _not_said(record: Json, message: Json, kind: str) -> str:
    """Return why a record is not a turn of the role its type names, or "". In doubt it is not one: a flag counts whatever its form."""
    if message.get("role") not in (None, kind):
        return "another role"
    for flag, why in _FLAGS.items():
        if record.get(flag) not in (None, False) and (kind == "user" or flag == "isSidechain"):
            return why
    origin = record.get("origin")
    if kind == "user" and origin is not None and word(origin, "kind") not in _PEOPLE:
        return "not typed by a person"
    return ""


@dataclass(slots=True)
class _Held:
    """An assistant's message that may go on in further lines."""

    message: str  # message id
    final: bool = False  # its last line has a stop reason
    turn: Turn | None = None  # of the first line with text; `text` of the others is appended to it
    texts: list[str] = field(default_factory=list)
    notes: list[Item] = field(default_factory=list)


class _Reader:
    """`memory` holds the external tool calls that have no result yet."""

    memory: dict[str, str]

    def __init__(self, place: Place, memory: Mapping[str, str]) -> None:
        self.memory = dict(memory)
        self._place = place
        self._held: _Held | None = None

    @property
    def holding(self) -> int | None:
        """Return the first line with text of the assistant's message that may still grow."""
        return self._held.turn.line if self._held and self._held.turn else None

    def feed(self, number: int, record: Json) -> Sequence[Item]:
        """Return the turns that this line completes: its own, and an assistant's message that ended before it."""
        where = self._place.at(number)
        kind = word(record, "type")
        message = record.get("message")
        if kind not in {"user", "assistant"} or not isinstance(message, dict):
            known = kind in _BOOKKEEPING or kind in {"user", "assistant"}
            return (Skipped("bookkeeping" if known else f"unknown type: {kind[:40] or 'none'}", where),)
        why = _not_said(record, message, kind)
        if why in {"sub-agent", "another role"}:
            return (Skipped(why, where),)
        if kind == "assistant":
            return self._assistant(number, record, message)
        items = self._take_pending()
        return (*items, Skipped(why, where)) if why else (*items, *self._user(number, record, message))

    def end(self, *, quiet: bool) -> Sequence[Item]:
        """Return the pending message, unless the file is still being written to and the message has no stop reason."""
        held = self._held
        if held and held.turn and not (quiet or held.final):
            return (Skipped("unfinished: taken when it is complete", held.turn.where),)
        return self._take_pending()

    def _assistant(self, number: int, record: Json, message: Json) -> Sequence[Item]:
        where = self._place.at(number)
        items: tuple[Item, ...] = ()
        name = word(message, "id") or word(record, "uuid") or str(number)
        if self._held is None or self._held.message != name:
            items = tuple(self._take_pending())
            self._held = _Held(name)
        self._called(message.get("content"))
        held = self._held
        held.final = message.get("stop_reason") is not None
        if record.get("isApiErrorMessage") is True or message.get("model") == "<synthetic>":
            return (*items, Skipped("error message", where))
        text = "\n\n".join(block for block in _text_blocks(message.get("content")) if block.strip())
        if not text:
            return (*items, Skipped("no text", where))
        held.texts.append(text)
        if held.turn is None:
            *notes, turn = self._turn(number, record, "assistant", text)
            held.notes.extend(notes)
            held.turn = turn if isinstance(turn, Turn) else None
        return items

    def _user(self, number: int, record: Json, message: Json) -> Sequence[Item]:
        content = message.get("content")
        items: list[Item] = []
        for index, block in enumerate(content if isinstance(content, list) else ()):
            if word(block, "type") == "tool_result":
                text = "\n\n".join(_text_blocks(block["content"])) if "content" in block else ""
                call = word(block, "tool_use_id")
                outside = self.memory.pop(_CALL + call, None) is not None
                items.extend(self._turn(number, record, "tool", text, suffix=f"/{call or index}", outside=outside))
        blocks = _text_blocks(content)
        if blocks and blocks[0].startswith(_CONTINUED):
            items.append(Skipped("compaction summary", self._place.at(number)))
        elif blocks or not items:
            text = _said(blocks)
            role: Role = "assistant" if text.startswith(_PLAN) else "user"
            items.extend(self._turn(number, record, role, text, empty="injected text only" if any(blocks) else "no text"))
        return items

    def _called(self, content: object) -> None:
        for block in content if isinstance(content, list) else ():
            if word(block, "type") == "tool_use" and origin_of_tool(word(block, "name")) is Origin.EXTERNAL:
                self.memory[_CALL + word(block, "id")] = "outside"

    def _turn(
        self, number: int, record: Json, role: Role, text: str, *, suffix: str = "", empty: str = "empty text", outside: bool = False
    ) -> Sequence[Item]:
        where = self._place.at(number)
        if not text or text.isspace():
            return (Skipped(empty, where),)
        own_session = word(record, "sessionId")
        session = own_session or self._place.stem
        uuid = word(record, "uuid")
        original = word(record.get("forkedFrom"), "messageUuid") or uuid
        here = (own_session, *self._place.occasion, str(number), digest(role, text))
        return said_by(
            role,
            text,
            time_in(record.get("timestamp")),
            self._place,
            where,
            key=("claude-code", *((original,) if original else here), suffix),
            former=("claude-code", "" if uuid else session, f"{uuid or number}{suffix}") if uuid or own_session else None,
            anywhere=True,
            session=session,
            project=project_of(word(record, "cwd")),
            line=number,
            outside=outside,
        )

    def _take_pending(self) -> Sequence[Item]:
        held, self._held = self._held, None
        if held is None or held.turn is None:
            return ()
        return (*held.notes, replace(held.turn, text="\n\n".join(held.texts)))


def _recognises(records: Sequence[Json], text: str, name: str) -> bool:  # noqa: ARG001 (the form of every format)
    return any("type" in record and ("sessionId" in record or "leafUuid" in record) for record in records)


FORMAT = Format("claude-code", "session files of Claude Code", _recognises, lines=_Reader)
