"""Generate `tables.sql` from the declared tables, of `tables.py` and the modules imported here: `python -m ethos.store.sqlite.generate`.

The program makes stores of the generated text, so that it need not load SQLModel and pydantic, which take 14 MiB of memory.
"""

from __future__ import annotations

from sqlalchemy import Table as AnyTable
from sqlalchemy.dialects import sqlite
from sqlalchemy.schema import CreateIndex, CreateTable, ExecutableDDLElement

from ethos.store.sqlite import bank_tables, lesson_tables, own_tables, summary_tables  # noqa: F401 (declare their tables)
from ethos.store.sqlite.schema import TABLES
from ethos.store.sqlite.tables import Table

_HEADER = (
    "-- Generated from tables.py and the modules beside it. Do not edit: change those, then run `python -m ethos.store.sqlite.generate`."
)


def tables() -> list[AnyTable]:
    """Return every declared table, those first that others refer to."""
    return Table.metadata.sorted_tables


def text() -> str:
    """Return the SQL of every declared table and index."""
    return "\n\n".join((_HEADER, *map(_statements, tables()))) + "\n"


def _statements(table: AnyTable) -> str:
    indexes = sorted(table.indexes, key=lambda index: str(index.name))
    made: list[ExecutableDDLElement] = [CreateTable(table), *map(CreateIndex, indexes)]
    return "\n".join(f"{_trimmed(str(statement.compile(dialect=sqlite.dialect())))};" for statement in made)


def _trimmed(statement: str) -> str:
    """Return the statement without spaces at the ends of its lines."""
    return "\n".join(line.rstrip() for line in statement.strip().splitlines())


if __name__ == "__main__":
    TABLES.write_text(text(), "utf-8")
