"""Turns written down as each program would write them: one text for each format that Ethos reads."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Callable, Iterable, Mapping
from contextlib import closing
from datetime import UTC, datetime, timedelta
from typing import NamedTuple

from ethos.core.model.records import Role

START = datetime(2026, 3, 1, 9, tzinfo=UTC)
Json = Mapping[str, object]


class Spoken(NamedTuple):
    """Whose turn, and the text. system: from outside, a program's prompt."""

    role: Role
    text: str


def _when(at: int) -> str:
    return (START + timedelta(seconds=at)).isoformat().replace("+00:00", "Z")


def _lines(records: Iterable[Json]) -> str:
    return "".join(json.dumps(record) + "\n" for record in records)


def episode_lines(turns: Iterable[Spoken]) -> str:
    """jsonl."""
    return _lines({"role": t.role, "text": t.text, "said_at": _when(at), "session": f"s{at // 20}"} for at, t in enumerate(turns))


def claude_code(turns: Iterable[Spoken]) -> str:
    """claude-code: what a tool printed stands in a line of type user; a program's prompt is a meta line."""

    def record(at: int, turn: Spoken) -> Json:
        about = {"uuid": f"u{at}", "sessionId": f"s{at // 20}", "timestamp": _when(at), "cwd": "/srv/kestrel", "isSidechain": False}
        if turn.role == "assistant":
            message = {"id": f"m{at}", "role": "assistant", "content": [{"type": "text", "text": turn.text}], "stop_reason": "end_turn"}
            return {**about, "type": "assistant", "message": message}
        content: object = turn.text
        if turn.role == "tool":
            inner: object = turn.text if at % 2 else [{"type": "text", "text": turn.text}]
            content = [{"type": "tool_result", "tool_use_id": f"t{at}", "content": inner}]
        meta = {"isMeta": True} if turn.role == "system" else {}
        return {**about, **meta, "type": "user", "message": {"role": "user", "content": content}}

    return _lines(record(at, turn) for at, turn in enumerate(turns))


def codex(turns: Iterable[Spoken]) -> str:
    """codex: a rollout; a program's prompt is a developer's message."""

    def payload(at: int, turn: Spoken) -> Json:
        if turn.role == "tool":
            return {"type": "function_call_output", "call_id": f"k{at}", "output": turn.text}
        kind = "output_text" if turn.role == "assistant" else "input_text"
        role = "developer" if turn.role == "system" else turn.role
        return {"type": "message", "role": role, "content": [{"type": kind, "text": turn.text}]}

    head = {"timestamp": _when(0), "type": "session_meta", "payload": {"id": "c0de", "cwd": "/srv/kestrel", "source": "cli"}}
    return _lines([head, *({"timestamp": _when(at), "type": "response_item", "payload": payload(at, t)} for at, t in enumerate(turns, 1))])


def openclaw(turns: Iterable[Spoken]) -> str:
    """openclaw: a head, then messages; a program's prompt has the role system."""
    roles = {"tool": "toolResult"}

    def record(at: int, turn: Spoken) -> Json:
        message = {"role": roles.get(turn.role, turn.role), "content": [{"type": "text", "text": turn.text}]}
        return {"type": "message", "id": f"m{at}", "timestamp": _when(at), "message": message}

    head = {"type": "session", "version": 3, "id": "c0de", "cwd": "/srv/kestrel", "timestamp": _when(0)}
    return _lines([head, *(record(at, turn) for at, turn in enumerate(turns, 1))])


def gemini(turns: Iterable[Spoken]) -> str:
    """gemini: a head, then messages; what a tool printed and a program's prompt stand in lines of type info."""
    kinds = {"user": "user", "assistant": "gemini"}

    def record(at: int, turn: Spoken) -> Json:
        return {"id": f"m{at}", "timestamp": _when(at), "type": kinds.get(turn.role, "info"), "content": [{"text": turn.text}]}

    head = {"sessionId": "c0de", "projectHash": "5e55", "startTime": _when(0)}
    return _lines([head, *(record(at, turn) for at, turn in enumerate(turns, 1))])


def claude_ai(turns: Iterable[Spoken]) -> str:
    """claude-ai: an export with one conversation. It has no tools and no prompts: they are messages of nobody."""
    senders = {"user": "human", "assistant": "assistant"}
    messages = [
        {
            "uuid": f"m{at}",
            "sender": senders.get(turn.role, turn.role),
            "created_at": _when(at),
            "content": [{"type": "text", "text": turn.text}],
        }
        for at, turn in enumerate(turns)
    ]
    return json.dumps([{"uuid": "c1", "name": "t", "chat_messages": messages}])


def openai_messages(turns: Iterable[Spoken]) -> str:
    """openai-messages: one conversation."""
    return json.dumps([{"role": turn.role, "content": turn.text} for turn in turns])


def chatgpt(turns: Iterable[Spoken]) -> str:
    """chatgpt: an export with one conversation, each message the child of the one before."""
    mapping: dict[str, Json] = {"0": {"id": "0", "parent": None, "message": None}}
    for at, turn in enumerate(turns, 1):
        message = {
            "id": f"m{at}",
            "author": {"role": turn.role},
            "create_time": START.timestamp() + at,
            "content": {"content_type": "text", "parts": [turn.text]},
            "recipient": "all",
        }
        mapping[str(at)] = {"id": str(at), "parent": str(at - 1), "message": message}
    return json.dumps([{"title": "t", "conversation_id": "c1", "current_node": str(len(mapping) - 1), "mapping": mapping}])


def specstory(turns: Iterable[Spoken]) -> str:
    """specstory: Markdown with the time in each heading; what tools print stands folded in the assistant's turns, prompts nowhere."""
    parts = ["<!-- Generated by SpecStory -->\n"]
    for at, turn in enumerate(turns):
        if turn.role == "user":
            parts.append(f"_**User ({_when(at)})**_\n\n{turn.text}\n\n---\n")
        elif turn.role == "assistant":
            parts.append(f"_**Assistant ({_when(at)})**_\n\n{turn.text}\n\n---\n")
        elif turn.role == "tool":
            parts.append(
                f"_**Assistant ({_when(at)})**_\n\nDone.\n\n<details>\n<summary>Ran it</summary>\n\n{turn.text}\n\n</details>\n\n---\n"
            )
    return "\n".join(parts)


FORMATS: Mapping[str, tuple[str, Callable[[Iterable[Spoken]], str]]] = {
    "jsonl": ("talk.jsonl", episode_lines),
    "claude-code": ("session.jsonl", claude_code),
    "codex": ("rollout-2026-03-01T09-00-00-c0de.jsonl", codex),
    "openclaw": ("c0de.jsonl", openclaw),
    "gemini": ("session-c0de.jsonl", gemini),
    "claude-ai": ("conversations.json", claude_ai),
    "openai-messages": ("messages.json", openai_messages),
    "chatgpt": ("conversations.json", chatgpt),
    "specstory": ("2026-03-01_09-00-talk.md", specstory),
}  # format -> the name of a file of it, and its writer
UNWRITTEN = {  # format -> why it has no writer
    "cursor": "a database: tests/capture/test_transcripts_cursor.py",
    **dict.fromkeys(("memory-file", "my-memory-file", "mem0", "basic-memory"), "no turns: tests/capture/test_transcripts_memories.py"),
}


def cursor_database(messages: Iterable[Json], chats: Mapping[str, object] | None = None, about: Json | None = None) -> bytes:
    """Return a database of Cursor: messages of its command line, and the keys and values of its editor."""
    with closing(sqlite3.connect(":memory:")) as connection:
        connection.execute("CREATE TABLE blobs (id TEXT PRIMARY KEY, data BLOB)")
        connection.execute("CREATE TABLE meta (key TEXT PRIMARY KEY, value TEXT)")
        connection.execute("CREATE TABLE cursorDiskKV (key TEXT UNIQUE, value BLOB)")
        connection.execute("INSERT INTO blobs VALUES ('root', ?)", (b"\x0a\x20protobuf",))
        if about is not None:
            connection.execute("INSERT INTO meta VALUES ('0', ?)", (json.dumps(about).encode().hex(),))
        rows = [(f"b{number}", json.dumps(message).encode()) for number, message in enumerate(messages)]
        connection.executemany("INSERT INTO blobs VALUES (?, ?)", rows)
        values = chats if chats is not None else {f"composerData:{id_}": json.loads(data) for id_, data in rows}
        connection.executemany("INSERT INTO cursorDiskKV VALUES (?, ?)", [(key, json.dumps(value)) for key, value in values.items()])
        connection.commit()
        return connection.serialize()
