"""The schema through time: a store that was migrated is the same as one made today, and nothing is lost on the way."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from alembic.config import Config
from alembic.script import ScriptDirectory
from sqlalchemy import Engine

from ethos.core.model.errors import Refused
from ethos.core.model.records import Episode
from ethos.store import open_store
from ethos.store.sqlite import driver, migrations, schema
from ethos.store.sqlite.engine import WRITES, make_engine
from tests.store_contract import episode, fact, put

Schema = dict[str, str]


def engine_of(path: Path) -> Engine:
    """The bare engine of a file that need not be a store."""
    driver.make_file(path)
    return make_engine(path, driver.library(), "wal")


def schema_of(engine: Engine) -> Schema:
    """Everything in the file by name, as SQL without regard to spacing, and the two numbers in its header."""
    with engine.connect() as connection:
        rows = connection.exec_driver_sql("SELECT name, coalesce(sql, '') FROM sqlite_master").all()
        numbers = {name: str(connection.exec_driver_sql(f"PRAGMA {name}").scalar_one()) for name in ("application_id", "user_version")}
        revision = str(connection.exec_driver_sql("SELECT version_num FROM alembic_version").scalar_one())
    return {name: re.sub(r"\s+", "", sql) for name, sql in rows} | numbers | {"revision": revision}


def migrated(path: Path, *revisions: str) -> Schema:
    """The schema after going through these revisions, one after the other."""
    engine = engine_of(path)
    for revision in revisions:
        with engine.connect().execution_options(**{WRITES: True}) as connection, connection.begin():
            migrations.run(connection, revision)
    found = schema_of(engine)
    engine.dispose()
    return found


@pytest.fixture
def fresh(tmp_path: Path) -> Schema:
    open_store(tmp_path / "fresh.db").close()
    engine = engine_of(tmp_path / "fresh.db")
    found = schema_of(engine)
    engine.dispose()
    return found


def test_the_revisions_are_one_chain_that_the_program_knows() -> None:
    """What is written down in `schema.py`, so that alembic need not be imported to know it, is what alembic finds."""
    config = Config()
    config.set_main_option("script_location", str(migrations.HERE))
    chain = [script.revision for script in ScriptDirectory.from_config(config).walk_revisions()]
    assert tuple(reversed(chain)) == schema.REVISIONS


@pytest.mark.parametrize("start", schema.REVISIONS)
def test_a_migrated_store_has_the_schema_of_a_fresh_one(fresh: Schema, tmp_path: Path, start: str) -> None:
    """From whatever revision: tables, indexes, views, virtual tables and the header are the same to the letter."""
    assert migrated(tmp_path / "old.db", start, "head") == fresh


@pytest.fixture
def next_revision(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> str:
    """One revision more, as it may come one day: a column more on a table that other tables refer to."""
    place, number = tmp_path / "migrations", len(schema.REVISIONS) + 1
    shutil.copytree(migrations.HERE, place, ignore=shutil.ignore_patterns("__pycache__"))
    (place / "versions" / f"{number:04}_mood.py").write_text(
        f"""
import sqlalchemy as sa
from alembic import op

revision = "{number:04}"
down_revision = "{schema.HEAD}"


def upgrade() -> None:
    with op.batch_alter_table("episodes", recreate="always") as table:
        table.add_column(sa.Column("mood", sa.Text(), nullable=False, server_default="calm"))
    op.execute("PRAGMA user_version = {number}")
"""
    )
    monkeypatch.setattr(migrations, "HERE", place)
    monkeypatch.setattr(schema, "REVISIONS", (*schema.REVISIONS, f"{number:04}"))
    return f"{number:04}"


def held(path: Path) -> dict[str, Episode]:
    store = open_store(path)
    with store.begin() as work:
        found = dict(work.episodes(["e-1", "e-2"]))
    assert store.check() == []
    store.close()
    return found


@pytest.fixture
def old(tmp_path: Path) -> Path:
    """A store of the present revision, with something in it."""
    path = tmp_path / "old.db"
    store = open_store(path)
    put(store, episode(), episode("e-2", "数据库"))
    store.close()
    return path


def test_an_upgrade_keeps_what_was_there(old: Path, next_revision: str) -> None:
    """Every record, its place in the index and its ties; and a copy of the store as it was stands beside it."""
    assert held(old) == {"e-1": episode(), "e-2": episode("e-2", "数据库")}
    store = open_store(old)
    assert store.describe()["schema"] == next_revision
    with store.begin() as work:
        assert work.sql.rows("SELECT DISTINCT mood FROM episodes") == [("calm",)]
        assert work.sql.value("PRAGMA foreign_keys") == 1
    put(store, fact())
    store.close()
    copy = old.with_name(f"old.db.{schema.HEAD}.bak")
    assert copy.stat().st_mode & 0o777 == 0o600
    engine = engine_of(copy)
    assert schema_of(engine)["revision"] == schema.HEAD
    engine.dispose()


def test_an_upgrade_that_fails_changes_nothing(old: Path, next_revision: str) -> None:
    """It is one transaction: a revision that stumbles half way leaves the store as it was, and usable by the program before."""
    script = migrations.HERE / "versions" / f"{next_revision}_mood.py"
    whole = script.read_text()
    script.write_text(f'{whole}    op.execute("INSERT INTO nowhere VALUES (1)")\n')  # noqa: S608 (a revision of our own)
    with pytest.raises(Exception, match="nowhere"):
        open_store(old)
    engine = engine_of(old)
    assert (schema_of(engine)["revision"], schema_of(engine)["user_version"]) == (schema.HEAD, str(int(schema.HEAD)))
    engine.dispose()
    script.write_text(whole)
    assert held(old).keys() == {"e-1", "e-2"}


def test_an_upgrade_that_would_leave_rows_without_their_parent_is_refused(old: Path, next_revision: str) -> None:
    """Foreign keys are off while tables are made anew, so they are checked before the commit."""
    script = migrations.HERE / "versions" / f"{next_revision}_mood.py"
    script.write_text(f"""{script.read_text()}    op.execute("DELETE FROM episodes WHERE id = 'e-1'")\n""")  # noqa: S608 (a revision of our own)
    with pytest.raises(Refused, match="nothing was changed") as caught:
        open_store(old)
    assert caught.value.problem.code == "store"
    engine = engine_of(old)
    assert schema_of(engine)["revision"] == schema.HEAD
    engine.dispose()


def test_two_programs_may_make_a_store_at_the_same_time(tmp_path: Path) -> None:
    """Whoever is later finds it made."""
    program = "import sys; from ethos.store import open_store; s = open_store(sys.argv[1]); print(s.check()); s.close()"
    started = [
        subprocess.Popen([sys.executable, "-c", program, str(tmp_path / "e.db")], stdout=subprocess.PIPE, text=True) for _ in range(3)
    ]
    assert [process.communicate()[0].strip() for process in started] == ["[]"] * 3
