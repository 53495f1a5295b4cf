"""Following transcripts that grow: each turn once, whatever happens to the file, and nothing lost when the process dies."""

from __future__ import annotations

import json
import os
import stat
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from ethos.core.model.settings import CaptureSettings
from ethos.edge.capture.follower import SWEEP, Follower
from tests.support.transcript_reading import SAMPLES, ids, items, problems, said, turns

WRITTEN = datetime(2026, 3, 1, tzinfo=UTC)
BUSY = WRITTEN + timedelta(seconds=1)  # somebody is still writing
QUIET = WRITTEN + timedelta(minutes=1)


def line(text: str, **more: object) -> bytes:
    return json.dumps({"role": "user", "text": text, "said_at": "2026-03-01T09:00:00Z", **more}).encode() + b"\n"


def write(path: Path, data: bytes, mode: str = "wb") -> None:
    """Write to a file as if at `WRITTEN`."""
    with path.open(mode) as file:
        file.write(data)
    os.utime(path, (WRITTEN.timestamp(), WRITTEN.timestamp()))


def follower(*paths: Path, cursors: Path | None = None) -> Follower:
    return Follower([str(path) for path in paths], CaptureSettings(), cursors)


def texts(following: Follower, now: datetime = BUSY) -> list[str]:
    """What a poll gives, kept."""
    found = [turn.text for turn in turns(list(following.poll(now)))]
    following.keep()
    return found


def test_a_poll_gives_what_was_written_since_the_last_one(tmp_path: Path) -> None:
    """History first, then each new line once."""
    path = tmp_path / "talk.jsonl"
    write(path, line("one") + line("two"))
    following = follower(path)
    assert texts(following) == ["one", "two"]
    assert texts(following) == []
    write(path, line("three"), "ab")
    assert texts(following) == ["three"]


def test_an_unfinished_line_waits_for_its_end(tmp_path: Path) -> None:
    """Half a line is neither an error nor a turn; when it is complete it comes once, with the id it would have had."""
    path = tmp_path / "talk.jsonl"
    write(path, line("one") + line("two")[:20])
    following = follower(path)
    assert texts(following) == ["one"]
    assert texts(following, QUIET) == []
    write(path, line("two")[20:] + line("three"), "ab")
    found = list(following.poll(BUSY))
    assert ids(found) == ids(items(path))[1:]


def test_a_last_line_without_a_newline_is_taken_when_nobody_goes_on_writing(tmp_path: Path) -> None:
    """A file that just ends so loses nothing, and the lines after it keep their numbers if it does go on."""
    path = tmp_path / "talk.jsonl"
    write(path, line("one") + line("two").rstrip())
    following = follower(path)
    assert texts(following) == ["one"]
    assert texts(following, QUIET) == ["two"]
    write(path, b"\n" + line("three"), "ab")
    found = list(following.poll(BUSY))
    assert ids(found) == ids(items(path))[2:]


def test_a_truncated_file_is_read_from_its_beginning(tmp_path: Path) -> None:
    """A shorter file is another text; what it repeats has the same ids, so that reading it again is harmless."""
    path = tmp_path / "talk.jsonl"
    write(path, line("one") + line("two") + line("three"))
    following = follower(path)
    texts(following)
    write(path, line("one") + line("new"))
    assert texts(following) == ["one", "new"]


def test_a_file_written_anew_in_place_is_noticed(tmp_path: Path) -> None:
    """The same inode and a greater size, but other bytes before the cursor: it is read from its beginning."""
    path = tmp_path / "talk.jsonl"
    write(path, line("one"))
    following = follower(path)
    texts(following)
    write(path, line("another beginning") + line("and more"))
    assert texts(following) == ["another beginning", "and more"]


def test_rotation_loses_nothing(tmp_path: Path) -> None:
    """Lines written just before the file was moved away are read from where it lies now, under the name they were written in."""
    path = tmp_path / "talk.jsonl"
    write(path, line("one"))
    following = follower(path)
    texts(following)
    write(path, line("two"), "ab")
    late = ids(items(path))[1]
    path.rename(tmp_path / "talk.jsonl.1")
    write(path, line("three"))
    found = list(following.poll(BUSY))
    assert [turn.text for turn in turns(found)] == ["two", "three"]
    assert ids(found)[0] == late


def test_new_files_and_folders_are_found(tmp_path: Path) -> None:
    """A file in a folder we know is seen in the next poll, one in a folder inside a new folder in the next sweep at the latest."""
    (tmp_path / "a").mkdir()
    write(tmp_path / "a" / "first.jsonl", line("one"))
    following = follower(tmp_path)
    assert texts(following) == ["one"]
    write(tmp_path / "a" / "second.jsonl", line("two"))
    assert texts(following) == ["two"]
    (tmp_path / "b" / "c").mkdir(parents=True)
    write(tmp_path / "b" / "c" / "third.jsonl", line("three"))
    assert texts(following, BUSY + SWEEP) == ["three"]


def test_after_a_restart_it_goes_on_where_it_was(tmp_path: Path) -> None:
    """The cursors outlive the process; the file they are in is ours alone."""
    path, cursors = tmp_path / "talk.jsonl", tmp_path / "state" / "cursors.json"
    write(path, line("one"))
    assert texts(follower(path, cursors=cursors)) == ["one"]
    assert stat.S_IMODE(cursors.stat().st_mode) == 0o600
    write(path, line("two"), "ab")
    assert texts(follower(path, cursors=cursors)) == ["two"]


@pytest.mark.parametrize("damage", [b"", b"{", b"[]", b'{"version":9,"files":{}}', b'{"version":1,"files":{"x":[1]}}', b"\x00\xff"])
def test_lost_cursors_only_mean_reading_again(tmp_path: Path, damage: bytes) -> None:
    """Damaged cursors are none: everything comes again, with the ids it had."""
    path, cursors = tmp_path / "talk.jsonl", tmp_path / "cursors.json"
    write(path, line("one") + line("two"))
    cursors.write_bytes(damage)
    assert ids(list(follower(path, cursors=cursors).poll(BUSY))) == ids(items(path))


def test_what_was_not_stored_is_given_again(tmp_path: Path) -> None:
    """Only `keep` moves the cursors for good: after a failed transaction `rewind` gives the same items, and so does a restart."""
    path, cursors = tmp_path / "talk.jsonl", tmp_path / "cursors.json"
    write(path, line("one"))
    following = follower(path, cursors=cursors)
    list(following.poll(BUSY))
    following.rewind()
    assert texts(follower(path, cursors=cursors)) == ["one"]
    assert [turn.text for turn in turns(list(following.poll(BUSY)))] == ["one"]


def _claude(kind: str, uuid: str, text: str, message: str | None = None) -> bytes:
    body = {"role": kind, "id": message, "content": [{"type": "text", "text": text}], "stop_reason": None}
    record = {"type": kind, "uuid": uuid, "sessionId": "s", "timestamp": "2026-03-01T09:00:00Z", "message": body}
    return json.dumps(record).encode() + b"\n"


def test_a_message_in_several_lines_comes_once_and_whole(tmp_path: Path) -> None:
    """While a message of the assistant grows nothing of it is given, even across a restart; what ends it brings it out."""
    path, cursors = tmp_path / "s.jsonl", tmp_path / "cursors.json"
    write(path, _claude("user", "u1", "Go on.") + _claude("assistant", "u2", "First", "m"))
    assert texts(follower(path, cursors=cursors)) == ["Go on."]
    write(path, _claude("assistant", "u3", "and second.", "m"), "ab")
    following = follower(path, cursors=cursors)
    assert texts(following) == []
    write(path, _claude("user", "u4", "Thanks."), "ab")
    assert texts(following) == ["First\n\nand second.", "Thanks."]
    write(path, _claude("assistant", "u5", "The end.", "n"), "ab")
    assert texts(following) == []
    assert texts(following, QUIET) == ["The end."]


def test_a_codex_rollout_keeps_its_session_across_a_restart(tmp_path: Path) -> None:
    """What stands in the first line only is remembered with the cursor."""
    sample = (SAMPLES / "rollout-2026-03-03T10-00-00-c0de-1.jsonl").read_bytes().splitlines(keepends=True)
    path, cursors = tmp_path / "rollout-x.jsonl", tmp_path / "cursors.json"
    write(path, b"".join(sample[:6]))
    assert texts(follower(path, cursors=cursors)) == ["Let's go with Postgres."]
    write(path, b"".join(sample[6:]), "ab")
    found = turns(list(follower(path, cursors=cursors).poll(BUSY)))
    assert {(turn.session, turn.project) for turn in found} == {("c0de-1", "heron")}


def test_a_transcript_that_is_read_whole_is_read_when_it_has_settled(tmp_path: Path) -> None:
    """A document that is being written is left alone; then it is read, and again only when it has changed."""
    path, cursors = tmp_path / "2026-03-04_14-05-x.md", tmp_path / "cursors.json"
    sample = (SAMPLES / "2026-03-04_14-05-naming-the-cli.md").read_bytes()
    write(path, sample)
    following = follower(tmp_path, cursors=cursors)
    assert texts(following) == []
    assert len(texts(following, QUIET)) == 3
    assert texts(following, QUIET) == []
    assert texts(follower(tmp_path, cursors=cursors), QUIET) == []
    write(path, sample + b"\n_**User**_\n\nOne more.\n")
    assert texts(following, QUIET)[-1] == "One more."


def test_what_cannot_be_read_is_told_once(tmp_path: Path) -> None:
    """A missing path, a damaged export, a link in a folder: each a problem, and not in every poll."""
    (tmp_path / "conversations.json").write_bytes((SAMPLES / "conversations.json").read_bytes()[:900])
    os.utime(tmp_path / "conversations.json", (WRITTEN.timestamp(), WRITTEN.timestamp()))
    (tmp_path / "link.jsonl").symlink_to(SAMPLES / "finetune.jsonl")
    following = follower(tmp_path, tmp_path / "missing.jsonl")
    told = sorted(problem.what[:13] for problem in problems(list(following.poll(QUIET))))
    assert told == ["a link; links", "no such file ", "truncated JSO"]
    assert list(following.poll(QUIET)) == []


def test_a_file_that_is_gone_is_forgotten_and_a_new_one_is_read(tmp_path: Path) -> None:
    """Deleting a followed file is no error; one that comes under its name is another."""
    path, cursors = tmp_path / "talk.jsonl", tmp_path / "cursors.json"
    write(path, line("one"))
    following = follower(tmp_path, cursors=cursors)
    texts(following)
    path.unlink()
    assert texts(following) == []
    write(path, line("two"))
    assert texts(following, BUSY + SWEEP) == ["two"]


def test_a_file_of_no_known_format_is_left_alone_until_it_has_one(tmp_path: Path) -> None:
    """A file in a followed folder may begin with something we do not know; when it becomes a transcript it is read."""
    path = tmp_path / "new.jsonl"
    write(path, b'{"hello": 1}\n')
    following = follower(tmp_path)
    assert list(following.poll(QUIET)) == []
    write(path, line("one"), "ab")
    assert texts(following) == ["one"]


WHOLE = {name: (SAMPLES / name).read_bytes() for name in ("claude-code.jsonl", "rollout-2026-03-03T10-00-00-c0de-1.jsonl")}
WHOLE["talk.jsonl"] = b"".join(line(f"turn {number}", **({"id": f"t{number}"} if number % 3 else {})) for number in range(12))


@settings(max_examples=60, suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow])
@given(name=st.sampled_from(sorted(WHOLE)), cuts=st.lists(st.floats(0, 1), max_size=6), restarts=st.sets(st.integers(0, 6)))
def test_however_a_file_grows_each_turn_comes_once(tmp_path: Path, name: str, cuts: list[float], restarts: set[int]) -> None:
    """Cut at any bytes, with restarts between any polls: what was followed is what a single reading gives, in its order."""
    path, cursors = tmp_path / name, tmp_path / "cursors.json"
    cursors.unlink(missing_ok=True)
    data = WHOLE[name]
    ends = [*sorted(round(cut * len(data)) for cut in cuts), len(data)]
    following, start, found = follower(path, cursors=cursors), 0, []
    path.unlink(missing_ok=True)
    for number, end in enumerate(ends):
        write(path, data[start:end], "ab")
        if number in restarts:
            following = follower(path, cursors=cursors)
        found += list(following.poll(QUIET if end == len(data) else BUSY))
        following.keep()
        start = end
    assert ids(found) == ids(items(path))
    assert said(found) == said(items(path))
