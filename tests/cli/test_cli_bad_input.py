"""Bad input through the real command: each a clear line with what to do, nothing lost, an honest exit code (issue: Done when)."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
from collections.abc import Callable, Iterator
from contextlib import suppress
from functools import partial
from pathlib import Path

import pytest

from ethos.edge.files import free_space
from tests.support.commands import TALK, Commands, Ran, commands, spawn, spoken

__all__ = ["commands"]

GOOD = spoken("good", "We decided to use Postgres for the billing service.")
AFTER = spoken("after", "We decided to use Redis for caching.")


# What a line may hold instead of an episode, and a word of the complaint about it
BAD = (
    (b'{"id": "x", "role": "user", "te', "JSON"),
    (b"not json at all", "JSON"),
    (b"[1, 2, 3]", "object"),
    (b"42", "object"),
    (b'{"id": "x", "role": "user", "text": 7}', "text"),
    (b'{"id": "x", "role": 9, "text": "hello"}', "role"),
    (b'{"id": "x", "role": "king", "text": "hello"}', "role"),
    (b'{"id": ["x"], "role": "user", "text": "hello"}', "id"),
    (b'{"id": "x", "role": "user", "text": "hello", "said_at": "yesterday"}', "said_at"),
    (b'{"id": "x", "role": "user", "text": "hello", "importance": "very"}', "importance"),
    (b'{"id": "x", "role": "user", "text": "hello", "importance": 1e999}', "importance"),
    (b"\xff\xfe\x00h\x00e", ""),
    (b"[" * 100_000, ""),
)


def sound(done: Ran, code: int) -> Ran:
    """No traceback, no bug, the exit code."""
    assert done.code == code, done
    assert "Traceback" not in done.err
    assert "a bug in Ethos" not in done.err
    return done


def held(ethos: Callable[..., Ran]) -> set[str]:
    """The episodes that are found again."""
    hits = ethos("recall", "decided", "--limit", "100", "--json").data["hits"]
    return {hit["id"] for hit in hits if hit["type"] == "episode"}


def test_a_bad_line_is_named_and_the_others_are_in(tmp_path: Path) -> None:
    """File and line stand before what is wrong with each; the lines before and after them are captured."""
    (tmp_path / "talk.jsonl").write_bytes(b"\n".join([GOOD.encode(), *(bad for bad, _ in BAD), AFTER.encode()]))
    done = sound(spawn(tmp_path, "capture", "--format", "jsonl", "talk.jsonl"), 1)
    assert done.out.startswith(f"2 added, 0 already known, {len(BAD)} with problems (1 file)\n")
    told = done.out.splitlines()
    for number, (_, word) in enumerate(BAD, 3):  # the second line is empty
        complaint, hint = next((line, told[at + 1]) for at, line in enumerate(told) if f"{tmp_path}/talk.jsonl:{number}: " in line)
        assert word in complaint
        assert hint.startswith("    -> ")
    assert held(partial(spawn, tmp_path)) == {"good", "after"}


def test_nul_bytes_and_lone_surrogates_are_kept_out_of_harms_way(commands: Commands) -> None:
    """They are legal in JSON and poison for databases and terminals: the turn is kept, found, and shown without them."""
    odd = '{"id": "odd", "role": "user", "text": "We decided\\u0000 to use \\ud800Go\\udfff.", "speaker": "A\\ud83d\\u0000"}\n'
    sound(spawn(commands.home, "capture", "-", stdin=(GOOD + odd).encode()), 0)
    assert held(commands) == {"good", "odd"}
    sound(commands("consolidate"), 0)
    for words in (["recall", "go"], ["facts"], ["why", "odd"]):
        shown = sound(commands(*words), 0)
        assert "\0" not in shown.out
        assert not re.search("[\ud800-\udfff]", shown.out)


def test_a_line_of_a_megabyte(commands: Commands, monkeypatch: pytest.MonkeyPatch) -> None:
    """A long turn is taken; one beyond the limits is named with what to change, and the others are in."""
    long = spoken("long", "We decided to wait. " + "x" * 1_000_000)
    refused = sound(commands("capture", "-", stdin=(long + GOOD).encode()), 1)
    assert "standard input:1: " in refused.out
    assert "capture.max_text_chars" in refused.out
    monkeypatch.setenv("ETHOS_CAPTURE__MAX_TEXT_CHARS", "2000000")
    sound(commands("capture", "-", stdin=long.encode()), 0)
    monkeypatch.setenv("ETHOS_CAPTURE__MAX_LINE_BYTES", "4096")
    line = sound(commands("capture", "-", stdin=(long + AFTER).encode()), 1)
    assert "standard input:1: " in line.out
    assert held(commands) == {"good", "long", "after"}


def test_a_folder_and_a_missing_file(commands: Commands) -> None:
    """A folder without transcripts, a folder where a file belongs, a file that is not there, a device."""
    (commands.home / "empty").mkdir()
    for words, said in (
        (["capture", "empty"], "no transcripts in this folder"),
        (["capture", "none.jsonl"], "no such file or folder"),
        (["capture", "/dev/null"], "not a regular file"),
        (["extract", "empty"], "is a directory"),
        (["recall", "--batch", "none.jsonl"], "no such file"),
        (["status", "--config", "empty"], "is a directory"),
    ):
        done = sound(commands(*words), 1)
        assert said in done.out + done.err, words
        assert "  -> " in done.out + done.err


def test_a_database_that_is_none(commands: Commands, monkeypatch: pytest.MonkeyPatch) -> None:
    """A text file, a folder, and a file where a folder belongs: each is said, and nothing of it is touched."""
    text = commands.write("text.db", "dear diary\n" * 400)
    (commands.home / "folder.db").mkdir()
    for name in ("text.db", "folder.db", "text.db/inside.db"):
        monkeypatch.setenv("ETHOS_ETHOS__DATABASE", name)
        done = sound(commands("status"), 1)
        assert done.err.startswith("ethos: ")
        assert "  -> " in done.err
    assert text.read_text("utf-8") == "dear diary\n" * 400


# -- a store that cannot be written


@pytest.fixture
def mounted(commands: Commands, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A file system of a megabyte and a half with the database on it, for this test alone to fill and to lock."""
    if os.geteuid() != 0 or shutil.which("mount") is None:
        pytest.skip("needs root, to mount a small file system")
    place = commands.home / "small"
    place.mkdir()
    done = subprocess.run(["mount", "-t", "tmpfs", "-o", "size=1536k,mode=700", "tmpfs", str(place)], capture_output=True, check=False)
    if done.returncode:
        pytest.skip(f"cannot mount a tmpfs here: {done.stderr.decode().strip()}")
    monkeypatch.setenv("ETHOS_ETHOS__DATABASE", str(place / "ethos.db"))
    monkeypatch.setattr(free_space, "LEAST_FREE", 0)  # all that is there is less than a pass asks for
    try:
        yield place
    finally:
        subprocess.run(["umount", "-l", str(place)], check=True)


def test_a_read_only_store(mounted: Path, commands: Commands) -> None:
    """Writing is refused with what to do, the doctor sees it, and afterwards everything is there."""
    commands.write("talk.jsonl", TALK)
    sound(commands("capture", "talk.jsonl"), 0)
    subprocess.run(["mount", "-o", "remount,ro", str(mounted)], check=True)
    for words in (["capture", "-"], ["consolidate"]):
        done = sound(commands(*words, stdin=AFTER.encode()), 1)
        assert "cannot be written" in done.err or "cannot be opened" in done.err
        assert "  -> " in done.err
    assert "fail" in sound(commands("doctor"), 1).out
    subprocess.run(["mount", "-o", "remount,rw", str(mounted)], check=True)
    assert commands("status", "--json").data["counts"]["episodes"] == 4


def test_a_full_disk(mounted: Path, commands: Commands) -> None:
    """What was acknowledged before is all there, the refusal says what to do, and with room again the next capture goes through."""
    database = str(mounted / "ethos.db")
    sound(commands("capture", "-", stdin=GOOD.encode()), 0)
    left = shutil.disk_usage(mounted).free
    (mounted / "filler").write_bytes(b"x" * max(0, left - 200_000))
    many = "".join(spoken(f"n{number}", f"We decided to keep {number} " + "z" * 900) for number in range(600))
    done = sound(spawn(commands.home, "capture", "-", stdin=many.encode(), ETHOS_ETHOS__DATABASE=database), 1)
    assert "the disk is full" in done.err
    assert "free some space" in done.err
    assert commands("status", "--json").data["counts"]["episodes"] == 1
    assert any("disk" in line for line in commands("doctor").out.splitlines() if line.startswith(("fail", "warn")))
    (mounted / "filler").unlink()
    sound(commands("capture", "-", stdin=AFTER.encode()), 0)
    assert commands("status", "--json").data["counts"]["episodes"] == 2


def test_what_is_held_can_be_read_on_a_full_disk(mounted: Path, commands: Commands) -> None:
    """No daemon, and not a byte of room: what only reads answers, and what writes is refused."""
    sound(commands("capture", "-", stdin=GOOD.encode()), 0)
    sound(commands("consolidate"), 0)
    fact = commands("facts", "--json").data["facts"][0]["id"]
    with (mounted / "filler").open("wb", buffering=0) as filler, suppress(OSError):
        while filler.write(b"x" * 4_096):
            pass
    assert shutil.disk_usage(mounted).free == 0
    for words in ("status", "facts", "facts --history", f"why {fact}", "diff", "inbox", "projects", "profile", "memory list"):
        sound(commands(*words.split()), 0)
    assert commands("recall", "billing service", "--json").data["hits"]
    assert "the disk is full" in sound(commands("capture", "-", stdin=AFTER.encode()), 1).err
    assert "No space left" in sound(commands("consolidate"), 1).err
    assert "nothing can be read" not in commands("doctor").out
    (mounted / "filler").unlink()
    sound(commands("capture", "-", stdin=AFTER.encode()), 0)
    assert commands("status", "--json").data["counts"]["episodes"] == 2
