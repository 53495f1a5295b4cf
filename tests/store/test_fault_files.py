"""Files: what is not proven ours is never removed, replaced or rewritten, and what was asked to be gone is looked for everywhere.

The faults H1, H2, H9, H10 and the low ones that concern files, each as a person meets it at the command line.
"""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest

from ethos.edge.files.outputs import FILE, Kind, Outputs
from tests.support.commands import TALK, Commands, commands, spawn

__all__ = ["commands"]


@pytest.fixture
def told(commands: Commands) -> Commands:
    """Commands on a memory that holds something."""
    commands.write("talk.jsonl", TALK)
    commands("capture", "talk.jsonl")
    commands("consolidate")
    return commands


def state(commands: Commands) -> Path:
    """The state folder."""
    return commands.home / ".local" / "state" / "ethos"


# -- H1: no receipt without a search


def test_fault_h1_words_in_a_spooled_file_are_taken_out_though_nothing_is_held(told: Commands) -> None:
    """What a killed command left behind is rewritten, and named in the receipt."""
    left = state(told) / "spool" / "4194399" / "stdin"
    left.parent.mkdir(parents=True)
    left.write_text("Quuxword here\nand another line\n", "utf-8")
    done = told("forget", "--matching", "Quuxword", "--yes", "--json")
    assert (done.code, done.data["proven"], done.data["changed"]) == (0, True, [str(left)]), done
    assert done.data["sought"] >= 1
    assert left.read_text("utf-8") == "and another line\n"


def test_fault_h1_forgetting_again_goes_on_reporting_what_is_left(told: Commands) -> None:
    """A file of the state folder that is not ours to rewrite: told the first time and every time after it, with exit code 1."""
    left = state(told) / "somebody.bin"
    left.write_bytes(b"\x00Quuxword\x00")
    for _ in range(3):
        done = told("forget", "--matching", "quuxword", "--yes", "--json")
        assert (done.code, done.data["proven"]) == (1, False), done
        assert done.data["scan"]["found"] == {str(left): 1}, done
    assert left.read_bytes() == b"\x00Quuxword\x00"


def test_fault_h1_a_receipt_over_nothing_is_never_proven(told: Commands) -> None:
    """Words too short to be looked for: nothing was searched, so that is said, and the exit code is 1."""
    done = told("forget", "--matching", "qzx", "--yes")
    assert (done.code, "no file was searched" in done.out) == (1, True), done
    assert told("forget", "--matching", "qzx", "--yes", "--json").data["proven"] is False


# -- H2: an export of notes touches nobody else's


def test_fault_h2_a_note_of_the_persons_own_stays(told: Commands) -> None:
    """In a folder that we export to, a second export leaves alone what we did not write."""
    assert told("export", "vault", "--format", "markdown").code == 0
    mine = told.home / "vault" / "mine.md"
    mine.write_text("mine", "utf-8")
    assert told("export", "vault", "--format", "markdown", "--json").data["kept"] == []
    assert mine.read_text("utf-8") == "mine"


def test_fault_h2_an_edited_note_is_kept_beside_the_new_one(told: Commands) -> None:
    """What a person wrote into a note of ours is not written over: it is kept under another name, and that is said."""
    told("export", "vault", "--format", "markdown")
    note = next((told.home / "vault").glob("team.md"))
    note.write_text(note.read_text("utf-8") + "\nMy thoughts.\n", "utf-8")
    done = told("export", "vault", "--format", "markdown")
    kept = note.with_name("team.kept-1.md")
    assert (done.code, str(kept) in done.out.replace("\n", "")) == (0, True), done
    assert "My thoughts." in kept.read_text("utf-8")
    assert "My thoughts." not in note.read_text("utf-8")
    assert told("export", "vault", "--format", "markdown", "--json").data["kept"] == []


def test_fault_h2_a_note_about_nothing_goes_only_where_it_is_unchanged(told: Commands) -> None:
    """When nothing is held about two subjects any more, our note of one goes, and the one that was edited stays."""
    told("export", "vault", "--format", "markdown")
    vault = told.home / "vault"
    edited = vault / "Ada.md"
    edited.write_text(edited.read_text("utf-8") + "mine\n", "utf-8")
    told("forget", "t1", "t2", "--yes")
    told("export", "vault", "--format", "markdown")
    assert [path.name for path in vault.glob("*.md")] == ["Ada.md"]
    assert edited.read_text("utf-8").endswith("mine\n")


def test_fault_h10_forgetting_does_not_touch_a_persons_file_in_the_place_of_an_export(told: Commands) -> None:
    """At the path of an old export, and in a folder of notes, stands a diary by now: it is looked through, told of, and not rewritten."""
    told("export", "memory.jsonl")
    told("export", "vault", "--format", "markdown")
    diary = "Dear diary, we use Postgres for the billing service.\n"
    mine = [told.home / "memory.jsonl", told.home / "vault" / "team.md", told.home / "vault" / "Postgres diary.md"]
    for path in mine:
        path.write_text(diary, "utf-8")
    done = told("forget", "--matching", "Postgres", "--yes", "--json")
    assert (done.code, done.data["changed"]) == (1, []), done
    assert set(map(str, mine)) <= done.data["scan"]["found"].keys()
    assert [path.read_text("utf-8") for path in mine] == [diary] * 3


def test_fault_h10_the_receipt_names_each_file_that_was_changed(told: Commands) -> None:
    """An export and a note that are ours: rewritten, and named."""
    told("export", "memory.jsonl")
    told("export", "vault", "--format", "markdown")
    done = told("forget", "--matching", "Postgres", "--yes", "--json")
    assert done.code == 0, done
    assert {str(told.home / "memory.jsonl"), str(told.home / "vault" / "team.md")} <= set(done.data["changed"])
    assert told("import", "memory.jsonl").code == 0
    assert told("export", "memory.jsonl").code == 0  # it is still ours to replace


# -- H9: a backup replaces nothing but a backup of ours


def test_fault_h9_a_backup_does_not_replace_another_memorys_store(told: Commands) -> None:
    """Neither open nor closed, neither a copy of it nor a backup that another memory made."""
    theirs = told.home / "theirs"
    other = ("--config", theirs / "config.toml")
    theirs.mkdir()
    (theirs / "config.toml").write_text('[ethos]\ndatabase = "ethos.db"\nstate = "state"\n', "utf-8")
    told("capture", "talk.jsonl", *other)
    told("backup", theirs / "backup.db", *other)
    shutil.copy(theirs / "ethos.db", theirs / "copy.db")
    for name in ("ethos.db", "copy.db", "backup.db"):
        before = (theirs / name).read_bytes()
        refused = spawn(told.home, "backup", theirs / name)
        assert (refused.code, "not a backup of this memory" in refused.err.replace("\n", " ")) == (2, True), refused
        assert (theirs / name).read_bytes() == before


def test_fault_h9_a_backup_that_is_used_as_a_memory_is_not_replaced(told: Commands) -> None:
    """With a log beside it, it is in use; and what was changed since is no backup of ours any more."""
    own = told.home / "own.db"
    assert told("backup", own).code == 0
    assert told("backup", own).code == 0
    beside = own.with_name("own.db-wal")
    beside.write_bytes(b"")
    assert told("backup", own).code == 2
    beside.unlink()
    own.write_bytes(own.read_bytes() + b"\0")
    assert told("backup", own).code == 2
    assert told("export", own).code == 2


# -- low: temporary files


def test_fault_low_a_file_under_the_old_temporary_name_stays(told: Commands) -> None:
    """`.X.new` beside an export or a backup X, and its `-wal`, are somebody else's."""
    mine = [told.home / name for name in (".x.jsonl.new", ".x.db.new", ".x.db.new-wal", ".x.db.new-journal")]
    for path in mine:
        path.write_text("mine", "utf-8")
    for words in (("export", "x.jsonl"), ("backup", "x.db"), ("export", "x.jsonl"), ("backup", "x.db")):
        assert told(*words).code == 0
    assert [path.read_text("utf-8") for path in mine] == ["mine"] * len(mine)


def test_fault_low_what_a_killed_process_left_is_removed_and_nothing_else(tmp_path: Path) -> None:
    """A temporary file is known by the record alone: one of a process that is gone is removed, one of a living process stays."""
    outputs = Outputs(tmp_path / "state")
    with outputs.temporary(tmp_path / "x.db") as fresh:
        record = json.loads((tmp_path / "state" / FILE).read_bytes())
        assert [each["path"] for each in record["unfinished"]] == [str(fresh)]
        outputs.sweep()
        assert fresh.exists()
        record["unfinished"][0]["started"] -= 1  # another process of this id
        (tmp_path / "state" / FILE).write_text(json.dumps(record), "utf-8")
        foreign = tmp_path / ".x.db.0123456789abcdef01234567"
        foreign.write_text("mine", "utf-8")
        fresh.with_name(fresh.name + "-wal").touch()
        outputs.sweep()
        assert [path.name for path in tmp_path.glob(".x.db.*")] == [foreign.name]


def test_fault_low_no_link_is_followed_or_replaced(tmp_path: Path) -> None:
    """A link to a file of ours is not that file."""
    outputs = Outputs(tmp_path / "state")
    with outputs.replacing(Kind.EXPORT, tmp_path / "x") as fresh:
        fresh.write_text("ours", "utf-8")
    (tmp_path / "link").symlink_to("x")
    outputs.note(Kind.EXPORT, tmp_path / "link")
    assert outputs.proven(Kind.EXPORT, tmp_path / "x")
    assert not outputs.proven(Kind.EXPORT, tmp_path / "link")
    assert not outputs.proven(Kind.BACKUP, tmp_path / "x")
