"""The SQLite store: the contract, and what only SQLite has."""

from __future__ import annotations

import ctypes
import json
import os
import re
import sqlite3
import stat
import subprocess
import sys
import threading
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from sqlalchemy.dialects import sqlite
from sqlalchemy.schema import CreateIndex, CreateTable, ExecutableDDLElement
from sqlmodel import Session, select

from ethos.core.model.errors import Refused
from ethos.core.model.keys import FactKey, WeakClaimKey
from ethos.core.model.plan import one
from ethos.core.model.records import EpisodeState
from ethos.core.ports.queries import FactFilter, Search
from ethos.core.ports.store import Store
from ethos.store import SqliteStore, open_store
from ethos.store.sqlite import driver, generate, schema
from ethos.store.sqlite.columns import micros
from ethos.store.sqlite.engine import make_engine
from ethos.store.sqlite.problems import refusal
from ethos.store.sqlite.rows import SHAPES
from ethos.store.sqlite.sql import Sql
from ethos.store.sqlite.tables import EpisodeRow, Table
from ethos.store.sqlite.work import SqliteWork
from tests.store_contract import NOON, RULES, StoreContract, at, episode, evidence, fact, put, question, salience


def test_an_error_of_a_disk_without_room_is_told_as_a_full_disk(tmp_path: Path) -> None:
    """On a full disk SQLite fails to grow the index of its log, and calls that an error of the disk. /proc never has room."""
    error = driver.library().module.OperationalError("disk I/O error")
    error.sqlite_errorname = "SQLITE_IOERR_SHMSIZE"
    told = [refusal(error, folder / "ethos.db") for folder in (Path("/proc"), tmp_path)]
    assert ["the disk is full" in str(each) for each in told] == [True, False]


class TestSqliteStore(StoreContract):
    """SQLite keeps the contract."""

    def open(self, place: Path) -> Store:
        """One file."""
        return open_store(place / "ethos.db")


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "deep" / "ethos.db"


@pytest.fixture
def store(path: Path) -> Iterator[SqliteStore]:
    opened = open_store(path)
    yield opened
    opened.close()


def raw(path: Path, statement: str, *params: object) -> list[Any]:
    """What another connection sees in the file, of the same library: two libraries in one process undo each other's locks."""
    connection = driver.library().module.connect(str(path))
    try:
        with connection:
            found: list[Any] = connection.execute(statement, params).fetchall()
            return found
    finally:
        connection.close()


def refused(path: Path) -> Refused:
    with pytest.raises(Refused) as caught:
        open_store(path)
    assert caught.value.problem.code == "store"
    assert caught.value.problem.hint
    assert caught.value.problem.where
    return caught.value


# -- settings and files


@pytest.mark.parametrize(
    ("version", "safe"),
    [
        ((3, 6, 23), True),
        ((3, 7, 0), False),
        ((3, 40, 1), False),
        ((3, 44, 5), False),
        ((3, 44, 6), True),
        ((3, 45, 0), False),
        ((3, 50, 6), False),
        ((3, 50, 7), True),
        ((3, 51, 0), False),
        ((3, 51, 2), False),
        ((3, 51, 3), True),
        ((3, 53, 4), True),
    ],
)
def test_the_wal_reset_bug_is_known_by_version(version: tuple[int, ...], *, safe: bool) -> None:
    """3.7.0 to 3.51.2 have it, but for two branches that were mended."""
    assert driver.wal_safe(version) is safe


def test_the_library_with_the_bug_is_used_only_where_there_is_no_other(monkeypatch: pytest.MonkeyPatch, path: Path) -> None:
    """Python's own if sound, else pysqlite3 if sound, else Python's own with the rollback journal."""
    sound = SimpleNamespace(sqlite_version="3.53.4", sqlite_version_info=(3, 53, 4))
    buggy = SimpleNamespace(sqlite_version="3.51.1", sqlite_version_info=(3, 51, 1))
    monkeypatch.setattr(driver, "sqlite3", sound)
    assert driver.library().name == "sqlite3"
    monkeypatch.setattr(driver, "sqlite3", buggy)
    monkeypatch.setitem(sys.modules, "pysqlite3.dbapi2", sound)
    assert driver.library().name == "pysqlite3"
    for other in (buggy, None):  # None: importing it fails
        monkeypatch.setitem(sys.modules, "pysqlite3.dbapi2", other)
        found = driver.library()
        assert (found.name, found.wal_safe, driver.journal_mode(found, path)) == ("sqlite3", False, "delete")


def test_the_rollback_journal_serves_as_well(monkeypatch: pytest.MonkeyPatch, path: Path) -> None:
    """Where only a library with the bug is to be had, everything works, durably, without the write-ahead log."""
    monkeypatch.setattr(
        "ethos.store.sqlite.connections.library", lambda: driver.Library(sqlite3, "sqlite3", sqlite3.sqlite_version, wal_safe=False)
    )
    opened = open_store(path)
    put(opened, episode("e-1", "数据库"), fact(), evidence())
    opened.begin_unit(["e-1"])
    assert opened.recover() == 1
    assert opened.check() == []
    told = opened.describe()
    assert (told["journal_mode"], told["synchronous"], told["wal_reset_safe"], told["wal_bytes"]) == ("delete", "full", False, 0)
    opened.close()


MOUNTS = """22 1 8:1 / / rw,relatime - ext4 /dev/sda1 rw
30 22 0:45 / /home/m rw - btrfs /dev/sdb rw
31 30 0:46 / /home/m/Sync\\040Folder rw - fuse.rclone remote rw
32 22 0:47 / /mnt/nas rw shared:1 - nfs4 nas:/x rw
a line that is cut short"""


@pytest.mark.parametrize(
    ("place", "kind", "remote"),
    [
        ("/var/lib/ethos.db", "ext4", False),
        ("/home/m/ethos.db", "btrfs", False),
        ("/home/m/Sync Folder/ethos.db", "fuse.rclone", True),
        ("/mnt/nas/a/b.db", "nfs4", True),
        ("/mnt/nassau/b.db", "ext4", False),
    ],
)
def test_network_and_fuse_file_systems_are_known(place: str, kind: str, *, remote: bool) -> None:
    """The write-ahead log is never used on them: their locks and shared memory cannot be relied on."""
    found = driver.file_system(Path(place), MOUNTS)
    assert (found, driver.is_remote(found)) == (kind, remote)


def test_wal_is_not_used_where_it_cannot_be_relied_on(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """The mounts decide, and where a system does not tell its mounts, nothing is assumed of them."""
    sound = driver.Library(sqlite3, "sqlite3", "3.53.4", wal_safe=True)
    (tmp_path / "mounts").write_text("1 0 0:1 / / rw - nfs4 nas:/ rw\n")
    monkeypatch.setattr(driver, "_MOUNTS", tmp_path / "mounts")
    assert driver.journal_mode(sound, tmp_path / "e.db") == "delete"
    monkeypatch.setattr(driver, "_MOUNTS", tmp_path / "no such file")
    assert driver.journal_mode(sound, tmp_path / "e.db") == "wal"


def test_every_connection_has_the_settings(store: SqliteStore) -> None:
    """Durable, foreign keys held, no zombie text on the pages, nothing in the file is trusted to run."""
    with store.begin() as work:
        told = {
            name: work.sql.value(f"PRAGMA {name}")
            for name in ("synchronous", "foreign_keys", "secure_delete", "trusted_schema", "cell_size_check", "busy_timeout", "mmap_size")
        }
    assert told == {
        "synchronous": 2,
        "foreign_keys": 1,
        "secure_delete": 1,
        "trusted_schema": 0,
        "cell_size_check": 1,
        "busy_timeout": 10_000,
        "mmap_size": 0,
    }


def test_a_connection_goes_back_as_it_came(store: SqliteStore) -> None:
    """Neither the light commit of `begin_unit` nor the impatience of `compact` stays with the connection."""
    put(store, episode())
    store.begin_unit(["e-1"])
    store.file.compact()
    with store.begin() as work:
        assert (work.sql.value("PRAGMA synchronous"), work.sql.value("PRAGMA busy_timeout")) == (2, 10_000)


def memory_of_sqlite() -> int:
    """Bytes that the library has in use, in all connections."""
    used, most = ctypes.c_int64(), ctypes.c_int64()
    extension = sys.modules["pysqlite3._sqlite3" if driver.library().name == "pysqlite3" else "_sqlite3"]
    ctypes.CDLL(extension.__file__).sqlite3_status64(0, ctypes.byref(used), ctypes.byref(most), 0)  # SQLITE_STATUS_MEMORY_USED
    return used.value


def test_every_connection_lets_go_of_its_pages(store: SqliteStore) -> None:
    """Two readers at once have read a store of 2 MB; a daemon that is asked all the time kept that, more as the store grew."""
    put(store, *(episode(f"e-{number}", text="x" * 10_000) for number in range(200)))

    def read(work: SqliteWork) -> int:
        return int(work.sql.value("SELECT sum(length(text)) FROM episodes NOT INDEXED"))

    with store.begin() as one, store.begin() as other:
        assert read(one) == read(other) == 2_000_000
    before = memory_of_sqlite()
    store.file.slim()
    assert before - memory_of_sqlite() > 3_000_000
    with store.begin() as one:
        assert read(one) == 2_000_000


def test_describe_tells_what_is_in_force(store: SqliteStore, path: Path) -> None:
    """For `status` and `doctor`."""
    put(store, episode())
    told = store.describe()
    assert told["path"] == str(path)
    assert told["bytes"] == path.stat().st_size
    assert told["schema"] == schema.HEAD
    assert told["synchronous"] == "full"
    if told["journal_mode"] == "wal":
        assert int(told["wal_bytes"]) > 0
        store.file.compact()
        assert store.describe()["wal_bytes"] == 0


def test_only_the_owner_may_read_the_files(path: Path) -> None:
    """Folder 0700, files 0600, even with an open umask; a store that was opened up is reported."""
    before = os.umask(0)
    try:
        opened = open_store(path)
        put(opened, episode())
        modes = {file.name: stat.S_IMODE(file.stat().st_mode) for file in path.parent.iterdir()}
    finally:
        os.umask(before)
    assert set(modes.values()) == {0o600}
    assert stat.S_IMODE(path.parent.stat().st_mode) == 0o700
    path.chmod(0o644)
    assert opened.check() == [f"other users may read the store (mode 644): chmod 600 {path}"]
    opened.close()


def test_opening_needs_neither_alembic_nor_numpy(path: Path) -> None:
    """A new store, and one that is up to date, are opened without them: a daemon that idles should be small."""
    program = (
        "import sys; from ethos.store import open_store; open_store(sys.argv[1]).close(); print({'alembic', 'numpy'} & set(sys.modules))"
    )
    for _ in range(2):
        done = subprocess.run([sys.executable, "-c", program, str(path)], capture_output=True, text=True, check=True)
        assert done.stdout.strip() == "set()"


# -- the schema


def test_every_field_of_a_record_is_a_column(store: SqliteStore) -> None:
    """The tables follow the records; a field that is added to a record without a column is noticed here."""
    with store.begin() as work:
        for shape in SHAPES:
            columns = {column.name for column in Table.metadata.tables[shape.table].columns}
            stored = {row[1] for row in work.sql.rows(f"PRAGMA table_info({shape.table})")}
            assert set(shape.columns) <= columns == stored


def test_a_new_store_is_made_of_what_the_tables_declare(store: SqliteStore) -> None:
    """A store in use has the tables and indexes that SQLModel would make of `tables.py`, to the letter."""
    dialect = sqlite.dialect()
    declared: dict[str, ExecutableDDLElement] = {}
    for table in Table.metadata.sorted_tables:
        declared |= {table.name: CreateTable(table)} | {str(index.name): CreateIndex(index) for index in table.indexes}
    with store.begin() as work:
        rows = work.sql.rows("SELECT name, sql FROM sqlite_master WHERE name = tbl_name OR type = 'index'")
    stored = {name: " ".join(sql.split()) for name, sql in rows if name in declared}
    assert stored == {name: " ".join(str(made.compile(dialect=dialect)).split()) for name, made in declared.items()}


def test_e42_the_sql_is_generated_from_the_declared_tables() -> None:
    """`tables.sql` is what the generator writes now; where it is not, run `python -m ethos.store.sqlite.generate`."""
    assert schema.TABLES.read_text("utf-8") == generate.text()


def test_g18_every_record_carries_user_and_project(store: SqliteStore, path: Path) -> None:
    """Also marks, evidence and salience, whose records do not say: they take them from their episode or fact."""
    put(store, episode(), fact(), evidence(), salience("f-1"), question())
    put(store, salience("e-1"), evidence(start=40))
    for table in ("episodes", "marks", "facts", "evidence", "salience", "questions"):
        assert set(raw(path, f"SELECT user, project FROM {table}")) == {("michael", "ethos")}  # noqa: S608 (a list of our own)


def test_sqlmodel_reads_what_the_bulk_path_wrote(store: SqliteStore) -> None:
    """The declared tables serve queries by SQLModel, with aware times; a time without a zone cannot be asked for."""
    put(store, episode(said_at=at(1)), episode("e-2"))
    engine = make_engine(store.pool.path, store.pool.library, store.pool.journal)
    with Session(engine) as session:
        (row,) = session.exec(select(EpisodeRow).where(EpisodeRow.said_at > NOON)).all()
        assert (row.id, row.said_at, row.said_at.tzinfo) == ("e-1", at(1), UTC)
        session.rollback()
    engine.dispose()
    with pytest.raises(ValueError, match="without a zone"):
        micros(datetime(2026, 6, 1))  # noqa: DTZ001 (the mistake this is about)


def test_e34_hot_questions_are_answered_by_index(store: SqliteStore, monkeypatch: pytest.MonkeyPatch) -> None:
    """No question that a cycle or a recall asks walks over a whole table; the two indexes of E-34 are among those used."""
    put(store, episode(), fact(), evidence(), question(), salience())
    put(store, EpisodeState("e-1", NOON, "rules-0"))
    plans: list[str] = []
    rows = Sql.rows

    def explained(sql: Sql, statement: str, *params: Any) -> list[Any]:
        plans.extend(row[3] for row in rows(sql, f"EXPLAIN QUERY PLAN {statement}", *params))
        return rows(sql, statement, *params)

    monkeypatch.setattr(Sql, "rows", explained)
    with store.begin(write=True) as work:
        work.unscanned(RULES, session=None, limit=100)
        work.unscanned(RULES, session="s1", limit=100)
        work.marks(["e-1"])
        work.episodes(["e-1"])
        work.active_facts([FactKey("michael", "ethos", "team", "use", "languages")])
        work.active_facts_about([("michael", "ethos", "team")])
        work.active_facts_naming([("michael", "ethos", "rust")])
        work.weak_claims([WeakClaimKey("michael", "ethos", "team", "use", "", "zig", "+")])
        work.questions(facts=["f-1"])
        work.questions(open_only=True)
        work.fading(NOON, limit=10)
        work.salience(["e-1"])
        work.fact("f-1")
        work.replaced(["f-1"])
        work.facts(FactFilter("michael", subject="team"))
        work.evidence(["f-1"])
        work.evidence_in(["e-1"])
        work.retrieved(["e-1"], "s1")
        work.runs(name="consolidate")
        work.latest_live_capture()
        work.live_captures(NOON, NOON)
        work.search(Search("michael", ("rust",)))
        work.apply(
            one("", episode(), fact(version=2, recorded_at=at(1)), evidence(), question(), salience(), EpisodeState("e-1", NOON, RULES)),
            "r-2",
        )
    # what may be walked over: lists of ours, the ranking itself, and an index that holds no more than what is asked for
    lists = r"k|w|m|json_each|words|hashes|CONSTANT ROW|\(subquery-\d+\)"
    own = rf"SCAN ({lists}|questions USING INDEX idx_questions_open)( EXISTS)?( VIRTUAL TABLE .*)?"
    assert {plan for plan in plans if plan.startswith("SCAN") and not re.fullmatch(own, plan)} == set()
    for index in (
        "idx_episodes_unconsolidated",
        "idx_facts_subject_pred",
        "idx_salience_fading",
        "idx_questions_open",
        "idx_evidence_episode",
    ):
        assert any(index in plan for plan in plans), index


# -- the journal


def journal(path: Path, run: str) -> dict[tuple[str, str], dict[str, Any]]:
    """The before-images of a run."""
    return {(kind, id_): json.loads(before) for kind, id_, before in raw(path, "SELECT kind, id, before FROM journal WHERE run = ?", run)}


def test_the_journal_keeps_what_a_run_replaced(store: SqliteStore, path: Path) -> None:
    """Nothing for what a run made itself, however often it put it; one image, from before the run, for what another run had set."""
    put(store, episode(), episode("e-2"), run="r-0")
    put(store, EpisodeState("e-1", NOON, "rules-0"), fact(), question(), salience(), run="r-1")
    put(
        store,
        EpisodeState("e-1", NOON, "rules-1"),
        question(repeats=1),
        salience(retrievals=1),
        fact(version=2, recorded_at=at(1)),
        run="r-1",
    )
    assert journal(path, "r-0") == journal(path, "r-1") == {}
    put(
        store,
        EpisodeState("e-1", at(2), RULES),
        EpisodeState("e-2", at(2), RULES),
        fact(version=3, recorded_at=at(2), run="r-2"),
        run="r-2",
    )
    put(store, EpisodeState("e-1", at(3), RULES), question(repeats=2), salience(retrievals=2), run="r-2")
    kept = journal(path, "r-2")
    assert set(kept) == {("questions", "c-1"), ("salience", "e-1")}  # versions of facts stay where they are; marks follow from evidence
    assert kept["questions", "c-1"]["repeats"] == 1
    assert kept["salience", "e-1"]["retrievals"] == 1


# -- the index


def row_of(work: SqliteWork, text: str) -> tuple[int]:
    """Where a text stands in the index."""
    [row] = work.sql.rows("SELECT id FROM searchable WHERE text = ?", text)
    return tuple(row)


def test_the_index_can_be_made_anew(store: SqliteStore) -> None:
    """`check` sees what is missing from it or too many in it, and `reindex` sets it right."""
    put(store, episode("e-1", "数据库 rust"), fact("f-1", "Go"), evidence())
    put(store, fact("f-1", "Go", version=2, statement="team uses Golang 语言", recorded_at=at(1)))
    with store.begin(write=True) as work:
        (row,) = row_of(work, "数据库 rust")
        work.sql.run("INSERT INTO words (words, rowid, text) VALUES ('delete', ?, '数据库 rust')", row)
        work.sql.run("INSERT INTO grams (rowid, text) VALUES (99, '没有这样的')")
    assert store.check() == [
        "full-text index: 1 records are missing from words, 0 too many",
        "full-text index: 0 records are missing from grams, 1 too many",
    ]
    store.reindex()
    assert store.check() == []
    with store.begin() as work:
        assert [hit.id for hit in work.search(Search("michael", ("rust",)))] == ["e-1"]
        assert [hit.id for hit in work.search(Search("michael", ("语言",)))] == ["f-1"]


def test_text_without_such_scripts_costs_the_trigram_index_nothing(store: SqliteStore, path: Path) -> None:
    """It holds only the texts that need it."""
    put(store, episode("e-1", "plain"), episode("e-2", "café Решили"), episode("e-3", "数据库"))
    with store.begin() as work:
        assert raw(path, "SELECT id FROM grams_docsize") == [row_of(work, "数据库")]


def test_check_names_what_does_not_hold(store: SqliteStore, path: Path) -> None:
    """A store that another program has been at: each broken promise is one line."""
    put(store, episode(), episode("e-2"), fact(), fact("f-2"), evidence(), question())
    raw(path, "DELETE FROM marks WHERE episode = 'e-2'")
    raw(path, "UPDATE evidence SET fact = 'f-9'")
    raw(path, "INSERT INTO marks SELECT 'e-9', user, project, 0, 0, 0, NULL, NULL, 0, NULL, 0, 0, 0 FROM episodes LIMIT 1")
    assert store.check() == [
        "damaged: marks e-9: a value is not the one that was written",
        "damaged: evidence f-9 e-1: a value is not the one that was written",
        "1 rows refer to a record that is not there",
        "1 episodes without a mark",
        "1 marks without their episode",
        "1 pieces of evidence without their fact",
        "2 facts without evidence",
        "1 facts held twice over",
    ]


# -- what can go wrong with a file


def test_a_folder_in_place_of_the_store_is_refused(tmp_path: Path) -> None:
    """And so are a file in place of the folder, and a folder nobody may make."""
    assert "is a folder" in str(refused(tmp_path))
    (tmp_path / "file").write_text("x")
    assert "is a file" in str(refused(tmp_path / "file" / "ethos.db"))
    assert "cannot be made" in str(refused(Path("/proc/ethos/ethos.db")))


def test_a_file_that_is_no_store_is_refused(tmp_path: Path) -> None:
    """Text, another program's database: it is left as it is."""
    note = tmp_path / "note.db"
    note.write_text("Dear diary, " * 1000)
    assert "not an Ethos store" in str(refused(note))
    assert note.read_text().startswith("Dear diary")
    other = tmp_path / "other.db"
    raw(other, "CREATE TABLE t (x)")
    assert "another program" in str(refused(other))


def test_a_store_newer_than_this_program_is_refused(store: SqliteStore, path: Path) -> None:
    """A schema nobody here knows is not written to."""
    store.close()
    raw(path, "PRAGMA user_version = 99")
    assert "newer than this program (schema 99" in str(refused(path))


@pytest.mark.parametrize("offset", [0, 100, 4096, 3 * 4096])
def test_damage_is_told_and_never_silent(store: SqliteStore, path: Path, offset: int) -> None:
    """Whether it shows as an error or as a finding of the check, `check` or opening says so, plainly."""
    put(store, *[episode(f"e-{n}", f"something said {n} " * 20) for n in range(200)])
    store.file.compact()
    store.close()
    with path.open("r+b") as file:
        file.seek(offset)
        file.write(b"\xa5" * 2048)
    try:
        opened = open_store(path)
    except Refused as error:
        assert error.problem.code == "store"  # noqa: PT017 (either way is right)
        return
    assert any(line.startswith("damaged: ") for line in opened.check())
    opened.close()


def test_a_damaged_page_refuses_the_question_that_meets_it(store: SqliteStore, path: Path) -> None:
    """The rest of the program learns it as a problem of the store, not as a bug."""
    put(store, *[episode(f"e-{n}", f"something said {n} " * 50) for n in range(300)])
    store.file.compact()
    store.close()
    opened = open_store(path)
    size = path.stat().st_size
    with path.open("r+b") as file:
        file.seek(20 * 4096)
        file.write(b"\0" * (size - 20 * 4096))
    with pytest.raises(Refused, match="damaged") as caught, opened.begin() as work:
        work.episodes([f"e-{n}" for n in range(300)])
    assert caught.value.problem.where == str(path)
    opened.close()


def test_a_full_store_loses_nothing_that_was_acknowledged(store: SqliteStore) -> None:
    """When the file may not grow any more the put is refused as a whole; what was there stays, and smaller things still go in."""
    put(store, episode())
    with store.begin() as work:
        pages = work.sql.value("PRAGMA page_count")
        work.sql.rows(f"PRAGMA max_page_count = {pages + 2}")
    with pytest.raises(Refused, match="the disk is full") as caught, store.begin(write=True) as work:
        work.apply(one("", *[episode(f"e-x{n}", "long " * 2000) for n in range(20)]), "r-1")
    assert caught.value.problem.code == "store"
    with store.begin() as work:
        assert work.counts(RULES).episodes == 1
    put(store, episode("e-2"))
    assert store.check() == []


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write everywhere")
def test_a_read_only_store_is_refused(store: SqliteStore, path: Path) -> None:
    """The file may be read and not written."""
    store.close()
    path.chmod(0o400)
    path.parent.chmod(0o500)
    try:
        refused(path)
    finally:
        path.parent.chmod(0o700)


def test_a_store_that_turns_read_only_says_so(store: SqliteStore) -> None:
    """The put is refused with what to do about it."""
    with store.begin() as work:
        work.sql.rows("PRAGMA query_only = ON")
    with pytest.raises(Refused, match="cannot be written"):
        put(store, episode())


def test_a_writer_is_alone(store: SqliteStore, path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A second writer waits, and is told `busy` when that takes too long; readers are not held up."""
    monkeypatch.setattr(driver, "BUSY_MS", 50)
    other = open_store(path)
    with store.begin(write=True):
        with pytest.raises(Refused, match="another process is writing") as caught:
            put(other, episode())
        with other.begin() as reader:
            assert reader.counts(RULES).episodes == 0
    assert caught.value.problem.code == "busy"
    assert put(other, episode()).episodes_added == 1
    other.close()


def test_many_threads_share_a_store(store: SqliteStore) -> None:
    """Eight of them capture at once; nothing is lost and nothing is doubled."""

    def capture(number: int) -> None:
        for n in range(10):
            put(store, episode(f"e-{number}-{n}"), episode(f"e-common-{n}"))

    threads = [threading.Thread(target=capture, args=(number,)) for number in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    with store.begin() as work:
        assert work.counts(RULES).episodes == 90
    assert store.check() == []


KILLED = """
import sys
from tests.store_contract import episode, put
from ethos.store import open_store
store = open_store(sys.argv[1])
for n in range(100_000):
    put(store, episode(f"e-{n}", f"something said {n} " * 50))
    print(n, flush=True)
"""


def test_what_was_acknowledged_survives_kill_9(path: Path) -> None:
    """A process is killed in the middle of capturing: all it had acknowledged is there, at most one more, and the store is sound."""
    process = subprocess.Popen([sys.executable, "-c", KILLED, str(path)], stdout=subprocess.PIPE, text=True)
    assert process.stdout is not None
    acknowledged = [next(process.stdout) for _ in range(40)]
    process.kill()
    acknowledged += process.stdout.readlines()
    process.wait()
    process.stdout.close()
    opened = open_store(path)
    with opened.begin() as work:
        assert work.counts(RULES).episodes in {len(acknowledged), len(acknowledged) + 1}
        assert len(work.episodes([f"e-{int(n)}" for n in acknowledged])) == len(acknowledged)
    assert opened.check() == []
    opened.close()


def test_a_mistake_of_ours_is_shown_as_one(store: SqliteStore) -> None:
    """An error that no person can do anything about is not dressed up as a problem of the store."""
    with pytest.raises(Exception, match="no such table"), store.begin() as work:
        work.sql.rows("SELECT * FROM nothing_of_the_kind")
