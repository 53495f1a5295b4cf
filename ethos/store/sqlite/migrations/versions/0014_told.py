"""A piece of evidence keeps the sentence in which its episode tells the fact. Of what was read before, that is not known: it is empty."""

from __future__ import annotations

from typing import Any
from zlib import crc32

from alembic import op

revision = "0014"
down_revision = "0013"
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
    statement TEXT NOT NULL,
    checksum BIGINT DEFAULT 0 NOT NULL,
    PRIMARY KEY (fact, episode, rule, rule_version, start, "end", run),
    FOREIGN KEY(episode) REFERENCES episodes (id)
)
    WITHOUT ROWID
""",
    """
INSERT INTO evidence SELECT fact, episode, rule, rule_version, start, "end", user, project, object, confidence, said_at, run, modifiers,
    verdict, '', ethos_checksum(fact, episode, rule, rule_version, start, "end", object, confidence, said_at, run, modifiers, verdict, '',
    user, project)
FROM evidence_before
""",
    "DROP TABLE evidence_before",
    "CREATE INDEX idx_evidence_episode ON evidence (episode)",
    "PRAGMA user_version = 14",
)


def _checksum(*values: Any) -> int:
    return crc32("\x1f".join(map(str, values)).encode("utf-8", "surrogatepass"))


def upgrade() -> None:
    """Add a column to the evidence, and make its checksums anew."""
    driver: Any = op.get_bind().connection.driver_connection
    driver.create_function("ethos_checksum", -1, _checksum, deterministic=True)
    for statement in SCHEMA:
        op.execute(statement)
    driver.create_function("ethos_checksum", -1, None)
