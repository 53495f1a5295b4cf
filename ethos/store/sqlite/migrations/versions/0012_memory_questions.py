"""Questions about memories of the bank."""

from __future__ import annotations

from alembic import op

revision = "0012"
down_revision = "0011"
branch_labels = None
depends_on = None

SCHEMA = (
    """
CREATE TABLE memory_questions (
	id TEXT NOT NULL,
	user TEXT NOT NULL,
	project TEXT NOT NULL,
	memory TEXT NOT NULL,
	proposal TEXT NOT NULL,
	opened_at BIGINT NOT NULL,
	run TEXT NOT NULL,
	resolved_at BIGINT,
	action TEXT,
	"by" TEXT,
	note TEXT NOT NULL,
	put_run TEXT NOT NULL,
	checksum BIGINT DEFAULT 0 NOT NULL,
	PRIMARY KEY (id)
)
 WITHOUT ROWID
""",
    "CREATE INDEX idx_memory_questions_memory ON memory_questions (memory)",
    "CREATE INDEX idx_memory_questions_order ON memory_questions (opened_at, id)",
    "PRAGMA user_version = 12",
)


def upgrade() -> None:
    """One table more."""
    for statement in SCHEMA:
        op.execute(statement)
