"""The review file on disk: what is written, what is left alone, and what is kept of what stood there."""

from __future__ import annotations

import os
import stat
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from ethos.core import review
from ethos.core.ports.review_file import Decision, Written
from ethos.edge.files import locks
from ethos.edge.inbox import MarkdownInbox, file_version, history, markdown, swapping
from tests.support.asking import ACTIONS, answered, box, entry, ticked

ASKED, OTHER = entry(1), entry(2)
KEEP_NEW = (Decision(ASKED.question.id, "keep-new", ""),)


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """Where the file will be; neither it nor its folder is there."""
    return tmp_path / "inbox" / "memory-review.md"


@pytest.fixture
def file(path: Path, tmp_path: Path) -> MarkdownInbox:
    """The inbox, whose saves count at once."""
    return MarkdownInbox(path, tmp_path / "state", 0.0)


def versions(file: MarkdownInbox) -> list[bytes]:
    """The versions that were kept, oldest name first."""
    return [version.read_bytes() for version in sorted((file._state / "history").glob("*.md"))]


def test_e30_the_first_write_makes_folder_and_file_for_the_owner_alone(file: MarkdownInbox, path: Path) -> None:
    """0700 and 0600, whatever the umask is, and nothing else is left in the folder."""
    before = os.umask(0)
    try:
        written = file.write([ASKED], {})
    finally:
        os.umask(before)
    assert (written.done, written.problem) == (True, "")
    assert path.read_text("utf-8") == review.render([ASKED])
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert stat.S_IMODE(path.parent.stat().st_mode) == 0o700
    assert [each.name for each in path.parent.iterdir()] == [path.name]


def test_a_file_that_shows_what_it_should_is_not_touched(file: MarkdownInbox, path: Path) -> None:
    """No new inode, no new time: an editor that has it open notices nothing."""
    file.write([ASKED], {})
    before = path.stat()
    assert file.write([ASKED], {}).done
    after = path.stat()
    assert (before.st_ino, before.st_mtime_ns) == (after.st_ino, after.st_mtime_ns)


def test_a_missing_file_decides_nothing(file: MarkdownInbox) -> None:
    """And is no problem."""
    assert file.read().decisions == ()
    assert file.read().problems == ()


def test_what_a_person_saved_after_the_last_look_is_never_written_over(file: MarkdownInbox, path: Path) -> None:
    """The caller is told to read again; then the tick is there."""
    file.write([ASKED], {})
    theirs = ticked(path.read_text("utf-8"), "keep-new", ASKED)
    path.write_text(theirs, "utf-8")
    again = file.write([ASKED, OTHER], {})
    assert (again.done, again.read_again) == (False, True)
    assert path.read_text("utf-8") == theirs
    assert file.read().decisions == KEEP_NEW
    assert file.write([answered(ASKED, "keep-new"), OTHER], {}).done


def test_a_save_in_the_last_moment_wins(file: MarkdownInbox, path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Between rendering and replacing, the file is looked at once more."""
    file.write([ASKED], {})
    theirs = ticked(path.read_text("utf-8"), "keep-new", ASKED)
    fsync = os.fsync

    def slow(handle: int) -> None:
        path.write_text(theirs, "utf-8")
        fsync(handle)

    monkeypatch.setattr(os, "fsync", slow)
    assert file.write([ASKED, OTHER], {}).read_again
    assert path.read_text("utf-8") == theirs
    assert [each.name for each in path.parent.iterdir()] == [path.name]


def test_a_file_that_appears_in_the_last_moment_wins(file: MarkdownInbox, path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Somebody copies their own file there while ours is about to be made."""
    rename = swapping._renameat2

    def late(source: Path, target: Path, flags: int) -> bool:
        path.write_text("my own\n", "utf-8")
        return rename(source, target, flags)

    monkeypatch.setattr(swapping, "_renameat2", late)
    assert file.write([ASKED], {}).read_again
    assert path.read_text("utf-8") == "my own\n"


def test_the_version_that_is_replaced_is_kept_and_our_own_are_not(file: MarkdownInbox, path: Path) -> None:
    """History holds what people saved, byte for byte, for the owner alone."""
    file.write([ASKED], {})
    file.write([ASKED, OTHER], {})
    assert versions(file) == []
    theirs = ticked(path.read_text("utf-8"), "keep-new", ASKED).encode() + b"\xff caf\xe9\n"
    path.write_bytes(theirs)
    assert file.read().decisions == KEEP_NEW
    assert file.write([answered(ASKED, "keep-new"), OTHER], {}).done
    assert versions(file) == [theirs]
    assert path.read_bytes().endswith(b"\xff caf\xe9\n")
    (kept,) = (file._state / "history").iterdir()
    assert stat.S_IMODE(kept.stat().st_mode) == 0o600


def test_history_goes_back_thirty_days(path: Path, tmp_path: Path) -> None:
    """Older versions go when a new one is kept."""
    today = datetime.fromtimestamp(tmp_path.stat().st_mtime, UTC)
    file = MarkdownInbox(path, tmp_path / "state", 0.0, now=lambda: today)
    folder = tmp_path / "state" / "history"
    folder.mkdir(parents=True)
    old, young = (folder / f"{today - timedelta(days=days):%Y%m%dT%H%M%SZ}-0123456789ab.md" for days in (31, 29))
    for each in (old, young, folder / "mine.md"):
        each.write_text("kept", "utf-8")
    path.parent.mkdir()
    path.write_text("notes\n", "utf-8")
    assert file.write([ASKED], {}).done
    assert not old.exists()
    assert (folder / "mine.md").exists()
    assert len(list(folder.iterdir())) == len((young, "mine", "notes"))


def test_entries_the_store_does_not_know_move_to_the_orphans(file: MarkdownInbox, path: Path) -> None:
    """Verbatim, once, in a file beside it; that of a person with other words in it is only added to."""
    file.write([ASKED, OTHER], {})
    orphans_path = history.orphans_beside(path)
    theirs = ticked(path.read_text("utf-8"), "keep-old", OTHER).replace("\nnote:", "\nnote: from my other machine")
    orphans_path.write_text("my own words\n", "utf-8")
    for _ in range(2):
        path.write_text(theirs, "utf-8")
        file.read()
        assert file.write([ASKED], {}).done
    assert OTHER.question.id not in path.read_text("utf-8")
    orphans = orphans_path.read_text("utf-8")
    assert orphans.startswith("my own words\n")
    assert orphans.count(box("keep-old", OTHER, "x")) == 1
    assert orphans.count("note: from my other machine") == 1


@pytest.mark.parametrize(
    ("bom", "encoding"), [(b"", "utf-8"), (b"\xef\xbb\xbf", "utf-8"), (b"\xff\xfe", "utf-16-le"), (b"\xfe\xff", "utf-16-be")]
)
@pytest.mark.parametrize("newline", ["\n", "\r\n"])
def test_any_encoding_with_a_mark_is_read_and_written_back_as_it_was(
    file: MarkdownInbox, path: Path, bom: bytes, encoding: str, newline: str
) -> None:
    """Windows editors save with a byte order mark, UTF-16 and CRLF; their person's words stay, and so does the form."""
    file.write([ASKED], {})
    text = (ticked(path.read_text("utf-8"), "keep-new", ASKED) + "über\n").replace("\n", newline)
    path.write_bytes(bom + text.encode(encoding))
    assert file.read().decisions == KEEP_NEW
    assert file.write([answered(ASKED, "keep-new")], {}).done
    data = path.read_bytes()
    assert data.startswith(bom)
    after = data[len(bom) :].decode(encoding)
    assert after.endswith("über" + newline)
    assert after.count("\n") == after.count(newline)


@pytest.mark.parametrize("data", [b"\xff\xfe\x00\xd8", "# Memory review\n".encode("utf-16-le"), b"a\0b"])
def test_what_is_no_text_is_left_alone(file: MarkdownInbox, path: Path, data: bytes) -> None:
    """Half a UTF-16, UTF-16 without its mark, NUL bytes: said, not guessed."""
    path.parent.mkdir()
    path.write_bytes(data)
    assert "save it as UTF-8" in file.read().problems[0]
    written = file.write([ASKED], {})
    assert not written.done
    assert "save it as UTF-8" in written.problem
    assert path.read_bytes() == data


def test_an_unfinished_merge_is_read_but_not_written(file: MarkdownInbox, path: Path) -> None:
    """Until its marks are gone, and the problem says what they are."""
    file.write([ASKED], {})
    theirs = "<<<<<<< ours\n" + ticked(path.read_text("utf-8"), "keep-new", ASKED)
    path.write_text(theirs, "utf-8")
    reading = file.read()
    assert "<<<<<<<" in reading.problems[0]
    assert reading.decisions == KEEP_NEW
    assert "merge conflict" in file.write([ASKED], {}).problem
    assert path.read_text("utf-8") == theirs


@pytest.mark.parametrize("form", [".{}.swp", ".{}.swo", ".#{}", ".~lock.{}#"])
def test_a_file_that_is_open_in_an_editor_is_written_later(file: MarkdownInbox, path: Path, form: str) -> None:
    """Due as soon as the editor is closed, and not before. A lock of yesterday was left behind by a crash."""
    file.write([ASKED], {})
    lock = path.with_name(form.format(path.name))
    lock.symlink_to("somebody@somewhere.1234")  # as Emacs does; it leads nowhere
    written = file.write([ASKED, OTHER], {})
    assert not written.done
    assert lock.name in written.problem
    assert not file.due()
    yesterday = lock.lstat().st_mtime - 86_400
    os.utime(lock, (yesterday, yesterday), follow_symlinks=False)
    assert file.due()
    lock.unlink()
    assert file.due()
    assert file.write([ASKED, OTHER], {}).done
    assert not file.due()


def test_a_write_that_met_another_process_is_due(file: MarkdownInbox) -> None:
    """Two processes never write at once; the second one is told whose turn it is."""
    with locks.hold(file._state, locks.INBOX, "held"):
        written = file.write([ASKED], {})
    assert not written.done
    assert "another ethos process" in written.problem
    assert file.due()


def test_a_save_is_due_when_it_has_settled(path: Path, tmp_path: Path) -> None:
    """Not while the editor may still be at it; a clock that was set back does not hold it up for ever."""
    at = [datetime.fromtimestamp(tmp_path.stat().st_mtime, UTC)]
    file = MarkdownInbox(path, tmp_path / "state", 3.0, now=lambda: at[0])
    assert not file.due()
    file.write([ASKED], {})
    assert not file.changed_since_write()
    path.write_text(ticked(path.read_text("utf-8"), "keep-new", ASKED), "utf-8")
    saved = path.stat().st_mtime
    for after, due in ((0.5, False), (2.5, False), (3.5, True), (-1.0, False), (-3600.0, True)):
        at[0] = datetime.fromtimestamp(saved + after, UTC)
        assert file.changed_since_write()
        assert file.due() is due
    assert file.read().decisions == KEEP_NEW
    assert not file.changed_since_write()


def test_a_save_that_changed_nothing_is_not_due(file: MarkdownInbox, path: Path) -> None:
    """The same bytes again, as many editors write on closing."""
    file.write([ASKED], {})
    path.write_bytes(path.read_bytes())
    assert not file.due()


def test_a_save_in_progress_is_not_taken_for_an_empty_file(path: Path, tmp_path: Path) -> None:
    """An editor that writes in place empties the file first; what it looks like then is not written over."""
    file = MarkdownInbox(path, tmp_path / "state", 600.0)
    file.write([ASKED], {})
    path.write_bytes(b"")
    assert file.read().decisions == ()
    written = file.write([ASKED], {})
    assert "looks unfinished" in written.problem
    assert path.read_bytes() == b""
    old = path.stat().st_mtime - 6000
    os.utime(path, (old, old))
    assert file.due()
    assert file.write([ASKED], {}).done


def test_a_link_stays_a_link(file: MarkdownInbox, path: Path, tmp_path: Path) -> None:
    """The inbox may live in a synchronised folder and be linked from here."""
    target = tmp_path / "notes" / "real.md"
    target.parent.mkdir()
    path.parent.mkdir()
    path.symlink_to(target)
    for entries in ([ASKED], [ASKED, OTHER]):
        assert file.write(entries, {}).done
        assert path.is_symlink()
        assert target.read_text("utf-8") == review.render(entries)
    assert [each.name for each in target.parent.iterdir()] == ["real.md"]


def test_the_mode_of_a_file_is_kept(file: MarkdownInbox, path: Path) -> None:
    """A person who shares the file means it; that others may write it is said."""
    file.write([ASKED], {})
    path.chmod(0o640)
    assert file.write([ASKED, OTHER], {}).problem == ""
    assert stat.S_IMODE(path.stat().st_mode) == 0o640
    path.chmod(0o666)
    assert "chmod 600" in file.read().problems[0]
    assert "chmod 600" in file.write([ASKED], {}).problem


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can give a file to somebody else")
def test_the_owner_of_a_file_is_kept(file: MarkdownInbox, path: Path) -> None:
    """A daemon that runs as root does not take the file away from its person."""
    file.write([ASKED], {})
    os.chown(path, 1234, 2345)
    assert file.write([ASKED, OTHER], {}).done
    assert (path.stat().st_uid, path.stat().st_gid) == (1234, 2345)


def test_a_read_only_file_is_read_and_not_written(file: MarkdownInbox, path: Path) -> None:
    """Also where we are root and could: somebody has made it so."""
    file.write([ASKED], {})
    path.write_text(ticked(path.read_text("utf-8"), "keep-new", ASKED), "utf-8")
    path.chmod(0o400)
    assert file.read().decisions == KEEP_NEW
    assert "read-only" in file.write([answered(ASKED, "keep-new")], {}).problem


@pytest.mark.parametrize("what", ["folder", "pipe", "loop"])
def test_what_is_no_file_is_named(file: MarkdownInbox, path: Path, what: str) -> None:
    """And nothing hangs on it."""
    path.parent.mkdir()
    if what == "folder":
        path.mkdir()
    elif what == "pipe":
        os.mkfifo(path)
    else:
        path.symlink_to(path)
    (problem,) = file.read().problems
    assert str(path) in problem
    assert file.write([ASKED], {}).problem == problem
    assert not file.due()


def test_a_folder_that_cannot_be_made_is_a_problem_not_an_exception(tmp_path: Path) -> None:
    """What is held is safe; the sentence says where the questions are."""
    (tmp_path / "inbox").write_text("a file", "utf-8")
    written = MarkdownInbox(tmp_path / "inbox" / "review.md", tmp_path / "state").write([ASKED], {})
    assert not written.done
    assert str(tmp_path / "inbox") in written.problem


def test_a_file_that_is_too_large_is_left_alone(file: MarkdownInbox, path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """5 MiB, or 5,000 entries: its questions go to a second page, until it is smaller; then that page's ticks come back to it."""
    path.parent.mkdir()
    large = b"mine\n" * (file_version.LARGEST // 5 + 1)
    path.write_bytes(large)
    page = path.with_name("memory-review.2.md")
    assert "until you make it smaller" in file.read().problems[0]
    written = file.write([ASKED], {})
    assert written.done
    assert str(page) in written.problem
    assert (path.read_bytes(), page.read_text("utf-8")) == (large, review.render([ASKED]))
    page.write_text(ticked(page.read_text("utf-8"), "keep-new", ASKED) + "on page two\n", "utf-8")
    assert file.read().decisions == KEEP_NEW
    path.write_bytes(b"### [a] heading of mine\n" * (file_version.MOST_ENTRIES + 1))
    assert file.read().decisions == KEEP_NEW
    path.write_bytes(b"on page one\n")
    assert file.due()
    assert file.read().decisions == KEEP_NEW
    assert file.write([answered(ASKED, "keep-new")], {}) == Written()
    assert path.read_text("utf-8") == review.render([answered(ASKED, "keep-new")]) + "on page one\non page two\n"
    assert not page.exists()
    monkeypatch.setattr(file_version, "LARGEST", 2_000)
    monkeypatch.setattr(markdown, "LARGEST", 2_000)
    assert "would grow beyond" in file.write([ASKED, OTHER, entry(3), entry(4)], {}).problem


def test_what_a_dead_process_left_is_cleared_away(file: MarkdownInbox, path: Path) -> None:
    """A kill in the middle of a write leaves a new file beside the old one, and no more."""
    file.write([ASKED], {})
    path.with_name(f".{path.name}.ethos-new").write_text("half", "utf-8")
    assert file.write([ASKED, OTHER], {}).done
    assert [each.name for each in path.parent.iterdir()] == [path.name]


def test_a_full_disk_leaves_the_file_as_it_was(file: MarkdownInbox, path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The new file is gone again and the old one stands."""
    file.write([ASKED], {})
    before = path.read_bytes()

    def full(_: int) -> None:
        raise OSError(28, os.strerror(28))

    monkeypatch.setattr(os, "fsync", full)
    written = file.write([ASKED, OTHER], {})
    assert "No space left" in written.problem
    assert path.read_bytes() == before
    assert [each.name for each in path.parent.iterdir()] == [path.name]


@pytest.mark.parametrize("action", ACTIONS)
def test_a_tick_by_hand_is_read_from_the_file(file: MarkdownInbox, path: Path, action: str) -> None:
    """Whole way round: written, ticked, read."""
    file.write([ASKED, OTHER], {})
    path.write_text(ticked(path.read_text("utf-8"), action, ASKED), "utf-8")
    assert [(made.question, made.action) for made in file.read().decisions] == [(ASKED.question.id, action)]
