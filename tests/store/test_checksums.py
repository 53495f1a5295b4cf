"""A value that changed in the file is never read as if it had been written: checksums of rows, and what is held against what."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from ethos.core.model.errors import Refused
from ethos.store import SqliteStore, open_store, verify
from ethos.store.sqlite import checking, checksums, full_text, migrations, schema
from ethos.store.sqlite import driver as sqlite
from ethos.store.sqlite.checksums import EPISODES, every_sum
from ethos.store.sqlite.engine import WRITES, make_engine
from ethos.store.sqlite.generate import tables
from ethos.store.sqlite.sql import Sql
from tests.faults import byte_flips
from tests.store_contract import EVERY_RECORD, at, episode, evidence, fact, put, salience
from tests.support.stores import change_file

REAL = st.floats(-1, 1) | st.integers(-1, 1) | st.just(-0.0)
WORDS = st.text(st.characters(exclude_categories=["Cs"]), max_size=20)


@pytest.fixture(scope="module")
def lived(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A store with rows in every table, closed and sound."""
    folder = tmp_path_factory.mktemp("lived")
    folder.chmod(0o700)
    return byte_flips.lived(folder, 1)


@pytest.fixture
def store(tmp_path: Path) -> Iterator[SqliteStore]:
    opened = open_store(tmp_path / "ethos.db")
    yield opened
    opened.close()


def problems(path: Path) -> list[str]:
    opened = open_store(path)
    try:
        return [*opened.check()]
    finally:
        opened.close()


# -- every value is covered


COLUMNS = [
    (table.name, column.name)
    for table in tables()
    for column in table.columns
    if column.name != "seq"  # the number of a row says nothing but its place, to which the index on its id holds it
]


@pytest.mark.parametrize("kept", [("episodes", "seq"), ("facts", "seq"), ("in_hand", "seq"), *COLUMNS], ids=".".join)
def test_t14_a_change_of_any_value_is_told(lived: Path, tmp_path: Path, kept: tuple[str, str]) -> None:
    """Each column of each table, changed in one row of a memory that has lived; nothing but the one value is another."""
    table, column = kept
    path = tmp_path / "ethos.db"
    shutil.copy(lived, path)
    triggers = [f"DROP TRIGGER audit_{name}" for name in ("follows", "stands", "stays")]
    key = ", ".join(f'"{part.name}"' for part in next(each for each in tables() if each.name == table).primary_key)
    other = f"""CASE typeof("{column}") WHEN 'integer' THEN "{column}" + 1000 WHEN 'real' THEN "{column}" / 2 + 0.01
        WHEN 'null' THEN 7 ELSE "{column}" || 'x' END"""
    change = f'UPDATE {table} SET "{column}" = {other} WHERE ({key}) IN (SELECT {key} FROM {table} LIMIT 1)'  # noqa: S608 (our own names)
    change_file(path, *triggers, change)
    found = [line for line in problems(path) if "trigger" not in line]
    assert found, kept
    assert table in str(found) or table.rstrip("s") in str(found), found


def test_every_table_is_summed_but_the_audit_which_has_its_chain() -> None:
    """A new table cannot be forgotten."""
    assert {sums.table for sums in every_sum()} == {table.name for table in tables()} - {"audit"}


def test_a_checksum_is_the_same_in_every_python() -> None:
    """What a store was given by one version is read by the next: this number never changes."""
    row = [7, "e-1", "ada", "", "s1", "user", "Ada", 3, "Wir nehmen Rüst 数", 1, 2, 0.1, 0, "a.jsonl", "said", "episode", -1e-300, None]
    assert EPISODES.of(row) == 1_624_324_753


@given(st.lists(REAL, min_size=6, max_size=6), st.lists(WORDS, min_size=4, max_size=4))
@settings(max_examples=40, suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow])
def test_whatever_is_written_is_sound(tmp_path: Path, reals: list[float], words: list[str]) -> None:
    """Whole numbers where real ones belong, a negative zero, any text: SQLite gives back what the checksum was made of."""
    path = tmp_path / "any.db"
    for each in tmp_path.glob("any.db*"):
        each.unlink()
    opened = open_store(path)
    spoken = episode(text=words[0], importance=reals[0], tone=reals[1], tags=(words[1],), speaker=words[2])
    alive = salience(base=reals[2], tone=reals[3])
    put(opened, spoken, alive, fact(confidence=abs(reals[4]), over=words[3]), evidence(confidence=reals[5]))
    put(opened, replace(alive, base=reals[3], accessed_at=at(1)), run="r-2")
    assert opened.check() == []
    opened.close()


def test_every_kind_of_record_is_sound_however_often_it_is_put(store: SqliteStore) -> None:
    """First and again, by one run and by another."""
    for run in ("r-1", "r-1", "r-2"):
        put(store, *EVERY_RECORD, run=run)
        with store.begin() as work:
            assert checksums.check(work.sql) == []


# -- what is damaged is named, and not built upon


def test_what_is_damaged_is_named_and_where_much_is_it_is_counted(store: SqliteStore, tmp_path: Path) -> None:
    """Each row by its id, up to twenty of a table."""
    put(store, *[episode(f"e-{number}") for number in range(30)])
    change_file(tmp_path / "ethos.db", "UPDATE episodes SET speaker = 'Mallory' WHERE id = 'e-7'")
    assert store.check() == ["damaged: episodes e-7: a value is not the one that was written"]
    change_file(tmp_path / "ethos.db", "UPDATE episodes SET speaker = 'Mallory'")
    assert len(store.check()) == 21
    assert "damaged: episodes: so it is in 30 rows" in store.check()


def test_a_text_that_is_none_any_more_is_named_too(store: SqliteStore, tmp_path: Path) -> None:
    """Bytes that are no UTF-8 end the reading of a row, not the look at the others."""
    put(store, episode("e-1"), episode("e-2"), episode("e-3"))
    change_file(tmp_path / "ethos.db", "UPDATE episodes SET text = CAST(x'c328' AS TEXT) WHERE id <> 'e-2'")
    assert {line.split(":")[1] for line in store.check() if line.startswith("damaged: episodes")} == {" episodes e-1", " episodes e-3"}


def test_a_damaged_row_is_not_built_upon(store: SqliteStore, tmp_path: Path) -> None:
    """What was made of it would bear a checksum that fits, and nobody would ever know: the pass that meets it is refused."""
    put(store, episode(), salience())
    change_file(tmp_path / "ethos.db", "UPDATE salience SET base = 0.9")
    with pytest.raises(Refused, match="salience e-1 is not as it was written") as caught:
        put(store, salience(retrievals=1), run="r-2")
    assert "ethos restore" in caught.value.problem.hint


def test_a_version_of_a_fact_ends_when_the_next_begins(store: SqliteStore, tmp_path: Path) -> None:
    """The end is written later than the row, so it is held against what it repeats."""
    put(store, episode(), fact(), evidence())
    put(store, fact(version=2, recorded_at=at(1)), run="r-2")
    assert store.check() == []
    change_file(tmp_path / "ethos.db", "UPDATE facts SET closed_at = closed_at + 1 WHERE version = 1")
    assert store.check() == ["1 versions of facts that do not follow one another"]


# -- the index, the schema, the header


@pytest.mark.parametrize(("words", "index"), [("We use Rust", "words"), ("我们使用数据库", "words"), ("我们使用数据库", "grams")])
def test_an_index_that_says_something_else_is_told(store: SqliteStore, tmp_path: Path, words: str, index: str) -> None:
    """The text and its checksum agree, and the index has other words under the same row, or at another place."""
    put(store, episode("e-1", words))
    pad = full_text.PAD if index == "grams" else ""
    other = words.replace("使用", "试用").replace("Rust", "Ruby")
    with store.begin() as work:
        row = work.sql.value("SELECT id FROM searchable")
    change_file(
        tmp_path / "ethos.db",
        f"INSERT INTO {index} ({index}, rowid, text) VALUES ('delete', {row}, '{words}{pad}')",  # noqa: S608 (our own names)
        f"INSERT INTO {index} (rowid, text) VALUES ({row}, '{other}{pad}')",  # noqa: S608 (our own names)
    )
    assert [line.split(" (")[0] for line in store.check()] == [full_text.DIFFERS.format(index)]
    store.reindex()
    assert store.check() == []


@pytest.mark.parametrize("what", ["DROP TRIGGER audit_stays", "DROP INDEX idx_facts_run", "UPDATE words_config SET v = 5"])
def test_a_schema_that_is_not_ours_is_told(store: SqliteStore, tmp_path: Path, what: str) -> None:
    """What would do its work otherwise than this program thinks."""
    put(store, episode())
    change_file(tmp_path / "ethos.db", what)
    assert any("is not what this program makes" in line for line in store.check()), store.check()


def test_t14_a_space_in_the_schema_that_became_another_is_told(lived: Path, tmp_path: Path) -> None:
    """SQLite reads the same: it is damage all the same, and was found as a byte of which nobody was told."""
    path = tmp_path / "ethos.db"
    data = bytearray(lived.read_bytes())
    data[data.index(b"\n\tseq INTEGER") + 1] ^= 4
    path.write_bytes(data)
    path.chmod(0o600)
    assert any("is not what this program makes" in line for line in problems(path))


@pytest.mark.parametrize("bit", [pytest.param(bit, marks=[] if bit in (0, 3) else pytest.mark.torture) for bit in range(8)])
def test_a_damaged_header_is_told_or_says_nothing(lived: Path, tmp_path: Path, bit: int) -> None:
    """Each of the hundred bytes: refused, with how a backup is restored, or told by the check, or everything reads as before."""
    truth = byte_flips.read(lived)
    for place in range(100):
        data = bytearray(lived.read_bytes())
        data[place] ^= 1 << bit
        path = tmp_path / f"{place}.db"
        path.write_bytes(data)
        path.chmod(0o600)
        try:
            open_store(path).close()
        except Refused as refused:
            assert "restore a backup" in refused.problem.hint, (place, refused)  # noqa: PT017 (either way is right)
        else:
            assert problems(path) or byte_flips.read(path) == truth, place


# -- that all this can fail


@pytest.mark.parametrize("part", [checksums.check, schema.check])
def test_t14_a_part_that_did_not_look_would_be_noticed(lived: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, part: Any) -> None:
    """Without one of the parts, a byte turned where only that part looks is silent, and the program says so."""
    truth, whole = byte_flips.read(lived), lived.read_bytes()
    at = whole.index(b"userMichael" if part is checksums.check else b"audit does not shrink")
    path = tmp_path / "ethos.db"

    def turned() -> str:
        data = bytearray(whole)
        data[at] ^= 2
        path.write_bytes(data)
        path.chmod(0o600)
        return byte_flips.outcome(path, truth)

    assert turned() == "told"
    monkeypatch.setattr(checking, "_PARTS", tuple(each for each in checking._PARTS if each is not part))
    assert turned().startswith("silent")


# -- stores from before, and copies


# older schemas hold nothing of a replay, and no sentence of a piece of evidence
_KNOWN_BEFORE = {"salience": "WHERE last_consolidated_at IS NULL", "evidence": "WHERE statement = ''"}


@pytest.mark.parametrize("start", schema.REVISIONS[:-1])
def test_a_store_from_before_has_its_checksums(lived: Path, tmp_path: Path, start: str) -> None:
    """A store of each earlier schema, with what the memory held as far as that schema could hold it: every row is there, and sound."""
    path = tmp_path / "old.db"
    sqlite.make_file(path)
    engine = make_engine(path, sqlite.library(), "wal")
    with engine.connect().execution_options(**{WRITES: True}) as connection, connection.begin():
        migrations.run(connection, start)
    with closing(engine.raw_connection()) as pooled:
        sql = Sql(pooled.driver_connection)
        sql.run("ATTACH ? AS lived", str(lived))
        sql.run("PRAGMA foreign_keys = OFF")
        for table in dict.fromkeys(sums.table for sums in every_sum()):
            names = "SELECT name FROM pragma_table_info(?, ?)"
            old, new = ([name for (name,) in sql.rows(names, table, of)] for of in ("main", "lived"))
            both = ", ".join(f'"{name}"' for name in new if name in old)
            if both:
                sql.run(f"INSERT INTO main.{table} ({both}) SELECT {both} FROM lived.{table}")  # noqa: S608 (our own names)
        full_text.rebuild(sql)
        sql.run("DETACH lived")
    engine.dispose()
    opened = open_store(path)
    with opened.begin() as work, open_store(lived).begin() as as_it_was:
        assert checksums.check(work.sql) == []
        for table in ("episodes", "facts", "evidence", "suspects", "questions", "salience"):
            kept = _KNOWN_BEFORE.get(table, "")
            statement = f"SELECT checksum FROM {table}"  # noqa: S608 (our own names)
            found = work.sql.rows(statement)
            assert {*as_it_was.sql.rows(f"{statement} {kept}")} <= {*found}
            assert len(found) == as_it_was.sql.value(f"SELECT count(*) FROM {table}")  # noqa: S608 (our own names)
    assert not [line for line in opened.check() if "damaged" in line or "full-text" in line]
    opened.close()


def test_no_backup_is_made_of_what_is_damaged_and_a_damaged_one_is_not_restored(store: SqliteStore, tmp_path: Path) -> None:
    """The sound one from before stays where it is; one in which a byte turned since is refused before anything is touched."""
    put(store, episode("e-1", "We decided to use Rust"), fact(), evidence())
    kept = tmp_path / "kept.db"
    store.file.back_up(str(kept))
    change_file(tmp_path / "ethos.db", "UPDATE facts SET statement = 'team uses Rusk'")
    with pytest.raises(Refused, match="no backup is made") as caught:
        store.file.back_up(str(kept))
    assert "facts f-1" in caught.value.problem.what
    assert verify(kept) == len(schema.REVISIONS)
    data = bytearray(kept.read_bytes())
    data[data.index(b"team uses Rust")] ^= 1
    kept.write_bytes(data)
    with pytest.raises(Refused, match="the backup is damaged"):
        verify(kept)
