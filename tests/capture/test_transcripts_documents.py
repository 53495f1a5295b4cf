"""Transcripts that are read at once: ChatGPT's export, SpecStory's Markdown, lists of messages."""

from __future__ import annotations

import json
import zipfile
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from ethos.core.model.errors import Refused
from ethos.edge.capture.transcripts import chatgpt
from ethos.edge.capture.transcripts.documents import content
from ethos.edge.capture.transcripts.turn import Place
from tests.support.transcript_reading import LATER, SAMPLES, ids, items, problems, said, skipped, turns

EXPORT = SAMPLES / "conversations.json"
OLD_HISTORY = SAMPLES / "2026-03-04_14-05-naming-the-cli.md"
NEW_HISTORY = SAMPLES / "2026-03-05_08-00-00Z-cache.md"


def test_chatgpt_the_branch_that_was_ended_on_is_read() -> None:
    """An edited question leaves a branch behind; only the path up from the current node counts, from the root down."""
    assert said(items(EXPORT)) == [
        ("user", "We use Go for the new service."),
        ("assistant", "Go, noted."),
        ("user", "This is our logo."),
        ("assistant", "A nice picture."),
        ("user", "round"),
        ("assistant", "and round"),
        ("user", "The deploy day is Tuesday."),
    ]


def test_chatgpt_hidden_tools_thoughts_and_prompts_are_left_out() -> None:
    """Weight 0, hidden messages, custom instructions, thoughts, tool calls and their results are counted, not kept."""
    assert skipped(items(EXPORT)) == {
        "hidden": 2,
        "content: user_editable_context": 1,
        "content: thoughts": 1,
        "tool call": 1,
        "tool": 1,
    }


def test_chatgpt_times_are_epoch_seconds_and_never_run_backwards() -> None:
    """A message without a time has that of the one before it."""
    found = [turn for turn in turns(items(EXPORT)) if turn.session == "conv-1"]
    assert found[0].said_at == datetime(2026, 3, 4, 4, 53, 23, tzinfo=UTC)
    assert found[-1].said_at == found[-2].said_at


def test_chatgpt_a_zip_reads_like_its_content_and_gives_the_same_ids(tmp_path: Path) -> None:
    """The export as it was sent, in parts, is told by looking and adds nothing to what its parts gave."""
    conversations = json.loads(EXPORT.read_text(encoding="utf-8"))
    path = tmp_path / "export.zip"
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("export_manifest.json", "{}")
        archive.writestr("conversations-001.json", json.dumps(conversations[1:]))
        archive.writestr("conversations-000.json", json.dumps(conversations[:1]))
    assert ids(items(path)) == ids(items(EXPORT))
    assert turns(items(path))[0].source == f"{path}!conversations-000.json"


def test_chatgpt_a_zip_that_unpacks_too_large_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A zip bomb is stopped at the cap, not unpacked."""
    path = tmp_path / "bomb.zip"
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("conversations.json", "[" + " " * 3_000_000 + "]")
    monkeypatch.setattr(chatgpt, "MOST_UNPACKED", 1_000_000)
    (problem,) = problems(items(path))
    assert "this zip unpacks" in problem.what
    assert problem.hint


@pytest.mark.parametrize(("data", "words"), [(b"PK\x03\x04garbage", "damaged or locked zip"), (b"", "no conversations.json in this zip")])
def test_chatgpt_a_zip_that_is_no_export_is_named(tmp_path: Path, data: bytes, words: str) -> None:
    """A damaged zip and one with other things in it are told apart."""
    path = tmp_path / "other.zip"
    path.write_bytes(data)
    if not data:
        with zipfile.ZipFile(path, "w") as archive:
            archive.writestr("notes.txt", "hello")
    (problem,) = problems(items(path))
    assert words in problem.what


def test_chatgpt_a_truncated_export_is_named(tmp_path: Path) -> None:
    """Half a file is not half a memory: it is refused with the reason."""
    path = tmp_path / "conversations.json"
    path.write_bytes(EXPORT.read_bytes()[:2000])
    (problem,) = problems(items(path))
    assert "truncated JSON" in problem.what


def test_specstory_turns_begin_at_their_headers_and_a_rule_inside_stays() -> None:
    """A line of dashes ends a turn only before the next header; folded tool calls are not the assistant's words."""
    assert said(items(OLD_HISTORY)) == [
        ("user", "Call the command line tool `plover`.\n\n---\n\nIt must start in under a second."),
        ("assistant", "Renamed it."),
        ("user", "I prefer long option names."),
    ]


def test_specstory_without_times_takes_the_file_names() -> None:
    """The older form has one time, in the file's name; the turns follow each other from there and say where the time is from."""
    first, second, _ = turns(items(OLD_HISTORY))
    assert (first.said_at, first.time_source) == (datetime(2026, 3, 4, 14, 5, tzinfo=UTC), "file")
    assert first.said_at < second.said_at < first.said_at + timedelta(minutes=1)


def test_specstory_newer_files_carry_times_and_the_session() -> None:
    """The newer form has both in the text; what was not sent and what sub-agents said is left out."""
    found = items(NEW_HISTORY)
    assert said(found) == [("user", "We'll use Redis for caching."), ("assistant", "Added it.")]
    assert turns(found)[0].said_at == datetime(2026, 3, 5, 8, tzinfo=UTC)
    assert {turn.session for turn in turns(found)} == {"0ca7e000-1111-4000-8000-000000000000"}
    assert skipped(found) == {"injected text only": 1, "not sent": 1, "sub-agent": 1}


def test_specstory_the_project_is_the_folder_the_history_stands_in(tmp_path: Path) -> None:
    """`plover/.specstory/history/...` belongs to plover."""
    history = tmp_path / "plover" / ".specstory" / "history"
    history.mkdir(parents=True)
    (tmp_path / "plover" / ".git").mkdir()
    (history / OLD_HISTORY.name).write_bytes(OLD_HISTORY.read_bytes())
    assert {turn.project for turn in turns(items(tmp_path))} == {"plover"}


def test_openai_messages_have_no_times_so_the_files_is_taken() -> None:
    """The order stands, the last is the file's time, and each says that the time is from the file."""
    found = turns(items(SAMPLES / "messages.json"))
    assert [(turn.role, turn.speaker, turn.text) for turn in found] == [
        ("user", "Ilse", "We decided to use uv."),
        ("tool", "tool", "uv 0.9"),
        ("assistant", "assistant", "uv is there."),
    ]
    assert {turn.time_source for turn in found} == {"file"}
    assert [turn.said_at for turn in found] == sorted({turn.said_at for turn in found})


def test_openai_messages_what_is_no_message_is_told() -> None:
    """System prompts, calls, unknown roles and injected memory are counted; a thing that is no message is a problem."""
    found = items(SAMPLES / "messages.json")
    assert skipped(found) == {"system prompt": 1, "no text": 1, "injected text only": 1, "unknown role: judge": 1}
    assert ["message 8" in problem.where for problem in problems(found)] == [True]


def test_openai_messages_a_conversation_a_line() -> None:
    """The fine-tuning form: each line is a conversation, and so a session of its own."""
    found = turns(items(SAMPLES / "finetune.jsonl"))
    assert [(turn.session, turn.text) for turn in found] == [
        ("finetune-1", "We decided to use uv."),
        ("finetune-2", "The port is 8443."),
    ]


@pytest.mark.parametrize(
    "text",
    [
        '{"role": "user", "content": "The port is 8443."}\n{"role": "user", "content": "The port is 8443."}\n',
        '[{"messages": [{"role": "user", "content": "The port is 8443."}]}, [{"role": "user", "content": "The port is 8443."}]]',
        '{\n "messages": [{"role": "user", "content": "The port is 8443."},\n {"role": "user", "content": "The port is 8443."}]\n}',
    ],
)
def test_openai_messages_in_their_other_forms(tmp_path: Path, text: str) -> None:
    """A message a line, a list of conversations, one conversation over many lines: two turns each, with two ids."""
    path = tmp_path / "talk.jsonl"
    path.write_text(text, encoding="utf-8")
    found = items(path, format_name="openai-messages")
    assert said(found) == [("user", "The port is 8443.")] * 2
    assert len(set(ids(found))) == 2


def test_a_document_over_the_cap_is_refused() -> None:
    """What must be read at once may not be larger than the cap."""
    with EXPORT.open("rb") as stream, pytest.raises(Refused) as refused:
        content(stream, Place("big.json", "big.json", LATER), largest=100)
    assert "episode lines" in refused.value.problem.hint
