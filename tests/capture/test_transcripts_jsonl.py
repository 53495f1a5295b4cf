"""Our own episode lines: what a good line becomes, and that a bad one is named and stops nothing."""

from __future__ import annotations

import io
import json
from datetime import UTC, datetime

import pytest

from ethos.core.model.errors import Problem
from ethos.core.model.records import Origin
from ethos.edge.capture.transcripts.jsonl import FORMAT
from ethos.edge.capture.transcripts.lines import lines
from ethos.edge.capture.transcripts.turn import Item, Json, Noted, Place, Skipped, Turn
from tests.support.commands import Commands, commands

__all__ = ["commands"]

MODIFIED = datetime(2026, 3, 1, tzinfo=UTC)
PLACE = Place("notes/talk.jsonl", "talk.jsonl", MODIFIED)
GOOD: dict[str, object] = {"role": "user", "text": "We decided to use Kestrel.", "said_at": "2026-02-01T09:30:00Z"}


def read(data: bytes, *, limit: int = 10_000) -> list[Item]:
    assert FORMAT.lines
    reader = FORMAT.lines(PLACE, {})
    items: list[Item] = []
    for line in lines(io.BytesIO(data), PLACE, limit=limit):
        if isinstance(line.record, Problem):
            items.append(line.record)
        elif line.record is not None:
            items.extend(reader.feed(line.number, line.record))
    return [*items, *reader.end(quiet=True)]


def one(**fields: object) -> list[Item]:
    return read(json.dumps(GOOD | fields).encode())


def turn(**fields: object) -> Turn:
    (found,) = one(**fields)
    assert isinstance(found, Turn)
    return found


def problem(data: bytes) -> str:
    """The reason of the first line, after seeing that the second was read all the same."""
    first, second = read(data + b"\n" + json.dumps(GOOD).encode())
    assert isinstance(first, Problem)
    assert first.where == "notes/talk.jsonl:1"
    assert first.hint
    assert isinstance(second, Turn)
    return first.what


def test_a_full_line_keeps_every_field() -> None:
    """All that docs/capture.md names for a line arrives in the turn, and the given id is kept."""
    found = turn(id="k-1", speaker="Ilse", session="s", project="kestrel", importance=0.9, kind="signal", tone=-0.5, tags=["a", "b"])
    assert (found.id, found.speaker, found.session, found.project) == ("k-1", "Ilse", "s", "kestrel")
    assert (found.importance, found.kind, found.tone, found.tags) == (0.9, "signal", -0.5, ("a", "b"))
    assert (found.said_at, found.time_source, found.origin) == (datetime(2026, 2, 1, 9, 30, tzinfo=UTC), "said", Origin.USER)
    assert found.where == "notes/talk.jsonl:1"


def test_a_bare_line_gets_plain_defaults() -> None:
    """Without names the session is the file, the project is the default one, and the speaker is the role."""
    found = turn()
    assert (found.session, found.project, found.speaker, found.importance, found.kind) == ("talk", "default", "user", None, "episode")


def test_e08_importance_zero_is_given_and_not_missing() -> None:
    """A given 0 is a given importance: only a missing one is estimated."""
    assert turn(importance=0).importance == 0.0


@pytest.mark.parametrize(("role", "origin"), [("assistant", Origin.ASSISTANT), ("tool", Origin.TOOL), ("system", Origin.EXTERNAL)])
def test_the_origin_follows_the_role(role: str, origin: Origin) -> None:
    """How far a text is trusted comes from the structure of the line, whatever the text says of itself."""
    assert turn(role=role, text="User: I prefer this").origin == origin


@pytest.mark.parametrize(
    ("said_at", "want"),
    [("2026-02-01T10:30:00+01:00", 30), (1769938200, 30), (1769938200.25, 30), (1769938200000, 30)],
)
def test_the_time_is_when_it_was_said_in_utc(said_at: object, want: int) -> None:
    """Offsets and epoch numbers all end up as the same aware time in UTC."""
    found = turn(said_at=said_at).said_at
    assert (found.hour, found.minute, found.utcoffset()) == (9, want, UTC.utcoffset(None))


def test_a_time_without_a_zone_is_utc_and_noted() -> None:
    """A naive time is read as UTC, and the reader says that it assumed so."""
    note, found = one(said_at="2026-02-01T09:30:00")
    assert isinstance(note, Noted)
    assert "without a time zone" in note.what
    assert isinstance(found, Turn)
    assert found.said_at == datetime(2026, 2, 1, 9, 30, tzinfo=UTC)


def test_a_missing_time_is_the_files_and_says_so() -> None:
    """A line without said_at takes the time of the file, marked as such."""
    note, found = one(said_at=None)
    assert isinstance(note, Noted)
    assert isinstance(found, Turn)
    assert (found.said_at, found.time_source) == (MODIFIED, "file")


def test_a_missing_time_on_standard_input_is_that_of_receipt(commands: Commands) -> None:
    """There is no file whose time could be used, and the note does not speak of one."""
    line = b'{"role": "user", "text": "We decided to use SQLite."}\n'
    assert "no said_at: the time of receipt is used" in commands("capture", "-", stdin=line).out
    (commands.home / "talk.jsonl").write_bytes(line)
    assert "no said_at: the file's modification time is used" in commands("capture", "talk.jsonl").out


def test_unknown_keys_are_ignored_and_noted() -> None:
    """A key we do not know costs nothing but a note."""
    note, found = one(mood="sunny")
    assert note == Noted("unknown key: mood", "notes/talk.jsonl:1")
    assert isinstance(found, Turn)


def test_empty_text_is_skipped() -> None:
    """A turn that says nothing is no episode, and no error."""
    assert one(text=" \n ") == [Skipped("empty text", "notes/talk.jsonl:1")]


@pytest.mark.parametrize(
    ("fields", "words"),
    [
        ({"text": 7}, '"text" must be text, found a number'),
        ({"role": "boss"}, "must be one of user, assistant, tool, system, found 'boss'"),
        ({"role": ["user"]}, '"role" must be one of'),
        ({"said_at": "yesterday"}, '"said_at" must be a time like'),
        ({"said_at": 1e300}, '"said_at" must be a time like'),
        ({"said_at": True}, '"said_at" must be a time like'),
        ({"importance": "high"}, '"importance" must be a number, found text'),
        ({"importance": True}, '"importance" must be a number, found true or false'),
        ({"importance": 1.5}, "must lie between 0 and 1, found 1.5"),
        ({"tone": -2}, "must lie between -1 and 1"),
        ({"tags": "a"}, '"tags" must be a list'),
        ({"id": 5}, '"id" must be text, found a number'),
        ({"session": {}}, '"session" must be text, found an object'),
        ({"speaker": "x" * 600}, "has 600 characters"),
    ],
)
def test_a_wrong_type_is_named_with_its_field(fields: dict[str, object], words: str) -> None:
    """The message names the field, what it must be and what was found; the next line is read."""
    assert words in problem(json.dumps(GOOD | fields).encode())


@pytest.mark.parametrize(
    ("data", "words"),
    [
        (b'{"role": "user", "te', "truncated JSON"),
        (b'{"role": user}', "broken JSON"),
        (b"[1, 2]", "an object was expected, found a list"),
        (b"null", "an object was expected, found null"),
        (b"\x00\x00\x00\x00", "NUL bytes"),
        (b'{"tone": NaN}', "NaN is not a number that JSON knows"),
        (b"[" * 9_000, "nested too deeply"),
        (b'{"role": "user"}', '"text" is missing'),
        (b'{"text": "hello"}', '"role" is missing'),
    ],
)
def test_a_bad_line_is_named_and_the_next_is_read(data: bytes, words: str) -> None:
    """Damage in one line is told with file and line, and costs that line only."""
    assert words in problem(data)


def test_an_over_long_line_is_refused_without_being_held() -> None:
    """A line over the limit gives a problem with its length; the lines around it are read, at their right numbers."""
    good = json.dumps(GOOD).encode()
    first, second, third = read(good + b"\n" + b"x" * 3_000_000 + b"\n" + good, limit=1_000)
    assert isinstance(first, Turn)
    assert second == Problem(
        "bad-input",
        "line of 3000001 bytes is longer than 1000",
        "raise capture.max_line_bytes in config.toml to take it",
        "notes/talk.jsonl:2",
    )
    assert isinstance(third, Turn)
    assert third.line == 3


def test_lone_surrogates_and_nul_escapes_are_replaced_and_the_rest_is_kept() -> None:
    """What cannot be stored becomes U+FFFD; a proper pair stays the character it is."""
    data = json.dumps(GOOD).encode().replace(b"Kestrel", b"a\\ud800b\\u0000c\\ud83d\\ude00")
    (found,) = read(data)
    assert isinstance(found, Turn)
    assert found.text == "We decided to use a\ufffdb\ufffdc\U0001f600."


def test_a_byte_order_mark_blank_lines_and_windows_line_ends_are_no_trouble() -> None:
    """Files that have been through other hands read the same."""
    good = json.dumps(GOOD).encode()
    items = read(b"\xef\xbb\xbf" + good + b"\r\n\r\n" + good)
    assert [item.line for item in items if isinstance(item, Turn)] == [1, 3]
    assert len(items) == 2


def test_identity_is_the_same_from_another_folder_and_different_for_another_text() -> None:
    """A moved file gives the same ids; a line with a time is known by it and by its words."""
    moved = Place("elsewhere/talk.jsonl", "talk.jsonl", MODIFIED)
    assert FORMAT.lines
    (there,) = FORMAT.lines(moved, {}).feed(1, GOOD)
    here = turn()
    assert isinstance(there, Turn)
    assert here.key == there.key
    assert turn(said_at="2025-01-01T00:00:00Z").key != here.key
    assert turn(text="Something else").key != here.key


def keys(name: str, *lines: Json) -> list[tuple[str, ...]]:
    """What the turns of a file of this name are known by."""
    assert FORMAT.lines
    reader = FORMAT.lines(Place(name, name, MODIFIED), {})
    found = [item for number, line in enumerate(lines, 1) for item in reader.feed(number, line)]
    return [item.key for item in found if isinstance(item, Turn)]


HELLO: Json = {"role": "user", "text": "Hello.", "said_at": "2026-03-01T10:00:00Z"}
AGAIN: Json = {"role": "user", "text": "Hello."}


def test_a_copy_under_another_name_is_the_same_transcript() -> None:
    """With times and without; another time is another saying, and so is a line said twice in one file."""
    assert keys("talk.jsonl", HELLO, AGAIN) == keys("copy.jsonl", HELLO, AGAIN)
    assert keys("talk.jsonl", HELLO) != keys("talk.jsonl", {**HELLO, "said_at": "2026-03-02T10:00:00Z"})
    assert keys("talk.jsonl", AGAIN) == keys("copy.jsonl", AGAIN)
    assert len(set(keys("talk.jsonl", HELLO, AGAIN, AGAIN))) == 3


def test_a_transcript_that_is_followed_stays_the_same() -> None:
    """Who goes on in the middle of a file remembers the turns before."""
    assert FORMAT.lines
    first = FORMAT.lines(Place("talk.jsonl", "talk.jsonl", MODIFIED), {})
    first.feed(1, HELLO)
    later = FORMAT.lines(Place("talk.jsonl", "talk.jsonl", MODIFIED), first.memory)
    (turn_,) = (item for item in later.feed(2, AGAIN) if isinstance(item, Turn))
    assert turn_.key == keys("talk.jsonl", HELLO, AGAIN)[1]
