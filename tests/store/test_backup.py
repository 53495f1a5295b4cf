"""Backups: whole, looked over, let go of by age, and put back with nothing lost and nothing forgotten come to life."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ethos.app import Ethos
from ethos.core.history.erasure import ErasureRequest
from ethos.core.history.retention import outdated
from ethos.core.model.settings import Settings
from ethos.core.ports.queries import FactFilter
from ethos.edge.files import backups, locks
from ethos.store import open_store
from ethos.store.sqlite import driver, migrations
from ethos.store.sqlite.engine import WRITES, make_engine
from ethos.store.sqlite.rows import EPISODE
from tests.conftest import SetClock
from tests.support.commands import TALK, Commands, commands, daemon, spawn
from tests.support.daemons import until
from tests.support.telling import said

__all__ = ["commands"]

DAY = datetime(2026, 3, 1, 12, tzinfo=UTC)


def test_of_a_year_of_days_seven_and_four_weeks_stay() -> None:
    """One a day for a year: the last seven days, and the newest of the last four weeks, of which two are among them."""
    taken = [DAY + timedelta(days=number) for number in range(365)]
    kept = sorted(set(taken) - set(outdated(taken, daily=7, weekly=4)))
    assert kept[-7:] == taken[-7:]
    assert len({moment.isocalendar()[:2] for moment in kept}) == 4
    assert 9 <= len(kept) <= 11


@given(st.lists(st.integers(0, 9_000).map(lambda hours: DAY + timedelta(hours=hours)), unique=True), st.integers(1, 9))
@settings(max_examples=100, derandomize=True)
def test_the_newest_is_never_let_go_of_and_doing_it_again_changes_nothing(taken: list[datetime], daily: int) -> None:
    """Whatever the times: the newest stays, and what stays stays."""
    kept = set(taken) - set(outdated(taken, daily=daily, weekly=4))
    assert not taken or max(taken) in kept
    assert outdated(kept, daily=daily, weekly=4) == []
    assert len(kept) <= daily + 4


def test_a_backup_is_whole_sound_and_ours_alone(ethos: Ethos) -> None:
    """Made while the memory is open; it holds what was acknowledged, nobody else may read it, and the run is written down."""
    ethos.capture([said("I love hiking")])
    ethos.consolidate()
    made, _ = backups.take(ethos)
    assert made.stat().st_mode & 0o777 == 0o600
    assert made.parent.stat().st_mode & 0o777 == 0o700
    copy = open_store(made)
    assert copy.check() == []
    with copy.begin() as work:
        assert [fact.statement for fact in work.facts(FactFilter("default"))] == ["Michael loves hiking"]
    copy.close()
    assert ethos.status().runs[0].name == "backup"
    assert not [path for path in made.parent.iterdir() if path.name.startswith(".")]


def test_a_backup_is_due_a_day_after_the_last_and_only_when_something_was_done(ethos: Ethos, clock: SetClock) -> None:
    """Never before the first cycle; then at once; then once a day, as long as there are cycles. Old ones are let go of."""
    assert not backups.due(ethos)
    for day in range(40):
        ethos.consolidate()
        assert backups.due(ethos)
        backups.take(ethos)
        assert not backups.due(ethos)
        clock.move(hours=25)
        assert not backups.due(ethos), f"nothing was done since day {day}"
    assert 8 <= len(backups.listed(ethos.settings)) <= 11


def test_t6_forgetting_reaches_into_backups(ethos: Ethos, clock: SetClock) -> None:
    """A backup from before is made anew without it, and still holds the rest."""
    ethos.capture([said("I love hiking near Grindelwald"), said("I hate noise")])
    ethos.consolidate()
    made, _ = backups.take(ethos)
    assert b"Grindelwald" in made.read_bytes()
    clock.move(days=1)
    receipt = ethos.forget(ErasureRequest(matching="grindelwald"))
    assert (receipt.proven, receipt.copies) == (True, 1)
    assert b"rindelwald" not in made.read_bytes()
    copy = open_store(made)
    with copy.begin() as work:
        assert [fact.statement for fact in work.facts(FactFilter("default"))] == ["Michael hates noise"]
    assert copy.check() == []
    copy.close()


def test_a_backup_is_restored_and_the_transcripts_bring_the_rest(commands: Commands) -> None:
    """The store is damaged, a backup takes its place; what it replaced is kept; capturing again adds only what is missing."""
    commands.write("talk.jsonl", "".join(TALK.splitlines(keepends=True)[:2]))
    assert commands("capture", "talk.jsonl").code == 0
    assert commands("consolidate").code == 0
    made = commands("backup", "--json").data["path"]
    commands.write("talk.jsonl", TALK)
    assert commands("capture", "talk.jsonl").code == 0
    held = commands("facts", "--json").data
    database = Path(commands("status", "--json").data["store"]["path"])
    data = bytearray(database.read_bytes())
    data[4096:8192] = bytes(4096)
    database.write_bytes(data)
    told = commands("restore", made, "--yes", "--json")
    assert told.code == 0, told
    assert Path(told.data["kept"]).read_bytes()[4096:8192] == bytes(4096)
    assert commands("facts", "--json").data == held
    again = commands("capture", "talk.jsonl", "--json").data
    assert (again["added"], again["known"]) == (2, 2)
    assert "fail" not in {check["level"] for check in commands("doctor", "--json").data["checks"]}


def test_t14_a_byte_that_turned_is_named_and_a_backup_brings_it_back(commands: Commands) -> None:
    """One bit of one word of a fact: the doctor names the fact and what to type, which is typed; nothing is missing, and nothing wrong."""
    commands.write("talk.jsonl", "".join(TALK.splitlines(keepends=True)[:2]))
    commands("capture", "talk.jsonl")
    commands("consolidate")
    assert commands("backup").code == 0
    commands.write("talk.jsonl", TALK)
    commands("capture", "talk.jsonl")
    held = commands("facts", "--json").data
    (fact,) = [fact["id"] for fact in held["facts"] if "Postgres" in fact["statement"]]
    database = Path(commands("status", "--json").data["store"]["path"])
    data = bytearray(database.read_bytes())
    data[data.index(b"billing servicepostgres")] ^= 1
    database.write_bytes(data)
    told = commands("doctor", "--json")
    assert told.code == 1
    damage = [check for check in told.data["checks"] if check["found"].startswith(f"damaged: facts {fact} 1")]
    assert damage, told
    refused = commands("backup")
    assert (refused.code, fact in refused.err) == (1, True), refused
    typed = damage[0]["do"].split("ethos ")[1].split(",")[0].split()
    assert typed[0] == "restore"
    assert commands(*typed, "--yes").code == 0
    assert commands("capture", "talk.jsonl", "--json").data["added"] == 2
    assert commands("facts", "--json").data == held
    assert "fail" not in {check["level"] for check in commands("doctor", "--json").data["checks"]}


def test_t6_what_was_forgotten_stays_forgotten_when_an_older_store_is_restored(commands: Commands, tmp_path: Path) -> None:
    """A backup that Ethos did not know of still held it: it is forgotten again, before anybody can ask."""
    commands.write("talk.jsonl", TALK)
    commands("capture", "talk.jsonl")
    commands("consolidate")
    made = tmp_path / "made.db"
    assert commands("backup", made).code == 0
    elsewhere = made.rename(tmp_path / "elsewhere.db")
    assert commands("forget", "--matching", "Postgres", "--yes").code == 0
    assert b"Postgres" in elsewhere.read_bytes()
    told = commands("restore", elsewhere, "--yes", "--json")
    assert told.data["forgotten_again"] == 1, told
    assert commands("recall", "Postgres", "--json").data["hits"] == []
    assert "Postgres" not in commands("facts", "--json").out


@pytest.mark.parametrize(
    "make", [lambda _: None, lambda p: p.write_text("no store"), lambda p: p.write_bytes(b"SQLite format 3\0" + b"\0" * 5000)]
)
def test_what_is_no_sound_backup_is_refused_and_nothing_is_touched(
    commands: Commands, tmp_path: Path, make: Callable[[Path], object]
) -> None:
    """Missing, something else, damaged: said before the store is touched."""
    commands.write("talk.jsonl", TALK)
    commands("capture", "talk.jsonl")
    database = Path(commands("status", "--json").data["store"]["path"])
    before = database.read_bytes()
    bad = tmp_path / "bad.db"
    make(bad)
    refused = commands("restore", bad, "--yes")
    assert (refused.code, refused.err.count("->")) == (1, 1), refused
    assert database.read_bytes() == before


def test_a_backup_takes_nobody_elses_place(commands: Commands) -> None:
    """A file that is no backup stays as it is, and so does the memory itself; an older backup gives way."""
    commands.write("talk.jsonl", TALK)
    commands("capture", "talk.jsonl")
    for path in ("talk.jsonl", commands("status", "--json").data["store"]["path"]):
        refused = commands("backup", path)
        assert (refused.code, "-> name a" in refused.err) == (2, True), refused
    assert (commands.home / "talk.jsonl").read_text("utf-8") == TALK
    for _ in range(2):
        assert commands("backup", "own.db").code == 0


def test_nothing_is_restored_under_a_daemon_or_without_a_word(commands: Commands) -> None:
    """Whoever holds the memory would write into what is put aside; and where nobody can be asked, --yes must be said."""
    commands.write("talk.jsonl", TALK)
    commands("capture", "talk.jsonl")
    commands("backup")
    (made,) = commands("backup", "--list", "--json").data["backups"]
    unsure = commands("restore", made["path"])
    assert (unsure.code, "--yes" in unsure.err, "--dry-run" in unsure.err) == (3, True, False), unsure
    state = commands.home / ".local" / "state" / "ethos"
    with locks.hold(state, locks.DAEMON, ""):
        refused = commands("restore", made["path"], "--yes")
    assert (refused.code, "systemctl --user stop ethos" in refused.err) == (1, True)


def test_a_backup_that_cannot_be_written_leaves_nothing(commands: Commands, tmp_path: Path) -> None:
    """The folder is a file: said in words, and what stood there stays."""
    (tmp_path / "file").write_text("mine")
    refused = commands("backup", tmp_path / "file" / "ethos.db")
    assert refused.code == 1
    assert "cannot be written" in refused.err
    assert (tmp_path / "file").read_text() == "mine"


def test_backups_can_be_switched_off(open_ethos: Callable[[Settings], Ethos], settings: Settings) -> None:
    """Switched off, the daemon makes none by itself."""
    quiet = open_ethos(replace(settings, backup=replace(settings.backup, every_hours=0.0)))
    quiet.consolidate()
    assert not backups.due(quiet)


def test_a_daemon_backs_up_when_it_is_due(tmp_path: Path) -> None:
    """There was a cycle and no backup: an idle daemon makes one, says so, and makes no second one."""
    (tmp_path / "talk.jsonl").write_text(TALK, "utf-8")
    assert spawn(tmp_path, "capture", "talk.jsonl").code == 0
    assert spawn(tmp_path, "consolidate").code == 0
    quiet = {"ETHOS_CONSOLIDATION__CPU_THRESHOLD_PERCENT": "10000", "ETHOS_CONSOLIDATION__IDLE_THRESHOLD_SECONDS": "0"}
    folder = tmp_path / ".local" / "share" / "ethos" / "backups"
    with daemon(tmp_path, **quiet):
        until(lambda: "Backed up" in (tmp_path / "daemon.log").read_text("utf-8"), "a backup")
        (made,) = folder.glob("*.db")
    copy = open_store(made)
    assert copy.check() == []
    copy.close()


def test_t6_forgetting_reaches_into_the_copy_that_an_upgrade_left(open_ethos: Callable[[Settings], Ethos], settings: Settings) -> None:
    """The store is of the first schema; opening it upgrades it and keeps a copy beside it. The copy is made anew too."""
    database = Path(settings.ethos.database)
    driver.make_file(database)
    engine = make_engine(database, driver.library(), "wal")
    with engine.connect().execution_options(**{WRITES: True}) as connection, connection.begin():
        migrations.run(connection, "0001")
    engine.dispose()
    first = replace(said("I love hiking near Grindelwald"), id="e-first")
    old = driver.library().module.connect(str(database))
    row = [1, *EPISODE.row(first)]
    old.execute(f"INSERT INTO episodes VALUES ({', '.join('?' * len(row))})", row)  # noqa: S608 (question marks)
    old.execute("INSERT INTO marks VALUES ('e-first', 'default', 'default', 0.5, 0, NULL, NULL, NULL, 0, NULL, 0, NULL)")
    old.execute("INSERT INTO words (rowid, text) VALUES (2, ?)", (first.text,))
    old.commit()
    old.close()
    ethos = open_ethos(settings)
    (copy,) = database.parent.glob("ethos.db.*.bak")
    assert b"Grindelwald" in copy.read_bytes()
    receipt = ethos.forget(ErasureRequest(matching="grindelwald"))
    assert (receipt.proven, receipt.copies) == (True, 1), receipt
    assert b"rindelwald" not in copy.read_bytes()
    assert list(database.parent.glob("ethos.db.*.bak")) == [copy]


def test_t6_forgetting_reaches_into_a_backup_of_ones_own(ethos: Ethos, tmp_path: Path) -> None:
    """Wherever it was put: the record of outputs knows of it."""
    ethos.capture([said("We decided to use Rust")])
    ethos.consolidate()
    copy = tmp_path / "elsewhere" / "mine.db"
    copy.parent.mkdir()
    backups.take(ethos, str(copy))
    assert b"Rust" in copy.read_bytes()
    receipt = ethos.forget(ErasureRequest(matching="Rust"))
    assert receipt.copies == 1
    assert b"Rust" not in copy.read_bytes()
