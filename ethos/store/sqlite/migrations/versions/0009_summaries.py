"""Sessions are told in summaries, and a user in a profile (G-17: every episode that is there is not told yet).

Three tables more; no value changes, and so no checksum.
"""

from __future__ import annotations

from alembic import op

revision = "0009"
down_revision = "0008"
branch_labels = None
depends_on = None

SCHEMA = (
    """
CREATE TABLE profiles (
    user TEXT NOT NULL,
    id TEXT NOT NULL,
    facts TEXT NOT NULL,
    summaries INTEGER NOT NULL,
    made_at BIGINT NOT NULL,
    run TEXT NOT NULL,
    put_run TEXT NOT NULL,
    checksum BIGINT DEFAULT 0 NOT NULL,
    PRIMARY KEY (user)
) WITHOUT ROWID
""",
    """
CREATE TABLE summaries (
    id TEXT NOT NULL,
    user TEXT NOT NULL,
    project TEXT NOT NULL,
    session TEXT NOT NULL,
    sentences TEXT NOT NULL,
    cited TEXT NOT NULL,
    episodes TEXT NOT NULL,
    words INTEGER NOT NULL,
    began_at BIGINT NOT NULL,
    ended_at BIGINT NOT NULL,
    recorded_at BIGINT NOT NULL,
    run TEXT NOT NULL,
    made_by TEXT NOT NULL,
    put_run TEXT NOT NULL,
    checksum BIGINT DEFAULT 0 NOT NULL,
    PRIMARY KEY (id)
) WITHOUT ROWID
""",
    "CREATE INDEX idx_summaries_recorded_at ON summaries (recorded_at)",
    "CREATE INDEX idx_summaries_session ON summaries (session)",
    """
CREATE TABLE tellings (
    episode TEXT NOT NULL,
    summary TEXT NOT NULL,
    run TEXT NOT NULL,
    put_run TEXT NOT NULL,
    checksum BIGINT DEFAULT 0 NOT NULL,
    PRIMARY KEY (episode)
) WITHOUT ROWID
""",
    "PRAGMA user_version = 9",
)


def upgrade() -> None:
    """Make the tables, empty."""
    for statement in SCHEMA:
        op.execute(statement)
