"""Tell the schema of a store, and migrate it to the present one.

A new store is made of `tables.sql`, which `generate.py` writes. An older one goes through the migrations, after a copy was put
beside it; only they import alembic. A test holds that both ways end in the same schema.
"""

from __future__ import annotations

import re
from contextlib import closing
from functools import cache
from pathlib import Path
from typing import Any

from ethos.core.model.errors import refuse
from ethos.core.model.record_types import RecordType, record_types
from ethos.store.sqlite import audit, full_text
from ethos.store.sqlite.driver import library
from ethos.store.sqlite.pool import Pool
from ethos.store.sqlite.problems import DAMAGED, NO_STORE
from ethos.store.sqlite.sql import Sql

APPLICATION_ID = 0x4574686F  # "Etho", in the file's header; `file` and others can tell what it is
# oldest first; `user_version` counts them, so that the header alone says how old a store is
REVISIONS = ("0001", "0002", "0003", "0004", "0005", "0006", "0007", "0008", "0009", "0010", "0011", "0012", "0013", "0014", "0015")
HEAD = REVISIONS[-1]

TABLES = Path(__file__).with_name("tables.sql")
_PARTS = "SELECT type, name, tbl_name, coalesce(sql, '') FROM sqlite_master"
_SPACE = re.compile(r"[ \t\n]+")  # and no other: a tab that turned into another is damage
_STAMP = (
    "CREATE TABLE alembic_version (version_num VARCHAR(32) NOT NULL, CONSTRAINT alembic_version_pkc PRIMARY KEY (version_num))",
    f"INSERT INTO alembic_version (version_num) VALUES ('{HEAD}')",  # noqa: S608 (our own constant)
    f"PRAGMA application_id = {APPLICATION_ID}",
    f"PRAGMA user_version = {len(REVISIONS)}",
)


def prepare(pool: Pool) -> None:
    """Make the schema, or bring it up to date. Refuses a file that is not a store, or a store that is newer than this program."""
    with pool.transaction(write=False) as driver:
        version = _version(Sql(driver), pool.path)
    if version == len(REVISIONS):
        return
    if version == 0:
        with pool.transaction(write=True) as driver:
            if _version(Sql(driver), pool.path) == 0:  # nobody was quicker
                _create(driver)
        return
    from ethos.store.sqlite.migrations import upgrade  # noqa: PLC0415 (alembic costs time and memory; only an old store needs it)

    pool.dispose()
    upgrade(pool, from_revision=REVISIONS[version - 1])


def _create(driver: Any) -> None:
    """Make the present schema in an empty file."""
    tables = TABLES.read_text("utf-8").split(";\n")[:-1]
    for statement in (*tables, *full_text.schema(), *audit.SCHEMA, *_STAMP):
        driver.execute(statement)


def check(sql: Sql) -> list[str]:
    """Return the parts of the schema that differ from what this program makes, in words."""
    revision = sql.value("SELECT version_num FROM alembic_version")
    if revision != REVISIONS[-1]:
        return [f"damaged: the tables say that the schema is {revision}, the header says {REVISIONS[-1]}"]
    if revision != HEAD:  # tests of migrations add a revision, whose parts `_create` does not make
        return []
    there, wanted = parts(sql), _present(record_types())
    return [f"damaged: {name} is not what this program makes" for name in sorted(wanted) if there.get(name) != wanted[name]]


def parts(sql: Sql) -> dict[str, str]:
    """Return every part of the file by its name, as SQL without regard to spacing, and the settings of the full-text index."""
    found = {f"{kind} {name}": _SPACE.sub("", f"{on} {text}") for kind, name, on, text in sql.rows(_PARTS)}
    return found | {f"setting of {index}": str(sql.rows(f"SELECT k, v FROM {index}_config ORDER BY k")) for index in ("words", "grams")}  # noqa: S608 (our own names)


@cache
def _present(types: tuple[RecordType, ...]) -> dict[str, str]:  # noqa: ARG001 (the key of the cache)
    """Return the parts of a store that was made just now, for these types of records."""
    with closing(library().module.connect(":memory:", isolation_level=None)) as driver:
        _create(driver)
        return parts(Sql(driver))


def _version(sql: Sql, path: Path) -> int:
    """Return how many revisions the store has seen; 0 for an empty file."""
    version = int(sql.value("PRAGMA user_version"))
    application = int(sql.value("PRAGMA application_id"))
    tables = int(sql.value("SELECT count(*) FROM sqlite_master"))
    if tables == 0:
        return 0
    if application != APPLICATION_ID:
        what = "the file is a database of another program, or its header is damaged"
        raise refuse("store", what, hint=NO_STORE, where=str(path))
    if version > len(REVISIONS):
        what = f"the store is newer than this program (schema {version}, known up to {len(REVISIONS)})"
        raise refuse("store", what, hint="install the newer Ethos again, or restore a backup from before the upgrade", where=str(path))
    if version < len(REVISIONS) and version != (stamp := _stamp(sql)):
        what = f"the store is damaged (its header says schema {version}, its tables {stamp})"
        raise refuse("store", what, hint=DAMAGED, where=str(path))
    return version


def _stamp(sql: Sql) -> int:
    """Return the revision in the tables, counted as in the header; 0 if it is unknown."""
    revision = sql.value("SELECT version_num FROM alembic_version")
    return REVISIONS.index(revision) + 1 if revision in REVISIONS else 0
