"""codex: the rollout files of Codex CLI, one JSON object a line.

A file holds two logs: `response_item` is what the model saw, `event_msg` repeats it for the screen. Only the first is read. A rollout of a
sub-agent is skipped as a whole: there another agent plays the user.
"""

from __future__ import annotations

from collections.abc import Sequence

from ethos.core.model.records import Origin, Role
from ethos.edge.capture.transcripts.identity import Key, after_all
from ethos.edge.capture.transcripts.injected import MEMORY, REMINDERS, Tags, written_by_a_harness
from ethos.edge.capture.transcripts.moments import time_in
from ethos.edge.capture.transcripts.projects import project_of
from ethos.edge.capture.transcripts.turn import EachLine, Format, Item, Json, Skipped, origin_of_tool, said_by, word

_STATE = frozenset({"event_msg", "turn_context", "compacted", "world_state", "inter_agent_communication", "ghost_snapshot"})
_SILENT = frozenset({"reasoning", "function_call", "custom_tool_call", "local_shell_call", "web_search_call", "compaction"})
_CALLS = frozenset({"function_call", "custom_tool_call"})
_CALL = "call:"
_OUTPUTS = frozenset({"function_call_output", "custom_tool_call_output"})
_TAGS = Tags(
    (
        *REMINDERS, *MEMORY, "environment_context", "permissions", "user_instructions", "INSTRUCTIONS", "turn_aborted", "skill",
        "skills_instructions", "user_shell_command", "subagent_notification", "collaboration_mode", "app-context", "apps_instructions",
        "plugins_instructions", "model_switch",
    )
)  # fmt: skip
_REQUEST = "## My request for Codex:"  # an editor writes its open files before this line, and the person's text after it


def _texts(content: object) -> list[str]:
    """Return the text parts of a message or of a tool's output."""
    if isinstance(content, str):
        return [content]
    if not isinstance(content, list):
        return []
    return [part["text"] for part in content if word(part, "text")]


def _said(part: str) -> str:
    """Return a person's part without what the harness inserted."""
    text = _TAGS.strip(part)
    if written_by_a_harness(text):
        return ""
    before, mark, after = text.rpartition(_REQUEST)
    return (after if mark else before or text).strip()


class _Reader(EachLine):
    """`memory` holds the session's id and folder and the sub-agent flag, which are in the first line only; the first session of the history
    (`root`); and the external tool calls that have no result yet.
    """

    def feed(self, number: int, record: Json) -> Sequence[Item]:
        """Return at most one turn."""
        where = self._place.at(number)
        kind, payload = word(record, "type"), record.get("payload")
        if kind == "session_meta" and isinstance(payload, dict):
            self._meta(payload)
            return (Skipped("bookkeeping", where),)
        if kind == "turn_context" and (cwd := word(payload, "cwd")):
            self.memory["cwd"] = cwd
        if kind != "response_item" or not isinstance(payload, dict):
            known = kind in _STATE or kind in {"session_meta", "response_item"}
            return (Skipped("bookkeeping" if known else f"unknown type: {kind[:40] or 'none'}", where),)
        if "sub-agent" in self.memory:
            return (Skipped("sub-agent", where),)
        return self._item(number, record, payload, where)

    def _meta(self, payload: Json) -> None:
        for name in ("id", "cwd"):
            if (value := word(payload, name)) and (name == "cwd" or "id" not in self.memory):
                self.memory[name] = value  # a forked rollout repeats the heads of its ancestors; its own comes first
        if root := "" if "begun" in self.memory else word(payload, "forked_from_id") or word(payload, "id"):
            self.memory["root"] = root
        source = payload.get("source")
        if isinstance(source, dict) and "subagent" in source:
            self.memory["sub-agent"] = "yes"

    def _item(self, number: int, record: Json, payload: Json, where: str) -> Sequence[Item]:
        kind = word(payload, "type")
        call = _CALL + word(payload, "call_id")
        if kind in _OUTPUTS:
            outside = self.memory.pop(call, None) is not None
            text = "\n\n".join(_texts(payload.get("output")))
            key = (*self._key(), "tool", word(payload, "call_id") or str(number))
            return self._turn(number, record, "tool", text, where, key, outside=outside)
        if kind in _CALLS and origin_of_tool(word(payload, "name")) is Origin.EXTERNAL:
            self.memory[call] = "outside"
        if kind != "message":
            return (Skipped("no text" if kind in _SILENT else f"unknown item: {kind[:40]}", where),)
        parts = _texts(payload.get("content"))
        match payload.get("role"):
            case "assistant":
                key = self._key("assistant", *parts)
                return self._turn(number, record, "assistant", "\n\n".join(parts), where, key)
            case "user":
                key = self._key("user", *parts)
                text = "\n\n".join(filter(None, map(_said, parts)))
                return self._turn(number, record, "user", text, where, key, empty="injected text only" if any(parts) else "no text")
            case _:
                return (Skipped("system prompt", where),)

    def _key(self, *words: str) -> Key:
        """Return the key of a message, by everything said up to it."""
        self.memory["begun"] = "yes"
        root = self.memory.get("root") or "".join(self._place.occasion)
        return ("codex", *after_all(self.memory, root, *words))

    def _turn(
        self, number: int, record: Json, role: Role, text: str, where: str, key: Key, *, empty: str = "empty text", outside: bool = False
    ) -> Sequence[Item]:
        if not text or text.isspace():
            return (Skipped(empty, where),)
        session = self.memory.get("id") or self._place.stem
        return said_by(
            role,
            text,
            time_in(record.get("timestamp")),
            self._place,
            where,
            key=key,
            former=("codex", session, str(number)),
            anywhere=True,
            session=session,
            project=project_of(self.memory.get("cwd", "")),
            line=number,
            outside=outside,
        )


def _recognises(records: Sequence[Json], text: str, name: str) -> bool:  # noqa: ARG001 (the form of every format)
    return any("payload" in record and "type" in record for record in records)


FORMAT = Format("codex", "rollout files of Codex CLI", _recognises, lines=_Reader)
