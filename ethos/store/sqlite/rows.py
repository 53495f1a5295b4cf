"""Convert records of `core/model/records.py` to rows and back; the mapping is derived once from the fields' types.

Rows are plain tuples in the order of the record's fields; the consolidation path moves tens of thousands of them.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import fields
from datetime import datetime
from enum import StrEnum
from functools import cache
from itertools import repeat
from operator import attrgetter, is_
from typing import Any, Generic, TypeVar, get_type_hints

from ethos.core.model.record_types import type_of
from ethos.core.model.records import Episode, EpisodeState, Evidence, Fact, Origin, Question, Record, Run, Salience, WeakClaim
from ethos.store.sqlite.columns import micros, moment

R = TypeVar("R", bound=Record)
Made = TypeVar("Made")
Row = tuple[Any, ...]


def _to_json(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":")) if value else ""


def _real(value: float) -> float:
    """Return a number as SQLite does: a whole number as a float, and no negative zero."""
    return value + 0.0


def _tuple(value: str) -> tuple[str, ...]:
    return tuple(json.loads(value)) if value else ()


def _tuples(value: str) -> tuple[tuple[str, ...], ...]:
    return tuple(map(tuple, json.loads(value))) if value else ()


def _mapping(value: str) -> dict[str, int]:
    return dict(json.loads(value)) if value else {}


# type of a field -> (to the row, from the row; None: as it is); a type that is not here is kept as it is, and so is None
_CONVERSIONS: dict[Any, tuple[Callable[[Any], Any], Callable[[Any], Any] | None]] = {
    datetime: (micros, moment),
    datetime | None: (micros, moment),
    bool: (int, bool),
    float: (_real, None),
    float | None: (_real, None),
    Origin: (int, Origin),
    tuple[str, ...]: (_to_json, _tuple),
    tuple[tuple[str, ...], ...]: (_to_json, _tuples),
    Mapping[str, int]: (_to_json, _mapping),
}


def _conversion(type_: Any) -> tuple[Callable[[Any], Any], Callable[[Any], Any] | None] | None:
    if isinstance(type_, type) and issubclass(type_, StrEnum):
        return str, type_
    return _CONVERSIONS.get(type_)


def made_of(
    rows: Sequence[Sequence[Any]], make: Callable[..., Made], width: int, out_of: Sequence[tuple[int, Callable[[Any], Any]]]
) -> list[Made]:
    """Return what `make` gives for the first `width` columns of each row, those in `out_of` converted; a NULL stays None.

    Column by column, in half the time that row by row takes: a cycle reads episodes and facts by the hundred. What stands in several rows
    of a column is brought back once.
    """
    if not rows:
        return []
    columns: list[Any] = list(zip(*rows, strict=True))[:width]
    for at, brought_back in out_of:
        restored = {value: None if value is None else brought_back(value) for value in set(columns[at])}
        columns[at] = map(restored.__getitem__, columns[at])
    return list(map(make, *columns))


class Shape(Generic[R]):
    """Convert records of one type to rows and back. columns: the record's fields, in order, which are also the table's columns."""

    def __init__(self, record: type[R], table: str) -> None:
        self.record = record
        self.table = table
        self.columns = tuple(field.name for field in fields(record))
        hints = get_type_hints(record)
        found = ((at, _conversion(hints[name])) for at, name in enumerate(self.columns))
        known = [(at, conversion) for at, conversion in found if conversion is not None]
        self._into = [(at, into) for at, (into, _) in known]
        self._into_by_name = {self.columns[at]: into for at, into in self._into}
        self._out_of = [(at, out_of) for at, (_, out_of) in known if out_of is not None]
        self._values = attrgetter(*self.columns)

    def listed(self, prefix: str = "") -> str:
        """Return the columns as SQL lists them, each with a prefix such as `f.`."""
        return ", ".join(f'{prefix}"{name}"' for name in self.columns)

    def row(self, record: R) -> list[Any]:
        """Return the row of a record. Raises `ValueError` for a time without a zone."""
        row = list(self._values(record))
        for at, into in self._into:
            if (value := row[at]) is not None:
                row[at] = into(value)
        return row

    def rows(self, records: Collection[R]) -> list[Row]:
        """Return the rows of records, column by column as in `made_of`. Raises `ValueError` for a time without a zone."""
        columns: list[Any] = list(zip(*map(self._values, records), strict=True))
        for at, into in self._into if columns else ():
            column = columns[at]
            if all(map(is_, column, repeat(column[0]))):  # the time of a run, in thousands of rows
                columns[at] = repeat(None if column[0] is None else into(column[0]), len(column))
            else:
                columns[at] = [None if value is None else into(value) for value in column]
        return list(zip(*columns, strict=True))

    def value(self, field: str, value: Any) -> Any:
        """Return one value of a field as its column has it."""
        into = self._into_by_name.get(field)
        return value if into is None or value is None or isinstance(value, str) else into(value)

    def restored(self, row: Sequence[Any]) -> R:
        """Return the record of a row."""
        return self.all([row])[0]

    def all(self, rows: Sequence[Sequence[Any]]) -> list[R]:
        """Return the records of these rows; columns after the record's own are ignored."""
        return made_of(rows, self.record, len(self.columns), self._out_of)


@cache
def _shape(record: type[Any], table: str) -> Shape[Any]:
    return Shape(record, table)


def shape_of(record: type[R]) -> Shape[R]:
    """Return the shape of a registered class of records."""
    kind: Any = record
    return _shape(kind, type_of(record).table)


EPISODE = shape_of(Episode)
MARK = shape_of(EpisodeState)
FACT = shape_of(Fact)
EVIDENCE = shape_of(Evidence)
WEAK_CLAIM = shape_of(WeakClaim)
QUESTION = shape_of(Question)
SALIENCE = shape_of(Salience)
RUN = shape_of(Run)
SHAPES: tuple[Shape[Any], ...] = (EPISODE, MARK, FACT, EVIDENCE, WEAK_CLAIM, QUESTION, SALIENCE, RUN)


def listing(values: Iterable[Any]) -> str:
    """Return values as one JSON parameter for `json_each(?)`: any number of ids, one text of statement."""
    return json.dumps(list(values))
