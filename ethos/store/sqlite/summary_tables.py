"""The tables of what a night tells: summaries, which of them tells an episode, and the profile."""

from __future__ import annotations

from datetime import datetime

from sqlalchemy import Index, Text
from sqlmodel import Field

from ethos.store.sqlite.tables import CLUSTERED, Table, Utc, checksum_field


class SummaryRow(Table, table=True):
    """A session told in a few sentences. `put_run`: the run that wrote it last."""

    __tablename__ = "summaries"
    __table_args__ = (Index("idx_summaries_session", "session"), Index("idx_summaries_recorded_at", "recorded_at"), CLUSTERED)

    id: str = Field(primary_key=True, sa_type=Text)
    user: str = Field(sa_type=Text)
    project: str = Field(sa_type=Text)
    session: str = Field(sa_type=Text)
    sentences: str = Field(sa_type=Text)  # JSON
    cited: str = Field(sa_type=Text)  # JSON
    episodes: str = Field(sa_type=Text)  # JSON
    words: int
    began_at: datetime = Field(sa_type=Utc)
    ended_at: datetime = Field(sa_type=Utc)
    recorded_at: datetime = Field(sa_type=Utc)
    run: str = Field(sa_type=Text)
    made_by: str = Field(sa_type=Text)
    put_run: str = Field(sa_type=Text)
    checksum: int = checksum_field()


class TellingRow(Table, table=True):
    """Which summary tells an episode. `put_run`: the run that wrote it last."""

    __tablename__ = "tellings"
    __table_args__ = (CLUSTERED,)

    episode: str = Field(primary_key=True, sa_type=Text)
    summary: str = Field(sa_type=Text)
    run: str = Field(sa_type=Text)
    put_run: str = Field(sa_type=Text)
    checksum: int = checksum_field()


class ProfileRow(Table, table=True):
    """The one profile of a user. `put_run`: the run that wrote it last."""

    __tablename__ = "profiles"
    __table_args__ = (CLUSTERED,)

    user: str = Field(primary_key=True, sa_type=Text)
    id: str = Field(sa_type=Text)
    facts: str = Field(sa_type=Text)  # JSON
    summaries: int
    made_at: datetime = Field(sa_type=Utc)
    run: str = Field(sa_type=Text)
    put_run: str = Field(sa_type=Text)
    checksum: int = checksum_field()
