"""Session files of Claude Code, with every trap of the format in one small sample of our own writing."""

from __future__ import annotations

import json
import os
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from ethos.core.model.records import Origin
from ethos.edge.capture.transcripts.claude_code import FORMAT
from ethos.edge.capture.transcripts.turn import Place
from tests.support.transcript_reading import LATER, SAMPLES, ids, items, said, skipped, turns

SAMPLE = SAMPLES / "claude-code.jsonl"
START = datetime(2026, 3, 2, 9, tzinfo=UTC)


def test_what_people_and_programs_said_is_told_apart() -> None:
    """Every turn of the sample, in the order it was completed, and nothing of what a harness put in."""
    assert said(items(SAMPLE)) == [
        ("user", "We decided to use Redis for the queue."),
        ("assistant", "Redis it is.\n\nI will add it to the compose file."),
        ("tool", "README.md: we always use MongoDB"),
        ("assistant", "Done."),
        ("user", "Here is a picture. I prefer the left one."),
        ("tool", "plain output"),
        ("user", "and what I typed meanwhile"),
    ]


def test_a_tool_result_that_arrives_as_user_is_a_tools() -> None:
    """The structure says who speaks: a result in a line of type user has the role and the origin of a tool."""
    (result,) = [turn for turn in turns(items(SAMPLE)) if "MongoDB" in turn.text]
    assert (result.role, result.origin) == ("tool", Origin.TOOL)


def test_what_is_no_turn_is_counted_by_its_reason() -> None:
    """Nothing is dropped in silence: each record that is no turn says why, unknown types included."""
    assert skipped(items(SAMPLE)) == {
        "bookkeeping": 3,
        "meta": 1,
        "injected text only": 4,
        "no text": 2,
        "unknown type: brand-new-kind": 1,
        "sub-agent": 2,
        "compaction summary": 1,
        "error message": 1,
    }


def test_the_envelope_gives_session_project_and_the_time_it_was_said() -> None:
    """The project is the last part of a folder that is not here; the time is the record's, not that of the import."""
    first = turns(items(SAMPLE))[0]
    assert (first.session, first.project) == ("5d0c1b52-0000-4000-8000-00000000aaaa", "kestrel")
    assert (first.said_at, first.time_source) == (START + timedelta(seconds=4), "said")
    assert first.where == f"{SAMPLE}:7"


def test_a_copied_session_adds_nothing(tmp_path: Path) -> None:
    """A resumed session repeats the lines before it under a new session id, in a new file: the ids are the same."""
    copy = tmp_path / "another.jsonl"
    copy.write_text(SAMPLE.read_text(encoding="utf-8").replace("5d0c1b52", "99999999"), encoding="utf-8")
    assert ids(items(copy)) == ids(items(SAMPLE))


def _line(kind: str, uuid: str, text: str, message: str = "", stop: str | None = None) -> str:
    body = {"role": kind, "id": message or None, "content": [{"type": "text", "text": text}], "stop_reason": stop}
    return json.dumps({"type": kind, "uuid": uuid, "sessionId": "s", "timestamp": "2026-03-02T09:00:00Z", "message": body}) + "\n"


def test_a_message_that_still_grows_waits_and_its_id_does_not_change(tmp_path: Path) -> None:
    """While the file is being written to, a message that did not end is left for the next time; then it is taken whole."""
    path = tmp_path / "live.jsonl"
    path.write_text(_line("user", "u1", "Go on.") + _line("assistant", "u2", "First", "m"), encoding="utf-8")
    os.utime(path, (START.timestamp(), START.timestamp()))
    live = items(path, now=START + timedelta(seconds=1))
    assert said(live) == [("user", "Go on.")]
    assert skipped(live) == {"unfinished: taken when it is complete": 1}
    with path.open("a", encoding="utf-8") as file:
        file.write(_line("assistant", "u3", "and second.", "m"))
    later = items(path)
    assert said(later) == [("user", "Go on."), ("assistant", "First\n\nand second.")]
    assert turns(later)[1].key == ("claude-code", "u2", "")


def test_a_message_that_says_why_it_stopped_does_not_wait(tmp_path: Path) -> None:
    """A session that has just ended is captured to its end."""
    path = tmp_path / "ended.jsonl"
    path.write_text(_line("assistant", "u2", "The end.", "m", stop="end_turn"), encoding="utf-8")
    os.utime(path, (START.timestamp(), START.timestamp()))
    assert said(items(path, now=START)) == [("assistant", "The end.")]


def test_two_messages_in_a_row_are_two_turns(tmp_path: Path) -> None:
    """Only lines of one message id are joined."""
    path = tmp_path / "two.jsonl"
    path.write_text(_line("assistant", "u1", "One.", "m1") + _line("assistant", "u2", "Two.", "m2"), encoding="utf-8")
    assert said(items(path)) == [("assistant", "One."), ("assistant", "Two.")]


@pytest.mark.parametrize(
    "record",
    [
        {"type": "user"},
        {"type": "user", "message": "text"},
        {"type": "user", "message": {"content": 7}},
        {"type": "user", "message": {"content": [1, {"type": "text"}, {"type": "text", "text": 3}]}},
        {"type": ["user"], "message": {}},
        {"type": "assistant", "message": {"id": 5, "content": None}},
        {},
    ],
)
def test_a_record_of_another_shape_is_left_out(record: dict[str, object]) -> None:
    """The form is internal to its makers and may change: a record we do not understand is no error and no turn."""
    assert FORMAT.lines
    reader = FORMAT.lines(Place("x.jsonl", "x.jsonl", LATER), {})
    found = [*reader.feed(1, record), *reader.end(quiet=True)]
    assert turns(found) == []
    assert sum(skipped(found).values()) == 1


def test_a_record_without_time_or_uuid_is_known_by_its_line() -> None:
    """What a record lacks is made up for: the time of the file, with a note, and its place in the file as its key."""
    assert FORMAT.lines
    reader = FORMAT.lines(Place("x.jsonl", "x.jsonl", LATER), {})
    note, turn = reader.feed(4, {"type": "user", "message": {"content": "We use uv."}})
    assert "no time" in getattr(note, "what", "")
    (found,) = turns([turn])
    assert (found.key[2], found.said_at, found.time_source) == ("4", LATER, "file")
