"""The reasoning bank: its five tables, and its texts in the full-text index."""

from __future__ import annotations

from alembic import op

revision = "0008"
down_revision = "0007"
branch_labels = None
depends_on = None

SCHEMA = (
    """
CREATE TABLE distilled (
	id TEXT NOT NULL,
	user TEXT NOT NULL,
	project TEXT NOT NULL,
	session TEXT NOT NULL,
	until BIGINT NOT NULL,
	at BIGINT NOT NULL,
	memories INTEGER NOT NULL,
	maker TEXT NOT NULL,
	attempts INTEGER NOT NULL,
	problem TEXT NOT NULL,
	put_run TEXT NOT NULL,
	checksum BIGINT DEFAULT 0 NOT NULL,
	PRIMARY KEY (id)
)
 WITHOUT ROWID
""",
    "CREATE INDEX idx_distilled_session ON distilled (session)",
    """
CREATE TABLE memories (
	seq INTEGER NOT NULL,
	id TEXT NOT NULL,
	user TEXT NOT NULL,
	project TEXT NOT NULL,
	title TEXT NOT NULL,
	description TEXT NOT NULL,
	content TEXT NOT NULL,
	outcome TEXT NOT NULL,
	scope TEXT NOT NULL,
	origin INTEGER NOT NULL,
	maker TEXT NOT NULL,
	initial_confidence FLOAT NOT NULL,
	confidence FLOAT NOT NULL,
	recorded_at BIGINT NOT NULL,
	run TEXT NOT NULL,
	session TEXT NOT NULL,
	tags TEXT NOT NULL,
	state TEXT NOT NULL,
	usage_count INTEGER NOT NULL,
	consolidation_id TEXT,
	sources TEXT NOT NULL,
	consensus_bonus FLOAT NOT NULL,
	archived_at BIGINT,
	put_run TEXT NOT NULL,
	checksum BIGINT DEFAULT 0 NOT NULL,
	PRIMARY KEY (seq),
	UNIQUE (id)
)
""",
    "CREATE INDEX idx_memories_consolidation ON memories (consolidation_id)",
    "CREATE INDEX idx_memories_order ON memories (recorded_at, id)",
    "CREATE INDEX idx_memories_project ON memories (project)",
    """
CREATE TABLE project_trust (
	id TEXT NOT NULL,
	user TEXT NOT NULL,
	project TEXT NOT NULL,
	explicit_alpha FLOAT NOT NULL,
	explicit_beta FLOAT NOT NULL,
	usage_alpha FLOAT NOT NULL,
	usage_beta FLOAT NOT NULL,
	outcome_alpha FLOAT NOT NULL,
	outcome_beta FLOAT NOT NULL,
	put_run TEXT NOT NULL,
	checksum BIGINT DEFAULT 0 NOT NULL,
	PRIMARY KEY (id)
)
 WITHOUT ROWID
""",
    """
CREATE TABLE tallies (
	memory TEXT NOT NULL,
	rolled_up_at BIGINT NOT NULL,
	explicit_positive INTEGER NOT NULL,
	explicit_negative INTEGER NOT NULL,
	usage_positive INTEGER NOT NULL,
	usage_negative INTEGER NOT NULL,
	outcome_positive INTEGER NOT NULL,
	outcome_negative INTEGER NOT NULL,
	put_run TEXT NOT NULL,
	checksum BIGINT DEFAULT 0 NOT NULL,
	PRIMARY KEY (memory)
)
 WITHOUT ROWID
""",
    """
CREATE TABLE signals (
	id TEXT NOT NULL,
	user TEXT NOT NULL,
	project TEXT NOT NULL,
	memory TEXT NOT NULL,
	kind TEXT NOT NULL,
	positive BOOLEAN NOT NULL,
	at BIGINT NOT NULL,
	session TEXT NOT NULL,
	comment TEXT NOT NULL,
	checksum BIGINT DEFAULT 0 NOT NULL,
	PRIMARY KEY (id),
	FOREIGN KEY(memory) REFERENCES memories (id)
)
 WITHOUT ROWID
""",
    "CREATE INDEX idx_signals_at ON signals (at, id)",
    "CREATE INDEX idx_signals_memory ON signals (memory)",
    "DROP VIEW searchable",
    """
CREATE VIEW searchable (id, text) AS
SELECT l."row", e.text FROM listed l JOIN blocks b ON b.number = l."row" >> 16 JOIN episodes e ON e.seq = l.seq WHERE b.type = 'episode'
UNION ALL SELECT l."row", f.statement || ' ' || f.slot
FROM listed l JOIN blocks b ON b.number = l."row" >> 16 JOIN facts f ON f.seq = l.seq WHERE b.type = 'fact'
UNION ALL SELECT l."row", memories."title" || ' ' || memories."description" || ' ' || memories."content" || ' ' || memories."tags"
FROM listed l JOIN blocks b ON b.number = l."row" >> 16 JOIN memories ON memories.seq = l.seq WHERE b.type = 'memory'
""",
    "PRAGMA user_version = 8",
)


def upgrade() -> None:
    """Five tables more, and another view under the index."""
    for statement in SCHEMA:
        op.execute(statement)
