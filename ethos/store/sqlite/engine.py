"""An SQLAlchemy engine on a store's file: for migrations, which need alembic. The program itself uses `pool.py`."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import Any

from sqlalchemy import Connection, Engine, create_engine, event

from ethos.store.sqlite.driver import Library, connect

WRITES = "ethos_writes"  # execution option: begin with BEGIN IMMEDIATE


def make_engine(path: Path, found: Library, journal: str) -> Engine:
    """Return an engine whose connections have the settings of `driver` and whose transactions begin as they should."""
    engine = create_engine(
        "sqlite+pysqlite://",
        module=found.module,
        creator=partial(connect, path, found, journal),
        pool_reset_on_return=None,  # every transaction here ends before its connection goes back
    )

    @event.listens_for(engine, "begin")
    def _begin(connection: Connection) -> None:
        driver: Any = connection.connection.driver_connection
        driver.execute("BEGIN IMMEDIATE" if connection.get_execution_options().get(WRITES) else "BEGIN")

    return engine
