"""`ethos forget` as a person and as a program use it: what is shown, who is asked, what it exits with, with a daemon and without."""

from __future__ import annotations

import os
import pty
import random
import subprocess
import sys
from pathlib import Path

import pytest

from tests.support.commands import QUARREL, TALK, Commands, commands, daemon, environment, spawn, spoken

__all__ = ["commands"]


@pytest.fixture
def told(commands: Commands) -> Commands:
    """A home with a conversation in its memory."""
    commands.write("talk.jsonl", TALK)
    assert commands("capture", "talk.jsonl").code == 0
    assert commands("consolidate").code == 0
    return commands


def test_t6_a_rehearsal_and_a_receipt(told: Commands) -> None:
    """`--dry-run` says what would go; with `--yes` it goes, and the receipt says what was looked at and holds no word of it."""
    would = told("forget", "--matching", "postgres", "--dry-run")
    assert (would.code, "forget t1: Ada said: We decided to use Postgres" in would.out) == (0, True), would
    assert "would go: 1 episode, 1 fact, 0 questions" in would.out
    assert len(told("recall", "postgres", "--json").data["hits"]) == 1
    done = told("forget", "--matching", "postgres", "--yes")
    assert done.code == 0, done
    assert "forgotten: 1 episode, 1 fact, 0 questions" in done.out
    assert ": 0 found" in done.out
    assert "postgres" not in done.out.casefold()
    assert told("recall", "postgres", "--json").data["hits"] == []
    again = told("capture", "talk.jsonl")
    assert "forgotten before, and left out (1)" in again.out


def test_t6_json_is_the_receipt(told: Commands) -> None:
    """For programs: counts, what was looked at, what was found, a seal; nothing of what went."""
    data = told("forget", "t1", "--yes", "--json").data
    assert data["counts"] == {"episodes": 1, "facts": 1, "questions": 0, "rescored": 0, "revived": 0}
    assert (data["proven"], data["scan"]["found"], data["problems"], data["shown"]) == (True, {}, [], [])
    assert (data["tombstones"], len(data["seal"])) == (2, 64)
    assert "ostgres" not in str(data)


@pytest.mark.parametrize(
    ("words", "code", "hint"),
    [
        (("t1",), 3, "--yes"),
        ((), 2, "name an id"),
        (("f-none", "--yes"), 1, "ethos recall"),
        (("--session", "nowhere", "--yes"), 1, "ethos recall"),
        (("--session", "nowhere"), 1, "ethos recall"),
        (("--matching", " ", "--yes"), 2, "name an id"),
    ],
)
def test_t6_what_is_not_meant_is_not_done(told: Commands, words: tuple[str, ...], code: int, hint: str) -> None:
    """Nobody to ask, nothing named, nothing that fits: refused with what to do, and nothing is erased."""
    before = told("facts", "--json").out
    refused = told("forget", *words)
    assert (refused.code, hint in refused.err) == (code, True), refused
    assert told("facts", "--json").out == before


def test_t6_words_that_nothing_has_need_nobodys_yes(told: Commands) -> None:
    """Where nothing would go nobody is asked. With `--yes` the files are searched for the words all the same: one may have been missed."""
    would = told("forget", "--matching", "zebra")
    assert (would.code, would.err, "nothing that is held has these words" in would.out) == (0, "", True), would
    assert told("forget", "--matching", "zebra", "--json").data["counts"]["episodes"] == 0
    done = told("forget", "--matching", "zebra", "--yes")
    assert (done.code, "forgotten: 0 episodes" in done.out) == (0, True), done


@pytest.mark.parametrize(("answer", "code", "left"), [(b"n\n", 3, 1), (b"\n", 3, 1), (b"yes\n", 0, 0)])
def test_t6_a_person_at_a_terminal_is_asked(told: Commands, answer: bytes, code: int, left: int) -> None:
    """What would go is shown first; only a yes is one."""
    leader, follower = pty.openpty()
    command = [sys.executable, "-m", "ethos", "forget", "--source", "talk.jsonl"]
    try:
        process = subprocess.Popen(
            command, stdin=follower, stdout=subprocess.PIPE, stderr=subprocess.PIPE, cwd=told.home, env=environment(told.home)
        )
        os.write(leader, answer)
        out, err = process.communicate(timeout=60)
    finally:
        os.close(leader)
        os.close(follower)
    assert (process.returncode, b"Erase this for good? [y/N]" in err) == (code, True), err
    assert b"would go: 4 episodes" in out
    assert len(told("recall", "postgres", "--json").data["hits"]) == left


def test_t6_something_that_is_left_is_told_and_exits_1(told: Commands) -> None:
    """A file that an editor left beside the review file holds it: the receipt says which, and the exit code is 1."""
    inbox = Path(told("status", "--json").data["store"]["path"]).parent / "inbox"
    swap = inbox / ".memory-review.md.swp"
    swap.write_bytes(b"b0VIM\0 We decided to use Postgres for the billing service. \0")
    done = told("forget", "t1", "--yes")
    assert done.code == 1
    assert f"still in {swap}: " in done.out
    swap.unlink()


def test_t6_a_daemon_forgets_and_nobody_can_make_it_without_a_word(tmp_path: Path) -> None:
    """Through the socket it needs "yes"; through the command it goes to the daemon, whose files hold nothing of it afterwards."""
    (tmp_path / "talk.jsonl").write_text(TALK, "utf-8")
    with daemon(tmp_path) as running:
        assert spawn(tmp_path, "capture", "talk.jsonl").code == 0
        assert spawn(tmp_path, "consolidate").code == 0
        del running
        refused = spawn(tmp_path, "forget", "t1")
        assert refused.code == 3, refused
        done = spawn(tmp_path, "forget", "t1", "--yes", "--json")
        assert done.data["proven"], done
        assert "ostgres" not in spawn(tmp_path, "facts", "--json").out
        held = [path for path in (tmp_path / ".local").rglob("*") if path.is_file() and "rules" not in path.parts]
        assert not [path for path in held if b"ostgres" in path.read_bytes()]


def test_t6_a_counter_example_goes_with_what_it_was_made_of(commands: Commands) -> None:
    """A person made one of what they had turned down; it is content, so it goes, from the pack and from what is kept of the pack."""
    commands.write("talk.jsonl", QUARREL)
    commands("capture", "talk.jsonl")
    commands("consolidate")
    (asked,) = (each["id"] for each in commands("inbox", "--json").data["questions"])
    commands("answer", asked, "keep-old")
    assert commands("rules", "promote", "--misread", asked).code == 0
    home = commands.home / ".local"
    (pack,) = home.rglob("rules.d/local.toml")
    assert "Michael prefers Python" in pack.read_text("utf-8")
    assert commands("status").code == 0  # the pack is read, and what was found out about it is kept
    done = commands("forget", "q2", "--yes", "--json")
    assert (done.code, done.data["proven"]) == (0, True), done
    held = [path for path in home.rglob("*") if path.is_file() and b"prefers python" in path.read_bytes().lower()]
    assert held == []
    assert commands("rules", "check").code == 0


@pytest.mark.torture
def test_t6_killed_anywhere_it_is_done_by_doing_it_again(tmp_path: Path) -> None:
    """Thirty times: forget, killed after a random while; forgotten again, nothing of it is left, and what else was said is there."""
    chance = random.Random(17)
    names = [f"Kanaric{number:03d}" for number in range(30)]
    turns = [spoken(f"k{at}", f"I love sailing near {name} with team {at}.", day=1 + at % 27) for at, name in enumerate(names)]
    (tmp_path / "talk.jsonl").write_text(TALK + "".join(turns), "utf-8")
    for words in (("capture", "talk.jsonl"), ("consolidate",), ("backup",)):
        assert spawn(tmp_path, *words).code == 0
    killed = 0
    for number, name in enumerate(names):
        command = [sys.executable, "-m", "ethos", "forget", "--matching", name, "--yes"]
        process = subprocess.Popen(command, cwd=tmp_path, env=environment(tmp_path), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        try:
            process.wait(timeout=chance.uniform(0.2, 2.0))
        except subprocess.TimeoutExpired:
            process.kill()
            killed += 1
        process.wait()
        again = spawn(tmp_path, "forget", "--matching", name, "--yes")
        assert again.code == 0, again
        home = tmp_path / ".local"
        held = [path for path in home.rglob("*") if path.is_file() and name.lower().encode() in path.read_bytes().lower()]
        assert held == [], f"number {number}"
    assert killed > 5
    assert spawn(tmp_path, "doctor").code == 0
    assert "tabs" in spawn(tmp_path, "facts", "--json").out
    assert spawn(tmp_path, "recall", "sailing", "--json").data["hits"] == []
