"""The facts about a subject by their project."""

from __future__ import annotations

from alembic import op

revision = "0015"
down_revision = "0014"
branch_labels = None
depends_on = None

SCHEMA = (
    "DROP INDEX idx_facts_subject_pred",
    "CREATE INDEX idx_facts_subject_pred ON facts (user, subject_key, project, predicate_key, slot)",
    "PRAGMA user_version = 15",
)


def upgrade() -> None:
    """Order the columns of one index as facts are asked for: by subject, by subject and project, or by all of them."""
    for statement in SCHEMA:
        op.execute(statement)
