"""The protocol of the socket, without a socket: lines in, envelopes out, over a real memory in a SQLite file."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ethos.app import Ethos
from ethos.core.model.errors import Problem, Refused
from ethos.edge.api.actions import ACTIONS, Directly, Service
from ethos.edge.api.wire import Misread, Request, answer, parse, perform
from tests.conftest import SetClock
from tests.faults.fuzz_socket import strange_paths
from tests.support import proven

CONVERSATION = (
    {"id": "e-1", "role": "user", "speaker": "Michael", "text": "We decided to use Rust for all backend services.", "session": "s1"},
    {"id": "e-2", "role": "user", "speaker": "Michael", "text": "Michael prefers Rust over Python.", "session": "s1"},
    {"id": "e-3", "role": "user", "speaker": "Michael", "text": "The weather is fine.", "session": "s2"},
)


@pytest.fixture
def service(ethos: Ethos) -> Service:
    """The door, asked in this process."""
    return Service(ethos, proven.book(), Directly(ethos), by="socket")


@pytest.fixture
def talk(tmp_path: Path) -> Path:
    """A short conversation as episode lines."""
    file = tmp_path / "talk.jsonl"
    file.write_text("".join(json.dumps({**line, "said_at": "2026-05-01T10:00:00Z"}) + "\n" for line in CONVERSATION), "utf-8")
    return file


def ask(service: Service, **request: Any) -> dict[str, Any]:
    """What comes back over the wire, envelope and all."""
    read = parse(json.dumps(request).encode())
    if isinstance(read, Misread):
        return dict(json.loads(answer(read.id, read.problem)))
    try:
        return dict(json.loads(answer(read.id, perform(service, read))))
    except Refused as refused:
        return dict(json.loads(answer(read.id, refused.problem)))


def data(service: Service, **request: Any) -> dict[str, Any]:
    """The data of an answer that must be ok."""
    envelope = ask(service, **request)
    assert envelope["status"] == "ok", envelope
    return dict(envelope["data"])


def error(service: Service, **request: Any) -> dict[str, str]:
    """The error of an answer that must be one."""
    envelope = ask(service, **request)
    assert set(envelope) - {"id"} == {"status", "error"}
    assert set(envelope["error"]) == {"code", "message", "hint"}
    return dict(envelope["error"])


def test_e27_the_manual_trigger_is_understood_word_for_word() -> None:
    """The runbook's line, as a person types it into nc."""
    read = parse(b'{"action":"consolidate","session":null,"reason":"manual test"}\n')
    assert isinstance(read, Request)
    assert (read.action, read.asked.session, read.asked.reason, read.id) == ("consolidate", None, "manual test", None)


def test_e28_the_answer_has_the_keys_of_the_runbook_and_the_run(service: Service, talk: Path) -> None:
    """Exactly `status` and `data`; in `data` E-28's keys, in its order, and the run."""
    assert data(service, action="capture", paths=[str(talk)])["added"] == 3
    envelope = ask(service, action="consolidate", session=None, reason="manual test")
    assert list(envelope) == ["status", "data"]
    keys = [
        "triggered",
        "episodes_scanned",
        "episodes_promoted",
        "facts_created",
        "facts_updated",
        "facts_superseded",
        "facts_flagged",
        "run",
    ]
    assert list(envelope["data"]) == keys
    assert envelope["data"]["triggered"] is True
    assert envelope["data"]["episodes_scanned"] >= envelope["data"]["episodes_promoted"] >= 2
    assert envelope["data"]["run"].startswith("r-")


def test_xe13_an_unknown_session_gives_zeros_and_a_session_that_is_no_text_an_error(service: Service, talk: Path) -> None:
    """A session filters; one that nobody has is no mistake."""
    data(service, action="capture", paths=[str(talk)])
    assert data(service, action="consolidate", session="nobody's")["episodes_scanned"] == 0
    wrong = error(service, action="consolidate", session=7)
    assert wrong["code"] == "usage"
    assert wrong["message"] == '"session" must be text or null, found a number'
    assert '"session": text or null' in wrong["hint"]


def test_a_capture_tells_what_it_took_and_what_it_did_not(service: Service, tmp_path: Path) -> None:
    """One bad line stops nothing; a second time adds nothing."""
    file = tmp_path / "talk.jsonl"
    lines = [*(json.dumps({**line, "said_at": "2026-05-01T10:00:00Z"}) for line in CONVERSATION), '{"role": "user", "text": ""}', "{broken"]
    file.write_text("\n".join(lines) + "\n", "utf-8")
    first = data(service, action="capture", paths=[str(file)])
    assert (first["added"], first["known"], first["files"]) == (3, 0, 1)
    assert first["skipped"] == {"empty text": 1}
    assert first["problems_total"] == 1
    assert first["problems"][0]["where"].endswith(":5")
    second = data(service, action="capture", paths=[str(file)])
    assert (second["added"], second["known"]) == (0, 3)


def test_a_captured_secret_is_masked_before_it_is_kept(service: Service, tmp_path: Path) -> None:
    """Promise 8: neither the store nor an answer ever has it."""
    file = tmp_path / "talk.jsonl"
    line = {"role": "user", "text": "Remember this: my password is hunter2-Xq9!", "said_at": "2026-05-01T10:00:00Z"}
    file.write_text(json.dumps(line) + "\n", "utf-8")
    data(service, action="capture", paths=[str(file)])
    assert "[secret:" in data(service, action="recall", query="password")["hits"][0]["text"]
    assert not any(b"hunter2" in kept.read_bytes() for kept in tmp_path.glob("ethos.db*"))


def test_a_capture_takes_absolute_paths_only(service: Service) -> None:
    """The daemon's working directory is not the caller's."""
    assert "absolute" in error(service, action="capture", paths=["talk.jsonl"])["message"]
    assert "absolute" in error(service, action="capture", paths=["-"])["message"]


def test_a_live_capture_is_a_session_event_and_an_import_is_none(service: Service, talk: Path) -> None:
    """E-03 counts what happens now, never history."""
    data(service, action="capture", paths=[str(talk)])
    assert data(service, action="status")["events_recently"] == 0
    data(service, action="capture", paths=[str(talk)], live=True)
    assert data(service, action="status")["events_recently"] == 2


def test_no_path_is_too_strange_for_what_reads_and_writes_files(service: Service, talk: Path, tmp_path: Path) -> None:
    """Devices, pipes, links in a circle, files that break off, names that are none: an answer, no endless wait, and nothing replaced."""
    data(service, action="capture", paths=[str(talk)])
    for path in strange_paths(tmp_path / "box"):
        for asked in ({"action": "import", "path": path}, {"action": "capture", "paths": [path]}):
            assert ask(service, **asked)["status"] in {"ok", "error"}
        for action in ("export", "backup"):
            assert ask(service, action=action, path=path)["status"] in {"ok", "error"}
    for device in ("nothing", "endless"):
        assert (tmp_path / "box" / device).is_char_device()
    assert data(service, action="status")["counts"]["episodes"] == 3


@pytest.mark.parametrize("place", ["ethos.db", "ethos.db-wal", "state/forgetting.key", "inbox/memory-review.md", "link", "state"])
def test_no_copy_is_put_over_the_memory_itself(service: Service, talk: Path, tmp_path: Path, place: str) -> None:
    """An export or a backup over the store would take its place, and all that comes after it would be lost."""
    data(service, action="capture", paths=[str(talk)])
    (tmp_path / "link").symlink_to(tmp_path / "ethos.db")
    before = (tmp_path / "ethos.db").stat().st_ino
    for action in ("export", "backup"):
        assert "the memory itself" in error(service, action=action, path=str(tmp_path / place))["message"]
    assert (tmp_path / "ethos.db").stat().st_ino == before
    assert (tmp_path / "link").is_symlink()


def test_what_was_told_can_be_found_and_explained(service: Service, talk: Path) -> None:
    """capture, consolidate, facts, why, recall: the whole way, in the shapes that programs read."""
    data(service, action="capture", paths=[str(talk)])
    data(service, action="consolidate")
    facts = data(service, action="facts", kind="decision")["facts"]
    assert [(fact["object"], fact["status"], fact["origin"]) for fact in facts] == [("Rust", "active", "user")]
    assert facts[0]["valid_from"] == "2026-05-01T10:00:00Z"
    why = data(service, action="why", of=facts[0]["id"])
    assert why["type"] == "fact"
    assert why["evidence"][0]["episode"] == "e-1"
    assert why["episodes"]["e-1"]["text"] == CONVERSATION[0]["text"]
    hits = data(service, action="recall", query="which backend language", count=False)["hits"]
    told = {"id", "type", "score", "text", "length", "episode", "said_at", "session", "project", "origin", "replaced_by", "flagged", "slot"}
    assert set(hits[0]) == told
    assert error(service, action="why", of="f-nothing")["code"] == "not-found"


def test_a_dry_run_shows_its_diff_and_changes_nothing(service: Service, talk: Path) -> None:
    """What would be done is printed, and then it is not done."""
    data(service, action="capture", paths=[str(talk)])
    tried = data(service, action="consolidate", dry_run=True)
    assert tried["dry_run"] is True
    assert {(line["sign"], line["type"]) for line in tried["differences"]} == {("+", "fact")}
    assert data(service, action="facts")["facts"] == []


def test_a_question_is_listed_and_answered(service: Service, tmp_path: Path, clock: SetClock) -> None:
    """Two claims of like weight: both stay, a person is asked, and the answer holds; given twice it is the same answer."""
    for day, words in (("01", "Michael prefers Rust."), ("02", "Michael prefers Python.")):
        file = tmp_path / f"{day}.jsonl"
        line = {"role": "user", "speaker": "Michael", "text": words, "said_at": f"2026-05-{day}T10:00:00Z"}
        file.write_text(json.dumps(line) + "\n", "utf-8")
        data(service, action="capture", paths=[str(file)])
        data(service, action="consolidate")
        clock.move(minutes=1)
    (question,) = data(service, action="inbox")["questions"]
    assert (question["status"], question["existing"]["object"], question["new"]["object"]) == ("open", "Rust", "Python")
    first = data(service, action="answer", question=question["id"], choice="keep-new", note="tried it")
    assert (first["applied"], first["action"]) == (True, "keep-new")
    assert data(service, action="answer", question=question["id"], choice="keep-new")["applied"] is False
    assert data(service, action="inbox")["questions"] == []
    assert data(service, action="inbox", resolved=True)["questions"][0]["by"] == "socket"
    assert [fact["object"] for fact in data(service, action="facts")["facts"]] == ["Python"]
    assert error(service, action="answer", question=question["id"], choice="keep-all")["code"] == "usage"


def test_extract_reads_episode_lines_without_a_store(service: Service) -> None:
    """Each line gives its id and its facts; a bad one says why and stops nothing."""
    lines = data(service, action="extract", episodes=[CONVERSATION[0], {"id": "e-9", "role": "nobody", "text": "x"}])["episodes"]
    fact = lines[0]["facts"][0]
    assert list(fact) == ["kind", "subject", "predicate", "object", "polarity", "confidence", "rule", "span"]
    assert lines[0]["id"] == "e-1"
    assert CONVERSATION[0]["text"][slice(*fact["span"])]
    assert lines[1]["problem"]["code"] == "bad-input"
    assert data(service, action="status")["counts"]["episodes"] == 0


def test_rules_and_status_and_help_tell_what_is_in_force(service: Service) -> None:
    """The hash of the rules is the one that episodes are scanned under."""
    rules = data(service, action="rules")
    assert rules["hash"] == data(service, action="status")["rules"]
    assert "core-en" in {pack["name"] for pack in rules["packs"]}
    assert data(service, action="status")["daemon"] is None
    assert [told["action"] for told in data(service, action="help")["actions"]] == list(ACTIONS)
    assert data(service, action="settle") == {"applied": 0}


@pytest.mark.parametrize(
    ("line", "says"),
    [
        (b"", "not JSON"),
        (b"consolidate", "not JSON"),
        (b'{"action": "status"', "not JSON"),
        (b'{"action": "status"} {}', "not JSON"),
        (b'["status"]', "a request is an object, found a list"),
        (b'{"action": "status", "action": "settle"}', "stands there twice"),
        (b'{"action": "recall", "query": "x", "limit": NaN}', "NaN is not a number"),
        (b'{"action": "status", "id": ' + b"9" * 5000 + b"}", "not a request"),
        (b'{"action": "status", "id": true}', '"id" must be text or a whole number'),
        (b'{"action": "status", "id": 1.5}', '"id" must be text or a whole number'),
        (b'{"action": "delete"}', 'no action is called "delete"'),
        (b"{}", '"action" is missing'),
        (b'{"action": ["status"]}', '"action" is missing, or not text'),
        (b'{"action": "status", "verbose": true}', 'status takes no "verbose"'),
        (b'{"action": "recall"}', '"query" is missing'),
        (b'{"action": "recall", "query": "x", "limit": "ten"}', '"limit" must be a whole number or null, found "ten"'),
        (b'{"action": "recall", "query": "x", "limit": true}', "found true or false"),
        (b'{"action": "recall", "query": "x", "as_of": "yesterday"}', "must be a time like"),
        (b'{"action": "capture", "paths": "/talk"}', '"paths" must be a list, and in it text'),
        (b'{"action": "capture", "paths": [1]}', '"paths" must be a list'),
        (b'{"action": "facts", "kind": "rumour"}', '"decision" or "preference"'),
        (b'{"action": "\xff"}', "not UTF-8 at byte 12"),
        (b"[" * 30_000, "nested too deeply"),
        (b'{"a":' * 9_000, "nested too deeply"),
    ],
)
def test_a_line_that_is_no_request_is_told_what_would_be_right(line: bytes, says: str) -> None:
    """The message names what was found; the hint says what to send."""
    read = parse(line)
    assert isinstance(read, Misread)
    assert says in read.problem.what
    assert read.problem.code == "usage"


def test_an_id_comes_back_and_none_is_made_up(service: Service) -> None:
    """With the error too, so that a caller with many questions knows which one failed."""
    assert list(ask(service, action="settle", id="q-1")) == ["id", "status", "data"]
    assert ask(service, action="delete", id=7)["id"] == 7
    assert "id" not in ask(service, action="delete")


def test_an_answer_is_one_line_that_does_nothing_to_a_terminal() -> None:
    """Escapes, line ends of every kind and lone surrogates arrive as JSON escapes."""
    line = answer(None, {"text": "\x1b[2J\u2028\x9b\r\n\ud800 caf\u00e9"})
    assert line.isascii()
    assert line.count(b"\n") == 1
    assert line.endswith(b"\n")
    assert all(byte >= 32 for byte in line[:-1])
    assert answer(None, Problem("usage", "found this", "do that", "talk.jsonl:3")) == (
        b'{"status": "error", "error": {"code": "usage", "message": "talk.jsonl:3: found this", "hint": "do that"}}\n'
    )


LEAVES = st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=9)
JSON = LEAVES | st.lists(LEAVES, max_size=3) | st.dictionaries(st.text(max_size=9), LEAVES, max_size=3)
ARGUMENTS = ["id", "of", "query", "paths", "episodes", "session", "limit", "as_of", "kind", "question", "choice", "format", "live"]


@settings(derandomize=True, max_examples=300, deadline=None)
@given(st.sampled_from([*ACTIONS, "x"]), st.dictionaries(st.sampled_from(ARGUMENTS), JSON, max_size=4))
def test_no_object_is_too_strange_for_the_parser(action: str, arguments: dict[str, Any]) -> None:
    """Whatever stands in the fields, it is a request or it is told what is wrong; and its answer is one line of JSON."""
    read = parse(json.dumps({"action": action, **arguments}).encode())
    line = answer(read.id, {} if isinstance(read, Request) else read.problem)
    assert json.loads(line)["status"] in {"ok", "error"}


@settings(derandomize=True, max_examples=300, deadline=None)
@given(st.binary(max_size=200))
def test_no_bytes_are_too_strange_for_the_parser(line: bytes) -> None:
    """Noise is told that it is noise."""
    assert isinstance(parse(line), Misread)
