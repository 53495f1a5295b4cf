"""Each reading for itself: evidence and weak claims have the run in their key, so that what is read anew takes no earlier reading's place.

No value changes, and so no checksum. What a run had read before another took it over is not in the file any more; undoing leaves such a
fact put aside (`stages/person/undo.py`).
"""

from __future__ import annotations

from alembic import op

revision = "0006"
down_revision = "0005"
branch_labels = None
depends_on = None

SCHEMA = (
    "ALTER TABLE evidence RENAME TO evidence_before",
    "DROP INDEX idx_evidence_episode",
    """
CREATE TABLE evidence (
    fact TEXT NOT NULL,
    episode TEXT NOT NULL,
    rule TEXT NOT NULL,
    rule_version INTEGER NOT NULL,
    start INTEGER NOT NULL,
    "end" INTEGER NOT NULL,
    user TEXT NOT NULL,
    project TEXT NOT NULL,
    object TEXT NOT NULL,
    confidence FLOAT NOT NULL,
    said_at BIGINT NOT NULL,
    run TEXT NOT NULL,
    modifiers TEXT NOT NULL,
    verdict TEXT NOT NULL,
    checksum BIGINT DEFAULT 0 NOT NULL,
    PRIMARY KEY (fact, episode, rule, rule_version, start, "end", run),
    FOREIGN KEY(episode) REFERENCES episodes (id)
)
    WITHOUT ROWID
""",
    "INSERT INTO evidence SELECT * FROM evidence_before",
    "DROP TABLE evidence_before",
    "CREATE INDEX idx_evidence_episode ON evidence (episode)",
    "ALTER TABLE suspects RENAME TO suspects_before",
    """
CREATE TABLE suspects (
    user TEXT NOT NULL,
    project TEXT NOT NULL,
    subject_key TEXT NOT NULL,
    predicate_key TEXT NOT NULL,
    slot TEXT NOT NULL,
    object_key TEXT NOT NULL,
    polarity TEXT NOT NULL,
    episode TEXT NOT NULL,
    rule TEXT NOT NULL,
    rule_version INTEGER NOT NULL,
    start INTEGER NOT NULL,
    "end" INTEGER NOT NULL,
    object TEXT NOT NULL,
    confidence FLOAT NOT NULL,
    said_at BIGINT NOT NULL,
    run TEXT NOT NULL,
    checksum BIGINT DEFAULT 0 NOT NULL,
    PRIMARY KEY (user, project, subject_key, predicate_key, slot, object_key, polarity, episode, run),
    FOREIGN KEY(episode) REFERENCES episodes (id)
)
    WITHOUT ROWID
""",
    "INSERT INTO suspects SELECT * FROM suspects_before",
    "DROP TABLE suspects_before",
    "PRAGMA user_version = 6",
)


def upgrade() -> None:
    """Two tables with a longer key."""
    for statement in SCHEMA:
        op.execute(statement)
