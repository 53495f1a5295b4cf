"""Tombstones, so that what was forgotten does not come back, and the audit."""

from __future__ import annotations

from alembic import op

revision = "0002"
down_revision = "0001"
branch_labels = None
depends_on = None

SCHEMA = (
    """
CREATE TABLE tombstones (
    mac TEXT NOT NULL,
    at BIGINT NOT NULL,
    PRIMARY KEY (mac)
)
    WITHOUT ROWID
""",
    """
CREATE TABLE audit (
    seq INTEGER NOT NULL,
    at BIGINT NOT NULL,
    run TEXT NOT NULL,
    action TEXT NOT NULL,
    payload TEXT,
    salt TEXT,
    seal TEXT NOT NULL,
    hash TEXT NOT NULL,
    PRIMARY KEY (seq)
)
""",
    """
CREATE TRIGGER audit_follows BEFORE INSERT ON audit WHEN NEW.seq <> (SELECT coalesce(max(seq), 0) + 1 FROM audit)
BEGIN SELECT RAISE(ABORT, 'the audit only grows at its end'); END
""",
    """
CREATE TRIGGER audit_stands BEFORE UPDATE ON audit WHEN NOT (NEW.payload IS NULL AND NEW.salt IS NULL AND NEW.seq = OLD.seq
AND NEW.at = OLD.at AND NEW.run = OLD.run AND NEW.action = OLD.action AND NEW.seal = OLD.seal AND NEW.hash = OLD.hash)
BEGIN SELECT RAISE(ABORT, 'the audit does not change'); END
""",
    """
CREATE TRIGGER audit_stays BEFORE DELETE ON audit
BEGIN SELECT RAISE(ABORT, 'the audit does not shrink'); END
""",
    "PRAGMA user_version = 2",
)


def upgrade() -> None:
    """Two tables, and the triggers that keep one of them as it is."""
    for statement in SCHEMA:
        op.execute(statement)
