"""Write the records of the types that are kept by their descriptor, and journal what a run replaces.

The journal has an entry for each record that a run made anew, replaced or took away: the row before, or null. A record that comes in
with an import was made by the run that it names itself.
"""

from __future__ import annotations

import json
from collections.abc import Collection, Iterable, Sequence
from typing import Any

from ethos.core.model.errors import refuse
from ethos.core.model.record_types import RecordType, by_descriptor, type_of
from ethos.core.model.records import Removed
from ethos.store.sqlite import full_text
from ethos.store.sqlite.checksums import Sums, sums_of
from ethos.store.sqlite.problems import DAMAGED
from ethos.store.sqlite.rows import Shape, listing, shape_of
from ethos.store.sqlite.sql import AMONG, Sql, insert_new, select, upsert

Journal = list[tuple[str, str, str, str]]  # run, table, id, before

_AS_JSON = json.JSONEncoder(ensure_ascii=False).encode
_NONE = "null"  # in the journal: there was no such record
_KNOWN = f"SELECT DISTINCT id FROM journal WHERE kind = ? AND id {AMONG}"  # noqa: S608 (our own names)


def put(sql: Sql, kind: RecordType, records: Sequence[Any], run: str, journal: Journal) -> None:
    """Put records of one type. One that is not journalled stays as it is where it is held."""
    shape, sums = shape_of(kind.record), sums_of(kind.record)
    if not kind.numbered and not kind.journalled:
        sql.many(insert_new(kind.table, sums.written), sums.added(shape.rows(records)))
        return
    (key,) = kind.key
    latest = {getattr(record, key): record for record in (records if kind.journalled else reversed(records))}
    held = _numbers(sql, kind, latest)
    if kind.journalled:
        remember(sql, shape, sums, key, held, run, journal)
        _remember_new(sql, kind, {id_: record for id_, record in latest.items() if id_ not in held}, run, journal)
        _unlist(sql, kind, held)
    else:
        latest = {id_: record for id_, record in reversed(latest.items()) if id_ not in held}
    numbers = _numbered(sql, kind, latest, held)
    last = (run,) if kind.journalled else ()
    rows = [(*numbers.get(id_, ()), *row, *last) for id_, row in zip(latest, shape.rows(latest.values()), strict=True)]
    sql.many(upsert(kind.table, sums.written, key=key), sums.added(rows))
    _list_rows(sql, kind, latest)


def remove(sql: Sql, removed: Iterable[Removed], run: str, journal: Journal) -> None:
    """Take these records away; the journal keeps them. One that is not held is left out."""
    by_type: dict[type[Any], list[str]] = {}
    for each in removed:
        by_type.setdefault(each.record, []).append(each.key)
    for record, ids in by_type.items():
        kind = type_of(record)
        (key,) = kind.key
        remember(sql, shape_of(record), sums_of(record), key, ids, run, journal)
        _unlist(sql, kind, ids)
        sql.run(f'DELETE FROM {kind.table} WHERE "{key}" {AMONG}', listing(ids))  # noqa: S608 (our own names)


def remember(sql: Sql, shape: Shape[Any], sums: Sums, key: str, ids: Iterable[str], run: str, journal: Journal) -> list[Any]:
    """Journal the rows that another run set, as they are now, and return them with the columns `sums.written`. What was made of a damaged
    one would bear a checksum that fits: so each is looked at first. Raises `Refused`.
    """
    columns = ", ".join(f'"{name}"' for name in sums.written)
    set_by_others = select(columns, f'{sums.table} WHERE "{key}" {AMONG} AND put_run <> ?')
    kept = [(at, name) for at, name in enumerate(sums.written) if name in shape.columns]
    place = sums.written.index(key)
    rows = sql.rows(set_by_others, listing(dict.fromkeys(ids)), run)
    for row in rows:
        if not sums.sound(row):
            raise refuse("store", f"the store is damaged ({sums.table} {row[place]} is not as it was written)", hint=DAMAGED)
        journal.append((run, sums.table, row[place], _AS_JSON({name: row[at] for at, name in kept})))
    return rows


def _remember_new(sql: Sql, kind: RecordType, records: dict[str, Any], run: str, journal: Journal) -> None:
    """Journal that there were no such records. What came before and was taken away is made anew by this run, whatever it names."""
    if not records or kind not in by_descriptor():  # a question names its run, and is never taken away
        return
    known = {id_ for (id_,) in sql.rows(_KNOWN, kind.table, listing(records))}
    journal += [(run if id_ in known else getattr(record, "run", run), kind.table, id_, _NONE) for id_, record in records.items()]


def _numbers(sql: Sql, kind: RecordType, ids: Collection[str]) -> dict[str, int]:
    """Return the row numbers of those of these records that are held, 0 where the type has none."""
    (key,) = kind.key
    number = "seq" if kind.numbered else "0"
    return dict(sql.rows(f'SELECT "{key}", {number} FROM {kind.table} WHERE "{key}" {AMONG}', listing(ids)))  # noqa: S608


def _numbered(sql: Sql, kind: RecordType, ids: Iterable[str], held: dict[str, int]) -> dict[str, tuple[int]]:
    """Return a row number for each of these records: the one that it has, or the next."""
    if not kind.numbered:
        return {}
    last = int(sql.value(f"SELECT coalesce(max(seq), 0) FROM {kind.table}"))  # noqa: S608 (our own names)
    numbers = {}
    for id_ in ids:
        if id_ not in held:
            last += 1
        numbers[id_] = (held.get(id_, last),)
    return numbers


# -- the full-text index


def _list_rows(sql: Sql, kind: RecordType, ids: Iterable[str]) -> None:
    """Put these records into the index."""
    if kind.indexed is not None:
        (key,) = kind.key
        full_text.add(sql, full_text.entries(sql, kind, f'WHERE "{key}" {AMONG}', listing(ids)))


def _unlist(sql: Sql, kind: RecordType, ids: Iterable[str]) -> None:
    if kind.indexed is not None:
        (key,) = kind.key
        full_text.drop(sql, kind.name, full_text.texts(sql, kind, f'WHERE "{key}" {AMONG}', listing(ids)))
