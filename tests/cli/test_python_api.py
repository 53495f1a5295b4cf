"""The Python API: one suite, beside a running daemon and without one."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from collections.abc import Iterator
from datetime import UTC, date, datetime
from pathlib import Path
from typing import Any

import pytest

import ethos
from ethos.edge.api.results import Cycle as CycleResult
from ethos.edge.client import socket_client
from ethos.edge.config.clock import SystemClock
from tests.support.commands import OURS, QUARREL, ROOT, TALK, environment
from tests.support.daemons import Daemon

CONFIG = '[ethos]\nlog_level = "warning"\n\n[consolidation]\ninterval_minutes = 600\n'


@pytest.fixture(params=["daemon", "alone"])
def config(request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """The configuration of an empty memory, with and without a daemon."""
    for name in os.environ:
        if name.startswith(OURS):
            monkeypatch.delenv(name)
    monkeypatch.setenv("HOME", str(tmp_path))
    daemon = Daemon(tmp_path, CONFIG)
    if request.param == "daemon":
        daemon.start()
    try:
        yield daemon.config
    finally:
        if daemon.process is not None:
            daemon.process.terminate()
            daemon.process.wait(30)


def test_p8_a_memory_is_captured_consolidated_and_asked(config: Path, tmp_path: Path) -> None:
    """Capture, consolidate, recall, facts, why and status give dataclasses; a second capture adds nothing."""
    (tmp_path / "talk.jsonl").write_text(TALK, "utf-8")
    with ethos.open(config) as memory:
        captured = memory.capture(tmp_path / "talk.jsonl")
        assert (captured.added, captured.known, captured.files, captured.problems) == (4, 0, 1, ())
        assert memory.capture([str(tmp_path / "talk.jsonl")]).known == 4
        would = memory.consolidate(dry_run=True)
        assert would.dry_run
        assert would.differences
        cycle = memory.consolidate(reason="a test")
        assert isinstance(cycle, ethos.Cycle)
        assert (cycle.episodes_scanned, cycle.differences) == (4, None)
        assert cycle.facts_created == would.facts_created > 0
        (hit, *_) = memory.recall("postgres", facts_only=True)
        assert (hit.type, hit.episode, hit.said_at) == ("fact", "t1", datetime(2026, 3, 1, 10, tzinfo=UTC))
        (session,) = memory.sessions("postgres", limit=3, before="2026-03-02")
        assert isinstance(session, ethos.FoundSession)
        assert (session.session, session.hits[0].episode, session.hits[0].said_at) == ("s1", "t1", datetime(2026, 3, 1, 10, tzinfo=UTC))
        assert memory.sessions("postgres", after="2026-03-01") == ()
        fact = next(fact for fact in memory.facts(kind="decision") if fact.id == hit.id)
        assert (fact.object, fact.run, fact.active) == ("Postgres", cycle.run, True)
        assert memory.facts(as_of=datetime(2020, 1, 1, tzinfo=UTC)) == ()
        why = memory.why(fact.id)
        assert [piece.episode for piece in why.evidence] == ["t1"]
        assert why.versions[-1] == fact
        assert why.episodes["t1"].text == "We decided to use Postgres for the billing service."
        status = memory.status()
        assert (status.counts.episodes, status.runs[0].id) == (4, cycle.run)


def test_p8_turns_are_captured_from_python_values(config: Path) -> None:
    """Turns need no file; a time may be a datetime; what is no turn is refused with a hint."""
    turn = {"role": "user", "speaker": "Ada", "text": "We decided to use Redis for the cache.", "said_at": datetime(2026, 3, 2, tzinfo=UTC)}
    with ethos.open(config) as memory:
        assert memory.capture([turn, {"role": "user", "text": "Lunch was late."}]).added == 2
        assert memory.capture([]).added == 0
        memory.consolidate()
        assert [fact.valid_from for fact in memory.facts() if fact.object == "Redis"] == [datetime(2026, 3, 2, tzinfo=UTC)]
        wrong = memory.capture([{"role": "user"}])
        assert (wrong.added, wrong.problems_total) == (0, 1)
        assert wrong.problems[0].hint
        for mixed in ([turn, "talk.jsonl"], [turn, 7], [{"role": "user", "text": {1}}]):
            with pytest.raises(ethos.Refused) as refused:
                memory.capture(mixed)  # type: ignore[arg-type]  # that is the point
            assert refused.value.problem.hint


def test_p8_questions_are_answered_and_answers_undone(config: Path, tmp_path: Path) -> None:
    """A question holds both claims; the answer names a run, and to undo it opens the question again."""
    (tmp_path / "talk.jsonl").write_text(QUARREL, "utf-8")
    with ethos.open(config) as memory:
        memory.capture(tmp_path / "talk.jsonl")
        memory.consolidate()
        (question,) = memory.inbox()
        assert question.existing is not None
        assert question.new is not None
        assert {question.existing.object, question.new.object} == {"Rust", "Python"}
        assert "keep-new" in question.actions
        done = memory.answer(question.id, "keep-new", note="it was so")
        assert done.applied
        assert memory.inbox() == ()
        (answered,) = memory.inbox(resolved=True)
        assert (answered.status, answered.action, answered.note) == ("resolved", "keep-new", "it was so")
        undone = memory.undo(done.run)
        assert undone.run.name == "undo"
        assert undone.differences
        assert memory.diff(undone.run.id) == undone
        assert [each.id for each in memory.inbox()] == [question.id]


def test_p8_forget_needs_a_yes_and_gives_a_receipt(config: Path) -> None:
    """Without `yes` nothing is erased; a dry run shows what would go; the receipt says that nothing is left."""
    with ethos.open(config) as memory:
        memory.capture([{"id": "s1", "role": "user", "text": "My locker at the pool is number 4711 by the stairs."}])
        with pytest.raises(ethos.Refused) as refused:
            memory.forget("s1")
        assert refused.value.problem.code == "needs-person"
        assert memory.forget("s1", dry_run=True).shown
        receipt = memory.forget("s1", yes=True)
        assert (receipt.counts["episodes"], receipt.proven, receipt.shown) == (1, True, ())
        assert memory.recall("locker") == ()


def test_p8_mistakes_are_refused_with_a_hint(config: Path) -> None:
    """An unknown id, a wrong choice and a wrong configuration each say what to do."""
    with ethos.open(config) as memory:
        for mistake in (
            lambda: memory.why("f-0000"),
            lambda: memory.answer("c-0000", "keep-new"),
            lambda: memory.undo("r-0000"),
            lambda: memory.recall("x", as_of="soon"),
            lambda: memory.facts(kind="opinion"),  # type: ignore[arg-type]  # that is the point
            lambda: memory.status(runs=0),
            lambda: memory.capture(""),
        ):
            with pytest.raises(ethos.Refused) as refused:
                mistake()
            assert refused.value.problem.hint, refused.value


def test_p8_a_single_turn_is_captured(config: Path) -> None:
    """A turn needs no list around it; what is neither a path nor a turn is refused."""
    with ethos.open(config) as memory:
        assert memory.capture({"role": "user", "text": "We decided to use Nginx."}).added == 1
        for neither in (7, None, b"talk.jsonl"):
            with pytest.raises(ethos.Refused):
                memory.capture(neither)  # type: ignore[arg-type]  # that is the point
        (problem,) = memory.capture([{"role": "user"}]).problems
        assert (problem.where, problem.hint) == ("turn 1", "mend or delete the turn; the other turns were read")


def test_p8_a_path_that_does_not_exist_is_refused_before_anything_is_stored(config: Path, tmp_path: Path) -> None:
    """Alone, and beside one that exists; what cannot be read in a file that exists is a problem of the result, told in Python."""
    (tmp_path / "talk.jsonl").write_text(TALK, "utf-8")
    (tmp_path / "notes.txt").write_text("hello", "utf-8")
    with ethos.open(config) as memory:
        for missing in (tmp_path / "nope.jsonl", [tmp_path / "talk.jsonl", tmp_path / "talk.jsonl" / "nope"]):
            with pytest.raises(ethos.Refused) as refused:
                memory.capture(missing)
            assert refused.value.problem.code == "not-found"
        assert memory.status().counts.episodes == 0
        (problem,) = memory.capture(tmp_path / "notes.txt").problems
        assert problem.hint == "if it has one of these formats, name it with format="


def test_p8_days_are_named_as_in_commands(config: Path) -> None:
    """A day in words, a date and a datetime name a time; a day alone means its end, and with `before` its beginning."""
    turn = {"role": "user", "text": "We decided to use Nginx.", "said_at": "2026-03-02T10:00:00Z", "session": "s1"}
    with ethos.open(config) as memory:
        memory.capture(turn)
        memory.consolidate()
        assert memory.facts(as_of="yesterday") == memory.facts(as_of="3 days ago") == ()
        assert memory.recall("nginx", as_of="last week") == ()
        assert len(memory.facts(as_of="today")) == len(memory.facts(as_of=SystemClock().now().date())) == 1
        assert memory.sessions("nginx", before="2026-03-02") == memory.sessions("nginx", after=date(2026, 3, 2)) == ()
        assert len(memory.sessions("nginx", before=date(2026, 3, 3))) == 1
        assert len(memory.sessions("nginx", before=datetime(2026, 3, 2, 11, tzinfo=UTC))) == 1


def test_p8_mistakes_are_told_in_the_words_of_python(config: Path) -> None:
    """A parameter is named as in Python, and a hint names methods; no option and no field of the socket stands in it."""
    with ethos.open(config) as memory:
        memory.capture({"role": "user", "text": "We decided to use Nginx."})
        memory.consolidate()
        (fact,) = memory.facts()
        wrong: Any = 7  # that is the point
        for mistake, told, hint in (
            (lambda: memory.recall("x", as_of="soon"), "as_of is not a day or a time: soon", "a day such as 2026-03-01"),
            (lambda: memory.recall("x", as_of=wrong), "as_of is of type int", "give a datetime"),
            (lambda: memory.sessions("x", before=" "), "before is empty", "name a day such as 2026-03-01"),
            (lambda: memory.recall("x", facts_only=wrong), "facts_only must be True or False, found a number", "memory.recall(query, *"),
            (lambda: memory.recall("x", limit="a"), 'limit must be a whole number or None, found "a"', "memory.recall("),  # type: ignore[arg-type]
            (lambda: memory.why(wrong), "id must be text, found a number", "memory.why(id)"),
            (lambda: memory.retire(wrong), "id must be text, found a number", "memory.retire(id, *, said='')"),
            (lambda: memory.retire("f-0"), "no fact has the id f-0", "find ids in memory.facts()"),
            (lambda: memory.undo("r-0"), "no run has the id r-0", "find ids in memory.status()"),
            (lambda: memory.undo(wrong), "run must be text, found a number", "memory.undo(run)"),
            (lambda: memory.forget(fact.id), "nothing was erased: a person must confirm it", "pass dry_run=True to see it, then yes=True"),
            (
                lambda: memory.forget(misread=True, session="s", yes=True),
                "no fact is named",
                'memory.forget("f-...", misread=True); memory.facts()',
            ),
            (lambda: memory.correct(fact.id, "Hm."), "no rule reads a fact", f'memory.retire("{fact.id}")'),
        ):
            with pytest.raises(ethos.Refused) as refused:
                mistake()
            problem = refused.value.problem
            assert problem.what.startswith(told)
            assert hint in problem.hint, problem
            assert not re.search(r"--[a-z]|\bsend\b|\"action\"", f"{problem.what} {problem.hint}"), problem
    with pytest.raises(ethos.Refused) as refused:
        ethos.open("nope.toml")
    assert refused.value.problem.what == "config names a file that is not there"


def test_p8_results_are_values_and_a_closed_memory_opens_again(config: Path) -> None:
    """Nobody can change a result; a call after `close` opens the store again."""
    memory = ethos.open(str(config))
    assert memory.capture([{"role": "user", "text": "We decided to use Nginx."}]).added == 1
    memory.close()
    cycle = memory.consolidate()
    memory.close()
    with pytest.raises(AttributeError):
        cycle.run = "r-1"  # type: ignore[misc]  # that is the point
    assert ethos.Cycle is CycleResult


def test_p8_a_daemon_that_comes_or_goes_is_noticed(tmp_path: Path) -> None:
    """A memory that stays open asks the daemon as soon as one has the memory, and works alone when it is gone."""
    daemon = Daemon(tmp_path, CONFIG)
    with ethos.open(daemon.config) as memory:
        memory.capture([{"role": "user", "text": "We decided to use Kafka."}])
        assert memory.status().daemon is None
        daemon.start()
        told = memory.status().daemon
        assert told is not None
        assert told["pid"] == daemon.pid
        assert daemon.process is not None
        daemon.process.terminate()
        daemon.process.wait(30)
        assert memory.status().daemon is None


def test_p8_one_look_at_the_socket_is_enough_without_a_daemon(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A memory without a daemon looks for one at its first call, and not again while nobody holds the memory."""
    asked: list[object] = []
    ask = socket_client.ask

    def counted(path: str, request: dict[str, object], *, seconds: float | None = None) -> socket_client.Envelope | None:
        asked.append(request["action"])
        return ask(path, request, seconds=seconds)

    monkeypatch.setattr(socket_client, "ask", counted)
    with ethos.open(Daemon(tmp_path, CONFIG).config) as memory:
        memory.capture([{"role": "user", "text": "We decided to use Kafka."}])
        memory.consolidate()
        memory.facts()
    assert asked == ["capture"]


def test_p8_the_package_exports_its_names_and_imports_nothing(tmp_path: Path) -> None:
    """`import ethos` loads no other module of Ethos; every exported name exists; another is an AttributeError."""
    code = "import sys, ethos; print(sorted(name for name in sys.modules if name.startswith('ethos')))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, env=environment(tmp_path), cwd=tmp_path)
    assert done.stdout.strip() == "['ethos']"
    for name in dir(ethos):
        assert getattr(ethos, name) is not None
    with pytest.raises(AttributeError, match="nothing_of_the_kind"):
        _ = ethos.nothing_of_the_kind


def test_p8_the_documents_examples_run_and_name_every_export(tmp_path: Path) -> None:
    """Each Python block of docs/python.md about this API runs in a fresh home; the page names every method and type."""
    page = (ROOT / "docs" / "python.md").read_text("utf-8")
    blocks = [block.partition("```")[0] for block in page.split("```python\n")[1:]]
    ours = [block for block in blocks if "ethos.open()" in block]
    assert ours
    for block in ours:
        done = subprocess.run([sys.executable, "-c", block], capture_output=True, text=True, check=False, env=environment(tmp_path))
        assert (done.returncode, done.stderr) == (0, ""), block
        assert done.stdout
    assert [name for name in ethos._EXPORTED if f"ethos.{name}" not in page] == []
    methods = [name for name in vars(ethos.MemoryClient) if not name.startswith("_")]
    assert [name for name in methods if f"{name}(" not in page] == []
