"""Read records of any type by the fields that its descriptor names."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from typing import TypeVar

from ethos.core.model.record_types import RecordType, type_of
from ethos.core.model.records import Record
from ethos.store.sqlite.rows import Shape, listing, shape_of
from ethos.store.sqlite.sql import AMONG, Sql, select

Kept = TypeVar("Kept", bound=Record)

LOT = 500
_BY_ROW = ("seq",)


def every(sql: Sql, record: type[Kept]) -> Iterator[Kept]:
    """Give every record of a type in its order, as they are asked for."""
    shape, kind = shape_of(record), type_of(record)
    for lot in sql.stream(select(shape.listed(), f"{shape.table} ORDER BY {_order(kind)}"), size=LOT):
        yield from shape.all(lot)


def find(sql: Sql, record: type[Kept], field: str, among: Collection[object]) -> list[Kept]:
    """Return the records whose field has, or holds, one of these values. None among them: also those that have no value."""
    shape, kind = _asked(record, field)
    condition = holds(f'"{field}"', several=field in kind.lists)
    if None in among:
        condition = f'({condition} OR "{field}" IS NULL)'
    if kind.order == _BY_ROW and field not in kind.lists:
        # by row numbers, in order: a page is then read once, and in the order of the field once for each value that stands on it
        condition = f"seq IN (SELECT seq FROM {shape.table} WHERE {condition})"  # noqa: S608 (our own names)
    values = listing(shape.value(field, each) for each in among)
    rest = f"{shape.table} WHERE {condition} ORDER BY {_order(kind)}"
    return shape.all(sql.rows(select(shape.listed(), rest), values)) if among else []


def between(sql: Sql, record: type[Kept], field: str, since: object, until: object, limit: int | None) -> list[Kept]:
    """Return the records whose field lies between these values, the second left out."""
    shape, kind = _asked(record, field)
    rest = f'{shape.table} WHERE "{field}" >= ? AND "{field}" < ? ORDER BY "{field}", {_order(kind)} LIMIT ?'
    span = (shape.value(field, since), shape.value(field, until))
    return shape.all(sql.rows(select(shape.listed(), rest), *span, -1 if limit is None else limit))


def holds(value: str, *, several: bool) -> str:
    """Return the condition that a value in SQL is one of a listing, or, where it is a JSON list, holds one of them."""
    if not several:
        return f"{value} {AMONG}"
    return f"EXISTS (SELECT 1 FROM json_each(iif({value} = '', '[]', {value})) held WHERE held.value {AMONG})"  # noqa: S608 (our own names)


def _asked(record: type[Kept], field: str) -> tuple[Shape[Kept], RecordType]:
    kind = type_of(record)
    if not kind.may_be_asked_by(field):
        raise LookupError(f"{kind.name} cannot be looked up by {field}")
    return shape_of(record), kind


def _order(kind: RecordType) -> str:
    return ", ".join(f'"{name}"' for name in kind.order or kind.key)
