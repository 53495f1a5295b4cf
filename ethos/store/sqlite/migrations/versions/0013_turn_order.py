"""The episodes of a session in the order in which they were said."""

from __future__ import annotations

from alembic import op

revision = "0013"
down_revision = "0012"
branch_labels = None
depends_on = None

SCHEMA = (
    "DROP INDEX idx_episodes_session",
    "CREATE INDEX idx_episodes_session ON episodes (session, said_at)",
    "PRAGMA user_version = 13",
)


def upgrade() -> None:
    """Order one index by time, too."""
    for statement in SCHEMA:
        op.execute(statement)
