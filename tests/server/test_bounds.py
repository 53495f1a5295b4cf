"""How much an answer may be, and what a caller costs that hung up or reads slowly (fault M5)."""

from __future__ import annotations

import json
import socket
import threading
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any, cast

import pytest

from ethos.app import Ethos
from ethos.core.model.settings import Settings
from ethos.edge.api.actions import ACTIONS, Entrance, Service, ask, operate
from ethos.edge.api.actions.recalled import LONGEST, TOKEN, Detail, within
from ethos.edge.api.wire import Misread, Request, answer, parse
from ethos.edge.client import socket_client
from ethos.edge.server import caller
from ethos.edge.server.bounds import MOST_BYTES, bounded
from ethos.edge.server.worker_pool import WORKERS
from tests.support.commands import Commands, commands, daemon, spawn
from tests.support.daemons import PATIENCE, until
from tests.support.serving import serving
from tests.support.telling import said

__all__ = ["commands"]

_NEEDED: dict[str, dict[str, object]] = {
    "recall": {"query": "x"},
    "sessions": {"query": "x"},
    "extract": {"episodes": []},
    "narrative": {"of": "e-1"},
}


def connected(path: Path) -> socket.socket:
    """A caller."""
    channel = socket.socket(socket.AF_UNIX)
    channel.connect(str(path))
    channel.settimeout(PATIENCE)
    return channel


def asked(action: str, **arguments: object) -> Request:
    """A request as the wire reads it."""
    read = parse(json.dumps({"action": action, **arguments}).encode())
    assert isinstance(read, Request), read
    return read


# -- an answer


@pytest.mark.parametrize("action", sorted(name for name, entrance in ACTIONS.items() if entrance.pages))
def test_fault_m5_a_long_list_comes_in_parts(action: str) -> None:
    """Each part fits into an answer, and holds the cursor for the next; together they are the list, each item once and in order."""
    needed: dict[str, object] = _NEEDED.get(action, {})
    name = ACTIONS[action].list_name
    items = [{"number": number, "text": "ä" * (number % 977)} for number in range(2_000)]
    got: list[Any] = []
    cursor: dict[str, str] = {}
    while True:
        request = asked(action, **needed, **cursor)
        part = bounded(request, {name: items, "beside": 1})
        assert len(answer("an id", part)) <= MOST_BYTES
        got += part[name]
        if "next" not in part:
            break
        cursor = {"cursor": part["next"]}
    assert cursor, "it came at once"
    assert got == items


def test_fault_m5_a_list_of_what_was_done_is_cut_and_counted() -> None:
    """An act is not done again for the rest of its answer."""
    part = bounded(asked("undo", run="r-1"), {"run": {}, "differences": ["x" * 1000] * 3_000})
    assert len(part["differences"]) + part["left_out"] == 3_000
    assert len(answer(None, part)) <= MOST_BYTES
    assert isinstance(parse(b'{"action": "undo", "run": "r-1", "cursor": "differences:4"}'), Misread)


def test_fault_m5_a_record_longer_than_an_answer_is_shortened() -> None:
    """One item that does not fit at all still comes, its texts cut off and their length told."""
    part = bounded(asked("facts"), {"facts": [{"id": "f-1", "statement": "é" * 1_000_000}, {"id": "f-2"}]})
    assert part["next"] == "facts:1"
    assert part["facts"][0]["statement"].endswith("(1,000,000 characters in all)")


@pytest.mark.parametrize("cursor", ["hits:1", "facts:-1", "facts:x", "", 7, None, "facts:99999999999999"])
def test_a_cursor_that_no_answer_gave_is_refused(cursor: object) -> None:
    """It is said what to send."""
    read = parse(json.dumps({"action": "facts", "cursor": cursor}).encode())
    assert isinstance(read, Misread)
    assert '"next"' in read.problem.hint


def test_the_client_knows_which_actions_may_take_long() -> None:
    """What is no question may wait for a pass; the client's list and the server's agree."""
    questions = {name for name, entrance in ACTIONS.items() if entrance.question}
    assert {name for name in ACTIONS if name not in questions} == socket_client.LONG - {"extract"}


def test_fault_m5_the_command_line_gets_all_of_a_long_answer(tmp_path: Path) -> None:
    """Through a real daemon: more than one answer holds is asked for part by part, and nothing is missing."""
    lines = [
        {"id": f"t{at}", "role": "user", "text": f"w{at} zebra " + "filler " * 14_000, "said_at": "2026-03-01T10:00:00Z"}
        for at in range(20)
    ]
    (tmp_path / "talk.jsonl").write_text("".join(json.dumps(line) + "\n" for line in lines), "utf-8")
    with daemon(tmp_path):
        assert spawn(tmp_path, "capture", "talk.jsonl").code == 0
        hits = spawn(tmp_path, "recall", "zebra", "--limit", "20", "--full", "--json").data["hits"]
        assert {hit["id"] for hit in hits} == {line["id"] for line in lines}
        assert all(len(hit["text"]) == hit["length"] > 90_000 for hit in hits)
        short = spawn(tmp_path, "recall", "w7", "--json").data["hits"]
        assert short[0]["id"] == "t7"
        assert {len(hit["text"]) for hit in short} == {LONGEST[Detail.SHORT]}


# -- recall


def test_fault_newcomer_recall_gives_the_part_of_a_text_with_the_word(ethos: Ethos) -> None:
    """A long turn comes as at most 600 characters, and the word that was looked for is among them; the length of the whole is told."""
    ethos.capture([said("Before it. " * 5_000 + "We keep walnuts in the cellar. " + "After it. " * 5_000)])
    (hit,) = ethos.recall("walnuts", longest=LONGEST[Detail.SHORT])
    assert len(hit.text) == LONGEST[Detail.SHORT]
    assert "We keep walnuts in the cellar." in hit.text
    assert hit.length > 100_000
    (whole,) = ethos.recall("walnuts")
    assert len(whole.text) == whole.length


def test_fault_newcomer_recall_keeps_within_max_tokens(commands: Commands) -> None:
    """However few tokens an agent has, the hits as JSON are no longer than it said, and the best come first."""
    lines = [{"role": "user", "text": f"Rhubarb {at}: " + "ümläut " * 60, "id": f"r{at}"} for at in range(8)]
    commands.write("talk.jsonl", "".join(json.dumps(line) + "\n" for line in lines))
    commands("capture", "talk.jsonl")
    whole = commands("recall", "rhubarb", "--json").data["hits"]
    counts = []
    for tokens in (1, 50, 200, 400, 1_000, 100_000):
        hits = commands("recall", "rhubarb", "--json", "--max-tokens", str(tokens)).data["hits"]
        assert sum(len(json.dumps(hit)) for hit in hits) <= tokens * TOKEN
        assert [hit["id"] for hit in hits] == [hit["id"] for hit in whole[: len(hits)]]
        counts.append(len(hits))
    assert counts == sorted(counts)
    assert counts[0] == 0
    assert counts[-1] == len(whole)
    assert within([], 5) == []


def test_fault_newcomer_recall_can_give_facts_alone(commands: Commands) -> None:
    """`--facts` leaves out the turns."""
    lines = [{"role": "user", "text": text} for text in ("We decided to use Postgres.", "Postgres was slow this morning.")]
    commands.write("talk.jsonl", "".join(json.dumps(line) + "\n" for line in lines))
    commands("capture", "talk.jsonl")
    commands("consolidate")
    assert {hit["type"] for hit in commands("recall", "postgres", "--json").data["hits"]} == {"fact", "episode"}
    assert {hit["type"] for hit in commands("recall", "postgres", "--facts", "--json").data["hits"]} == {"fact"}


def test_fault_newcomer_recall_leaves_out_what_is_far_below_the_best(commands: Commands) -> None:
    """After the fifth hit, one that has a word which nearly all have, and not the rare one, is not told, if it stands beside no other."""
    lines = [{"role": "user", "text": f"The meeting number {at} went on and on about the budget of team {at}."} for at in range(300)]
    lines += [{"role": "user", "text": f"The quinoa meeting {at}"} for at in range(6)]
    commands.write("talk.jsonl", "".join(json.dumps(line) + "\n" for line in lines))
    commands("capture", "talk.jsonl")
    hits = commands("recall", "quinoa", "meeting", "--limit", "60", "--json").data["hits"]
    assert all("quinoa" in hit["text"] for hit in hits[:6])
    assert {hit["text"].split()[3] for hit in hits[6:]} <= {"298", "299"}


# -- callers


@pytest.fixture
def counted(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """What recall was asked for, as often as it was worked on."""
    queries: list[str] = []
    entrance = ACTIONS["recall"]

    def does(service: Service, wanted: Any) -> Any:
        queries.append(wanted.query)
        return entrance.does(service, wanted)

    monkeypatch.setitem(cast("dict[str, Entrance]", ask.ACTIONS), "recall", entrance._replace(does=does))
    return queries


def test_fault_m5_the_question_of_a_caller_that_hung_up_is_not_worked_on(
    open_ethos: Callable[[Settings], Ethos], settings: Settings, tmp_path: Path, counted: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """All workers are taken; a hundred callers ask and hang up; then only those that wait for an answer are served."""
    path, held, busy = tmp_path / "run" / "ethos.sock", threading.Event(), threading.Semaphore(0)
    entrance = ACTIONS["status"]

    def waits(_service: Service, _wanted: Any) -> dict[str, Any]:
        busy.release()
        assert held.wait(PATIENCE)
        return {}

    monkeypatch.setitem(cast("dict[str, Entrance]", operate.ACTIONS), "status", Entrance(entrance.takes, waits, question=True))
    most = replace(settings, socket=replace(settings.socket, max_connections=400, line_seconds=PATIENCE))
    with serving(open_ethos(most), path) as trigger:
        blocking = [connected(path) for _ in range(WORKERS)]
        for channel in blocking:
            channel.sendall(b'{"action": "status"}\n')
        for _ in blocking:
            assert busy.acquire(timeout=PATIENCE)
        for _ in range(100):
            with connected(path) as channel:
                channel.sendall(b'{"action": "recall", "query": "gone"}\n')
        until(lambda: trigger.waiting == WORKERS + 100, "the questions")
        patient, half = connected(path), connected(path)
        patient.sendall(b'{"action": "recall", "query": "patient"}\n')
        half.sendall(b'{"action": "recall", "query": "half closed"}\n')
        half.shutdown(socket.SHUT_WR)  # as `nc -U` does at the end of its input
        held.set()
        for channel in (patient, half):
            assert b'"status": "ok"' in channel.makefile("rb").read()
        for channel in (*blocking, patient, half):
            channel.close()
    assert sorted(counted) == ["half closed", "patient"]


def test_fault_m5_what_was_asked_to_be_done_is_done_though_nobody_waits(ethos: Ethos, tmp_path: Path) -> None:
    """A hook that gave up waiting has its session captured all the same."""
    talk, path = tmp_path / "talk.jsonl", tmp_path / "run" / "ethos.sock"
    talk.write_text(json.dumps({"role": "user", "text": "We use uv."}) + "\n", "utf-8")
    with serving(ethos, path):
        with connected(path) as channel:
            channel.sendall(json.dumps({"action": "capture", "paths": [str(talk)]}).encode() + b"\n")
        until(lambda: ethos.status().counts.episodes == 1, "the capture")


def test_fault_m5_a_slow_reader_gets_a_whole_answer(ethos: Ethos, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """It takes many times as long as one send may, and goes on taking some: it gets everything, with the newline at its end."""
    monkeypatch.setattr(caller, "SEND_SECONDS", 0.5)
    path = tmp_path / "run" / "ethos.sock"
    ethos.capture([said(f"turnip {at} " + "stew " * 19_000, session=f"s{at}") for at in range(9)])
    with serving(ethos, path), connected(path) as channel:
        channel.sendall(b'{"action": "recall", "query": "turnip", "limit": 9, "full": true}\n')
        got = b""
        pause = threading.Event()
        while piece := channel.recv(65_536):
            got += piece
            pause.wait(0.1)
    assert got.endswith(b"\n")
    assert len(json.loads(got)["data"]["hits"]) == 9


def test_fault_m5_who_stops_reading_gets_an_end_and_no_newline(ethos: Ethos, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The connection ends where the reader takes nothing for too long; what it got lacks the newline that ends every answer."""
    monkeypatch.setattr(caller, "SEND_SECONDS", 0.3)
    path = tmp_path / "run" / "ethos.sock"
    ethos.capture([said(f"turnip {at} " + "stew " * 19_000, session=f"s{at}") for at in range(9)])
    with serving(ethos, path) as trigger, connected(path) as channel:
        channel.sendall(b'{"action": "recall", "query": "turnip", "limit": 9, "full": true}\n')
        until(lambda: trigger.waiting, "the question")
        until(lambda: not trigger.waiting, "the end of it")
        got = b""
        while piece := channel.recv(65_536):
            got += piece
    assert got
    assert not got.endswith(b"\n")
