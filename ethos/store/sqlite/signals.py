"""Signals of memories, counted: a memory that is used daily has thousands, and each search and each word on it needs only their number."""

from __future__ import annotations

from collections.abc import Collection
from datetime import datetime

from ethos.core.model.memories import SignalCount, SignalKind
from ethos.store.sqlite.columns import EPOCH, micros, moment
from ethos.store.sqlite.rows import listing
from ethos.store.sqlite.sql import Sql

_COUNTED = """
SELECT memory, kind, positive, count(*), max(at) FROM signals
WHERE memory IN (SELECT value FROM json_each(?)) AND at >= ? GROUP BY memory, kind, positive
"""


def counted(sql: Sql, memories: Collection[str], since: datetime | None) -> list[SignalCount]:
    """See the port."""
    rows = sql.rows(_COUNTED, listing(memories), micros(since or EPOCH)) if memories else []
    return [SignalCount(memory, SignalKind(kind), bool(positive), count, moment(at)) for memory, kind, positive, count, at in rows]
