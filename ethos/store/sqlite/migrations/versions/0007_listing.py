"""Rows of the full-text index say by their block which type of record they are, and bear what ranking needs to know of it.

The tables are made empty: `upgrade` in `migrations/__init__.py` makes the index anew after the last revision.
"""

from __future__ import annotations

from alembic import op

revision = "0007"
down_revision = "0006"
branch_labels = None
depends_on = None

SCHEMA = (
    """
CREATE TABLE blocks (
    number INTEGER NOT NULL PRIMARY KEY,
    type TEXT NOT NULL,
    user TEXT NOT NULL,
    project TEXT NOT NULL,
    session TEXT NOT NULL,
    used INTEGER NOT NULL,
    checksum BIGINT DEFAULT 0 NOT NULL
)
""",
    "CREATE INDEX idx_blocks_owner ON blocks (user, session, project, type)",
    """
CREATE TABLE listed (
    "row" INTEGER NOT NULL PRIMARY KEY,
    seq INTEGER NOT NULL,
    terms BLOB NOT NULL,
    asked INTEGER NOT NULL,
    traits INTEGER NOT NULL,
    names INTEGER NOT NULL,
    speaker TEXT NOT NULL,
    said_at BIGINT NOT NULL,
    checksum BIGINT DEFAULT 0 NOT NULL
)
""",
    "CREATE INDEX idx_listed_seq ON listed (seq)",
    "CREATE INDEX idx_listed_said_at ON listed (said_at)",
    """
CREATE TABLE speakers (
    name TEXT NOT NULL PRIMARY KEY,
    first TEXT NOT NULL,
    turns INTEGER NOT NULL,
    checksum BIGINT DEFAULT 0 NOT NULL
) WITHOUT ROWID
""",
    "CREATE INDEX idx_speakers_first ON speakers (first)",
    "DROP VIEW searchable",
    """
CREATE VIEW searchable (id, text) AS
SELECT l."row", e.text FROM listed l JOIN blocks b ON b.number = l."row" >> 16 JOIN episodes e ON e.seq = l.seq WHERE b.type = 'episode'
UNION ALL SELECT l."row", f.statement || ' ' || f.slot
FROM listed l JOIN blocks b ON b.number = l."row" >> 16 JOIN facts f ON f.seq = l.seq WHERE b.type = 'fact'
""",
    "CREATE VIRTUAL TABLE word_terms USING fts5vocab('words', 'row')",
    "PRAGMA user_version = 7",
)


def upgrade() -> None:
    """Three tables more, and another view under the index."""
    for statement in SCHEMA:
        op.execute(statement)
