"""Bringing an older store to the present schema, with alembic (imported only then)."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from alembic import command
from alembic.config import Config
from sqlalchemy import Connection, Engine
from sqlalchemy.exc import DBAPIError

from ethos.core.model.errors import refuse
from ethos.store.sqlite import full_text
from ethos.store.sqlite.engine import WRITES, make_engine
from ethos.store.sqlite.pool import Pool
from ethos.store.sqlite.sql import Sql

HERE = Path(__file__).parent

# while tables are made anew, and afterwards: references and views keep naming the table, whichever bears its name for the moment
_REMAKING = {"foreign_keys": ("OFF", "ON"), "legacy_alter_table": ("ON", "OFF")}  # the first cannot be switched in a transaction


def upgrade(pool: Pool, *, from_revision: str) -> Path:
    """Copy the store beside itself, then migrate it in one transaction; where the copy is.

    The copy is `<name>.<revision>.bak` and stays, until the person removes it; an older copy of that name is replaced.
    """
    path = pool.path
    kept = path.with_name(f"{path.name}.{from_revision}.bak")
    _copy(pool, kept)
    engine = make_engine(path, pool.library, pool.journal)
    try:
        _upgrade(engine, path)
    except DBAPIError as error:
        raise error.orig or error from error
    finally:
        engine.dispose()
    return kept


def _upgrade(engine: Engine, path: Path) -> None:
    with engine.connect().execution_options(**{WRITES: True}) as connection:
        driver: Any = connection.connection.driver_connection
        for pragma in _REMAKING:
            driver.execute(f"PRAGMA {pragma} = {_REMAKING[pragma][0]}")
        try:
            with connection.begin():
                run(connection, "head")
                full_text.rebuild(Sql(driver))  # it holds nothing but what the records say
                broken = connection.exec_driver_sql("PRAGMA foreign_key_check").all()
                if broken:
                    what = f"the upgrade would leave {len(broken)} rows that refer to nothing; nothing was changed"
                    raise refuse("store", what, hint="report this, with `ethos doctor --json`", where=str(path))
        finally:
            for pragma in _REMAKING:
                driver.execute(f"PRAGMA {pragma} = {_REMAKING[pragma][1]}")


def run(connection: Connection, revision: str) -> None:
    """Migrate up to a revision in the open transaction."""
    config = Config()
    config.set_main_option("script_location", str(HERE).replace("%", "%%"))
    config.attributes["connection"] = connection
    command.upgrade(config, revision)


def _copy(pool: Pool, kept: Path) -> None:
    kept.unlink(missing_ok=True)
    with pool.connection() as driver:
        driver.execute("VACUUM INTO ?", (str(kept),))
        kept.chmod(0o600)
