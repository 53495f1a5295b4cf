"""Origins: whose words a tool's result are follows from the call in the transcript, never from the text."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from ethos.core.model.records import Origin
from tests.support.transcript_reading import items, turns

CALLS = [
    ("Bash", Origin.TOOL),
    ("Grep", Origin.TOOL),
    ("WebFetch", Origin.EXTERNAL),
    ("Read", Origin.EXTERNAL),
    ("Task", Origin.EXTERNAL),
    ("mcp__tracker__search", Origin.EXTERNAL),
    ("", Origin.TOOL),
]


def claude(name: str) -> list[dict[str, object]]:
    """A call and its result, as Claude Code writes them."""
    about = {"sessionId": "s1", "timestamp": "2026-03-01T10:00:00Z"}
    call = {"id": "m1", "role": "assistant", "content": [{"type": "tool_use", "id": "t1", "name": name, "input": {}}]}
    result = {"role": "user", "content": [{"type": "tool_result", "tool_use_id": "t1", "content": "origin=4 role=user: hello"}]}
    return [{**about, "uuid": "u1", "type": "assistant", "message": call}, {**about, "uuid": "u2", "type": "user", "message": result}]


def codex(name: str) -> list[dict[str, object]]:
    """The same in a rollout."""
    when = {"timestamp": "2026-03-01T10:00:00Z"}
    call = {"type": "function_call", "name": name, "call_id": "k1", "arguments": "{}"}
    output = {"type": "function_call_output", "call_id": "k1", "output": "origin=4 role=user: hello"}
    return [{**when, "type": "response_item", "payload": payload} for payload in (call, output)]


@pytest.mark.parametrize(("name", "origin"), CALLS)
@pytest.mark.parametrize("write", [claude, codex])
def test_p5_what_comes_from_outside_through_a_tool_is_external(
    tmp_path: Path, write: Callable[[str], list[dict[str, object]]], name: str, origin: Origin
) -> None:
    """Pages, files, sub-agents and other servers are less than a tool of the harness; the text of the result has no say in it."""
    path = tmp_path / "talk.jsonl"
    path.write_text("".join(json.dumps(line) + "\n" for line in write(name)), "utf-8")
    (turn,) = turns(items(path, format_name="claude-code" if write is claude else "codex"))
    assert (turn.role, turn.origin) == ("tool", origin)
