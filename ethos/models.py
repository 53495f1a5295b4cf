"""The tables of a memory as SQLModel classes, and a session that reads them.

    from sqlmodel import select
    import ethos
    from ethos.models import Fact

    with ethos.session() as session:
        for fact in session.exec(select(Fact).where(Fact.closed_at == None)):
            print(fact.statement)

The classes follow the schema of the installed version. `docs/python.md` has more examples.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from sqlmodel import Session

from ethos.edge.config import loading
from ethos.edge.files import lease, open_stores
from ethos.edge.files.store_files import files_of
from ethos.store.sqlite.own_tables import AuditRow as AuditEntry
from ethos.store.sqlite.own_tables import JournalRow as JournalEntry
from ethos.store.sqlite.reading import read_only
from ethos.store.sqlite.tables import EpisodeRow as Episode
from ethos.store.sqlite.tables import EpisodeStateRow as EpisodeState
from ethos.store.sqlite.tables import EvidenceRow as Evidence
from ethos.store.sqlite.tables import FactRow as Fact
from ethos.store.sqlite.tables import QuestionRow as Question
from ethos.store.sqlite.tables import RetrievalRow as Retrieval
from ethos.store.sqlite.tables import RunRow as Run
from ethos.store.sqlite.tables import SalienceRow as Salience
from ethos.store.sqlite.tables import TraceRow as Trace
from ethos.store.sqlite.tables import WeakClaimRow as WeakClaim

__all__ = [
    "AuditEntry",
    "Episode",
    "EpisodeState",
    "Evidence",
    "Fact",
    "JournalEntry",
    "Question",
    "Retrieval",
    "Run",
    "Salience",
    "Trace",
    "WeakClaim",
    "session",
]


@contextmanager
def session(config: str | Path | None = None) -> Iterator[Session]:
    """Open a session that reads the memory of this configuration; without one, of the configuration that `ethos` would find.

    It works beside a running daemon and without one. Raises `ethos.core.model.errors.Refused` where there is no memory, and for every
    statement that would change it.
    """
    database = files_of(loading.load(None if config is None else Path(config)).settings).database
    open_stores.hold(str(database))
    held = lease.share(database) if database.is_file() else lease.Lease(None)
    try:
        with read_only(database) as opened:
            yield opened
    finally:
        held.close()
