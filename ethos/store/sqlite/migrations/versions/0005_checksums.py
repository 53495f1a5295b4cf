"""A checksum in every row, so that a value that changed in the file is noticed."""

from __future__ import annotations

from typing import Any
from zlib import crc32

from alembic import op

revision = "0005"
down_revision = "0004"
branch_labels = None
depends_on = None

# table -> what its checksum covers, in this order
COVERED = {
    "episodes": "seq, id, user, project, session, role, speaker, origin, text, said_at, captured_at, importance, importance_given,"
    " source, time_source, kind, tone, tags",
    "marks": "consolidated_at, attempts, set_aside, pruned",
    "facts": "seq, id, version, user, project, kind, subject, predicate, object, polarity, cardinality, subject_key, predicate_key, slot,"
    " object_key, statement, confidence, origin, rule, rule_version, pack_version, valid_from, recorded_at, run, tense, over, replaces,"
    " affirmed_at, valid_to, '', superseded_by, retired_at, flagged",
    "evidence": 'fact, episode, rule, rule_version, start, "end", object, confidence, said_at, run, modifiers, verdict, user, project',
    "suspects": "user, project, subject_key, predicate_key, slot, object_key, polarity, episode, rule, rule_version, start,"
    ' "end", object, confidence, said_at, run',
    "questions": "id, user, project, existing, new, opened_at, run, repeats, resolved_at, action, by, note, put_run",
    "salience": "record, kind, base, tone, created_at, accessed_at, retrievals, fades_at, faded, user, project, put_run",
    "retrievals": "record, session, retrieved_at",
    "runs": "id, name, reason, session, started_at, ended_at, rules, counts, outcome, problem, undone_by",
    "journal": "run, kind, id, before",
    "session_events": "session, at",
    "in_hand": "seq, episodes",
    "tombstones": "mac, at",
    "served": "mark, at",
}


def _checksum(*values: Any) -> int:
    return crc32("\x1f".join(map(str, values)).encode("utf-8", "surrogatepass"))


def upgrade() -> None:
    """Add a column to each table but the audit, and one more to marks, filled from the rows."""
    driver: Any = op.get_bind().connection.driver_connection
    driver.create_function("ethos_checksum", -1, _checksum, deterministic=True)
    for table, columns in COVERED.items():
        op.execute(f"ALTER TABLE {table} ADD COLUMN checksum BIGINT DEFAULT 0 NOT NULL")
        op.execute(f"UPDATE {table} SET checksum = ethos_checksum({columns})")  # noqa: S608 (our own names)
    op.execute("ALTER TABLE marks ADD COLUMN scan_checksum BIGINT DEFAULT 0 NOT NULL")
    op.execute("UPDATE marks SET scan_checksum = ethos_checksum(scanned_at, scanned_rules)")
    driver.create_function("ethos_checksum", -1, None)
    op.execute("PRAGMA user_version = 5")
