"""Days are replayed (L-27): traces, what a night made of an episode's salience, and an index for the episodes of a day.

The columns of salience are NULL: no day has been replayed yet. Its checksums cover them, so they are made anew.
"""

from __future__ import annotations

from typing import Any
from zlib import crc32

from alembic import op

revision = "0010"
down_revision = "0009"
branch_labels = None
depends_on = None

SCHEMA = (
    "CREATE INDEX idx_episodes_said_at ON episodes (said_at)",
    """
CREATE TABLE memory_traces (
    id TEXT NOT NULL,
    user TEXT NOT NULL,
    project TEXT NOT NULL,
    source TEXT NOT NULL,
    target TEXT NOT NULL,
    type TEXT NOT NULL,
    strength FLOAT NOT NULL,
    created_at BIGINT NOT NULL,
    narrative_id TEXT NOT NULL,
    relation TEXT NOT NULL,
    put_run TEXT NOT NULL,
    checksum BIGINT DEFAULT 0 NOT NULL,
    PRIMARY KEY (id)
)
    WITHOUT ROWID
""",
    "CREATE INDEX idx_memory_traces_narrative_id ON memory_traces (narrative_id)",
    "CREATE INDEX idx_memory_traces_source ON memory_traces (source)",
    "CREATE INDEX idx_memory_traces_target ON memory_traces (target)",
    "ALTER TABLE salience RENAME TO salience_before",
    "DROP INDEX idx_salience_fading",
    """
CREATE TABLE salience (
    record TEXT NOT NULL,
    user TEXT NOT NULL,
    project TEXT NOT NULL,
    kind TEXT NOT NULL,
    base FLOAT NOT NULL,
    tone FLOAT NOT NULL,
    created_at BIGINT NOT NULL,
    accessed_at BIGINT NOT NULL,
    retrievals INTEGER NOT NULL,
    fades_at BIGINT NOT NULL,
    faded BOOLEAN NOT NULL,
    consolidated_salience_score FLOAT,
    consolidated_importance FLOAT,
    breakthrough_score FLOAT,
    last_consolidated_at BIGINT,
    put_run TEXT NOT NULL,
    checksum BIGINT DEFAULT 0 NOT NULL,
    PRIMARY KEY (record)
)
    WITHOUT ROWID
""",
    """
INSERT INTO salience SELECT record, user, project, kind, base, tone, created_at, accessed_at, retrievals, fades_at, faded,
    NULL, NULL, NULL, NULL, put_run, ethos_checksum(record, kind, base, tone, created_at, accessed_at, retrievals, fades_at, faded,
    NULL, NULL, NULL, NULL, user, project, put_run)
FROM salience_before
""",
    "DROP TABLE salience_before",
    "CREATE INDEX idx_salience_consolidated ON salience (last_consolidated_at) WHERE consolidated_salience_score IS NOT NULL",
    "CREATE INDEX idx_salience_fading ON salience (fades_at) WHERE faded = 0",
    "PRAGMA user_version = 10",
)


def _checksum(*values: Any) -> int:
    return crc32("\x1f".join(map(str, values)).encode("utf-8", "surrogatepass"))


def upgrade() -> None:
    """One table more, and four columns of another."""
    driver: Any = op.get_bind().connection.driver_connection
    driver.create_function("ethos_checksum", -1, _checksum, deterministic=True)
    for statement in SCHEMA:
        op.execute(statement)
    driver.create_function("ethos_checksum", -1, None)
