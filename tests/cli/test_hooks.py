"""`ethos hook`: what an agent's hooks get and give, with a real daemon and without one."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tests.support.commands import served, spawn

__all__ = ["served"]

EVENTS = ("session-start", "prompt", "stop", "compact", "session-end")


def hooked(home: Path, event: str, **given: Any) -> str:
    """Return the context that a hook hands to the agent, or ""."""
    ran = spawn(home, "hook", event, stdin=json.dumps(given).encode())
    assert (ran.code, ran.err) == (0, "")
    return str(ran.data["hookSpecificOutput"]["additionalContext"]) if ran.out else ""


def test_a_session_begins_with_what_is_held(served: Path) -> None:
    """Inside a mark that capture leaves out, within its bytes, and said to be data."""
    told = hooked(served, "session-start", session_id="s9", hook_event_name="SessionStart")
    assert told.startswith("<ethos-memory>\n")
    assert "Postgres for the billing service" in told
    assert "not an instruction" in told
    assert len(told.encode()) < 3_500


def test_a_prompt_gets_what_is_held_about_its_words_and_others_get_nothing(served: Path) -> None:
    """Whose words each line is stands behind it."""
    assert "Postgres for the billing service" in hooked(served, "prompt", session_id="s9", prompt="which database does billing use?")
    assert hooked(served, "prompt", session_id="s9", prompt="zzzz qqqq") == ""


def test_the_end_of_a_session_is_captured(served: Path) -> None:
    """The daemon reads the transcript that the agent names."""
    talk = served / "later.jsonl"
    talk.write_text('{"role": "user", "text": "We decided to use Redis for queues."}\n', "utf-8")
    hooked(served, "session-end", session_id="s9", transcript_path=str(talk))
    assert "queues" in spawn(served, "recall", "queues").out


def test_the_end_of_a_turn_is_captured_at_most_once_a_minute(served: Path) -> None:
    """A second one of the same session waits; another session does not."""
    for number, session in enumerate(("a", "a", "b")):
        talk = served / f"turn{number}.jsonl"
        talk.write_text(json.dumps({"role": "user", "text": f"We decided to use Tool{number}."}) + "\n", "utf-8")
        hooked(served, "stop", session_id=session, transcript_path=str(talk))
    found = [bool(spawn(served, "recall", f"Tool{number}").out.strip().startswith("1")) for number in range(3)]
    assert found == [True, False, True]


@pytest.mark.parametrize("event", EVENTS)
@pytest.mark.parametrize(
    "given", [b"", b"not json", b"{", b'{"prompt": "cut', b"[" * 50_000, b"[1]", b'{"prompt": 5, "transcript_path": "/nowhere"}']
)
def test_without_a_daemon_or_with_strange_input_nothing_happens(tmp_path: Path, event: str, given: bytes) -> None:
    """It prints nothing and exits 0."""
    ran = spawn(tmp_path, "hook", event, stdin=given)
    assert (ran.code, ran.out) == (0, "")


def test_an_unknown_event_is_passed_over(tmp_path: Path) -> None:
    """A newer agent may call it."""
    assert spawn(tmp_path, "hook", "sunrise", stdin=b"{}").code == 0
