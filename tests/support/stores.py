"""Stores for tests: a file that is changed past the program, or as an older program left it."""

from __future__ import annotations

from contextlib import closing
from pathlib import Path

from ethos.store.sqlite import driver, migrations
from ethos.store.sqlite.engine import WRITES, make_engine


def change_file(path: Path, *statements: str) -> None:
    """Run these statements on a store's file as a fault would: past the program, its keys and its triggers."""
    with closing(driver.library().module.connect(path, isolation_level=None)) as connection:
        for statement in statements:
            connection.execute(statement)


def take_back_to(path: Path, revision: str) -> None:
    """Replace a store by one of an older revision with the same rows, as far as it has tables and columns for them."""
    older = path.with_name("older.db")
    driver.make_file(older)
    engine = make_engine(older, driver.library(), "delete")
    with engine.connect().execution_options(**{WRITES: True}) as connection, connection.begin():
        migrations.run(connection, revision)
    engine.dispose()
    with closing(driver.library().module.connect(older, isolation_level=None)) as connection:
        connection.execute("ATTACH ? AS present", (str(path),))
        tables = connection.execute("SELECT name FROM main.sqlite_master WHERE type = 'table' AND sql LIKE 'CREATE TABLE%'").fetchall()
        made_by_sqlite = ("sqlite_", "words_", "grams_", "alembic_")
        for (table,) in tables:
            held, now = ([name for _, name, *_ in connection.execute(f"PRAGMA {at}.table_info({table})")] for at in ("main", "present"))
            if now and not table.startswith(made_by_sqlite):
                columns = ", ".join(f'"{name}"' for name in held if name in now)
                connection.execute(f"INSERT INTO main.{table} ({columns}) SELECT {columns} FROM present.{table}")  # noqa: S608
        connection.execute("INSERT INTO words (words) VALUES ('rebuild')")
    older.replace(path)
