"""Capture when things are not as they should be: names that are no text, refused episodes, killed commands, large files, deep folders."""

from __future__ import annotations

import json
import os
import random
import signal
import subprocess
import sys
import threading
import time
import tracemalloc
import zipfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import replace
from datetime import timedelta
from io import BytesIO
from pathlib import Path
from typing import IO

import pytest

from ethos.app import Ethos
from ethos.core.model.settings import CaptureSettings
from ethos.edge.capture.follower import Follower
from ethos.edge.capture.transcripts.documents import LARGEST
from ethos.edge.capture.transcripts.reading import read
from ethos.edge.capture.transcripts.turn import Turn
from ethos.edge.client import capturing
from ethos.edge.files import spool
from ethos.edge.files.spelling import spelled, unspelled
from tests.support.commands import Commands, commands, daemon, environment, spawn
from tests.support.telling import said
from tests.support.transcript_reading import LATER, SAMPLES, items, problems, turns

__all__ = ["commands"]

SECRET = "Zebra9Lisboa44"
PRIVATE = "Marigold17Terrace"
LINES = 800  # of a capture that is killed
LATIN = os.fsdecode(b"proj-\xe9")


def line(text: str, **more: object) -> str:
    """An episode line of the user."""
    return json.dumps({"role": "user", "text": text, **more}) + "\n"


# -- H7: acknowledged means written


def test_a_path_that_is_not_utf8_has_a_spelling_and_the_spelling_leads_to_it(tmp_path: Path) -> None:
    """What is text stays as it is, also where it looks like a spelling."""
    assert spelled("/srv/größe/a b") == "/srv/größe/a b"
    assert spelled(f"/srv/{LATIN}/x") == "/srv/proj-\\xe9/x"
    assert unspelled("/srv/proj-\\xe9/x") == f"/srv/{LATIN}/x"
    assert unspelled("/srv/a\\xzz\\x41\\x") == "/srv/a\\xzz\\x41\\x"
    literal = tmp_path / "proj-\\xe9"
    literal.mkdir()
    assert unspelled(str(literal)) == str(literal)


def test_fault_h7_a_folder_that_is_not_utf8_is_captured_and_counted_as_stored(commands: Commands, tmp_path: Path) -> None:
    """The folder above it, the file itself, and its spelling: one episode, and it is in the store."""
    folder = tmp_path / "work" / LATIN
    folder.mkdir(parents=True)
    (folder / "talk.jsonl").write_text(line("We use uv.", said_at="2026-03-01"), encoding="utf-8")
    first = commands("capture", "--json", tmp_path / "work").data
    assert (first["added"], first["problems"]) == (1, [])
    for path in (folder / "talk.jsonl", folder, spelled(str(folder))):
        again = commands("capture", "--json", path).data
        assert (again["added"], again["known"], again["problems"]) == (0, 1, [])
    assert "1 held" in commands("status").out


def test_fault_h7_through_a_daemon_a_path_that_is_not_utf8_is_captured(tmp_path: Path) -> None:
    """Named itself on the command line."""
    folder = tmp_path / LATIN
    folder.mkdir()
    (folder / "talk.jsonl").write_text(line("We use uv.", said_at="2026-03-01"), encoding="utf-8")
    with daemon(tmp_path):
        done = spawn(tmp_path, "capture", "--json", folder)
        assert done.code == 0
        assert done.data["added"] == 1


def test_fault_h7_what_the_store_refuses_is_not_counted_and_is_named(ethos: Ethos) -> None:
    """The others of the same chunk are in."""
    bad = replace(said("We use \udce9.", record="2"), source="bad.jsonl")
    captured = ethos.capture([said("We use uv."), bad, said("We use ruff.", record="3")])
    assert (captured.added, captured.known) == (2, 0)
    assert [(each.source, bool(each.error)) for each in captured.refused] == [("bad.jsonl", True)]
    assert ethos.capture([said("We use uv.")]).known == 1


def test_fault_h7_a_cursor_stays_before_what_was_refused(tmp_path: Path) -> None:
    """The file is read again when it changes, from where it was stored; other files go on, also after a restart."""
    for name in ("good.jsonl", "bad.jsonl"):
        (tmp_path / name).write_text(line("One."), encoding="utf-8")
    cursors = tmp_path / "cursors.json"
    follower = Follower([str(tmp_path)], CaptureSettings(), cursors)
    assert len(turns(list(follower.poll(LATER)))) == 2
    follower.keep(refused=[str(tmp_path / "bad.jsonl")])
    assert turns(list(follower.poll(LATER))) == []
    for name in ("good.jsonl", "bad.jsonl"):
        with (tmp_path / name).open("a", encoding="utf-8") as file:
            file.write(line("Two."))
    told = [(Path(turn.source).name, turn.text) for turn in turns(list(follower.poll(LATER + timedelta(seconds=90))))]
    assert told == [("bad.jsonl", "One."), ("bad.jsonl", "Two."), ("good.jsonl", "Two.")]
    anew = Follower([str(tmp_path)], CaptureSettings(), cursors)
    assert [Path(turn.source).name for turn in turns(list(anew.poll(LATER)))] == ["bad.jsonl", "bad.jsonl", "good.jsonl"]


# -- H8: nothing raw on the disk


def raw_in(folder: Path) -> list[str]:
    """The files below a folder that hold the secret or the private part."""
    files = [path for path in folder.rglob("*") if path.is_file()]
    return [str(path) for path in files if any(word.encode() in path.read_bytes() for word in (SECRET, PRIVATE))]


@contextmanager
def fed(home: Path, lines: bytes) -> Iterator[subprocess.Popen[bytes]]:
    """Give a command that captures these lines from standard input, and wait for its end."""
    process = subprocess.Popen(
        [sys.executable, "-m", "ethos", "capture", "-q", "-"],
        cwd=home,
        env=environment(home),
        stdin=subprocess.PIPE,
        stdout=subprocess.DEVNULL,
    )
    assert process.stdin is not None
    feeder = threading.Thread(target=feed, args=(process.stdin, lines))
    feeder.start()
    yield process
    process.wait(120)
    feeder.join()


def feed(pipe: IO[bytes], lines: bytes) -> None:
    """Write the lines, as long as somebody reads."""
    with suppress(BrokenPipeError), pipe:
        pipe.write(lines)


def kill_at_random(home: Path, times: int, seed: int) -> tuple[int, int]:
    """Kill a command that captures from standard input so many times while it works; how many times, and how often it was too late.

    Its work lies between the time that it takes for one line, and that for all of them. Both are taken first, since a machine may be busy.
    """
    chance = random.Random(seed)
    words = f"The db password is {SECRET}. <private>{PRIVATE}</private> And the weather is fine. " + "It rains. " * 20
    lines = "".join(line(f"{words}{number}") for number in range(LINES)).encode()
    first, usual = (min(timed(home, part) for _ in range(2)) for part in (lines.splitlines(keepends=True)[0], lines))
    killed = late = 0
    while killed < times:
        with fed(home, lines.replace(b"fine", f"fine {killed} {late}".encode())) as process:
            time.sleep(chance.uniform(min(first, 0.9 * usual), usual))
            process.send_signal(chance.choice((signal.SIGKILL, signal.SIGTERM)))
        struck = process.returncode != 0
        usual *= 1.01 if struck else 0.95
        killed += struck
        late += not struck
        assert raw_in(home) == []
    return killed, late


def timed(home: Path, lines: bytes) -> float:
    """Seconds of a capture that nobody kills."""
    begun = time.monotonic()
    with fed(home, lines) as process:
        pass
    assert process.returncode == 0
    return time.monotonic() - begun


@pytest.mark.no_cover  # the same lines, hundreds of times
def test_fault_h8_a_killed_capture_leaves_nothing_raw(tmp_path: Path) -> None:
    """With a daemon running; and what an older version left is gone when the daemon starts."""
    left = tmp_path / ".local/state/ethos/spool/999999999/stdin"
    left.parent.mkdir(parents=True)
    left.write_text(line(f"The db password is {SECRET}"), encoding="utf-8")
    with daemon(tmp_path):
        assert not left.parent.parent.exists()
        kill_at_random(tmp_path, 8, seed=8)
    assert raw_in(tmp_path) == []


@pytest.mark.torture
@pytest.mark.parametrize("seed", range(10))
def test_fault_h8_a_killed_capture_leaves_nothing_raw_in_many_trials(tmp_path: Path, seed: int) -> None:
    """Longer."""
    with daemon(tmp_path):
        came, late = kill_at_random(tmp_path, 35, seed)
    print(f"seed {seed}, capture: {came} killed while it worked, {late} too late")  # noqa: T201 (what a run is told again by)
    assert raw_in(tmp_path) == []


def test_fault_h8_the_spool_of_a_dead_process_is_removed_and_that_of_a_live_one_is_not(tmp_path: Path) -> None:
    """An older version may be writing there just now; an old file of a living process is another's."""
    dead, live, stale, odd = (tmp_path / "spool" / name for name in ("999999999", str(os.getpid()), "1", "x"))
    for folder in (dead, live, stale, odd):
        folder.mkdir(parents=True)
        (folder / "stdin").write_text(SECRET, encoding="utf-8")
    os.utime(stale, (1, 1))
    spool.clear(tmp_path)
    assert [each.exists() for each in (dead, live, stale, odd)] == [False, True, False, False]


def test_fault_h8_any_capture_removes_what_is_left_in_the_spool(commands: Commands, tmp_path: Path) -> None:
    """Without a daemon, too."""
    left = tmp_path / ".local/state/ethos/spool/999999999/stdin"
    left.parent.mkdir(parents=True)
    left.write_text(SECRET, encoding="utf-8")
    assert commands("capture", "-", stdin=line("We use uv.").encode()).code == 0
    assert not left.parent.parent.exists()


def test_fault_h8_standard_input_in_parts_is_as_in_one(tmp_path: Path) -> None:
    """Many lines, letters that JSON writes long, a bad line, a line too long for the socket, and no newline at the end."""
    rows = [line(f"Sentence {number} of the long talk about ships.", session="s") for number in range(1_500)]
    rows += ['{"role": "user"\n', line("鳥" * 3_000), line("A long turn. " * 20_000), line("Behind it."), line("At the end.").rstrip()]
    with daemon(tmp_path):
        done = spawn(tmp_path, "capture", "--json", "-", stdin="".join(rows).encode())
        assert (done.code, done.data["added"], done.data["files"]) == (1, 1_504, 1)
        (problem,) = done.data["problems"]
        assert problem["where"] == "standard input:1501"
        empty = spawn(tmp_path, "capture", "--json", "-")
        assert (empty.code, empty.data["added"]) == (0, 0)
        other = spawn(
            tmp_path, "capture", "--json", "--format", "openai-messages", "-", stdin=b'[{"role": "user", "content": "We use uv."}]'
        )
        assert (other.code, other.data["added"]) == (0, 1)


def test_parts_are_whole_lines_that_fit_into_a_request() -> None:
    """Every byte once, in order; the rest as a stream where a line is too long."""
    rows = [f"{number:05} {'x' * 90}\n" for number in range(5_000)]
    found = list(capturing.parts(BytesIO("".join(rows).encode())))
    assert len(found) > 5
    assert all(isinstance(part, str) and part.endswith("\n") and len(json.dumps(part)) < 60_000 for part in found)
    assert "".join(str(part) for part in found) == "".join(rows)
    first, rest = capturing.parts(BytesIO(b"short\n" + b"y" * 200_000 + b"\nlast"))
    assert (first, isinstance(rest, str)) == ("short\n", False)
    assert not isinstance(rest, str)
    assert rest.read() == b"y" * 200_000 + b"\nlast"


# -- M4: bounded memory


def export(path: Path, conversations: int, text: str) -> None:
    """An export of ChatGPT of one turn a conversation."""
    with path.open("w", encoding="utf-8") as file:
        file.write("[")
        for number in range(conversations):
            message = {"id": f"m{number}", "author": {"role": "user"}, "content": {"content_type": "text", "parts": [text]}}
            file.write("," * bool(number) + json.dumps({"id": f"c{number}", "current_node": "a", "mapping": {"a": {"message": message}}}))
        file.write("]")


@pytest.mark.parametrize("form", ["chatgpt", "zip", "conversations", "messages"])
def test_fault_m4_a_large_document_is_read_in_little_memory(tmp_path: Path, form: str) -> None:
    """Of a list of conversations, or of messages, no more than a window is held."""
    text = "It rains on the harbour. " * 400
    path = tmp_path / "conversations.json"
    if form in {"chatgpt", "zip"}:
        export(path, 2_400, text)
    else:
        row = {"role": "user", "content": text}
        path.write_text(json.dumps([{"messages": [row]} if form == "conversations" else row] * 2_400), encoding="utf-8")
    size = path.stat().st_size
    if form == "zip":
        with zipfile.ZipFile(tmp_path / "export.zip", "w", zipfile.ZIP_DEFLATED) as archive:
            archive.write(path, "conversations.json")
        path = tmp_path / "export.zip"
    tracemalloc.start()
    count = sum(isinstance(item, Turn) for item in read([str(path)], now=LATER, settings=CaptureSettings()))
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert count == 2_400
    assert size > 20 << 20
    assert peak < size / 2


@pytest.mark.parametrize(
    ("data", "words"),
    [
        (b'[{"mapping": {}}, {"mapping": {"a": 1', "truncated JSON"),
        (b'[{"mapping": {}}, {"mapping" 1}]' + b" " * 100, "broken JSON"),
        (b'[{"mapping": {}}, {"mapping": NaN}]', "NaN"),
        (b'[{"mapping": {}}, ' + b"[" * 200_000, "nested too deeply"),
        (b'[{"mapping": {}}] and more', "more than one value"),
        (b'[{"mapping": {}}, "a\x00b"]', "NUL bytes"),
        (b'[{"mapping": {}}, {"mapping": {}}', "truncated JSON"),
    ],
)
def test_a_list_that_is_damaged_says_where_it_ends_to_be_one(tmp_path: Path, data: bytes, words: str) -> None:
    """What stands before the damage was read."""
    path = tmp_path / "conversations.json"
    path.write_bytes(data)
    (problem,) = problems(items(path))
    assert words in problem.what
    assert problem.hint


def test_a_list_is_read_alike_wherever_the_window_ends(tmp_path: Path) -> None:
    """Letters of several bytes, escapes, lone surrogates and numbers that stand across the end of a window."""
    for shift in range(12):
        texts = ["x" * ((1 << 20) - 150 + shift) + "ö鳥\U0001f600\\ \ud800 end", "second"]
        path = tmp_path / "conversations.json"
        rows = []
        for at, text in enumerate(texts):
            body = {"content_type": "text", "parts": [text]}
            message = {"id": f"m{at}", "author": {"role": "user"}, "weight": 1.25, "content": body}
            rows.append({"id": f"c{at}", "current_node": "a", "mapping": {"a": {"message": message}}})
        path.write_bytes(b"\xef\xbb\xbf " + json.dumps(rows, ensure_ascii=bool(shift % 2)).encode("utf-8", "surrogatepass"))
        found = [turn.text for turn in turns(items(path, settings=CaptureSettings(max_text_chars=2 << 20)))]
        assert [len(text) for text in found][1:] == [6]
        assert found[0].rstrip(" end").rstrip("\ufffd").endswith("ö鳥\U0001f600\\ ")


def test_one_conversation_that_is_too_long_is_refused_with_a_hint(tmp_path: Path) -> None:
    """The window has an end."""
    path = tmp_path / "conversations.json"
    path.write_bytes(b'[{"mapping": {}}, {"mapping": {"a": "' + b"x" * (LARGEST + (2 << 20)) + b'"}}]')
    (problem,) = problems(items(path))
    assert "in one conversation" in problem.what


# -- what a newcomer stumbles over


def test_the_argument_of_a_slash_command_is_no_turn(tmp_path: Path) -> None:
    """It is said to a command, not to the agent."""
    text = "<command-name>/note</command-name>\n<command-message>note</command-message>\n<command-args>We use Redis.</command-args>"
    path = tmp_path / "s.jsonl"
    row = {"type": "user", "uuid": "u1", "sessionId": "s1", "message": {"role": "user", "content": text}}
    path.write_text(json.dumps(row) + "\n", encoding="utf-8")
    assert turns(items(path)) == []


def test_a_folder_of_unknown_files_alone_fails(commands: Commands, tmp_path: Path) -> None:
    """One that holds a transcript among them does not."""
    folder = tmp_path / "work"
    folder.mkdir()
    (folder / "notes.jsonl").write_text('{"note": "nothing"}\n', encoding="utf-8")
    done = commands("capture", folder)
    assert done.code == 1
    assert "no transcripts in this folder" in done.out
    (folder / "talk.jsonl").write_text(line("We use uv."), encoding="utf-8")
    assert commands("capture", folder).code == 0


def test_an_unknown_file_is_told_what_is_known(commands: Commands, tmp_path: Path) -> None:
    """The formats, and that this is none of them."""
    (tmp_path / "notes.txt").write_text("nothing", encoding="utf-8")
    done = commands("capture", "notes.txt")
    assert done.code == 1
    assert all(name in done.out for name in ("chatgpt", "claude-code", "jsonl", "specstory"))


def test_a_zip_of_chatgpt_in_a_folder_is_taken_whatever_it_is_called(commands: Commands, tmp_path: Path) -> None:
    """By what is in it; another zip is named and left."""
    folder = tmp_path / "Downloads"
    folder.mkdir()
    with zipfile.ZipFile(folder / "a1b2c3.zip", "w") as archive:
        archive.write(SAMPLES / "conversations.json", "conversations.json")
    with zipfile.ZipFile(folder / "other.zip", "w") as archive:
        archive.writestr("notes.txt", "hello")
    done = commands("capture", "--json", folder).data
    assert done["added"] == 7
    assert [reason for reason in done["skipped"] if "other.zip" in reason]


def dig(top: Path, levels: int) -> None:
    """Make folders in folders, and a transcript in the last one."""
    deep = os.open(top, os.O_RDONLY)
    for _ in range(levels):
        os.mkdir("d", dir_fd=deep)
        below = os.open("d", os.O_RDONLY, dir_fd=deep)
        os.close(deep)
        deep = below
    handle = os.open("deep.jsonl", os.O_WRONLY | os.O_CREAT, 0o600, dir_fd=deep)
    os.write(handle, line("We use uv.").encode())
    os.close(handle)
    os.close(deep)


def test_a_folder_of_1200_levels_is_searched_and_followed(tmp_path: Path) -> None:
    """To its end; a file beside it goes on being followed."""
    (tmp_path / "talk.jsonl").write_text(line("We use ruff."), encoding="utf-8")
    try:
        dig(tmp_path, 1_200)
        assert sorted(turn.text for turn in turns(items(tmp_path))) == ["We use ruff.", "We use uv."]
        follower = Follower([str(tmp_path)], CaptureSettings(), None)
        assert len(turns(list(follower.poll(LATER)))) == 2
    finally:  # what pytest removes it with calls itself for each level
        subprocess.run(["rm", "-rf", tmp_path / "d"], check=True)
