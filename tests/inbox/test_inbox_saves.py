"""Saves that come at the worst moment, and saves that land in another file: none is lost, and none counts twice."""

from __future__ import annotations

import errno
import os
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from ethos.core import review
from ethos.core.ports.review_file import Decision
from ethos.edge.files import locks
from ethos.edge.inbox import MarkdownInbox, swapping
from tests.support.asking import answered, box, entry, ticked

ASKED, OTHER = entry(1), entry(2)
KEEP_NEW = (Decision(ASKED.question.id, "keep-new", ""),)
KEEP_OLD = (Decision(ASKED.question.id, "keep-old", ""),)


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "inbox" / "memory-review.md"


@pytest.fixture
def file(path: Path, tmp_path: Path) -> MarkdownInbox:
    """A review file that was written once, with one question."""
    inbox = MarkdownInbox(path, tmp_path / "state", 0.0)
    assert inbox.write([ASKED], {}).done
    return inbox


def replaced(file: MarkdownInbox) -> list[Path]:
    """The versions that were taken out of the file's place and are still looked at."""
    return sorted((file._state / "replaced").iterdir())


@pytest.fixture
def at_the_exchange(monkeypatch: pytest.MonkeyPatch) -> Callable[[Callable[[], object]], None]:
    """Somebody does this between our last look and the exchange, the first time."""

    def arrange(act: Callable[[], object]) -> None:
        rename, todo = swapping._renameat2, [act]

        def late(source: Path, target: Path, flags: int) -> bool:
            if todo:
                todo.pop()()
            return rename(source, target, flags)

        monkeypatch.setattr(swapping, "_renameat2", late)

    return arrange


def by_rename(path: Path, text: str) -> None:
    """Save as editors do that write a new file and give it the name."""
    fresh = path.with_name("#new#")
    fresh.write_text(text, "utf-8")
    fresh.replace(path)


@pytest.mark.parametrize("save", [Path.write_text, by_rename])
def test_a_save_between_the_last_look_and_the_exchange_is_read_and_kept(
    file: MarkdownInbox, path: Path, save: Callable[[Path, str], object], at_the_exchange: Callable[[Callable[[], object]], None]
) -> None:
    """The exchange takes it out of the file's place; it is found there, applied, and stands in the file with the next write."""
    theirs = ticked(path.read_text("utf-8"), "keep-new", ASKED).replace("\nnote:", "\nnote: in time") + "below\n"
    at_the_exchange(lambda: save(path, theirs))
    written = file.write([ASKED, OTHER], {})
    assert (written.done, written.read_again) == (True, True)
    assert box("keep-new", ASKED, "x") not in path.read_text("utf-8")
    assert file.due()
    assert file.read().decisions == (Decision(ASKED.question.id, "keep-new", "in time"),)
    assert not file.due()
    done = answered(ASKED, "keep-new", "in time")
    assert file.write([done, OTHER], {}).done
    assert path.read_text("utf-8") == review.render([done, OTHER], review.parse(theirs))
    assert file.read().decisions == ()
    assert not file.due()


def test_a_file_that_is_removed_at_the_exchange_stays_removed_until_the_next_look(
    file: MarkdownInbox, path: Path, at_the_exchange: Callable[[Callable[[], object]], None]
) -> None:
    """An editor between removing the old file and making the new one: it is their turn."""
    at_the_exchange(path.unlink)
    assert file.write([ASKED, OTHER], {}).read_again
    assert not path.exists()
    assert [each.name for each in path.parent.iterdir()] == []


def test_a_late_write_into_the_version_that_was_taken_out_is_read(file: MarkdownInbox, path: Path) -> None:
    """An editor opened the file before the exchange and writes after it: into a file that has another name by now."""
    with path.open("r+", encoding="utf-8") as editor:
        text = editor.read()
        assert file.write([ASKED, OTHER], {}).done
        assert not file.due()
        editor.seek(0)
        editor.truncate()
        editor.flush()
        assert file.read().decisions == ()
        editor.write(ticked(text, "keep-new", ASKED) + "late\n")
    assert file.due()
    assert file.read().decisions == KEEP_NEW
    assert file.write([answered(ASKED, "keep-new"), OTHER], {}).done
    assert path.read_text("utf-8").endswith(review.TAIL + "\nlate\n")
    assert not file.due()


def test_a_late_write_and_a_save_are_put_together(file: MarkdownInbox, path: Path) -> None:
    """The same person in two programs: both their words stay, and their ticks are of one entry each."""
    with path.open("r+", encoding="utf-8") as editor:
        text = editor.read()
        file.write([ASKED, OTHER], {})
        path.write_text(ticked(path.read_text("utf-8"), "keep-both", OTHER) + "one\n", "utf-8")
        editor.seek(0)
        editor.truncate()
        editor.write(ticked(text, "keep-new", ASKED) + "two\n")
    assert file.read().decisions == (*KEEP_NEW, Decision(OTHER.question.id, "keep-both", ""))
    assert file.write([answered(ASKED, "keep-new"), answered(OTHER, "keep-both")], {}).done
    assert sorted(path.read_text("utf-8").split("\n")[-3:]) == ["", "one", "two"]


def test_two_versions_that_disagree_are_two_choices(file: MarkdownInbox, path: Path) -> None:
    """Nobody decides for the person which of their files counts."""
    with path.open("r+", encoding="utf-8") as editor:
        text = editor.read()
        file.write([ASKED, OTHER], {})
        path.write_text(ticked(path.read_text("utf-8"), "keep-old", ASKED), "utf-8")
        editor.seek(0)
        editor.truncate()
        editor.write(ticked(text, "keep-new", ASKED))
    reading = file.read()
    assert reading.decisions == ()
    assert "two choices (keep-old, keep-new)" in reading.hints[ASKED.question.id]
    assert file.write([ASKED, OTHER], {}).done
    after = path.read_text("utf-8")
    assert box("keep-old", ASKED, "x") in after
    assert box("keep-new", ASKED, "x") in after


def test_a_version_is_looked_at_until_it_is_a_minute_old(path: Path, tmp_path: Path) -> None:
    """And one that holds something new is never let go of before that is read."""
    at = [datetime.now(UTC)]  # noqa: TID251 (the files of this test have the machine's time)
    file = MarkdownInbox(path, tmp_path / "state", 0.0, now=lambda: at[0])
    file.write([ASKED], {})
    file.write([ASKED, OTHER], {})
    assert len(replaced(file)) == 1
    at[0] += timedelta(seconds=50)
    file.write([ASKED], {})
    assert len(replaced(file)) == 2
    late = replaced(file)[0]
    late.write_text(ticked(late.read_text("utf-8"), "keep-new", ASKED), "utf-8")
    at[0] += timedelta(seconds=70)
    assert file.read().decisions == KEEP_NEW
    assert file.write([ASKED, OTHER], {}).done
    at[0] += timedelta(hours=2)
    file.write([ASKED], {})
    assert replaced(file) == []


def test_a_late_write_is_found_by_the_next_process(file: MarkdownInbox, path: Path, tmp_path: Path) -> None:
    """All that is known of a version stands in its name."""
    file.write([ASKED, OTHER], {})
    (late,) = replaced(file)
    late.write_text(ticked(late.read_text("utf-8"), "keep-new", ASKED), "utf-8")
    assert MarkdownInbox(path, tmp_path / "state", 0.0).read().decisions == KEEP_NEW


@pytest.mark.parametrize("when", ["before", "after"])
def test_a_crash_at_the_exchange_loses_nothing(file: MarkdownInbox, path: Path, tmp_path: Path, when: str) -> None:
    """What lies beside the file is either our own new version, which is nothing new, or the person's, which is read."""
    theirs = ticked(path.read_text("utf-8"), "keep-new", ASKED)
    path.write_text(theirs, "utf-8")
    child = os.fork()
    if child == 0:
        rename = swapping._renameat2

        def dying(source: Path, target: Path, flags: int) -> bool:
            if when == "after":
                path.write_text(theirs + "in the last moment\n", "utf-8")
                rename(source, target, flags)
            os._exit(0)

        swapping._renameat2 = dying
        file.read()
        file.write([answered(ASKED, "keep-new"), OTHER], {})
        os._exit(1)
    assert os.waitpid(child, 0)[1] == 0
    after = MarkdownInbox(path, tmp_path / "state", 0.0)
    assert after.due()
    assert after.read().decisions == KEEP_NEW
    assert after.write([answered(ASKED, "keep-new"), OTHER], {}).done
    assert path.read_text("utf-8").endswith("in the last moment\n" if when == "after" else review.TAIL + "\n")
    assert after.read().decisions == ()


@pytest.mark.parametrize("also", [None, errno.EPERM])
def test_where_files_cannot_be_exchanged_they_are_replaced(
    file: MarkdownInbox, path: Path, monkeypatch: pytest.MonkeyPatch, also: int | None
) -> None:
    """An old kernel or a network file system: a link holds on to the old file, and where there are no links it is a rename."""
    monkeypatch.setattr(swapping, "_renameat2", lambda *_: False)
    if also:

        def refuse(*_: object, **__: object) -> None:
            raise OSError(also, os.strerror(also))

        monkeypatch.setattr(os, "link", refuse)
    with path.open("r+", encoding="utf-8") as editor:
        text = editor.read()
        assert file.write([ASKED, OTHER], {}).done
        assert path.read_text("utf-8") == review.render([ASKED, OTHER])
        editor.seek(0)
        editor.write(ticked(text, "keep-new", ASKED))
    assert file.read().decisions == (() if also else KEEP_NEW)
    path.unlink()
    assert file.read().decisions == (() if also else KEEP_NEW)
    assert file.write([ASKED], {}).done
    assert [each.name for each in path.parent.iterdir()] == [path.name]


# -- what synchronising programs leave


COPIES = (
    "memory-review.sync-conflict-20260601-120000-ABCDEFG.md",
    "memory-review (Ada's conflicted copy 2026-06-01).md",
    "memory-review (conflicted copy 2026-06-01 120000).md",
)


@pytest.mark.parametrize("name", COPIES)
def test_a_conflict_copy_is_one_more_source_and_then_archived(file: MarkdownInbox, path: Path, name: str) -> None:
    """Ticked on the other machine: applied here, its words in the file, the copy itself in the history."""
    copy = path.with_name(name)
    theirs = ticked(path.read_text("utf-8"), "keep-new", ASKED).replace("\nnote:", "\nnote: elsewhere").replace("\n", "\r\n") + "theirs\r\n"
    copy.write_bytes(theirs.encode())
    path.write_text(path.read_text("utf-8") + "mine\n", "utf-8")
    assert file.due()
    assert file.read().decisions == (Decision(ASKED.question.id, "keep-new", "elsewhere"),)
    assert file.write([answered(ASKED, "keep-new", "elsewhere"), OTHER], {}).done
    assert not copy.exists()
    assert theirs.encode() in [version.read_bytes() for version in (file._state / "history").iterdir()]
    text = path.read_text("utf-8")
    assert "note: elsewhere" in text
    assert sorted(text.split("\n")[-3:]) == ["", "mine", "theirs"]
    assert "\r" not in text
    assert not file.due()


def test_a_copy_that_disagrees_makes_two_choices(file: MarkdownInbox, path: Path) -> None:
    """Ticked differently on two machines: the person is told, and no one is taken."""
    text = path.read_text("utf-8")
    path.with_name(COPIES[0]).write_text(ticked(text, "keep-new", ASKED), "utf-8")
    path.write_text(ticked(text, "keep-old", ASKED), "utf-8")
    assert file.read().decisions == ()
    assert file.write([ASKED], {}).done
    assert "two choices" in path.read_text("utf-8")
    assert not path.with_name(COPIES[0]).exists()
    assert file.read().decisions == ()


def test_a_copy_that_says_nothing_new_is_archived_and_the_file_not_touched(file: MarkdownInbox, path: Path) -> None:
    """The same words twice are the same words."""
    before = path.stat()
    path.with_name(COPIES[0]).write_bytes(path.read_bytes())
    file.read()
    assert file.write([ASKED], {}).done
    assert path.stat().st_ino == before.st_ino
    assert [each.name for each in path.parent.iterdir()] == [path.name]


@pytest.mark.parametrize("name", ["memory-review.2.md", "memory-review notes (conflicted copy).md", "memory-review.orphans.md", "other.md"])
def test_a_persons_own_files_beside_it_are_not_ours(file: MarkdownInbox, path: Path, name: str) -> None:
    """Whatever they are called: without our first lines they are nothing to us."""
    own = path.with_name(name)
    own.write_text(f"### [2026-06-01T12:00:00Z] Memory Conflict · {ASKED.question.id}\n" + box("keep-new", ASKED, "x"), "utf-8")
    assert file.read().decisions == ()
    file.write([ASKED, OTHER], {})
    assert own.exists()


def test_a_copy_that_cannot_be_used_is_named_and_stays(file: MarkdownInbox, path: Path, tmp_path: Path) -> None:
    """With the marks of a merge, in no known encoding, or only a link to somewhere else."""
    whole = ticked(path.read_text("utf-8"), "keep-new", ASKED)
    merging, broken, link = (path.with_name(name) for name in COPIES)
    merging.write_text("<<<<<<< ours\n" + whole, "utf-8")
    broken.write_bytes(b"\xff\xfe\x00")
    (tmp_path / "elsewhere.md").write_text(whole, "utf-8")
    link.symlink_to(tmp_path / "elsewhere.md")
    reading = file.read()
    assert reading.decisions == ()
    assert [name in " ".join(reading.problems) for name in COPIES] == [True] * 3
    written = file.write([ASKED, OTHER], {})
    assert written.done
    assert "merge conflict" in written.problem
    assert merging.exists()
    assert broken.exists()
    assert link.is_symlink()
    assert not file.due()


def test_a_copy_that_is_still_being_written_waits(path: Path, tmp_path: Path) -> None:
    """Only what has settled is taken; and it is due once it has."""
    file = MarkdownInbox(path, tmp_path / "state", 600.0)
    file.write([ASKED], {})
    copy = path.with_name(COPIES[0])
    copy.write_text(ticked(path.read_text("utf-8"), "keep-new", ASKED), "utf-8")
    old = copy.stat().st_mtime - 6000
    os.utime(path, (old, old))
    assert file.read().decisions == ()
    assert not file.due()
    os.utime(copy, (old, old))
    assert file.due()
    assert file.read().decisions == KEEP_NEW


def test_a_link_that_is_turned_elsewhere_is_not_followed(path: Path, tmp_path: Path) -> None:
    """Where the file leads is settled at the start; another process, started since, follows the new way."""
    one, two = tmp_path / "one.md", tmp_path / "two.md"
    path.parent.mkdir()
    path.symlink_to(one)
    file = MarkdownInbox(path, tmp_path / "state", 0.0)
    assert file.write([ASKED], {}).done
    path.unlink()
    path.symlink_to(two)
    assert "restart ethos" in file.write([ASKED, OTHER], {}).problem
    assert "restart ethos" in file.read().problems[0]
    assert not file.due()
    with locks.hold(tmp_path / "state", locks.INBOX, "held"):
        file.write([ASKED, OTHER], {})
    assert not file.due()
    assert not two.exists()
    assert MarkdownInbox(path, tmp_path / "state", 0.0).write([ASKED], {}).done
    assert two.exists()
