"""The floor of what is written: the statements that a run of Ethos gave to the store, recorded, and given again by a plain loop.

What the plain loop does is what any program in Python must do to read these episodes and facts and to leave these rows behind: the
same library, settings, schema, indexes, units and transactions, and nothing decided. The store's own look-ups are left out.
"""

from __future__ import annotations

import json
import shutil
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from unittest import mock

from ethos.store import open_store
from ethos.store.sqlite import connections
from ethos.store.sqlite.apply import MARKS_SET, SCANNED_SET
from ethos.store.sqlite.sql import AMONG, Params, Sql

_READS = ("SELECT e.id, e.text", 'SELECT f."id"')  # what decisions rest on: episodes of a unit, facts under its keys
_CHANGES = ("INSERT", "UPDATE", "DELETE")
_ORDERS = ("BEGIN", "COMMIT", "PRAGMA synchronous", "PRAGMA wal_checkpoint")  # where the store itself says them


@dataclass(frozen=True, slots=True)
class Step:
    """A statement, with the parameters of one run or of many."""

    statement: str
    params: Sequence[Any]
    many: bool = False


@dataclass(slots=True)
class Transaction:
    """What was done on a connection between taking it and giving it back."""

    steps: list[Step] = field(default_factory=list)

    @property
    def writes(self) -> bool:
        """Whether anything was changed in it."""
        return any(step.statement.startswith(_CHANGES) for step in self.steps)

    @property
    def bare(self) -> bool:
        """Whether it says itself where a transaction begins and ends, if there is one."""
        return any(step.statement.startswith(_ORDERS) for step in self.steps)


@contextmanager
def recorded() -> Iterator[list[Transaction]]:
    """Record what stores do within the block, transaction by transaction. Recording takes time, so measure nothing in the block."""
    transactions: list[Transaction] = []

    class Recorder(Sql):
        """Notes each statement before it runs it."""

        def __init__(self, driver: Any) -> None:
            super().__init__(driver)
            self._steps = Transaction()
            transactions.append(self._steps)

        def rows(self, statement: str, *params: Any) -> list[Any]:
            self._note(Step(statement, params))
            return super().rows(statement, *params)

        def run(self, statement: str, *params: Any) -> int:
            self._note(_one_by_one(statement, params) if statement in (MARKS_SET, SCANNED_SET) else Step(statement, params))
            return super().run(statement, *params)

        def many(self, statement: str, rows: Sequence[Params]) -> int:
            if rows:
                self._note(Step(statement, [tuple(row) for row in rows], many=True))
            return super().many(statement, rows)

        def _note(self, step: Step) -> None:
            if step.statement.startswith((*_READS, *_CHANGES, *_ORDERS)):
                self._steps.steps.append(step)

    with mock.patch.object(connections, "Sql", Recorder):
        yield transactions


def _one_by_one(statement: str, params: Sequence[Any]) -> Step:
    """Set marks in a plain loop, which Ethos sets by one statement."""
    *said, episodes = params
    return Step(statement.replace(AMONG, "= ?"), [(*said, episode) for episode in json.loads(episodes)], many=True)


def replay(path: Path, transactions: Sequence[Transaction]) -> None:
    """Do it all again on another copy of the store, on a connection of the same library with the same settings."""
    opened = open_store(path)
    with opened.pool.connection() as driver:
        for transaction in transactions:
            if not transaction.steps:
                continue
            if not transaction.bare:
                driver.execute("BEGIN IMMEDIATE" if transaction.writes else "BEGIN")
            for step in transaction.steps:
                if step.many:
                    driver.executemany(step.statement, step.params)
                else:
                    driver.execute(step.statement, step.params).fetchall()
            if not transaction.bare:
                driver.execute("COMMIT")
    opened.close()


def copy(source: Path, folder: Path) -> Path:
    """Return a copy of a closed store, in a new folder."""
    folder.mkdir(parents=True)
    return Path(shutil.copy(source, folder / source.name))


def rows_in(path: Path) -> dict[str, int]:
    """How many rows each table has, to see that two stores hold the same."""
    opened = open_store(path)
    with opened.begin() as work:
        tables = [name for (name,) in work.sql.rows("SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite%'")]
        counts = {name: int(work.sql.value(f'SELECT count(*) FROM "{name}"')) for name in tables}
    opened.close()
    return counts
