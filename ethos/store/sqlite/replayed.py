"""Find episodes that earlier nights made salient, for the replay of another day."""

from __future__ import annotations

from datetime import datetime

from ethos.core.model.traces import OldMemory
from ethos.store.sqlite.columns import micros
from ethos.store.sqlite.sql import Sql

_OLD = """
SELECT s.record, e.session FROM salience s CROSS JOIN episodes e ON e.id = s.record
WHERE s.consolidated_salience_score IS NOT NULL AND s.last_consolidated_at >= :since AND s.consolidated_salience_score >= :least
  AND e.said_at >= :since AND e.said_at < :until AND e.user = :user
"""


def old_memories(sql: Sql, user: str, since: datetime, until: datetime, least: float) -> list[OldMemory]:
    """See the port. No episode was replayed before it was said, so the index of what was replayed leads to those of the span."""
    asked = {"user": user, "since": micros(since), "until": micros(until), "least": least}
    return [OldMemory(*row) for row in sql.named(_OLD, asked)]
