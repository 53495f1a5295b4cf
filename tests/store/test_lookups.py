"""Records are looked up by the fields that their descriptors name, each through an index."""

from __future__ import annotations

from contextlib import closing
from pathlib import Path

import pytest

from ethos.core.model.record_types import RecordType, record_types
from ethos.store import open_store

ASKED = [(kind, field) for kind in record_types() for field in kind.lookups]


@pytest.mark.parametrize(("kind", "field"), ASKED, ids=[f"{kind.name}.{field}" for kind, field in ASKED])
def test_a_lookup_reads_no_whole_table(tmp_path: Path, kind: RecordType, field: str) -> None:
    """The plan of the query has a search where it would otherwise have a scan."""
    with closing(open_store(tmp_path / "ethos.db")) as store, store.begin() as work:
        asked = f'EXPLAIN QUERY PLAN SELECT * FROM {kind.table} WHERE "{field}" IN (SELECT value FROM json_each(?))'  # noqa: S608
        plan = work.sql.rows(asked, "[]")
    assert not [step for *_, step in plan if step.startswith(f"SCAN {kind.table}")]
