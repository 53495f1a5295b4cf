"""The audit: an append-only list of what was done to this memory, chained by hashes.

One row for each run that ended, never one an episode. What a run was about (`payload`) stands behind a commitment, the SHA-256 of a
random salt and the payload; a row's hash covers the hash before it and everything but payload and salt. So a payload can be taken
out when a person forgets what stands in it, and the chain still holds; and nobody can find out by guessing what it was.

Triggers refuse every other change, also one that replaces a row. They are no lock: who may write the file may drop them. What they
cannot do unseen is to change the middle of the chain, and somebody who noted its head elsewhere sees the end change, too.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable
from hashlib import sha256
from typing import Any

from ethos.core.model.records import Run
from ethos.store.sqlite.columns import micros
from ethos.store.sqlite.sql import Sql

SCHEMA = (
    """
CREATE TRIGGER audit_follows BEFORE INSERT ON audit WHEN NEW.seq <> (SELECT coalesce(max(seq), 0) + 1 FROM audit)
BEGIN SELECT RAISE(ABORT, 'the audit only grows at its end'); END
""",
    """
CREATE TRIGGER audit_stands BEFORE UPDATE ON audit WHEN NOT (NEW.payload IS NULL AND NEW.salt IS NULL AND NEW.seq = OLD.seq
AND NEW.at = OLD.at AND NEW.run = OLD.run AND NEW.action = OLD.action AND NEW.seal = OLD.seal AND NEW.hash = OLD.hash)
BEGIN SELECT RAISE(ABORT, 'the audit does not change'); END
""",
    """
CREATE TRIGGER audit_stays BEFORE DELETE ON audit
BEGIN SELECT RAISE(ABORT, 'the audit does not shrink'); END
""",
)
_GENESIS = "0" * 64

_LAST = "SELECT seq, hash FROM audit ORDER BY seq DESC LIMIT 1"
_ADD = "INSERT INTO audit (seq, at, run, action, payload, salt, seal, hash) VALUES (?, ?, ?, ?, ?, ?, ?, ?)"
_ALL = "SELECT seq, at, run, action, payload, salt, seal, hash FROM audit ORDER BY seq"
LOT = 500


def append(sql: Sql, runs: Iterable[Run]) -> None:
    """Append a row for each of these runs, which have ended."""
    for run in runs:
        seq, before = (sql.rows(_LAST) or [(0, _GENESIS)])[0]
        payload = json.dumps(
            {"reason": run.reason, "session": run.session, "outcome": run.outcome, "rules": run.rules, "counts": dict(run.counts)},
            ensure_ascii=False,
        )
        salt = str(sql.value("SELECT lower(hex(randomblob(16)))"))
        at, seal = micros(run.ended_at or run.started_at), _seal(salt, payload)
        sql.run(_ADD, seq + 1, at, run.id, run.name, payload, salt, seal, _link(before, seq + 1, at, run.id, run.name, seal))


def redact(sql: Sql, holds: Callable[[str], bool]) -> int:
    """Remove the payloads for which `holds` returns true; return how many."""
    found = [seq for lot in sql.stream(_ALL, size=LOT) for seq, _, _, _, payload, *_ in lot if payload is not None and holds(payload)]
    for seq in found:
        sql.run("UPDATE audit SET payload = NULL, salt = NULL WHERE seq = ?", seq)
    return len(found)


def head(sql: Sql) -> tuple[int, str]:
    """Return the number of rows and the hash of the last."""
    seq, last = (sql.rows(_LAST) or [(0, _GENESIS)])[0]
    return int(seq), str(last)


def check(sql: Sql) -> list[str]:
    """Return the first break of the chain, in words; none if it holds."""
    before, expected = _GENESIS, 1
    for lot in sql.stream(_ALL, size=LOT):
        for seq, at, run, action, payload, salt, seal, hashed in lot:
            if seq != expected:
                return [f"audit: row {expected} is missing"]
            if (payload is None) != (salt is None) or (payload is not None and _seal(salt, payload) != seal):
                return [f"audit: what row {seq} says was changed"]
            if _link(before, seq, at, run, action, seal) != hashed:
                return [f"audit: the chain breaks at row {seq}"]
            before, expected = hashed, seq + 1
    return []


def _seal(salt: str, payload: str) -> str:
    return sha256(f"{salt}:{payload}".encode("utf-8", "surrogatepass")).hexdigest()


def _link(before: str, *parts: Any) -> str:
    told = json.dumps([before, *parts], ensure_ascii=False, default=repr)  # repr: of bytes, which only damage puts there
    return sha256(told.encode("utf-8", "surrogatepass")).hexdigest()
