"""Keep a checksum in every row, and compare it with the values.

SQLite proves the structure of its pages, not the values in them: a bit that turns within a text or a number reads as another one. So
each row bears the CRC-32 of its values, made where the row is written and compared where the whole store is looked over: by the
doctor, by each backup and restore, and for a row that is about to be replaced. Never in a cycle's reading.

Two things are left out, because they change without the row being written anew, and held against what they repeat (`checking.py`):
the end of a fact's version, which is the beginning of the next; and of a mark all that it has from its episode. So a unit's marks,
which say the same, share one checksum and one statement. A mark has a second one of its last scan alone, which is all that a unit says
of most episodes.

It is a guard against faults, not against people: who can write the file can write a checksum (against them stands the audit).
A table that gets or loses a column needs its checksums made anew by the same migration, as `0005` does.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from functools import cache
from typing import Any
from zlib import crc32

from ethos.core.model.record_types import RecordType, record_types, type_of
from ethos.core.model.records import Episode, EpisodeState, Evidence, Fact, Run, Salience
from ethos.store.sqlite.rows import MARK, shape_of
from ethos.store.sqlite.sql import Sql, insert_new, select

_MOST_NAMED = 20  # rows of a table that are named; the others are counted
LOT = 500
_BETWEEN = "\x1f"


class Sums:
    """Make and compare the checksums of one table. columns: in the order of a row. apart: the columns not covered.

    name: the column that holds it.
    """

    def __init__(
        self, table: str, columns: Sequence[str], *, key: Sequence[str], apart: Collection[str] = (), name: str = "checksum"
    ) -> None:
        self.table = table
        self.columns = tuple(columns)
        self.written = (*columns, name)
        self._kept = insert_new(table, self.written)
        self._key = tuple(key)
        # a text with no character of it stands for what is apart; str() of a number is exact, and the same in every Python
        self._form = _BETWEEN.join("%.0s" if name in apart else "%s" for name in columns)

    def of(self, values: Sequence[Any]) -> int:
        """Return the checksum of values as SQLite returns them: a real number is a float, a truth value 0 or 1."""
        return crc32((self._form % tuple(values)).encode("utf-8", "surrogatepass"))

    def added(self, rows: Iterable[Sequence[Any]]) -> list[Sequence[Any]]:
        """Return the rows, each with its checksum appended. `of` is written out here, because a cycle does this for every row."""
        form = self._form
        return [(*row, crc32((form % tuple(row)).encode())) for row in rows]

    def keep(self, sql: Sql, rows: Iterable[Sequence[Any]]) -> None:
        """Insert these rows with their checksums; one whose key stands there already stays as it is."""
        sql.many(self._kept, self.added(rows))

    def sound(self, row: Sequence[Any]) -> bool:
        """Return True if a row, given with its checksum after its values, is as it was written. More columns may follow."""
        size = len(self.columns)
        return bool(row[size] == self.of(row[:size]))

    def check(self, sql: Sql) -> Iterator[str]:
        """Yield the rows that differ from what was written, in words."""
        values, key = (", ".join(f'"{name}"' for name in names) for names in (self.written, self._key))
        wrong = 0
        for lot in sql.stream(select(f"{values}, {key}", self.table), size=LOT):
            for row in lot:
                if not self.sound(row):
                    wrong += 1
                    if wrong <= _MOST_NAMED:
                        named = " ".join(map(str, row[len(self.written) :]))
                        yield f"damaged: {self.table} {named}: a value is not the one that was written"
        if wrong > _MOST_NAMED:
            yield f"damaged: {self.table}: so it is in {wrong:,} rows"


@cache
def _sums(kind: RecordType) -> Sums:
    owner = ("user", "project") if kind.owned_by else ()
    columns = (*(("seq",) if kind.numbered else ()), *shape_of(kind.record).columns, *owner, *(("put_run",) if kind.journalled else ()))
    return Sums(kind.table, columns, key=kind.named_by or kind.key, apart=kind.unsummed)


def sums_of(record: type[Any]) -> Sums:
    """Return the checksum of a registered class of records; of a mark there are two (`SCANS`, `MARKS`)."""
    return _sums(type_of(record))


EPISODES = sums_of(Episode)
SCANS = Sums("marks", MARK.columns[1:3], key=["episode"], name="scan_checksum")
MARKS = Sums("marks", MARK.columns[3:], key=["episode"])
FACTS = sums_of(Fact)
EVIDENCES = sums_of(Evidence)
SALIENCES = sums_of(Salience)
RUNS = sums_of(Run)
RETRIEVALS = Sums("retrievals", ("record", "session", "retrieved_at"), key=["record"])
JOURNAL = Sums("journal", ("run", "kind", "id", "before"), key=["run", "id"])
SESSION_EVENTS = Sums("session_events", ("session", "at"), key=["seq"])
IN_HAND = Sums("in_hand", ("seq", "episodes"), key=["seq"])
TOMBSTONES = Sums("tombstones", ("mac", "at"), key=["mac"])
SERVED = Sums("served", ("mark", "at"), key=["seq"])
# the audit has its chain, and the revision is compared with the program's
_OWN = (RETRIEVALS, JOURNAL, SESSION_EVENTS, IN_HAND, TOMBSTONES, SERVED)


def every_sum() -> Iterator[Sums]:
    """Return the checksums of every table: of the records, then of the store's own affairs."""
    for kind in record_types():
        yield from (SCANS, MARKS) if kind.record is EpisodeState else (_sums(kind),)
    yield from _OWN


def check(sql: Sql) -> list[str]:
    """Return the rows of the whole store that differ from what was written, in words."""
    return [line for sums in every_sum() for line in sums.check(sql)]
