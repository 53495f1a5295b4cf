"""Reading paths: formats told by looking, folders searched with care, and every mistake a value with a hint."""

from __future__ import annotations

import io
import json
import os
import re
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from unicodedata import normalize

import pytest

from ethos.core.model.errors import Refused
from ethos.core.model.records import Role
from ethos.core.model.settings import CaptureSettings
from ethos.core.text.private import public
from ethos.core.text.sentences import fold, mask
from ethos.edge.capture.transcripts.detecting import FORMATS, detect, head_of
from ethos.edge.capture.transcripts.episodes import to_episode
from ethos.edge.capture.transcripts.injected import Tags
from ethos.edge.capture.transcripts.moments import moment
from ethos.edge.capture.transcripts.projects import project_of
from ethos.edge.capture.transcripts.reading import TranscriptFile, find
from ethos.edge.capture.transcripts.turn import Format, Noted, Place
from tests.support.transcript_reading import LATER, SAMPLES, ids, items, problems, said, skipped, turns

LINE = b'{"role": "user", "text": "We use uv.", "said_at": "2026-03-01T09:00:00Z"}\n'
FIRST_TALK = Path(__file__).parents[2] / "samples" / "first-talk.jsonl"


# -- telling formats apart


@pytest.mark.parametrize(
    ("name", "format_name"),
    [
        ("claude-code.jsonl", "claude-code"),
        ("rollout-2026-03-03T10-00-00-c0de-1.jsonl", "codex"),
        ("conversations.json", "chatgpt"),
        ("messages.json", "openai-messages"),
        ("finetune.jsonl", "openai-messages"),
        ("2026-03-04_14-05-naming-the-cli.md", "specstory"),
        ("2026-03-05_08-00-00Z-cache.md", "specstory"),
    ],
)
def test_a_format_is_told_by_looking(name: str, format_name: str) -> None:
    """Every sample is recognised as what it is, and by no other format."""
    with (SAMPLES / name).open("rb") as stream:
        found = detect(head_of(stream), Place(name, name, LATER))
    assert isinstance(found, Format)
    assert found.name == format_name


@pytest.mark.parametrize(
    ("head", "format_name"),
    [
        (LINE, "jsonl"),
        (b"\xef\xbb\xbf" + LINE, "jsonl"),
        (b"broken\n", None),
        (b'{"role": "user", "te\n' + LINE, "jsonl"),
        (b'{"type": "session_meta", "payload": {"base_instructions": "' + b"x" * 70_000, "codex"),
        (b'[{"title": "long", "mapping": {"a": {"message": "' + b"x" * 70_000, "chatgpt"),
        (b'[{"role": "user", "content": "' + b"x" * 70_000, "openai-messages"),
        (b'{"version": 3, "id": "x"}\n', None),
        (b"# Notes\n\nWe use uv.\n", None),
        (b"\x7fELF\x00\x00", None),
    ],
)
def test_a_format_is_told_from_a_beginning_that_is_cut_or_partly_broken(head: bytes, format_name: str | None) -> None:
    """A first line too long to be seen whole, and a first line that is damaged, do not hide what the rest is."""
    found = detect(head, Place("x", "x", LATER))
    assert (found.name if isinstance(found, Format) else None) == format_name


def test_a_file_of_no_known_format_names_the_formats() -> None:
    """The message says what can be read and how to say so."""
    (problem,) = problems(items(Path(__file__)))
    assert "not a transcript" in problem.what
    assert all(name in problem.what for name in FORMATS)
    assert "--format" in problem.hint


def test_an_unknown_format_name_is_refused() -> None:
    """`--format wordperfect` is answered with the names there are."""
    with pytest.raises(Refused) as refused:
        items(FIRST_TALK, format_name="wordperfect")
    assert "claude-code" in refused.value.problem.hint


# -- files and folders


def test_a_folder_is_searched_for_transcripts_and_nothing_else(tmp_path: Path) -> None:
    """Known names in order; what sub-agents and tools left beside a session, and files that are no transcripts, are not read."""
    beside = ("a/s/subagents/x.jsonl", "a/s/tool-results/y.jsonl", "node_modules/z.jsonl", "notes.txt", "a.json")
    for name in ("b/two.jsonl", "a/one.jsonl", *beside):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_bytes(LINE)
    (tmp_path / "a" / "package.jsonl").write_text('{"name": "x"}\n')
    (tmp_path / "README.md").write_text("# Hello")
    found = items(tmp_path)
    assert [turn.source for turn in turns(found)] == [str(tmp_path / "a" / "one.jsonl"), str(tmp_path / "b" / "two.jsonl")]
    assert skipped(found) == {"not a transcript": 1, "not named as transcripts in a folder are; name them themselves: a.json": 1}
    assert problems(found) == []


def test_a_folder_is_searched_for_the_names_that_formats_declare(tmp_path: Path) -> None:
    """Besides `*.jsonl`; a name that only resembles one of them is not taken."""
    names = [
        "2026-03-04_14-05-talk.md",
        "2026-03-05_08-00-00Z.md",
        "conversations-2.json",
        "conversations.json",
        "state.vscdb",
        "store.db",
        "t.JSONL",
    ]
    for name in (*names, "2026-03-04.md", "2026-03-04_14-05-talk.txt", "my-store.db", "store.db-wal", "notes.md"):
        (tmp_path / name).touch()
    assert [found.path.name for found in find(str(tmp_path)) if isinstance(found, TranscriptFile)] == names


def test_what_may_be_a_transcript_of_another_name_is_counted_and_named(tmp_path: Path) -> None:
    """Nothing in a folder is passed over in silence: the first are named, and read when they are named."""
    for name in ("a.json", "export.zip", "more/c.ndjson", "more/d.json", "talk.jsonl"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_bytes(LINE)
    found = items(tmp_path)
    assert skipped(found) == {"not named as transcripts in a folder are; name them themselves: a.json, export.zip, c.ndjson ...": 4}
    assert len(turns(found)) == 1
    assert len(turns(items(tmp_path / "a.json"))) == 1
    assert "export.zip" not in " ".join(skipped(items(tmp_path, tmp_path / "export.zip")))


def test_a_link_in_a_folder_is_not_followed_but_one_that_was_named_is(tmp_path: Path) -> None:
    """A folder cannot make us read what lies elsewhere; a person who names a link means it."""
    (tmp_path / "folder").mkdir()
    (tmp_path / "outside.jsonl").write_bytes(LINE)
    link = tmp_path / "folder" / "link.jsonl"
    link.symlink_to(tmp_path / "outside.jsonl")
    (problem,) = problems(items(tmp_path / "folder"))
    assert "links in a folder are not followed" in problem.what
    assert said(items(link)) == [("user", "We use uv.")]


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can give a file away")
def test_a_file_of_a_stranger_in_our_folder_is_not_read(tmp_path: Path) -> None:
    """What somebody else put into our folder is not ours to believe."""
    path = tmp_path / "planted.jsonl"
    path.write_bytes(LINE)
    os.chown(path, 12345, 12345)
    (problem,) = problems(items(tmp_path))
    assert "different owners" in problem.what
    assert said(items(path)) == [("user", "We use uv.")]


def test_what_cannot_be_read_says_what_to_do_and_stops_nothing(tmp_path: Path) -> None:
    """A missing file, an empty folder, a pipe, then a good file: three problems with hints, one turn."""
    (tmp_path / "empty").mkdir()
    os.mkfifo(tmp_path / "pipe.jsonl")
    (tmp_path / "good.jsonl").write_bytes(LINE)
    found = items(tmp_path / "missing.jsonl", tmp_path / "empty", tmp_path / "pipe.jsonl", "bad\0name", tmp_path / "good.jsonl")
    assert [problem.code for problem in problems(found)] == ["not-found", "not-found", "bad-input", "bad-input"]
    assert all(problem.hint and problem.where for problem in problems(found))
    assert len(turns(found)) == 1


@pytest.mark.skipif(os.geteuid() == 0, reason="root may read everything")
def test_a_folder_that_may_not_be_read_is_told(tmp_path: Path) -> None:
    """A locked folder among others is a problem of its own; the rest is read."""
    (tmp_path / "locked").mkdir(mode=0o000)
    (tmp_path / "good.jsonl").write_bytes(LINE)
    found = items(tmp_path)
    assert [problem.where for problem in problems(found)] == [str(tmp_path / "locked")]
    assert len(turns(found)) == 1


def test_e37_a_home_folder_is_expanded(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """`~/talk.jsonl` is the file in the home folder; a home nobody has is a missing file, not a crash."""
    (tmp_path / "talk.jsonl").write_bytes(LINE)
    monkeypatch.setenv("HOME", str(tmp_path))
    assert len(turns(items("~/talk.jsonl"))) == 1
    assert [problem.code for problem in problems(items("~nobody-of-this-name/talk.jsonl"))] == ["not-found"]


def test_an_empty_file_is_no_error(tmp_path: Path) -> None:
    """A session that has just begun has nothing in it yet."""
    (tmp_path / "new.jsonl").touch()
    assert skipped(items(tmp_path / "new.jsonl")) == {"empty file": 1}


def test_standard_input_is_episode_lines_unless_it_is_said_otherwise() -> None:
    """`-` reads jsonl; a named format is read from there too; a missing time is that of the receipt."""
    (turn,) = turns(items("-", stdin=io.BytesIO(b'{"role": "user", "text": "We use uv."}\n'), now=LATER))
    assert (turn.source, turn.time_source, turn.said_at) == ("standard input", "received", LATER)
    other = items("-", stdin=io.BytesIO((SAMPLES / "messages.json").read_bytes()), format_name="openai-messages")
    assert len(turns(other)) == 3


def test_a_last_line_that_is_being_written_waits_and_one_that_was_cut_is_named(tmp_path: Path) -> None:
    """The same half line is unfinished in a file of a second ago, and damage in one of a year ago."""
    path = tmp_path / "talk.jsonl"
    path.write_bytes(LINE + LINE[:30])
    written = datetime(2026, 3, 1, tzinfo=UTC)
    os.utime(path, (written.timestamp(), written.timestamp()))
    live = items(path, now=written + timedelta(seconds=1))
    assert (problems(live), skipped(live)) == ([], {"unfinished line: taken when it is complete": 1})
    (problem,) = problems(items(path))
    assert "truncated JSON" in problem.what
    assert problem.where == f"{path}:2"


def test_a_text_over_the_limit_is_refused_with_its_line(tmp_path: Path) -> None:
    """The limit is a setting, and the message names it."""
    path = tmp_path / "talk.jsonl"
    path.write_bytes(LINE)
    (problem,) = problems(items(path, settings=replace(CaptureSettings(), max_text_chars=5)))
    assert "max_text_chars" in problem.hint
    assert problem.where == f"{path}:1"


def test_bytes_that_are_no_text_are_told_and_the_rest_is_kept(tmp_path: Path) -> None:
    """A line in Latin-1 is not lost, and not taken in silence either."""
    (tmp_path / "old.jsonl").write_bytes(b'{"role": "user", "text": "caf\xe9 au lait"}\n{"role": "user", "text": "caf\xc3\xa9"}\n')
    found = items(tmp_path / "old.jsonl")
    assert said(found) == [("user", "caf\ufffd au lait"), ("user", "café")]
    assert [item.where[-1] for item in found if isinstance(item, Noted) and "no UTF-8" in item.what] == ["1"]


def test_what_a_person_marks_private_is_left_out(tmp_path: Path) -> None:
    """`<private>` is a person's own mark, in every format: what stands in it never becomes part of an episode."""
    path = tmp_path / "talk.jsonl"
    private = ("We use uv. <private>I am ill.</private>", "<private>all of it</private>")
    rows = [{"role": "user", "text": text, "said_at": 0} for text in private]
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    found = items(path)
    assert said(found) == [("user", "We use uv.")]
    assert skipped(found) == {"private": 1}


@pytest.mark.parametrize("opening", ["<Private>", "<PRIVATE>", "< private>", "<private >", '<PrIvAtE note="x">'])
@pytest.mark.parametrize("closing", ["</private>", "</PRIVATE>", "</ Private >", "< /private>"])
def test_fault_m8_private_hides_in_any_case_and_with_blanks(tmp_path: Path, opening: str, closing: str) -> None:
    """A person's own mark hides however it is typed, alone and in a sentence, for the reader of transcripts and for the rules."""
    path = tmp_path / "talk.jsonl"
    texts = (f"We use uv. {opening}I am ill.{closing}", f"{opening}all of it{closing}")
    path.write_text("".join(json.dumps({"role": "user", "text": text, "said_at": 0}) + "\n" for text in texts))
    found = items(path)
    assert said(found) == [("user", "We use uv.")]
    assert skipped(found) == {"private": 1}
    assert "ill" not in public(texts[0])
    assert "ill" not in mask(fold(texts[0]))


@pytest.mark.parametrize("text", ["I live in Málaga.", "My sister Zoë lives in Zürich.", "I prefer naïve Bayes.", "I live in 서울."])
def test_a_letter_whose_accent_was_set_apart_is_one_letter(tmp_path: Path, text: str) -> None:
    """As some systems write file names and copied text: "lives in Ma" was held."""
    path = tmp_path / "talk.jsonl"
    path.write_text(json.dumps({"role": "user", "text": normalize("NFD", text), "said_at": 0}) + "\n", "utf-8")
    assert said(items(path)) == [("user", text)]


@pytest.mark.parametrize("opening", ["<private>", "<Private>", "< PRIVATE >"])
def test_fault_m8_private_that_is_never_closed_is_noted(tmp_path: Path, opening: str) -> None:
    """It is kept, the capture says so, and the rules do not read behind it."""
    path = tmp_path / "talk.jsonl"
    path.write_text(json.dumps({"role": "user", "text": f"Lunch. {opening} I am ill.", "said_at": 0}) + "\n")
    assert [item.what for item in items(path) if isinstance(item, Noted)] == [
        "<private> that is never closed with </private>, kept as it is"
    ]
    assert "ill" not in mask(fold(f"Lunch. {opening} I am ill."))


def test_capturing_again_and_from_elsewhere_gives_the_same_ids(tmp_path: Path) -> None:
    """Every sample, copied to another folder, read twice: the ids are those of the first time, and all differ."""
    for sample in SAMPLES.iterdir():
        (tmp_path / sample.name).write_bytes(sample.read_bytes())
    first, second = ids(items(SAMPLES)), ids(items(tmp_path))
    assert first == second
    assert len(set(first)) == len(first)


def test_the_bundled_talk_reads_clean() -> None:
    """What `make run` captures: two sessions, weeks apart, nothing skipped and nothing amiss."""
    found = items(FIRST_TALK)
    assert len(turns(found)) == len(found) == 27
    second, first = {turn.session: turn.said_at for turn in reversed(turns(found))}.values()
    assert second - first > timedelta(weeks=3)


# -- the parts


TAGS = Tags(("note", "system-reminder"))


@pytest.mark.parametrize(
    ("text", "want"),
    [
        ("nothing here, 1 < 2", "nothing here, 1 < 2"),
        ("a <note>gone</note> b", "a  b"),
        ('<note kind="x">gone</note>b', "b"),
        ("a<note>one</note>b<note>two</note>c", "ac"),
        ("a <note>x <note>inner</note> y</note> b", "a  b"),
        ("a <note>x <system-reminder>y</note> z</system-reminder> b", "a  z</system-reminder> b"),
        ("I wrote <note> and never closed it", "I wrote <note> and never closed it"),
        ("a stray </note> stays", "a stray </note> stays"),
        ("a <note>x</note> forged, I love it </note> b", "a  b"),
        ("a <note>x</note> forged, I love it <note>y</note> b", "a  b"),
        ("<notes>other</notes>", "<notes>other</notes>"),
    ],
)
def test_injected_text_goes_and_the_rest_stays(text: str, want: str) -> None:
    """Elements go whole, nested ones with them; mentions stay; content that forges its own end cannot speak for the person."""
    assert TAGS.strip(text) == want


def test_the_project_is_the_git_root(tmp_path: Path) -> None:
    """Deep in a repository it is the repository; in a worktree the one it was made from; elsewhere the folder; nowhere the default."""
    deep = tmp_path / "heron" / "src" / "core"
    deep.mkdir(parents=True)
    (tmp_path / "heron" / ".git").mkdir()
    worktree = tmp_path / "heron-fix"
    worktree.mkdir()
    (worktree / ".git").write_text(f"gitdir: {tmp_path}/heron/.git/worktrees/heron-fix\n")
    module = tmp_path / "heron" / "module"
    module.mkdir()
    (module / ".git").write_text("gitdir: ../.git/modules/module\n")
    folders = [str(deep), str(worktree), str(module), str(tmp_path), "/not/here/plover", "C:\\work\\plover\\", "", "/", "bad\0name"]
    assert [project_of(folder) for folder in folders] == [
        "heron", "heron", "module", tmp_path.name, "plover", "plover", "default", "default", "bad\0name",
    ]  # fmt: skip


NO_TIMES: list[object] = [None, "", "soon", "2026-13-01", True, float("inf"), float("nan"), -1e300, 10**400, "9999-12-31T23:59:59-14:00"]


@pytest.mark.parametrize("value", NO_TIMES)
def test_what_is_no_time_is_none(value: object) -> None:
    """No value makes the reader of times raise."""
    assert moment(value) is None


def _importance(text: str, role: Role) -> float:
    return 0.8 if "use" in text and role == "user" else 0.5


def test_e08_a_given_importance_is_kept_and_a_missing_one_is_estimated(tmp_path: Path) -> None:
    """The episode says which of the two it was, because only a given one may trigger the fallback (docs/requirements.md, Settled)."""
    path = tmp_path / "talk.jsonl"
    path.write_bytes(LINE + LINE.replace(b"}", b', "importance": 0.95, "id": "mine"}'))
    estimated, given = (to_episode(turn, user="me", now=LATER, importance=_importance, mask=None) for turn in turns(items(path)))
    assert (estimated.importance, estimated.importance_given) == (0.8, False)
    assert (given.importance, given.importance_given, given.id) == (0.95, True, "mine")
    assert (estimated.user, estimated.captured_at, estimated.source, estimated.kind) == ("me", LATER, str(path), "episode")
    assert re.fullmatch("e-[0-9a-z]{16}", estimated.id)


class _Mask:
    """Takes one word out of texts and names."""

    def __call__(self, text: str) -> str:
        return text.replace("uv", "[secret]")

    name = __call__


def test_secrets_are_masked_before_the_episode_exists_and_the_id_does_not_depend_on_it(tmp_path: Path) -> None:
    """Importance is estimated on the masked text, and the id is the same with and without the mask."""
    path = tmp_path / "talk.jsonl"
    path.write_bytes(LINE)
    (turn,) = turns(items(path))
    seen: list[str] = []

    def importance(text: str, _: Role) -> float:
        seen.append(text)
        return 0.5

    masked = to_episode(turn, user="me", now=LATER, importance=importance, mask=_Mask())
    plain = to_episode(turn, user="me", now=LATER, importance=importance, mask=None)
    assert masked.text == seen[0] == "We use [secret]."
    assert masked.id == plain.id
