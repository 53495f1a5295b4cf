"""The tables of lessons, declared with SQLModel; see `tables.py`."""

from __future__ import annotations

from datetime import datetime

from sqlalchemy import Index, Text
from sqlmodel import Field

from ethos.store.sqlite.tables import CLUSTERED, Table, Utc, checksum_field


class LessonEvidenceRow(Table, table=True):
    """The episodes that one night added to a lesson; `put_run` is the run that last set it."""

    __tablename__ = "lesson_evidence"
    __table_args__ = (CLUSTERED,)

    id: str = Field(primary_key=True, sa_type=Text)
    user: str = Field(sa_type=Text)
    project: str = Field(sa_type=Text)
    lesson: str = Field(sa_type=Text)
    episodes: str = Field(sa_type=Text)  # JSON
    added_at: datetime = Field(sa_type=Utc)
    run: str = Field(sa_type=Text)
    put_run: str = Field(sa_type=Text)
    checksum: int = checksum_field()


class LessonRow(Table, table=True):
    """`put_run` is the run that last set it."""

    __tablename__ = "lessons"
    __table_args__ = (Index("idx_lessons_order", "found_at", "id"), CLUSTERED)

    id: str = Field(primary_key=True, sa_type=Text)
    user: str = Field(sa_type=Text)
    project: str = Field(sa_type=Text)
    about: str = Field(sa_type=Text)
    title: str = Field(sa_type=Text)
    body: str = Field(sa_type=Text)
    summary: str = Field(sa_type=Text)
    found_by: str = Field(sa_type=Text)
    found_at: datetime = Field(sa_type=Utc)
    first_at: datetime = Field(sa_type=Utc)
    last_at: datetime = Field(sa_type=Utc)
    run: str = Field(sa_type=Text)
    evidence: str = Field(sa_type=Text)  # JSON
    related: str = Field(sa_type=Text)  # JSON
    grounds: str = Field(sa_type=Text)
    condition: str = Field(sa_type=Text)  # JSON
    better: bool
    good_with: int
    all_with: int
    good_without: int
    all_without: int
    low: float
    high: float
    p: float
    tried: int
    against: float
    recent_good: float
    recent_so: float
    retired_at: datetime | None = Field(default=None, sa_type=Utc)
    note: str = Field(sa_type=Text)
    put_run: str = Field(sa_type=Text)
    checksum: int = checksum_field()


class PlaybookRow(Table, table=True):
    """What a strong lesson advises; `put_run` is the run that last set it."""

    __tablename__ = "playbooks"
    __table_args__ = (Index("idx_playbooks_lesson", "lesson"), CLUSTERED)

    id: str = Field(primary_key=True, sa_type=Text)
    user: str = Field(sa_type=Text)
    project: str = Field(sa_type=Text)
    lesson: str = Field(sa_type=Text)
    title: str = Field(sa_type=Text)
    body: str = Field(sa_type=Text)
    trigger: str = Field(sa_type=Text)  # JSON
    made_at: datetime = Field(sa_type=Utc)
    run: str = Field(sa_type=Text)
    withdrawn_at: datetime | None = Field(default=None, sa_type=Utc)
    put_run: str = Field(sa_type=Text)
    checksum: int = checksum_field()
