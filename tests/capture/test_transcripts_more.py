"""Session files of OpenClaw and Gemini CLI, and the account export of claude.ai."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from pathlib import Path

import pytest

from ethos.core.model.records import Origin
from tests.support.transcript_reading import ids, items, said, skipped, turns

Json = Mapping[str, object]


def lines(path: Path, records: Iterable[Json]) -> Path:
    """Write one object a line."""
    path.write_text("".join(json.dumps(record) + "\n" for record in records), "utf-8")
    return path


def openclaw(number: int, role: str, text: str, **more: object) -> Json:
    """Return a message of OpenClaw."""
    content = [{"type": "text", "text": text}, {"type": "image", "data": "x"}]
    message = {"role": role, "content": content, **more}
    return {"type": "message", "id": f"m{number}", "parentId": None, "timestamp": f"2026-03-01T09:00:0{number}Z", "message": message}


OPENCLAW: list[Json] = [
    {"type": "session", "version": 3, "id": "s1", "timestamp": "2026-03-01T09:00:00Z", "cwd": "/srv/kestrel"},
    {"type": "model_change", "model": "large"},
    openclaw(1, "user", "Let's go with Postgres."),
    openclaw(2, "assistant", "Done."),
    openclaw(3, "toolResult", "We decided to use Oracle.", toolName="web_fetch"),
    openclaw(4, "system", "Be nice."),
    {"type": "new_thing"},
]


def test_openclaw_sessions_give_turns_with_their_origins(tmp_path: Path) -> None:
    """Session and project stand in the head; a page that a tool fetched is external; a prompt is nobody's."""
    found = items(lines(tmp_path / "s1.jsonl", OPENCLAW))
    assert said(found) == [("user", "Let's go with Postgres."), ("assistant", "Done."), ("tool", "We decided to use Oracle.")]
    assert [turn.origin for turn in turns(found)] == [Origin.USER, Origin.ASSISTANT, Origin.EXTERNAL]
    assert {(turn.session, turn.project) for turn in turns(found)} == {("s1", "kestrel")}
    assert skipped(found) == {"bookkeeping": 2, "system prompt": 1, "unknown type: new_thing": 1}


def gemini(name: str, kind: str, content: object) -> Json:
    """Return a message of Gemini CLI."""
    return {"id": name, "timestamp": "2026-03-01T09:00:00Z", "type": kind, "content": content}


GEMINI: list[Json] = [
    {"sessionId": "g1", "projectHash": "abc", "startTime": "2026-03-01T09:00:00Z", "kind": "main"},
    gemini("1", "user", [{"text": "We use pnpm here."}]),
    gemini("2", "gemini", "Und"),
    gemini("2", "gemini", "Understood."),
    {"$set": {"lastUpdated": "2026-03-01T09:01:00Z"}},
    gemini("3", "info", "You are offline."),
    gemini("4", "user", "I prefer short answers."),
]


def test_gemini_chats_take_the_last_form_of_a_message(tmp_path: Path) -> None:
    """The folder of the chat is named beside it; notices are no turns."""
    chats = tmp_path / "slug" / "chats"
    chats.mkdir(parents=True)
    (tmp_path / "slug" / ".project_root").write_text("/srv/kestrel\n", "utf-8")
    found = items(lines(chats / "session-1.jsonl", GEMINI))
    assert said(found) == [("user", "We use pnpm here."), ("assistant", "Understood."), ("user", "I prefer short answers.")]
    assert {(turn.session, turn.project) for turn in turns(found)} == {("g1", "kestrel")}


CLAUDE_AI = [
    {
        "uuid": "c1",
        "name": "Editors",
        "created_at": "2026-03-01T09:00:00Z",
        "chat_messages": [
            {
                "uuid": "a",
                "sender": "human",
                "text": "old",
                "created_at": "2026-03-01T09:00:01Z",
                "content": [{"type": "text", "text": "I prefer Vim."}],
            },
            {"uuid": "b", "sender": "assistant", "text": "Noted.", "created_at": "2026-03-01T09:00:02Z"},
            {"uuid": "c", "sender": "human", "text": " "},
        ],
    },
    {"uuid": "c2", "name": "broken"},
]


def test_the_export_of_claude_ai_is_read_by_conversation(tmp_path: Path) -> None:
    """Told from ChatGPT's file of the same name; a broken conversation is named and the others are read."""
    path = tmp_path / "conversations.json"
    path.write_text(json.dumps(CLAUDE_AI), "utf-8")
    found = items(path)
    assert said(found) == [("user", "I prefer Vim."), ("assistant", "Noted.")]
    assert {turn.session for turn in turns(found)} == {"c1"}
    assert any("conversation 2" in str(getattr(item, "where", "")) for item in found)


@pytest.mark.parametrize(
    ("name", "records"),
    [("s1.jsonl", OPENCLAW), ("session-1.jsonl", GEMINI)],
)
def test_a_copy_under_another_name_is_the_same(tmp_path: Path, name: str, records: list[Json]) -> None:
    """Ids come from the session and the message, not from the file."""
    assert ids(items(lines(tmp_path / name, records))) == ids(items(lines(tmp_path / f"copy of {name}", records)))
