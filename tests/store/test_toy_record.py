"""A record type that is added by its descriptor alone.

It is stored, found, searched, exported, imported, diffed, undone, redone, forgotten with a receipt and checksummed.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from datetime import datetime
from pathlib import Path
from typing import Any

import pytest

from ethos.app import Ethos, import_checks, transfer
from ethos.core.history.erasure import ErasureRequest
from ethos.core.model.plan import ChangeSet, Plan
from ethos.core.model.record_types import Indexed, RecordType, also
from ethos.core.model.records import Episode, Fact, Removed, Run
from ethos.core.model.settings import Settings
from ethos.core.model.value import value
from ethos.core.passes.context import Context
from ethos.core.ports.queries import FactFilter, Search
from ethos.core.rules.matcher import Rules
from ethos.edge.exchange import lines
from ethos.edge.files.outputs import Outputs
from ethos.edge.jsonio.shapes import diff_data
from ethos.edge.render import diff as rendering
from ethos.store import SqliteStore, open_store
from ethos.store.sqlite.checksums import sums_of
from ethos.store.sqlite.work import SqliteWork
from tests.store_contract import NOON, at, episode, evidence, fact, found, put
from tests.support.telling import said


@value
class Remark:
    """A remark about a fact, drawn from several episodes."""

    id: str
    user: str
    project: str
    fact: str
    text: str
    made_at: datetime
    episodes: tuple[str, ...] = ()
    weight: float = 1.0
    heard: int = 1
    ended_at: datetime | None = None


REMARKS = RecordType(
    Remark,
    "remarks",
    ("id",),
    numbered=True,
    journalled=True,
    forgotten_by="id",
    goes_with=("fact", "episodes"),
    lookups=("made_at", "weight"),
    text=("text",),
    indexed=Indexed("made_at", "ended_at"),
    shown=("weight", "heard"),
    counters=("heard",),
)
RemarkType: Any = Remark  # no member of the closed union of records
TOLD: Any = Remark("n-1", "michael", "ethos", "f-1", "the benchmarks of march", NOON, ("e-1", "e-2"), 0.25)
OTHER: Any = Remark("n-2", "michael", "ethos", "f-1", "the summer of compilers", at(2), (), 0.5)


@pytest.fixture(autouse=True)
def _registered() -> Iterator[None]:
    with also(REMARKS):
        yield


def make_table(work: SqliteWork) -> None:
    """Make the table of the type, as a migration would."""
    columns = ", ".join("seq INTEGER PRIMARY KEY" if name == "seq" else f'"{name}"' for name in sums_of(Remark).written)
    work.sql.run(f'CREATE TABLE IF NOT EXISTS remarks ({columns}, UNIQUE ("id"))')


def opened(path: Path) -> SqliteStore:
    """A store that has a table for the type."""
    store = open_store(path)
    with store.begin(write=True) as work:
        make_table(work)
    return store


@pytest.fixture
def store(tmp_path: Path) -> Iterator[SqliteStore]:
    made = opened(tmp_path / "ethos.db")
    put(made, episode(), episode("e-2", "It was slow"), fact(), evidence(), TOLD)
    yield made
    made.close()


def remarks(store: Any) -> list[Any]:
    """All that are held."""
    with store.begin() as work:
        return list(work.records(RemarkType))


def test_it_is_stored_and_read(store: SqliteStore) -> None:
    """With every field as it was put."""
    assert remarks(store) == [TOLD]


def test_it_is_found_by_the_fields_that_the_descriptor_names(store: SqliteStore) -> None:
    """By one value or several, by one id of many, and by a span; by another field it is refused."""
    put(store, OTHER)
    with store.begin() as work:
        assert work.find(RemarkType, "id", ("n-1", "n-9")) == [TOLD]
        assert work.find(RemarkType, "weight", (0.25, 0.5)) == [TOLD, OTHER]
        assert work.find(RemarkType, "episodes", ("e-2", "e-3")) == [TOLD]
        assert work.find(RemarkType, "fact", ()) == []
        assert work.between(RemarkType, "made_at", NOON, at(2)) == [TOLD]
        assert work.between(RemarkType, "made_at", NOON, at(3), limit=1) == [TOLD]
        with pytest.raises(LookupError, match="remark cannot be looked up by text"):
            work.find(RemarkType, "text", ("x",))


def test_its_words_are_searched_by_type(store: SqliteStore) -> None:
    """A search that asks for the type finds it, as it reads now and while it holds; any other search does not."""
    put(store, OTHER)
    asked = Search("michael", ("benchmarks", "summer", "rust"), types=(RemarkType,))
    with store.begin() as work:
        assert {(hit.id, hit.type, hit.text) for hit in work.search(asked)} == {("n-1", "remark", TOLD.text), ("n-2", "remark", OTHER.text)}
        assert found(work, "benchmarks", "summer") == []
        assert set(found(work, "benchmarks", "rust", types=(Fact, Episode, RemarkType))) == {"e-1", "f-1", "n-1"}
    put(store, replace(TOLD, text="the weather of april"), replace(OTHER, ended_at=at(3)), run="r-2")
    with store.begin() as work:
        assert [hit.id for hit in work.search(asked)] == []
        assert found(work, "april", "summer", types=(RemarkType,), faded=True) == ["n-1", "n-2"]
    assert store.check() == []
    store.reindex()
    assert store.check() == []
    with store.begin() as work:
        assert found(work, "april", types=(RemarkType,)) == ["n-1"]


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
        assert work.sql.rows("SELECT run, kind, id, before ->> 'text' FROM journal") == [
            ("r-1", "remarks", "n-1", None),  # it was not there before
            ("r-2", "remarks", "n-1", TOLD.text),
        ]
    assert [each.text for each in remarks(store)] == ["the benchmarks of april"]


@pytest.mark.parametrize("forgotten", ["n-1", "f-1", "e-2"])
def test_it_is_forgotten_by_its_id_and_with_what_it_rests_on(store: SqliteStore, tmp_path: Path, forgotten: str) -> None:
    """The row and the journal's image go, and no byte of either is left in the file."""
    put(store, replace(TOLD, text="the benchmarks of april"), run="r-2")
    with store.begin(write=True) as work:
        assert not work.apply(Plan((ChangeSet("", (), (forgotten,)),)), "r-3").failures
        assert work.sql.value("SELECT count(*) FROM journal") == 0
    assert remarks(store) == []
    store.file.rewrite()
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
    with other.begin() as work:
        assert [change.key for change in work.changes("r-1").records] == []  # it names no run: the import made it
        assert [change.key for change in work.changes("r-7").records] == ["n-1"]
    other.close()


def test_a_second_one_under_one_id_is_refused(store: SqliteStore) -> None:
    """As of every record in an export."""
    with store.begin() as work:
        every = list(transfer.everything(work))
    located = (import_checks.Located("export.jsonl:1", item) for item in (*every, TOLD))
    with pytest.raises(Exception, match="it stands there twice"):
        list(import_checks.Inspection().looked_at(located))


@pytest.mark.parametrize(
    ("wrong", "what"),
    [
        ({"lookups": ("colour",)}, "Remark has no field colour"),
        ({"key": ("id", "fact")}, "remark is journalled, so its key is one field"),
        ({"numbered": False}, "remark is indexed, so it is numbered and has text"),
    ],
)
def test_a_descriptor_that_contradicts_itself_is_refused(wrong: dict[str, Any], what: str) -> None:
    """When it is written, not when the first record comes."""
    with pytest.raises(ValueError, match=what):
        replace(REMARKS, **wrong)


# -- diff, undo and forgetting, as a person asks for them


@pytest.fixture
def memory(ethos: Ethos) -> Ethos:
    """A memory that has read two turns, with a remark that rests on the first."""
    with ethos.store.begin(write=True) as work:
        assert isinstance(work, SqliteWork)
        make_table(work)
    ethos.capture([said("We decided to use Rust"), said("Michael prefers tea over coffee")])
    ethos.consolidate(reason="test")
    return ethos


def ran(memory: Ethos, run: str, *puts: Any, forgets: tuple[str, ...] = ()) -> str:
    """Let a run put these."""
    done = Run(run, "consolidate", "test", None, NOON, NOON, outcome="done")
    with memory.store.begin(write=True) as work:
        assert not work.apply(Plan((ChangeSet("", (done, *puts), forgets),)), run).failures
    return run


def told(memory: Ethos, run: str) -> list[tuple[str, str, str, str]]:
    """The differences of a run."""
    return [(each.sign, each.type, each.id, each.text) for each in memory.diff(run).differences]


def of_rust(memory: Ethos) -> Any:
    """A remark about Rust."""
    (held,) = (each for each in memory.facts(FactFilter("default")) if "Rust" in each.statement)
    with memory.store.begin() as work:
        (turn,) = (each.id for each in work.records(Episode) if "Rust" in each.text)
    return replace(TOLD, user="default", project="default", fact=held.id, episodes=(turn,))


def test_t3_a_run_is_diffed_undone_and_redone(memory: Ethos) -> None:
    """What it made is taken away, what it changed is put back, what it took away comes back; undoing the undo does all of it again."""
    kept, gone = of_rust(memory), replace(of_rust(memory), id="n-2", text="removed later")
    ran(memory, "r-a", kept, gone)
    changed = replace(kept, text="other words", weight=0.75)
    run = ran(memory, "r-b", changed, replace(kept, id="n-3", text="made by b"), Removed(RemarkType, "n-2"))
    before = remarks(memory.store)
    lines_of_b = [("~", "remark", "n-1", "other words"), ("-", "remark", "n-2", "removed later"), ("+", "remark", "n-3", "made by b")]
    assert sorted(told(memory, run), key=lambda line: line[2]) == lines_of_b
    undo = memory.undo(run)
    assert remarks(memory.store) == [kept, gone]
    assert {(each.sign, each.id) for each in undo.differences} == {("~", "n-1"), ("+", "n-2"), ("-", "n-3")}
    memory.undo(undo.run.id)
    assert remarks(memory.store) == before
    assert sorted(told(memory, run), key=lambda line: line[2]) == lines_of_b
    assert memory.store.check() == []


def test_t3_what_later_runs_changed_stays(memory: Ethos) -> None:
    """Field by field; a counter loses what the run added. What the run made is taken away whatever became of it, and comes back so."""
    made = of_rust(memory)
    first = ran(memory, "r-a", made)
    second = ran(memory, "r-b", replace(made, text="of b", weight=0.5, heard=3))
    ran(memory, "r-c", last := replace(made, text="of c", weight=0.5, heard=4))
    memory.undo(second)
    assert remarks(memory.store) == [replace(last, weight=0.25, heard=2)]
    away = memory.undo(first)
    assert remarks(memory.store) == []
    assert ("+", "remark", "n-1", made.text) in told(memory, first)
    memory.undo(away.run.id)
    assert remarks(memory.store) == [replace(last, weight=0.25, heard=2)]


def test_a_diff_is_rendered_in_words(memory: Ethos) -> None:
    """With the text, and the fields that the descriptor shows."""
    ran(memory, "r-a", made := of_rust(memory))
    run = ran(memory, "r-b", replace(made, text="of b", weight=0.5))
    assert rendering.of_run(diff_data(memory.diff(run)))[1:] == ['~ n-1 of b  weight: 0.25 -> 0.5; was "the benchmarks of march"']


def test_t6_it_is_forgotten_with_a_receipt(memory: Ethos) -> None:
    """With the turn it rests on: the row, what the journal and the index hold of it, and what rests on it in turn."""
    made = of_rust(memory)
    ran(memory, "r-a", made, replace(made, id="n-2", episodes=(), fact="n-1", text="it rests upon another one"))
    ran(memory, "r-b", replace(made, text="the compilers of april"))
    undone = ran(memory, "r-c", replace(made, id="n-4", text="taken away before it is forgotten"))
    memory.undo(undone)
    receipt = memory.forget(ErasureRequest(made.episodes))
    assert receipt.proven, receipt
    assert (receipt.counts["episodes"], receipt.counts["facts"], receipt.counts["remarks"]) == (1, 1, 2)
    assert remarks(memory.store) == []
    with memory.store.begin() as work:
        assert isinstance(work, SqliteWork)
        assert work.sql.value("SELECT count(*) FROM journal WHERE kind = 'remarks' AND before <> 'null'") == 0
    assert memory.store.check() == []


def test_t6_it_is_forgotten_by_its_words(memory: Ethos) -> None:
    """Where only the remark has them, the turn stays; a rehearsal says what would go."""
    ran(memory, "r-a", of_rust(memory))
    assert memory.forget(ErasureRequest(matching="benchmarks of march"), dry_run=True).shown == (
        "forget remark n-1: the benchmarks of march",
    )
    receipt = memory.forget(ErasureRequest(matching="benchmarks of march"))
    assert receipt.proven, receipt
    assert (receipt.counts["episodes"], receipt.counts["remarks"], remarks(memory.store)) == (0, 1, [])
