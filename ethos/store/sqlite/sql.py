"""Run SQL statements.

They run straight on the driver's connection: SQLAlchemy's own execution costs as much again as a small statement does (benchmarks).
Values always travel as parameters; what is put together here is only column and table names of our own.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import cache
from typing import Any

Params = Sequence[Any]

AMONG = "IN (SELECT value FROM json_each(?))"  # of the values in a parameter that `rows.listing` makes


class Sql:
    """Run statements on one connection, with rows as tuples. Errors are the driver's own; `problems.py` knows them."""

    def __init__(self, driver: Any) -> None:
        self._driver = driver

    def rows(self, statement: str, *params: Any) -> list[Any]:
        """Return every row of the answer."""
        found: list[Any] = self._driver.execute(statement, params).fetchall()
        return found

    def named(self, statement: str, params: Mapping[str, Any]) -> list[Any]:
        """Return every row of the answer to a statement with named parameters."""
        found: list[Any] = self._driver.execute(statement, params).fetchall()
        return found

    def stream(self, statement: str, *params: Any, size: int) -> Iterable[list[Any]]:
        """Yield the answer in lots of `size` rows, as far as they are asked for."""
        cursor = self._driver.execute(statement, params)
        try:
            while lot := cursor.fetchmany(size):
                yield lot
        finally:
            cursor.close()

    @property
    def in_transaction(self) -> bool:
        """Return True if a transaction is open."""
        return bool(self._driver.in_transaction)

    @contextmanager
    def reading_anything(self) -> Iterator[None]:
        """Read texts that are no UTF-8 without an error in this context: their odd bytes come as lone surrogates."""
        self._driver.text_factory = _lenient
        try:
            yield
        finally:
            self._driver.text_factory = str

    def value(self, statement: str, *params: Any) -> Any:
        """Return the first column of the first row; None if there is no row."""
        row = self._driver.execute(statement, params).fetchone()
        return None if row is None else row[0]

    def run(self, statement: str, *params: Any) -> int:
        """Run it; how many rows it changed."""
        changed: int = self._driver.execute(statement, params).rowcount
        return changed

    def many(self, statement: str, rows: Sequence[Params]) -> int:
        """Run it for every row; how many rows were changed in all."""
        if not rows:
            return 0
        changed: int = self._driver.executemany(statement, rows).rowcount
        return changed


def _lenient(raw: bytes) -> str:
    return raw.decode("utf-8", "surrogateescape")


def _names(columns: Iterable[str]) -> str:
    return ", ".join(f'"{name}"' for name in columns)


def insert(table: str, columns: Sequence[str]) -> str:
    """Return an INSERT of these columns."""
    return f"INSERT INTO {table} ({_names(columns)}) VALUES ({', '.join('?' * len(columns))})"  # noqa: S608 (our own names)


@cache
def insert_new(table: str, columns: tuple[str, ...]) -> str:
    """Return an INSERT that leaves a row as it is if its key is there."""
    return f"{insert(table, columns)} ON CONFLICT DO NOTHING"


@cache
def upsert(table: str, columns: tuple[str, ...], *, key: str) -> str:
    """Return an INSERT that sets every other column if the key is there."""
    sets = ", ".join(f'"{name}" = excluded."{name}"' for name in columns if name != key)
    return f'{insert(table, columns)} ON CONFLICT ("{key}") DO UPDATE SET {sets}'


def update(table: str, columns: Sequence[str], *, key: str) -> str:
    """Return an UPDATE of these columns; the key is the last parameter."""
    sets = ", ".join(f'"{name}" = ?' for name in columns)
    return f'UPDATE {table} SET {sets} WHERE "{key}" = ?'  # noqa: S608 (our own names)


def select(columns: str, rest: str) -> str:
    """Return a SELECT of a list of columns (`Shape.listed`); rest: all after FROM."""
    return f"SELECT {columns} FROM {rest}"  # noqa: S608 (our own names)
