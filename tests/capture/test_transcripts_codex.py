"""Rollout files of Codex CLI: one of the two logs, and nothing that the harness said in the person's name."""

from __future__ import annotations

import json
from datetime import UTC, datetime
from pathlib import Path

from ethos.core.model.records import Origin
from ethos.edge.capture.transcripts.codex import FORMAT
from ethos.edge.capture.transcripts.turn import Place
from tests.support.transcript_reading import LATER, SAMPLES, ids, items, said, skipped, turns

SAMPLE = SAMPLES / "rollout-2026-03-03T10-00-00-c0de-1.jsonl"


def test_the_doubled_lines_are_read_once() -> None:
    """The same text stands in response_item and event_msg; each turn comes once."""
    assert said(items(SAMPLE)) == [
        ("user", "Let's go with Postgres."),
        ("tool", "schema.sql"),
        ("assistant", "I added Postgres."),
        ("user", "I prefer small commits."),
    ]


def test_instructions_and_context_are_not_the_persons() -> None:
    """Developer prompts, AGENTS.md, the environment and the editor's context are left out and counted."""
    found = skipped(items(SAMPLE))
    assert found["system prompt"] == 1
    assert found["injected text only"] == 2
    assert (found["unknown type: new_thing"], found["unknown item: new_item"]) == (1, 1)


def test_the_head_gives_session_and_project() -> None:
    """The session's id and folder stand in the first line only; a Windows folder has a last part too."""
    first = turns(items(SAMPLE))[0]
    assert (first.session, first.project, first.origin) == ("c0de-1", "heron", Origin.USER)
    assert first.said_at == datetime(2026, 3, 3, 10, 0, 4, 500000, tzinfo=UTC)


def test_a_moved_rollout_keeps_its_ids(tmp_path: Path) -> None:
    """An archived rollout lies elsewhere, and adds nothing."""
    moved = tmp_path / SAMPLE.name
    moved.write_bytes(SAMPLE.read_bytes())
    assert ids(items(moved)) == ids(items(SAMPLE))


def test_the_rollout_of_a_sub_agent_is_left_out(tmp_path: Path) -> None:
    """Where another agent plays the user, nothing is the user's."""
    rows = [json.loads(line) for line in SAMPLE.read_text(encoding="utf-8").splitlines()]
    rows[0]["payload"]["source"] = {"subagent": "review"}
    path = tmp_path / "rollout-x.jsonl"
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    assert turns(items(path)) == []


def test_a_reader_goes_on_in_the_middle_with_what_the_one_before_remembered() -> None:
    """Who resumes after a restart gives the new reader the memory of the old, and session and project are as before."""
    assert FORMAT.lines
    place = Place("r.jsonl", "r.jsonl", LATER)
    rows = [json.loads(line) for line in SAMPLE.read_text(encoding="utf-8").splitlines()]
    first = FORMAT.lines(place, {})
    for number in range(1, 5):
        first.feed(number, rows[number - 1])
    second = FORMAT.lines(place, first.memory)
    (turn,) = turns(list(second.feed(5, rows[4])))
    assert (turn.session, turn.project, turn.key[:2]) == ("c0de-1", "heron", ("codex", "c0de-1"))
