"""Real requests and answers of the socket are as docs/socket.md says."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

from ethos.edge.api.actions import ACTIONS
from ethos.edge.cli import socket_reference
from ethos.edge.client import socket_client
from tests.cli.test_answers import wrong
from tests.support.commands import QUARREL, ROOT, TALK, daemon, spoken

DOCUMENT = ROOT / "docs" / "socket.md"
ANOTHER = spoken("w1", "Michael prefers tea.", day=3, session="s3") + spoken("w2", "Michael prefers coffee.", day=4, session="s4")


def test_the_document_is_what_the_program_says() -> None:
    """Written anew by `python -m ethos.edge.cli.socket_reference > docs/socket.md`."""
    assert DOCUMENT.read_text("utf-8") == socket_reference.page()


def test_real_requests_and_answers_are_as_documented(tmp_path: Path) -> None:
    """Every action is asked of a daemon at least once; each request and each answer fits its schema and has no other fields."""
    asked: set[str] = set()
    talk = tmp_path / "talk.jsonl"
    talk.write_text(TALK + QUARREL + ANOTHER + "{broken\n", "utf-8")

    def ask(action: str, **arguments: object) -> Any:
        request = {"action": action, **arguments}
        shape = socket_reference.request(action)
        assert wrong(request, {**shape, "additionalProperties": None}, shape, f"request {action}") == []
        envelope = socket_client.ask(str(tmp_path / "ethos.sock"), request)
        assert envelope is not None
        assert envelope["status"] == "ok", envelope
        schema = socket_reference.answer(action)
        assert wrong(envelope["data"], schema, schema, action) == []
        asked.add(action)
        return envelope["data"]

    with daemon(tmp_path, ETHOS_SOCKET__PATH=str(tmp_path / "ethos.sock")):
        assert ask("capture", paths=[str(talk)])["added"] == 8
        ask("capture", paths=["-"], input=spoken("v1", "We use uv."))
        ask("consolidate", reason="a test", dry_run=True)
        run = ask("consolidate")["run"]
        ask("sleep", date="2026-03-01", seed=7, dry_run=True)
        ask("report", run=ask("sleep")["run"])
        fact = ask("facts", history=True)["facts"][0]["id"]
        _search(ask)
        ask("extract", episodes=[{"role": "user", "text": "We decided to use Redis."}, {"role": "user"}])
        ask("narrative", of=fact)
        ask("projects")
        ask("lessons", retired=True)
        ask("profile", about="team")
        ask("procedural")
        ask("why", of=fact)
        ask("diff", run=run)
        first, second = (each["id"] for each in ask("inbox")["questions"])
        ask("answer", question=first, choice="keep-old")
        ask("answer", question=second, choice="keep-new")
        ask("rejected", question=first)
        ask("promote", question=first, misread=True)
        ask("standings")
        ask("settle")
        ask("rules")
        ask("status", runs=2)
        ask("backup")
        ask("export", path=str(tmp_path / "out.jsonl"))
        ask("import", path=str(tmp_path / "out.jsonl"))
        _ask_about_memories(ask)
        _put_right(ask)
        ask("undo", run=run)
        ask("forget", ids=["t1"], dry_run=True)
        ask("forget", ids=["t1"], yes=True)
        ask("help")
    assert asked == set(ACTIONS)


def _search(ask: Callable[..., Any]) -> None:
    ask("recall", query="postgres", limit=3)
    ask("sessions", query="postgres", explain=True, max_tokens=500)


def _put_right(ask: Callable[..., Any]) -> None:
    ask("undo", run=ask("retire", fact=ask("facts")["facts"][0]["id"], said="We like uv.")["run"])
    assert ask("correct", fact=ask("facts")["facts"][0]["id"], words="We decided to use Zig.")["now"][0]["statement"] == "team uses Zig"


def _ask_about_memories(ask: Callable[..., Any]) -> None:
    told = {"title": "Pin the clock", "description": "flaky tests", "content": "Freeze time.", "outcome": "success"}
    memory = ask("memory_record", **told, tags=["time"])["id"]
    assert ask("memory_search", query="freeze time")["total_found"] == 1
    ask("memory_outcome", memory_id=memory, succeeded=True)
    ask("memory_feedback", memory_id=memory, helpful=True, comment="saved an hour")
    ask("memory_consolidate", project_id="default", dry_run=True)
    ask("memory_list")
    ask("memory_show", memory=memory)
    ask("memory_accept", memory=memory, yes=True)
    ask("memory_archive", memory=memory)


def test_a_request_that_does_not_fit_is_found() -> None:
    """An argument of the wrong type, a missing one and an unknown one each fail the schema of the request."""
    shape = socket_reference.request("why")
    for request in ({"action": "why"}, {"action": "why", "of": 3}, {"action": "why", "of": "f-1", "more": 1}):
        assert wrong(request, {**shape, "additionalProperties": None}, shape) != []
