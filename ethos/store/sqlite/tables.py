"""The tables, declared with SQLModel: those of episodes, facts, questions, runs and what belongs to them.

Those of the bank, of lessons and of summaries stand in modules beside this one, those of the store itself in `own_tables.py`.

A column has the name of the record's field. Columns that no record has are named in the table's docstring. `generate.py` writes
`tables.sql` from these declarations, and the program makes a new store of that text, so a running daemon never loads this file. The
consolidation path reads and writes the tables by column (`rows.py`, `apply.py`). `ethos.models` offers these classes to anybody who
wants to query a memory with SQLModel. Every row but the audit's bears a checksum (`checksums.py`).
"""

from __future__ import annotations

from datetime import datetime
from typing import Any, ClassVar

from sqlalchemy import BigInteger, CheckConstraint, Dialect, ForeignKey, Index, MetaData, Text, UniqueConstraint, text
from sqlalchemy.types import TypeDecorator
from sqlmodel import Field, SQLModel

from ethos.store.sqlite.columns import PENDING, micros, moment


class Utc(TypeDecorator[datetime]):
    """An aware time, kept as microseconds and restored in UTC whatever zone it came in."""

    impl = BigInteger
    cache_ok = True

    def process_bind_param(self, value: datetime | None, dialect: Dialect) -> int | None:  # noqa: ARG002 (SQLAlchemy's signature)
        """Convert a value of Python to SQL."""
        return None if value is None else micros(value)

    def process_result_value(self, value: int | None, dialect: Dialect) -> datetime | None:  # noqa: ARG002 (SQLAlchemy's signature)
        """Convert a value of SQL to Python."""
        return None if value is None else moment(value)


class Table(SQLModel):
    """The base of all tables, with a catalogue of its own, so that a host program's SQLModel tables never mix with these."""

    metadata: ClassVar[MetaData] = MetaData()


CLUSTERED = {"sqlite_with_rowid": False}  # rows stand in the order of the primary key


def checksum_field() -> Any:
    """Return the column of the row's checksum (`checksums.py`). It has a default because SQLite adds no column without one."""
    return Field(default=0, sa_type=BigInteger, sa_column_kwargs={"server_default": text("0")})


class EpisodeRow(Table, table=True):
    """Insert-only. `seq` numbers the rows for the full-text index."""

    __tablename__ = "episodes"
    __table_args__ = (Index("idx_episodes_session", "session", "said_at"), Index("idx_episodes_said_at", "said_at"))

    seq: int | None = Field(default=None, primary_key=True)
    id: str = Field(sa_type=Text, unique=True)
    user: str = Field(sa_type=Text)
    project: str = Field(sa_type=Text)
    session: str = Field(sa_type=Text)
    role: str = Field(sa_type=Text)
    speaker: str = Field(sa_type=Text)
    origin: int
    text: str = Field(sa_type=Text)
    said_at: datetime = Field(sa_type=Utc)
    captured_at: datetime = Field(sa_type=Utc)
    importance: float
    importance_given: bool
    source: str = Field(sa_type=Text)
    time_source: str = Field(sa_type=Text)
    kind: str = Field(sa_type=Text)
    tone: float
    tags: str = Field(sa_type=Text)  # JSON
    checksum: int = checksum_field()


class EpisodeStateRow(Table, table=True):
    """Narrow, made with its episode, whose owner and order of selection it repeats.

    Most episodes are never promoted, so the partial index of the unconsolidated (E-34) starts with the rules hash: what was read
    under the present rules is then not walked over again for each unit.
    """

    __tablename__ = "marks"
    __table_args__ = (
        Index(
            "idx_episodes_unconsolidated",
            "scanned_rules",
            "attempts",
            text("importance DESC"),
            "captured_at",
            "episode",
            sqlite_where=text(PENDING),
        ),
        CLUSTERED,
    )

    episode: str = Field(primary_key=True, sa_type=Text, sa_column_args=[ForeignKey("episodes.id")])
    user: str = Field(sa_type=Text)
    project: str = Field(sa_type=Text)
    importance: float
    captured_at: datetime = Field(sa_type=Utc)
    scanned_at: datetime | None = Field(default=None, sa_type=Utc)
    scanned_rules: str | None = Field(default=None, sa_type=Text)
    consolidated_at: datetime | None = Field(default=None, sa_type=Utc)
    attempts: int = 0
    set_aside: str | None = Field(default=None, sa_type=Text)
    pruned: bool = False
    checksum: int = checksum_field()
    scan_checksum: int = checksum_field()


class FactRow(Table, table=True):
    """Versioned: a change is a new row and the old one is closed. `seq` numbers the rows for the full-text index."""

    __tablename__ = "facts"
    __table_args__ = (
        UniqueConstraint("id", "version"),
        CheckConstraint("confidence BETWEEN 0 AND 1", name="ck_facts_confidence"),
        Index("idx_facts_subject_pred", "user", "subject_key", "project", "predicate_key", "slot"),
        Index("idx_facts_superseded_by", "superseded_by", sqlite_where=text("superseded_by IS NOT NULL")),
        Index("idx_facts_run", "run"),
    )

    seq: int | None = Field(default=None, primary_key=True)
    id: str = Field(sa_type=Text)
    version: int
    user: str = Field(sa_type=Text)
    project: str = Field(sa_type=Text)
    kind: str = Field(sa_type=Text)
    subject: str = Field(sa_type=Text)
    predicate: str = Field(sa_type=Text)
    object: str = Field(sa_type=Text)
    polarity: str = Field(sa_type=Text)
    cardinality: str = Field(sa_type=Text)
    subject_key: str = Field(sa_type=Text)
    predicate_key: str = Field(sa_type=Text)
    slot: str = Field(sa_type=Text)
    object_key: str = Field(sa_type=Text)
    statement: str = Field(sa_type=Text)
    confidence: float
    origin: int
    rule: str = Field(sa_type=Text)
    rule_version: int
    pack_version: str = Field(sa_type=Text)
    valid_from: datetime = Field(sa_type=Utc)
    recorded_at: datetime = Field(sa_type=Utc)
    run: str = Field(sa_type=Text)
    tense: str = Field(sa_type=Text)
    over: str | None = Field(default=None, sa_type=Text)
    replaces: str | None = Field(default=None, sa_type=Text)
    affirmed_at: datetime | None = Field(default=None, sa_type=Utc)
    valid_to: datetime | None = Field(default=None, sa_type=Utc)
    closed_at: datetime | None = Field(default=None, sa_type=Utc)
    superseded_by: str | None = Field(default=None, sa_type=Text)
    retired_at: datetime | None = Field(default=None, sa_type=Utc)
    flagged: bool = False
    checksum: int = checksum_field()


class EvidenceRow(Table, table=True):
    """The same rule's same match under the same fact is one row of a run, however often that puts it.

    The fact is in the key, because one match may give several facts; the object is not, because one match under one fact has one. The
    run is, because what it read stands or falls with it: an episode may be read anew while the run is undone, and that counts again.
    """

    __tablename__ = "evidence"
    __table_args__ = (Index("idx_evidence_episode", "episode"), CLUSTERED)

    fact: str = Field(primary_key=True, sa_type=Text)
    episode: str = Field(primary_key=True, sa_type=Text, sa_column_args=[ForeignKey("episodes.id")])
    rule: str = Field(primary_key=True, sa_type=Text)
    rule_version: int = Field(primary_key=True)
    start: int = Field(primary_key=True)
    end: int = Field(primary_key=True)
    user: str = Field(sa_type=Text)
    project: str = Field(sa_type=Text)
    object: str = Field(sa_type=Text)
    confidence: float
    said_at: datetime = Field(sa_type=Utc)
    run: str = Field(primary_key=True, sa_type=Text)
    modifiers: str = Field(sa_type=Text)  # JSON
    verdict: str = Field(sa_type=Text)
    statement: str = Field(sa_type=Text)
    checksum: int = checksum_field()


class WeakClaimRow(Table, table=True):
    """A weak claim counts once an episode, however often it stands there; each run that met it there says so for itself."""

    __tablename__ = "suspects"
    __table_args__ = (CLUSTERED,)

    user: str = Field(primary_key=True, sa_type=Text)
    project: str = Field(primary_key=True, sa_type=Text)
    subject_key: str = Field(primary_key=True, sa_type=Text)
    predicate_key: str = Field(primary_key=True, sa_type=Text)
    slot: str = Field(primary_key=True, sa_type=Text)
    object_key: str = Field(primary_key=True, sa_type=Text)
    polarity: str = Field(primary_key=True, sa_type=Text)
    episode: str = Field(primary_key=True, sa_type=Text, sa_column_args=[ForeignKey("episodes.id")])
    rule: str = Field(sa_type=Text)
    rule_version: int
    start: int
    end: int
    object: str = Field(sa_type=Text)
    confidence: float
    said_at: datetime = Field(sa_type=Utc)
    run: str = Field(primary_key=True, sa_type=Text)
    checksum: int = checksum_field()


class QuestionRow(Table, table=True):
    """`put_run` is the run that last set it."""

    __tablename__ = "questions"
    __table_args__ = (
        Index("idx_questions_existing", "existing"),
        Index("idx_questions_new", "new"),
        Index("idx_questions_open", "opened_at", sqlite_where=text("resolved_at IS NULL")),
        CLUSTERED,
    )

    id: str = Field(primary_key=True, sa_type=Text)
    user: str = Field(sa_type=Text)
    project: str = Field(sa_type=Text)
    existing: str = Field(sa_type=Text)
    new: str = Field(sa_type=Text)
    opened_at: datetime = Field(sa_type=Utc)
    run: str = Field(sa_type=Text)
    repeats: int = 0
    resolved_at: datetime | None = Field(default=None, sa_type=Utc)
    action: str | None = Field(default=None, sa_type=Text)
    by: str | None = Field(default=None, sa_type=Text)
    note: str = Field(sa_type=Text)
    put_run: str = Field(sa_type=Text)
    checksum: int = checksum_field()


class SalienceRow(Table, table=True):
    """Of an episode or a fact, whose owner it repeats; `put_run` is the run that last set it."""

    __tablename__ = "salience"
    __table_args__ = (
        Index("idx_salience_fading", "fades_at", sqlite_where=text("faded = 0")),
        Index("idx_salience_consolidated", "last_consolidated_at", sqlite_where=text("consolidated_salience_score IS NOT NULL")),
        CLUSTERED,
    )

    record: str = Field(primary_key=True, sa_type=Text)
    user: str = Field(sa_type=Text)
    project: str = Field(sa_type=Text)
    kind: str = Field(sa_type=Text)
    base: float
    tone: float
    created_at: datetime = Field(sa_type=Utc)
    accessed_at: datetime = Field(sa_type=Utc)
    retrievals: int
    fades_at: datetime = Field(sa_type=Utc)
    faded: bool = False
    consolidated_salience_score: float | None = None
    consolidated_importance: float | None = None
    breakthrough_score: float | None = None
    last_consolidated_at: datetime | None = Field(default=None, sa_type=Utc)
    put_run: str = Field(sa_type=Text)
    checksum: int = checksum_field()


class TraceRow(Table, table=True):
    """A step of a chain; `put_run` is the run that last set it."""

    __tablename__ = "memory_traces"
    __table_args__ = (
        Index("idx_memory_traces_source", "source"),
        Index("idx_memory_traces_target", "target"),
        Index("idx_memory_traces_narrative_id", "narrative_id"),
        CLUSTERED,
    )

    id: str = Field(primary_key=True, sa_type=Text)
    user: str = Field(sa_type=Text)
    project: str = Field(sa_type=Text)
    source: str = Field(sa_type=Text)
    target: str = Field(sa_type=Text)
    type: str = Field(sa_type=Text)
    strength: float
    created_at: datetime = Field(sa_type=Utc)
    narrative_id: str = Field(sa_type=Text)
    relation: str = Field(sa_type=Text)
    put_run: str = Field(sa_type=Text)
    checksum: int = checksum_field()


class RetrievalRow(Table, table=True):
    """A record counts as retrieved once a session."""

    __tablename__ = "retrievals"
    __table_args__ = (CLUSTERED,)

    record: str = Field(primary_key=True, sa_type=Text)
    session: str = Field(primary_key=True, sa_type=Text)
    retrieved_at: datetime = Field(sa_type=Utc)
    checksum: int = checksum_field()


class RunRow(Table, table=True):
    """A run is over the whole store, so it has no owner."""

    __tablename__ = "runs"
    __table_args__ = (Index("idx_runs_started", "started_at"), Index("idx_runs_name", "name", "started_at"), CLUSTERED)

    id: str = Field(primary_key=True, sa_type=Text)
    name: str = Field(sa_type=Text)
    reason: str = Field(sa_type=Text)
    session: str | None = Field(default=None, sa_type=Text)
    started_at: datetime = Field(sa_type=Utc)
    ended_at: datetime | None = Field(default=None, sa_type=Utc)
    rules: str = Field(sa_type=Text)
    counts: str = Field(sa_type=Text)  # JSON
    outcome: str = Field(sa_type=Text)
    problem: str = Field(sa_type=Text)
    undone_by: str | None = Field(default=None, sa_type=Text)
    checksum: int = checksum_field()
