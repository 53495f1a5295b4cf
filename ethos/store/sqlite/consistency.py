"""Consistency: what must be true between the records of every store. The doctor asks it of the whole store, an import before it commits."""

from __future__ import annotations

from collections.abc import Mapping

from ethos.core.model.records import CORRECT, Origin
from ethos.store.sqlite.columns import ACTIVE
from ethos.store.sqlite.sql import Sql

_GAVE = """EXISTS (
  SELECT 1 FROM evidence v LEFT JOIN runs r ON r.id = v.run WHERE v.episode = m.episode AND r.undone_by IS NULL
)"""
# what must be true of every store: the answer of each question is how many rows break it
_CONSISTENT = (
    ("episodes without a mark", "SELECT count(*) FROM episodes WHERE id NOT IN (SELECT episode FROM marks)"),
    ("marks without their episode", "SELECT count(*) FROM marks WHERE episode NOT IN (SELECT id FROM episodes)"),
    (
        "marks that say otherwise than their episode whose it is, or when it is its turn",
        """
SELECT count(*) FROM marks m JOIN episodes e ON e.id = m.episode
WHERE m.user <> e.user OR m.project <> e.project OR m.importance <> e.importance OR m.captured_at <> e.captured_at
""",
    ),
    ("pieces of evidence without their episode", "SELECT count(*) FROM evidence WHERE episode NOT IN (SELECT id FROM episodes)"),
    ("pieces of evidence without their fact", "SELECT count(*) FROM evidence WHERE fact NOT IN (SELECT id FROM facts)"),
    ("facts without evidence", "SELECT count(DISTINCT id) FROM facts WHERE id NOT IN (SELECT fact FROM evidence)"),
    (
        "facts with two current versions",
        "SELECT count(*) FROM (SELECT 1 FROM facts WHERE closed_at IS NULL GROUP BY id HAVING count(*) > 1)",
    ),
    (
        "facts held twice over",
        """
SELECT count(*) FROM (
  SELECT 1 FROM facts WHERE closed_at IS NULL AND superseded_by IS NULL AND retired_at IS NULL
  GROUP BY user, project, subject_key, predicate_key, slot, object_key, polarity HAVING count(*) > 1
)
""",
    ),
    ("facts without a current version", "SELECT count(*) FROM (SELECT 1 FROM facts GROUP BY id HAVING max(closed_at IS NULL) = 0)"),
    (
        "versions of facts that do not follow one another",
        """
SELECT count(*) FROM facts f LEFT JOIN facts n ON n.id = f.id AND n.version = f.version + 1
WHERE f.closed_at IS NOT n.recorded_at OR (f.version > 1 AND NOT EXISTS (
  SELECT 1 FROM facts p WHERE p.id = f.id AND p.version = f.version - 1))
""",
    ),
    (
        "facts whose successor is not held",
        "SELECT count(*) FROM facts WHERE closed_at IS NULL AND superseded_by NOT IN (SELECT id FROM facts)",
    ),
    (
        "facts that replace one another in a circle",
        """
WITH RECURSIVE next (id, at, steps) AS (
  SELECT id, superseded_by, 1 FROM facts WHERE closed_at IS NULL AND superseded_by IS NOT NULL
  UNION ALL SELECT next.id, f.superseded_by, steps + 1 FROM next JOIN facts f ON f.id = next.at AND f.closed_at IS NULL
  WHERE f.superseded_by IS NOT NULL AND next.at <> next.id AND steps < 1000
)
SELECT count(DISTINCT id) FROM next WHERE id = at
""",
    ),
    (
        "episodes that gave facts, and nothing tells which",
        f"""
SELECT count(*) FROM marks m WHERE consolidated_at IS NOT NULL AND NOT {_GAVE} AND NOT EXISTS (
  SELECT 1 FROM evidence v JOIN runs r ON r.id = v.run WHERE v.episode = m.episode AND r.name = '{CORRECT}'
)
""",  # noqa: S608 (our own names); the words of an undone correction are never read again
    ),
    (
        "facts in question that no question is about",
        f"""
SELECT count(*) FROM facts f WHERE {ACTIVE} AND flagged = 1
  AND NOT EXISTS (SELECT 1 FROM questions q WHERE f.id IN (q.existing, q.new) AND q.resolved_at IS NULL)
""",  # noqa: S608 (our own names)
    ),
    (
        "open questions about a fact that is held no longer",
        f"""
SELECT count(*) FROM questions q WHERE resolved_at IS NULL AND id LIKE 'c-%'
  AND (SELECT count(*) FROM facts f WHERE f.id IN (q.existing, q.new) AND {ACTIVE}) < 2
""",  # noqa: S608 (our own names)
    ),
    (
        "questions about facts that are not held",
        """
SELECT count(*) FROM questions WHERE (existing NOT IN (SELECT id FROM facts) AND NOT (existing = '' AND id LIKE 'q-%'))
  OR new NOT IN (SELECT id FROM facts)
""",
    ),
    (
        "facts that are trusted more than what they rest on",
        """
SELECT count(*) FROM facts f WHERE f.closed_at IS NULL
  AND f.origin > (SELECT min(e.origin) FROM evidence v JOIN episodes e ON e.id = v.episode WHERE v.fact = f.id)
""",
    ),
    (
        "facts held on the word of somebody below the user, whom nobody believed",
        f"""
SELECT count(*) FROM facts f WHERE {ACTIVE} AND f.origin < {int(Origin.USER)}
  AND NOT EXISTS (SELECT 1 FROM questions q WHERE q.new = f.id AND q.action = 'accept')
""",  # noqa: S608 (our own names)
    ),
)


def broken(sql: Sql) -> Mapping[str, int]:
    """Return what is not as it must be, in words, and in how many rows."""
    return {what: count for what, question in _CONSISTENT if (count := int(sql.value(question)))}
