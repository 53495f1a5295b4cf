"""Runs that can be undone: what each one changed is found by its id, and marks are no longer journalled."""

from __future__ import annotations

from alembic import op

revision = "0003"
down_revision = "0002"
branch_labels = None
depends_on = None

SCHEMA = (
    "CREATE INDEX idx_facts_run ON facts (run)",
    "DELETE FROM journal WHERE kind IN ('facts', 'marks')",
    "CREATE INDEX idx_journal_record ON journal (kind, id)",
    "ALTER TABLE runs RENAME TO runs_before",
    "DROP INDEX idx_runs_started",
    "DROP INDEX idx_runs_name",
    """
CREATE TABLE runs (
    id TEXT NOT NULL,
    name TEXT NOT NULL,
    reason TEXT NOT NULL,
    session TEXT,
    started_at BIGINT NOT NULL,
    ended_at BIGINT,
    rules TEXT NOT NULL,
    counts TEXT NOT NULL,
    outcome TEXT NOT NULL,
    problem TEXT NOT NULL,
    undone_by TEXT,
    PRIMARY KEY (id)
)
    WITHOUT ROWID
""",
    """
INSERT INTO runs (id, name, reason, session, started_at, ended_at, rules, counts, outcome, problem)
SELECT id, name, reason, session, started_at, ended_at, rules, counts, outcome, '' FROM runs_before
""",
    "DROP TABLE runs_before",
    "CREATE INDEX idx_runs_started ON runs (started_at)",
    "CREATE INDEX idx_runs_name ON runs (name, started_at)",
    "ALTER TABLE marks RENAME TO marks_before",
    "DROP INDEX idx_episodes_unconsolidated",
    """
CREATE TABLE marks (
    episode TEXT NOT NULL,
    user TEXT NOT NULL,
    project TEXT NOT NULL,
    importance FLOAT NOT NULL,
    captured_at BIGINT NOT NULL,
    scanned_at BIGINT,
    scanned_rules TEXT,
    consolidated_at BIGINT,
    attempts INTEGER NOT NULL,
    set_aside TEXT,
    pruned BOOLEAN NOT NULL,
    PRIMARY KEY (episode),
    FOREIGN KEY(episode) REFERENCES episodes (id)
)
    WITHOUT ROWID
""",
    """
INSERT INTO marks (episode, user, project, importance, captured_at, scanned_at, scanned_rules, consolidated_at, attempts, set_aside, pruned)
SELECT episode, user, project, importance, captured_at, scanned_at, scanned_rules, consolidated_at, attempts, set_aside, pruned
FROM marks_before
""",
    "DROP TABLE marks_before",
    """
CREATE INDEX idx_episodes_unconsolidated ON marks (scanned_rules, attempts, importance DESC, captured_at, episode)
WHERE consolidated_at IS NULL AND set_aside IS NULL AND pruned = 0
""",
    "PRAGMA user_version = 3",
)


def upgrade() -> None:
    """Two indexes; two columns more for a run, and one less for a mark."""
    for statement in SCHEMA:
        op.execute(statement)
