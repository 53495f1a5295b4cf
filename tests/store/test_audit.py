"""The audit: what was done is written down once, in a chain that shows where somebody changed it."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from ethos.app import Ethos
from ethos.core.model.records import Run
from ethos.store import SqliteStore, open_store
from ethos.store.sqlite import audit
from ethos.store.sqlite.driver import library
from tests.store_contract import at, put
from tests.support.telling import said


@pytest.fixture
def store(tmp_path: Path) -> Iterator[SqliteStore]:
    opened = open_store(tmp_path / "ethos.db")
    yield opened
    opened.close()


def ended(number: int, reason: str = "") -> Run:
    return Run(f"r-{number}", "consolidate", reason, None, at(number), at(number + 0.1), "rules-1", {"scanned": number}, "done")


def done(store: SqliteStore, *runs: Run) -> None:
    """Each as the run that it is."""
    for run in runs:
        put(store, run, run=run.id)


def raw(store: SqliteStore, *statements: str) -> None:
    """What somebody with the file and a SQLite shell could do."""
    with store.pool.connection() as driver:
        for statement in statements:
            driver.execute(statement)


def test_each_run_that_ended_is_written_down_once(ethos: Ethos) -> None:
    """A cycle has one row, whatever it read, and an answer has one; capturing has none. Status names the head of the chain."""
    ethos.capture([said("I prefer Rust over Python"), said("I prefer Python over Rust", record="2")])
    ethos.consolidate(reason="test")
    (question,) = ethos.inbox()
    before = ethos.status().store
    ethos.answer(question.question.id, "keep-new")
    after = ethos.status().store
    assert (before["audit_rows"], after["audit_rows"]) == (1, 2)
    assert before["audit_head"] != after["audit_head"]
    with ethos.store.begin() as work:
        assert [run.name for run in work.runs()] == ["answer", "consolidate"]
    assert ethos.store.check() == []


@pytest.mark.parametrize(
    "statement",
    [
        "UPDATE audit SET payload = '{}' WHERE seq = 2",
        "UPDATE audit SET payload = NULL, salt = NULL, at = at + 1 WHERE seq = 2",
        "DELETE FROM audit WHERE seq = 3",
        "INSERT OR REPLACE INTO audit SELECT seq, at, run, 'other', payload, salt, seal, hash FROM audit WHERE seq = 2",
        "INSERT INTO audit SELECT seq + 7, at, run, action, payload, salt, seal, hash FROM audit WHERE seq = 2",
    ],
)
def test_nothing_written_down_can_be_changed(store: SqliteStore, statement: str) -> None:
    """The triggers refuse an update, a deletion, a replacement and a gap; only taking a payload out is allowed."""
    done(store, *(ended(number) for number in range(1, 4)))
    with pytest.raises(library().module.IntegrityError, match="the audit"):
        raw(store, statement)
    assert store.check() == []


@pytest.mark.parametrize(
    ("statement", "told"),
    [
        ("UPDATE audit SET payload = replace(payload, 'why 2', 'because') WHERE seq = 2", "what row 2 says was changed"),
        ("UPDATE audit SET action = 'answer' WHERE seq = 2", "the chain breaks at row 2"),
        ("DELETE FROM audit WHERE seq = 2", "row 2 is missing"),
        ("UPDATE audit SET at = at + 1 WHERE seq = 3", "the chain breaks at row 3"),
    ],
)
def test_a_change_behind_the_triggers_is_found(store: SqliteStore, statement: str, told: str) -> None:
    """Whoever drops the triggers and changes a row breaks the chain, and `check`, which the doctor asks, says where."""
    done(store, *(ended(number, f"why {number}") for number in range(1, 4)))
    raw(store, "DROP TRIGGER audit_stands", "DROP TRIGGER audit_stays", statement)
    gone = "is not what this program makes"
    assert store.check() == [f"damaged: trigger audit_stands {gone}", f"damaged: trigger audit_stays {gone}", f"audit: {told}"]


def test_a_run_that_was_brought_in_is_not_written_down(store: SqliteStore) -> None:
    """What another memory did stands in its own audit; here only the import does."""
    put(store, ended(7), run="r-import")
    assert store.describe()["audit_rows"] == 0


def test_a_payload_is_taken_out_and_the_chain_still_holds(store: SqliteStore) -> None:
    """What a person wants forgotten leaves the audit; its hash stays, and with the salt gone nobody can try out what it was."""
    done(store, *(ended(number, f"why {number}") for number in range(1, 4)))
    head = store.describe()["audit_head"]
    with store.begin(write=True) as work:
        assert audit.redact(work.sql, lambda payload: "why 2" in payload) == 1
        assert audit.redact(work.sql, lambda payload: "why 2" in payload) == 0
        assert work.sql.rows("SELECT payload, salt FROM audit WHERE seq = 2") == [(None, None)]
    done(store, ended(4))
    assert store.check() == []
    assert store.describe()["audit_rows"] == 4
    assert store.describe()["audit_head"] != head
