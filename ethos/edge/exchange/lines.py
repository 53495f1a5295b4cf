"""Lines: a memory as JSON lines, whole (version 1).

The first line is a header, `{"ethos": "export", "version": 1, "exported_at": TIME}`, the last one `{}`. Every other line is
one record: `"type"` (episode, mark, fact, evidence, suspect, question, salience, run, retrieval) and the fields of that record in
`ethos/core/model/records.py` under their names, times in ISO 8601 and UTC, origins by name; a trace's own type is its `"trace_type"`.
What refers to something comes after it: that is the order of the types above; the versions of a fact stand oldest first. A reader must
refuse a version that it does not know, and a file without the last line, which is cut short.
"""

from __future__ import annotations

import json
import os
import stat
from collections.abc import Callable, Collection, Iterable, Iterator
from dataclasses import fields, is_dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, BinaryIO

from ethos.app.import_checks import Item, Located, Retrieval
from ethos.core.model.errors import Code, refuse
from ethos.core.model.record_types import exported, name_of
from ethos.core.model.traces import Trace, TraceType
from ethos.edge.files import open_stores
from ethos.edge.files.outputs import Kind, Outputs
from ethos.edge.jsonio.schema import Unfit, declared, made
from ethos.edge.jsonio.shapes import plain

VERSION = 1
_TRACED = frozenset(TraceType)
_END: dict[str, object] = {}  # no word stands in it that a forgetting could take away
_BEGINS = b'{"ethos": "export"'
_NAMING = ("existing", "new", "superseded_by")  # fields that name what a record cannot stand without, besides `RecordType.goes_with`
LONGEST = 64 * 1024 * 1024  # bytes of a line; what is longer is no record
_HINT = "name a file that `ethos export` wrote; transcripts come in by `ethos capture`"


def write(path: Path, items: Iterable[Item], now: datetime, outputs: Outputs) -> int:
    """Write all items, whole or not at all, mode 0600; return how many. Raises OSError, and `Refused` where the file is not proven ours."""
    count = 0
    with outputs.replacing(Kind.EXPORT, path) as fresh, fresh.open("w", encoding="ascii") as file:
        file.write(json.dumps({"ethos": "export", "version": VERSION, "exported_at": plain(now)}) + "\n")
        for item in items:
            file.write(json.dumps(_line(item)) + "\n")
            count += 1
        file.write(json.dumps(_END) + "\n")
    return count


def is_export(path: Path) -> bool:
    """Return True where this file begins as an export does. Raises OSError."""
    with path.open("rb") as file:
        return file.read(len(_BEGINS)) == _BEGINS


def revise(path: Path, gone: Collection[str], speaks: Callable[[str], bool], outputs: Outputs) -> list[Path]:
    """Take out of an export of ours every record that is gone, that `speaks` of it, or that cannot stand without one that is gone.

    What is left can still be imported. An episode whose facts are left out loses its mark, so that it is read again. Return the path
    where that changed something. Raises `Refused`, OSError.
    """
    header, *rest = path.read_text("utf-8").splitlines(keepends=True)
    kept = [line for line in rest if not speaks(line)]
    dropped = {record["id"] for record in _records(set(rest) - set(kept)) if "id" in record} | set(gone)
    while True:
        told = [(line, json.loads(line)) for line in kept]
        based = {record["fact"] for _, record in told if record.get("type") == "evidence"}
        gave = {record["episode"] for _, record in told if record.get("type") == "evidence"}
        left = [(line, record) for line, record in told if not _loose(record, dropped, based, gave)]
        dropped |= {record["id"] for _, record in told if "id" in record} - {record["id"] for _, record in left if "id" in record}
        kept = [line for line, _ in left]
        if len(left) == len(told):
            break
    if len(kept) == len(rest):
        return []
    with outputs.replacing(Kind.EXPORT, path) as fresh:
        fresh.write_text("".join((header, *kept)), "utf-8")
    return [path]


def _types() -> dict[str, Any]:
    return {each.name: each.record for each in exported()} | {"retrieval": Retrieval}


def _referring() -> set[str]:
    return {*_NAMING, *(name for each in exported() for name in each.goes_with)}


def _named(record: dict[str, Any]) -> set[str]:
    """Return the ids that a record names, alone or in a list."""
    values = [record.get(name) for name in _referring()]
    return {id_ for value in values for id_ in (value if isinstance(value, list) else [value]) if isinstance(id_, str)}


def _records(lines: Iterable[str]) -> Iterator[dict[str, Any]]:
    return (record for line in lines if isinstance(record := json.loads(line), dict))


def _loose(record: dict[str, Any], dropped: Collection[str], based: Collection[str], gave: Collection[str]) -> bool:
    """Return True for a record that is dropped, or refers to one that is, for a fact without evidence and a mark that tells of none."""
    if record.get("id") in dropped or not _named(record).isdisjoint(dropped):
        return True
    match record.get("type"):
        case "fact":
            return record["id"] not in based
        case "mark":
            return record.get("consolidated_at") is not None and record["episode"] not in gave
        case _:
            return False


def read(path: Path) -> Iterator[Located]:
    """Yield every record and its line, of the right types; what else must be true of it `app/import_checks.py` says.

    Raises `Refused` with the line that is wrong.
    """
    open_stores.refuse_own(path)
    try:
        with open(os.open(path, os.O_RDONLY | os.O_CLOEXEC | os.O_NONBLOCK), "rb") as file:  # noqa: PTH123 (a descriptor)
            if not stat.S_ISREG(os.fstat(file.fileno()).st_mode):
                raise refuse("bad-input", "not a regular file", hint=_HINT, where=str(path))
            yield from _items(file, str(path))
    except OSError as error:
        code: Code = "not-found" if isinstance(error, FileNotFoundError) else "bad-input"
        raise refuse(code, f"cannot be read: {error.strerror}", hint=_HINT, where=str(path)) from None


def _items(file: BinaryIO, path: str) -> Iterator[Located]:
    number, record = 0, None
    while line := file.readline(LONGEST):
        number += 1
        where = f"{path}:{number}"
        try:
            record = json.loads(line)
        except (ValueError, RecursionError):
            raise refuse("bad-input", "not a line of JSON", hint=_HINT, where=where) from None
        if number == 1:
            _accept(record, where)
        elif record != _END:
            yield Located(where, _item(record, where))
    if not number:
        _accept(None, path)
    if record != _END:
        raise refuse("bad-input", "the file is cut short: its last line is missing", hint="copy it again, whole", where=path)


def _accept(header: object, where: str) -> None:
    if not isinstance(header, dict) or header.get("ethos") != "export":
        raise refuse("bad-input", "this is not an export of Ethos", hint=_HINT, where=where)
    if header.get("version") != VERSION:
        raise refuse("bad-input", f"version {header.get('version')!r} is not known here", hint="install a newer Ethos", where=where)


def _line(item: Item) -> dict[str, Any]:
    names = [field.name for field in fields(item)] if is_dataclass(item) else list(Retrieval._fields)
    record = name_of(type(item))
    told = {name: plain(getattr(item, name)) for name in names}
    if "type" in told:
        told[_own_type(record)] = told.pop("type")
    return {"type": record, **told}


def _own_type(record: str) -> str:
    """Return the name under which a record's own field `type` stands beside the type of the record."""
    return f"{record}_type"


def _item(record: object, where: str) -> Item:
    name = record.pop("type", None) if isinstance(record, dict) else None
    types = _types()
    if isinstance(record, dict) and name in _TRACED:  # an export of before 29 November 2026 has a trace's own type in the place of "trace"
        name, record["type"] = name_of(Trace), name
    elif isinstance(record, dict) and isinstance(name, str) and _own_type(name) in record:
        record["type"] = record.pop(_own_type(name))
    kind = types.get(name) if isinstance(name, str) else None
    if not isinstance(record, dict) or kind is None:
        raise refuse("bad-input", '"type" is missing, or not known', hint=f"one of {', '.join(types)}", where=where)
    if unknown := [each for each in record if each not in declared(kind)]:
        raise refuse("bad-input", f'{name} has no field "{unknown[0][:80]}"', hint=_HINT, where=where)
    try:
        item: Item = made(kind, record, _time)
    except Unfit as unfit:
        raise refuse("bad-input", f"this {name} is wrong: {unfit}", hint=_HINT, where=where) from None
    return item


def _time(value: str) -> datetime | None:
    """Return a time as `plain` writes it: one without a zone is none of ours."""
    try:
        found = datetime.fromisoformat(value)
        return None if found.tzinfo is None else found.astimezone(UTC)
    except (ValueError, OverflowError):
        return None
