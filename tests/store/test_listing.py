"""Where records stand in the full-text index: by blocks of one type and session, made anew from the records, and gone with them."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from ethos.core.ports.queries import Search
from ethos.core.recall.ranking import NEIGHBOURS
from ethos.core.recall.terms import mark_of
from ethos.store import SqliteStore, open_store
from ethos.store.sqlite import listed
from ethos.store.sqlite.listed import BLOCK_BITS, BLOCK_ROWS
from tests.store_contract import at, episode, evidence, fact, forget, found, put
from tests.support.stores import change_file, take_back_to


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "ethos.db"


@pytest.fixture
def store(path: Path) -> Iterator[SqliteStore]:
    opened = open_store(path)
    yield opened
    opened.close()


def test_an_older_index_is_made_anew(path: Path) -> None:
    """A store of revision 0006, in which the parity of a row tells its type, opens, is sound, and finds what it found in both halves."""
    old = open_store(path)
    put(old, episode("e-1", "we use rust"), episode("e-2", "我们使用数据库", session="s2"), fact(), evidence())
    put(old, fact(version=2, statement="team uses Rust 2024", recorded_at=at(1)))
    old.close()
    take_back_to(path, "0006")
    change_file(path, "INSERT INTO grams (rowid, text) SELECT id, text FROM searchable WHERE text LIKE '%数据库%'")
    store = open_store(path)
    assert store.check() == []
    with store.begin() as work:
        assert sorted(found(work, "rust")) == ["e-1", "f-1"]
        assert found(work, "数据") == ["e-2"]
        assert work.turns() == 2
    put(store, episode("e-3", "rust again"))
    assert store.check() == []
    store.close()


def test_a_session_is_a_block_and_a_full_one_is_followed_by_another(store: SqliteStore, monkeypatch: pytest.MonkeyPatch) -> None:
    """Facts of a project are one, too. The turns of a session follow one another, whatever came between them."""
    monkeypatch.setattr(listed, "BLOCK_ROWS", 2)
    for n in range(5):
        put(store, episode(f"e-{n}", "rust", session=f"s{n % 2}"))
    put(store, fact(), fact("f-2", "Go"), evidence(), evidence("f-2"))
    with store.begin() as work:
        blocks = work.sql.rows("SELECT type, session, used FROM blocks ORDER BY number")
        rows = work.sql.rows(
            'SELECT e.id FROM listed l JOIN episodes e ON e.seq = l.seq WHERE l.terms = ? ORDER BY l."row"', mark_of("rust")
        )
    assert blocks == [("episode", "s0", 2), ("episode", "s1", 2), ("episode", "s0", 1), ("fact", "", 2)]
    assert [id_ for (id_,) in rows] == ["e-0", "e-2", "e-1", "e-3", "e-4"]
    assert store.check() == []


def test_rows_beside_a_block_are_no_neighbours() -> None:
    assert (1 << BLOCK_BITS) - BLOCK_ROWS > NEIGHBOURS


def test_t6_what_is_forgotten_leaves_neither_speaker_nor_session(store: SqliteStore, path: Path) -> None:
    """Names that nobody else has are in no byte of the file."""
    put(store, episode("e-1", "the quiet canary", speaker="Zoltania", session="hush-77"), episode("e-2", "we use rust"))
    forget(store, "e-1")
    store.file.rewrite()
    assert store.check() == []
    held = path.read_bytes().lower()
    assert b"zoltania" not in held
    assert b"hush-77" not in held
    with store.begin() as work:
        assert work.speakers(["zoltania"]) == {}
        assert found(work, "rust") == ["e-2"]


@pytest.mark.parametrize(
    "damage",
    [
        "UPDATE listed SET speaker = 'somebody'",
        "UPDATE listed SET terms = x'00000000'",
        "UPDATE blocks SET used = 1",
        "UPDATE blocks SET session = 's9'",
        "UPDATE speakers SET turns = turns + 1",
        "DELETE FROM speakers",
        "DELETE FROM blocks WHERE type = 'fact'",
        "DELETE FROM listed WHERE seq = 2",
        'INSERT INTO listed SELECT "row" + 9, seq, terms, asked, traits, names, speaker, said_at, checksum FROM listed LIMIT 1',
    ],
)
def test_a_list_that_does_not_fit_the_records_is_told_and_made_anew(store: SqliteStore, path: Path, damage: str) -> None:
    put(store, episode("e-1", "we use rust"), episode("e-2", "and go"), fact(), evidence())
    assert store.check() == []
    change_file(path, damage)
    assert all(line.startswith("full-text index: ") for line in store.check())
    assert store.check()
    store.reindex()
    assert store.check() == []
    with store.begin() as work:
        assert {hit.id for hit in work.search(Search("michael", ("rust",)))} == {"e-1", "f-1"}
