"""The tables of the reasoning bank, declared with SQLModel; see `tables.py`."""

from __future__ import annotations

from datetime import datetime

from sqlalchemy import ForeignKey, Index, Text
from sqlmodel import Field

from ethos.store.sqlite.tables import CLUSTERED, Table, Utc, checksum_field


class MemoryRow(Table, table=True):
    """`seq` numbers the rows for the full-text index; `put_run` is the run that last set it."""

    __tablename__ = "memories"
    __table_args__ = (
        Index("idx_memories_order", "recorded_at", "id"),
        Index("idx_memories_project", "project"),
        Index("idx_memories_consolidation", "consolidation_id"),
    )

    seq: int | None = Field(default=None, primary_key=True)
    id: str = Field(sa_type=Text, unique=True)
    user: str = Field(sa_type=Text)
    project: str = Field(sa_type=Text)
    title: str = Field(sa_type=Text)
    description: str = Field(sa_type=Text)
    content: str = Field(sa_type=Text)
    outcome: str = Field(sa_type=Text)
    scope: str = Field(sa_type=Text)
    origin: int
    maker: str = Field(sa_type=Text)
    initial_confidence: float
    confidence: float
    recorded_at: datetime = Field(sa_type=Utc)
    run: str = Field(sa_type=Text)
    session: str = Field(sa_type=Text)
    tags: str = Field(sa_type=Text)  # JSON
    state: str = Field(sa_type=Text)
    usage_count: int
    consolidation_id: str | None = Field(default=None, sa_type=Text)
    sources: str = Field(sa_type=Text)  # JSON
    consensus_bonus: float
    archived_at: datetime | None = Field(default=None, sa_type=Utc)
    put_run: str = Field(sa_type=Text)
    checksum: int = checksum_field()


class SignalRow(Table, table=True):
    """One of the last thirty days."""

    __tablename__ = "signals"
    __table_args__ = (Index("idx_signals_memory", "memory"), Index("idx_signals_at", "at", "id"), CLUSTERED)

    id: str = Field(primary_key=True, sa_type=Text)
    user: str = Field(sa_type=Text)
    project: str = Field(sa_type=Text)
    memory: str = Field(sa_type=Text, sa_column_args=[ForeignKey("memories.id")])
    kind: str = Field(sa_type=Text)
    positive: bool
    at: datetime = Field(sa_type=Utc)
    session: str = Field(sa_type=Text)
    comment: str = Field(sa_type=Text)
    checksum: int = checksum_field()


class TallyRow(Table, table=True):
    """The older signals of a memory, counted; `put_run` is the run that last set it."""

    __tablename__ = "tallies"
    __table_args__ = (CLUSTERED,)

    memory: str = Field(primary_key=True, sa_type=Text)
    rolled_up_at: datetime = Field(sa_type=Utc)
    explicit_positive: int
    explicit_negative: int
    usage_positive: int
    usage_negative: int
    outcome_positive: int
    outcome_negative: int
    put_run: str = Field(sa_type=Text)
    checksum: int = checksum_field()


class ProjectTrustRow(Table, table=True):
    """What a project listens to; `put_run` is the run that last set it."""

    __tablename__ = "project_trust"
    __table_args__ = (CLUSTERED,)

    id: str = Field(primary_key=True, sa_type=Text)
    user: str = Field(sa_type=Text)
    project: str = Field(sa_type=Text)
    explicit_alpha: float
    explicit_beta: float
    usage_alpha: float
    usage_beta: float
    outcome_alpha: float
    outcome_beta: float
    put_run: str = Field(sa_type=Text)
    checksum: int = checksum_field()


class DistilledRow(Table, table=True):
    """How far a session was looked through; `put_run` is the run that last set it."""

    __tablename__ = "distilled"
    __table_args__ = (Index("idx_distilled_session", "session"), CLUSTERED)

    id: str = Field(primary_key=True, sa_type=Text)
    user: str = Field(sa_type=Text)
    project: str = Field(sa_type=Text)
    session: str = Field(sa_type=Text)
    until: datetime = Field(sa_type=Utc)
    at: datetime = Field(sa_type=Utc)
    memories: int
    maker: str = Field(sa_type=Text)
    attempts: int
    problem: str = Field(sa_type=Text)
    put_run: str = Field(sa_type=Text)
    checksum: int = checksum_field()


class MemoryQuestionRow(Table, table=True):
    """A question to a person about a memory; `put_run` is the run that last set it."""

    __tablename__ = "memory_questions"
    __table_args__ = (Index("idx_memory_questions_order", "opened_at", "id"), Index("idx_memory_questions_memory", "memory"), CLUSTERED)

    id: str = Field(primary_key=True, sa_type=Text)
    user: str = Field(sa_type=Text)
    project: str = Field(sa_type=Text)
    memory: str = Field(sa_type=Text)
    proposal: str = Field(sa_type=Text)
    opened_at: datetime = Field(sa_type=Utc)
    run: str = Field(sa_type=Text)
    resolved_at: datetime | None = Field(default=None, sa_type=Utc)
    action: str | None = Field(default=None, sa_type=Text)
    by: str | None = Field(default=None, sa_type=Text)
    note: str = Field(sa_type=Text)
    put_run: str = Field(sa_type=Text)
    checksum: int = checksum_field()
