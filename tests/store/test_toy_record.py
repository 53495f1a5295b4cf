"""A record type that is added by its descriptor alone: stored, found, checksummed, journalled, exported, imported and forgotten."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from ethos.app import import_checks, transfer
from ethos.core.model.plan import Group, Plan
from ethos.core.model.record_types import RecordType, also
from ethos.core.model.settings import Settings
from ethos.core.model.value import value
from ethos.core.passes.context import Context
from ethos.core.rules.matcher import Rules
from ethos.edge.exchange import lines
from ethos.edge.files.outputs import Outputs
from ethos.store import SqliteStore, open_store
from ethos.store.sqlite.checksums import sums_of
from tests.store_contract import NOON, episode, evidence, fact, put


@value
class Remark:
    """What somebody remarks about a fact."""

    id: str
    fact: str
    text: str
    weight: float = 1.0
    tags: tuple[str, ...] = ()


REMARKS = RecordType(Remark, "remarks", ("id",), journalled=True, forgotten_by="id", goes_with=("fact",))
TOLD: Any = Remark("n-1", "f-1", "the benchmarks of march", 0.25, ("speed",))


@pytest.fixture(autouse=True)
def _registered() -> Iterator[None]:
    with also(REMARKS):
        yield


def opened(path: Path) -> SqliteStore:
    """A store that has a table for the type."""
    store = open_store(path)
    with store.begin(write=True) as work:
        columns = ", ".join(f'"{name}"' for name in sums_of(Remark).written)
        work.sql.run(f'CREATE TABLE IF NOT EXISTS remarks ({columns}, PRIMARY KEY ("id")) WITHOUT ROWID')
    return store


@pytest.fixture
def store(tmp_path: Path) -> Iterator[SqliteStore]:
    made = opened(tmp_path / "ethos.db")
    put(made, episode(), fact(), evidence(), TOLD)
    yield made
    made.close()


def remarks(store: SqliteStore) -> list[Any]:
    """All that are held."""
    with store.begin() as work:
        return list(work.records(Remark))  # type: ignore[type-var]  # no member of the closed union


def test_it_is_stored_and_read(store: SqliteStore) -> None:
    """With every field as it was put."""
    assert remarks(store) == [TOLD]


def test_a_changed_value_is_found_by_the_checksum(store: SqliteStore) -> None:
    """The row is named."""
    assert store.check() == []
    with store.begin(write=True) as work:
        work.sql.run("UPDATE remarks SET text = 'other'")
    assert store.check() == ["damaged: remarks n-1: a value is not the one that was written"]


def test_what_another_run_replaces_is_journalled(store: SqliteStore) -> None:
    """As it was before."""
    put(store, replace(TOLD, text="the benchmarks of april"), run="r-2")
    with store.begin() as work:
        assert work.sql.rows("SELECT run, kind, id, before ->> 'text' FROM journal") == [("r-2", "remarks", "n-1", TOLD.text)]
    assert [each.text for each in remarks(store)] == ["the benchmarks of april"]


@pytest.mark.parametrize("forgotten", ["n-1", "f-1"])
def test_it_is_forgotten_by_its_id_and_with_its_fact(store: SqliteStore, tmp_path: Path, forgotten: str) -> None:
    """The row and the journal's image go, and no byte of either is left in the file."""
    put(store, replace(TOLD, text="the benchmarks of april"), run="r-2")
    with store.begin(write=True) as work:
        assert not work.apply(Plan((Group("", (), (forgotten,)),)), "r-3").failures
        assert work.sql.value("SELECT count(*) FROM journal") == 0
    assert remarks(store) == []
    store.rewrite()
    assert b"the benchmarks of" not in (tmp_path / "ethos.db").read_bytes()


def test_it_is_exported_and_passes_the_checks_of_an_import(store: SqliteStore, tmp_path: Path) -> None:
    """A line has the type's name and its fields; what comes back is the same record."""
    with store.begin() as work:
        lines.write(tmp_path / "export.jsonl", transfer.everything(work), NOON, Outputs(tmp_path))
    read = list(lines.read(tmp_path / "export.jsonl"))
    assert TOLD in [each.item for each in read]
    assert TOLD in list(import_checks.Inspection().looked_at(iter(read)))


def test_it_is_imported_with_its_fact(store: SqliteStore, tmp_path: Path) -> None:
    """Into another memory, and only once."""
    with store.begin() as work:
        located = [import_checks.Located(f"export.jsonl:{at}", item) for at, item in enumerate(transfer.everything(work), 2)]
    other = opened(tmp_path / "other.db")
    for run, added in (("r-7", 1), ("r-8", 0)):
        ctx = Context(NOON, Settings(), Rules(()), run)
        assert transfer.bring_in(other, located, ctx, str).added["remark"] == added
        assert remarks(other) == [TOLD]
    other.close()


def test_a_second_one_under_one_id_is_refused(store: SqliteStore) -> None:
    """As of every record in an export."""
    with store.begin() as work:
        every = list(transfer.everything(work))
    located = (import_checks.Located("export.jsonl:1", item) for item in (*every, TOLD))
    with pytest.raises(Exception, match="it stands there twice"):
        list(import_checks.Inspection().looked_at(located))
