"""Looking the whole store over: what is damaged in the file, and what does not fit together (TRUST, promise 2; tests that show it: 14).

Each part finds what the others cannot: SQLite's own check the structure of pages and indexes, the schema what the tables, triggers
and indexes are to be, the checksums a value that changed, the audit its chain, the questions here what must be true between records,
and the full-text index is compared with what the records say. Together no byte that means something can change unnoticed.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from ethos.core.records import Origin
from ethos.store import audit, checksums, schema, search
from ethos.store.sql import Sql
from ethos.store.work import ACTIVE

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
        f"SELECT count(*) FROM marks m WHERE consolidated_at IS NOT NULL AND NOT {_GAVE}",  # noqa: S608 (our own names)
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


def problems(sql: Sql, errors: tuple[type[Exception], ...]) -> list[str]:
    """Everything that is wrong, a line each; of damage, what the driver says where it raises one of these errors.

    On a connection without a transaction. The last part needs to be the one writer, and raises what the driver does where it cannot.
    """
    found: dict[str, None] = {}
    sql.run("BEGIN")  # one state for all questions
    with sql.reading_anything():
        for part in _PARTS:
            try:
                found.update(dict.fromkeys(part(sql)))
            except errors as error:
                found[f"damaged: {error}"] = None
    if sql.in_transaction:  # an error of the disk ends it
        sql.run("ROLLBACK")
    if not any(line.startswith(("damaged", "full-text")) for line in found):
        found.update(dict.fromkeys(search.compare(sql, errors)))
    return list(found)


def _structure(sql: Sql) -> list[str]:
    search.look_again(sql)
    return [f"damaged: {line}" for (line,) in sql.rows("PRAGMA integrity_check(20)") if line != "ok"]


def _fitting(sql: Sql) -> list[str]:
    broken = len(sql.rows("PRAGMA foreign_key_check"))
    found = [f"{broken} rows refer to a record that is not there"] if broken else []
    for what, question in _CONSISTENT:
        count = sql.value(question)
        found += [f"{count} {what}"] if count else []
    return found


_PARTS: tuple[Callable[[Sql], Sequence[str]], ...] = (_structure, schema.check, checksums.check, _fitting, search.check, audit.check)
