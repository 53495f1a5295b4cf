"""Records are looked up by the fields that their descriptors name, each through an index."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from ethos.core.model.record_types import RecordType, record_types
from ethos.core.model.records import Episode
from ethos.store import open_store
from ethos.store.sqlite.sql import Sql

ASKED = [(kind, field) for kind in record_types() for field in kind.lookups]


@pytest.mark.parametrize(("kind", "field"), ASKED, ids=[f"{kind.name}.{field}" for kind, field in ASKED])
def test_a_lookup_reads_no_whole_table(tmp_path: Path, kind: RecordType, field: str) -> None:
    """The plan of the query has a search where it would otherwise have a scan."""
    with closing(open_store(tmp_path / "ethos.db")) as store, store.begin() as work:
        asked = f'EXPLAIN QUERY PLAN SELECT * FROM {kind.table} WHERE "{field}" IN (SELECT value FROM json_each(?))'  # noqa: S608
        plan = work.sql.rows(asked, "[]")
    assert not [step for *_, step in plan if step.startswith(f"SCAN {kind.table}")]


def test_the_episodes_of_sessions_are_read_in_the_order_of_their_rows(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Session by session, each page of the file would be read once for each session that stands on it (seconds of a night's work)."""
    asked: list[tuple[str, Sequence[Any]]] = []
    rows, named = Sql.rows, Sql.named

    def noting_rows(sql: Sql, statement: str, *params: Any) -> list[Any]:
        asked.append((statement, params))
        return rows(sql, statement, *params)

    def noting_named(sql: Sql, statement: str, params: Mapping[str, Any]) -> list[Any]:
        asked.append((statement, tuple(params.values())))
        return named(sql, statement, params)

    with closing(open_store(tmp_path / "ethos.db")) as store, store.begin() as work:
        with monkeypatch.context() as patched:
            patched.setattr(Sql, "rows", noting_rows)
            patched.setattr(Sql, "named", noting_named)
            work.find(Episode, "session", ["s"])
            work.untold("u", datetime(2026, 3, 1, tzinfo=UTC), limit=1)
        plans = [[step for *_, step in work.sql.rows(f"EXPLAIN QUERY PLAN {statement}", *params)] for statement, params in asked]
    assert [sum("USING INTEGER PRIMARY KEY" in step for step in plan) for plan in plans] == [1, 1]
