"""`ethos.session()`: SQLModel queries on a memory, which can read and not write."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from sqlalchemy import text
from sqlmodel import select

import ethos
from ethos.core.model.errors import Refused
from ethos.models import Episode, Evidence, Fact
from ethos.store import open_store
from tests.store_contract import NOON, episode, evidence, fact, put
from tests.support.daemons import Daemon


@pytest.fixture
def config(tmp_path: Path) -> Path:
    """A memory with one fact, which nobody has open."""
    store = open_store(tmp_path / "ethos.db")
    put(store, episode(), fact(), evidence())
    store.close()
    file = tmp_path / "config.toml"
    file.write_text('[ethos]\ndatabase = "ethos.db"\nstate = "state"\n', "utf-8")
    return file


def test_e42_a_memory_is_read_with_sqlmodel_queries(config: Path) -> None:
    """Joined tables, and aware times."""
    with ethos.session(config) as session:
        joined = select(Fact, Episode).where(Evidence.fact == Fact.id, Evidence.episode == Episode.id)
        [(held, said)] = session.exec(joined).all()
        assert (held.statement, said.id, held.valid_from) == ("team uses Rust", "e-1", NOON)


@pytest.mark.parametrize("statement", ["DELETE FROM facts", "CREATE TABLE notes (id)", "PRAGMA user_version = 99"])
def test_e42_a_statement_that_writes_is_refused(config: Path, statement: str) -> None:
    """The error says what to do instead."""
    with ethos.session(config) as session:
        with pytest.raises(Refused, match="this session only reads") as caught:
            session.connection().execute(text(statement))
        assert "ethos.open()" in caught.value.problem.hint


def test_e42_a_changed_object_is_refused(config: Path) -> None:
    """When the session flushes it; the memory stays as it was."""
    with ethos.session(config) as session:
        held = session.exec(select(Fact)).one()
        held.statement = "another"
        with pytest.raises(Refused, match="this session only reads"):
            session.commit()
    with ethos.session(config) as session:
        assert session.exec(select(Fact.statement)).one() == "team uses Rust"


def test_e42_writing_stays_refused_after_the_pragma_is_turned_off(config: Path) -> None:
    """The file itself is opened read only."""
    with ethos.session(config) as session:
        session.connection().execute(text("PRAGMA query_only = OFF"))
        with pytest.raises(Refused, match="this session only reads"):
            session.connection().execute(text("DELETE FROM facts"))


def test_no_memory_is_made_by_reading(tmp_path: Path) -> None:
    """A path without a memory is refused, and stays without one."""
    file = tmp_path / "config.toml"
    file.write_text('[ethos]\ndatabase = "deep/ethos.db"\nstate = "state"\n', "utf-8")
    with pytest.raises(Refused, match="there is no memory here"), ethos.session(file):
        pass
    assert not (tmp_path / "deep").exists()


@pytest.fixture
def daemon(tmp_path: Path) -> Iterator[Daemon]:
    """A running daemon with a memory of its own."""
    running = Daemon(tmp_path).start()
    yield running
    running.stop()


def test_e42_a_session_reads_beside_a_daemon(daemon: Daemon) -> None:
    """What the daemon captures is seen by the next transaction, and the daemon still writes while the session is open."""
    with ethos.session(daemon.config) as session:
        assert session.exec(select(Episode)).all() == []
        daemon.ask(action="capture", paths=[str(daemon.tell({"text": "We decided to use Rust for all backend services."}))])
        session.rollback()
        assert [said.text for said in session.exec(select(Episode))] == ["We decided to use Rust for all backend services."]


def test_importing_ethos_loads_nothing_heavy() -> None:
    """Only the first use of a public name loads its module."""
    code = "import ethos, sys; print(sorted({'sqlalchemy', 'sqlmodel', 'pydantic', 'ethos.models'} & set(sys.modules)))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"
    with pytest.raises(AttributeError, match="nothing_like_it"):
        _ = ethos.nothing_like_it
