"""Find the episodes that no summary tells (G-05, G-15)."""

from __future__ import annotations

from datetime import datetime

from ethos.store.sqlite.columns import micros
from ethos.store.sqlite.sql import Sql

_SAID = "e.user = :user AND e.said_at < :until"
# A session is looked at again when it has an episode that no night has looked at. The episodes of such sessions are looked up by their
# numbers, in order: rows next to each other stand on one page, which is then read once. Session by session, it was read for each session
# of the day, and a day of 100,000 episodes took twenty seconds.
_UNTOLD = f"""
WITH going_on AS MATERIALIZED (
    SELECT DISTINCT e.project, e.session FROM episodes e
    WHERE {_SAID} AND e.role IN ('user', 'assistant') AND NOT EXISTS (SELECT 1 FROM tellings t WHERE t.episode = e.id)
)
SELECT e.id, e.project, e.session FROM episodes e JOIN going_on g ON g.session = e.session AND g.project = e.project
LEFT JOIN tellings t ON t.episode = e.id
WHERE e.seq IN (SELECT s.seq FROM episodes s WHERE s.session IN (SELECT session FROM going_on))
AND {_SAID} AND e.role <> 'tool' AND coalesce(t.summary, '') = ''
ORDER BY e.project, e.session, e.said_at, e.source, e.seq
"""  # noqa: S608 (our own names)


def untold(sql: Sql, user: str, until: datetime, limit: int) -> list[tuple[str, str, str]]:
    """Return (id, project, session) of each; of at most `limit` episodes, and the last session whole."""
    found: list[tuple[str, str, str]] = []
    for row in sql.named(_UNTOLD, {"user": user, "until": micros(until)}):
        if len(found) >= limit and row[1:] != found[-1][1:]:
            break
        found.append(row)
    return found
