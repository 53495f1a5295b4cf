"""What was shown, as keyed hashes, so that it is known again."""

from __future__ import annotations

from alembic import op

revision = "0004"
down_revision = "0003"
branch_labels = None
depends_on = None

SCHEMA = (
    """
CREATE TABLE served (
    seq INTEGER NOT NULL,
    mark TEXT NOT NULL,
    at BIGINT NOT NULL,
    PRIMARY KEY (seq),
    UNIQUE (mark)
)
""",
    "PRAGMA user_version = 4",
)


def upgrade() -> None:
    """One table."""
    for statement in SCHEMA:
        op.execute(statement)
