"""Lessons, their evidence and their playbooks."""

from __future__ import annotations

from alembic import op

revision = "0011"
down_revision = "0010"
branch_labels = None
depends_on = None

SCHEMA = (
    """
CREATE TABLE lesson_evidence (
	id TEXT NOT NULL,
	user TEXT NOT NULL,
	project TEXT NOT NULL,
	lesson TEXT NOT NULL,
	episodes TEXT NOT NULL,
	added_at BIGINT NOT NULL,
	run TEXT NOT NULL,
	put_run TEXT NOT NULL,
	checksum BIGINT DEFAULT 0 NOT NULL,
	PRIMARY KEY (id)
)
 WITHOUT ROWID
""",
    """
CREATE TABLE lessons (
	id TEXT NOT NULL,
	user TEXT NOT NULL,
	project TEXT NOT NULL,
	about TEXT NOT NULL,
	title TEXT NOT NULL,
	body TEXT NOT NULL,
	summary TEXT NOT NULL,
	found_by TEXT NOT NULL,
	found_at BIGINT NOT NULL,
	first_at BIGINT NOT NULL,
	last_at BIGINT NOT NULL,
	run TEXT NOT NULL,
	evidence TEXT NOT NULL,
	related TEXT NOT NULL,
	grounds TEXT NOT NULL,
	condition TEXT NOT NULL,
	better BOOLEAN NOT NULL,
	good_with INTEGER NOT NULL,
	all_with INTEGER NOT NULL,
	good_without INTEGER NOT NULL,
	all_without INTEGER NOT NULL,
	low FLOAT NOT NULL,
	high FLOAT NOT NULL,
	p FLOAT NOT NULL,
	tried INTEGER NOT NULL,
	against FLOAT NOT NULL,
	recent_good FLOAT NOT NULL,
	recent_so FLOAT NOT NULL,
	retired_at BIGINT,
	note TEXT NOT NULL,
	put_run TEXT NOT NULL,
	checksum BIGINT DEFAULT 0 NOT NULL,
	PRIMARY KEY (id)
)
 WITHOUT ROWID
""",
    """
CREATE TABLE playbooks (
	id TEXT NOT NULL,
	user TEXT NOT NULL,
	project TEXT NOT NULL,
	lesson TEXT NOT NULL,
	title TEXT NOT NULL,
	body TEXT NOT NULL,
	"trigger" TEXT NOT NULL,
	made_at BIGINT NOT NULL,
	run TEXT NOT NULL,
	withdrawn_at BIGINT,
	put_run TEXT NOT NULL,
	checksum BIGINT DEFAULT 0 NOT NULL,
	PRIMARY KEY (id)
)
 WITHOUT ROWID
""",
    "CREATE INDEX idx_lessons_order ON lessons (found_at, id)",
    "CREATE INDEX idx_playbooks_lesson ON playbooks (lesson)",
    "PRAGMA user_version = 11",
)


def upgrade() -> None:
    """Three tables more."""
    for statement in SCHEMA:
        op.execute(statement)
