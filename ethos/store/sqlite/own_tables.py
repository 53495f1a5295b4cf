"""The tables of the store itself, which no record describes: journal, audit, tombstones, and what is being worked on; see `tables.py`."""

from __future__ import annotations

from datetime import datetime

from sqlalchemy import Index, Text
from sqlmodel import Field

from ethos.store.sqlite.tables import CLUSTERED, Table, Utc, checksum_field


class JournalRow(Table, table=True):
    """What a run's puts replaced, as it was before the run, as JSON: of questions and of salience, which are written over.

    There is no entry of what a run made, which bears its id; of facts, whose versions stay where they are; and of marks, because
    what an episode gave is told by its evidence. An entry of one run is also how the run before it left the record.
    """

    __tablename__ = "journal"
    __table_args__ = (Index("idx_journal_run", "run"), Index("idx_journal_record", "kind", "id"))

    seq: int | None = Field(default=None, primary_key=True)
    run: str = Field(sa_type=Text)
    kind: str = Field(sa_type=Text)  # the table
    id: str = Field(sa_type=Text)
    before: str = Field(sa_type=Text)  # JSON
    checksum: int = checksum_field()


class SessionEventRow(Table, table=True):
    """A live capture, for idleness (E-03)."""

    __tablename__ = "session_events"
    __table_args__ = (Index("idx_session_events_at", "at"),)

    seq: int | None = Field(default=None, primary_key=True)
    session: str = Field(sa_type=Text)
    at: datetime = Field(sa_type=Utc)
    checksum: int = checksum_field()


class InHandRow(Table, table=True):
    """The unit being worked on: one row of episode ids, gone when the unit's transaction commits."""

    __tablename__ = "in_hand"

    seq: int | None = Field(default=None, primary_key=True)
    episodes: str = Field(sa_type=Text)  # JSON
    checksum: int = checksum_field()


class TombstoneRow(Table, table=True):
    """The keyed hash of something that was forgotten: what it was cannot be told from it, only that this is it."""

    __tablename__ = "tombstones"
    __table_args__ = (CLUSTERED,)

    mac: str = Field(primary_key=True, sa_type=Text)
    at: datetime = Field(sa_type=Utc)
    checksum: int = checksum_field()


class ServedRow(Table, table=True):
    """The keyed hash of a clause that was shown, and when that was first; `seq` tells which are the oldest."""

    __tablename__ = "served"

    seq: int | None = Field(default=None, primary_key=True)
    mark: str = Field(sa_type=Text, unique=True)
    at: datetime = Field(sa_type=Utc)
    checksum: int = checksum_field()


class AuditRow(Table, table=True):
    """What was done to this memory, in order (`audit.py`). Triggers refuse every change but the loss of payload and salt."""

    __tablename__ = "audit"

    seq: int | None = Field(default=None, primary_key=True)
    at: datetime = Field(sa_type=Utc)
    run: str = Field(sa_type=Text)
    action: str = Field(sa_type=Text)
    payload: str | None = Field(default=None, sa_type=Text)  # JSON
    salt: str | None = Field(default=None, sa_type=Text)
    seal: str = Field(sa_type=Text)
    hash: str = Field(sa_type=Text)
