"""Derive JSON Schema from Python types: dataclasses, named tuples, unions, lists, and shapes (mappings of field names to types)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields, is_dataclass
from datetime import date, datetime
from enum import IntEnum, StrEnum
from pathlib import Path
from types import NoneType, UnionType
from typing import Any, Literal, Union, get_args, get_origin, get_type_hints

from ethos.core.model.records import Fact

Schema = dict[str, Any]
Shape = Mapping[str, Any]  # field -> its type; a name that ends in "?" may be missing

EACH = "*"  # the only name in a shape whose names are not fixed
_PLAIN = {str: "string", bool: "boolean", int: "integer", float: "number", NoneType: "null", Path: "string"}

_TIMES = {datetime: "date-time", date: "date"}


def schema_of(kind: Any, records: dict[str, Schema]) -> Schema:
    """Return the JSON Schema of a type, or of a shape. Dataclasses and named tuples are put into `records` and referred to."""
    if isinstance(kind, Mapping):
        return _object(kind, records)
    if isinstance(kind, list):
        return {"type": "array", "items": schema_of(kind[0], records)}
    if kind in _PLAIN:
        return {"type": _PLAIN[kind]}
    if kind in _TIMES:
        return {"type": "string", "format": _TIMES[kind]}
    origin, inner = get_origin(kind), get_args(kind)
    if origin in (Union, UnionType):
        return {"anyOf": [schema_of(each, records) for each in inner]}
    if origin is Literal:
        return {"enum": list(inner)}
    if origin in (dict, Mapping) or (isinstance(origin, type) and issubclass(origin, Mapping)):
        return {"type": "object", "additionalProperties": schema_of(inner[1], records)}
    if origin is tuple and inner[-1:] != (...,):
        return {"type": "array", "prefixItems": [schema_of(each, records) for each in inner]}
    if origin in (tuple, list):
        return {"type": "array", "items": schema_of(inner[0], records)}
    if isinstance(kind, type) and issubclass(kind, StrEnum):
        return {"type": "string"}
    if isinstance(kind, type) and issubclass(kind, IntEnum):
        return {"enum": [name.lower() for name in kind.__members__]}
    if isinstance(kind, type) and (is_dataclass(kind) or hasattr(kind, "_fields")):
        return _record(kind, records)
    return {}


def _record(kind: type, records: dict[str, Schema]) -> Schema:
    """Return a reference to the schema of a dataclass or named tuple, and add the schema to `records`."""
    if kind.__name__ not in records:
        records[kind.__name__] = {}  # so that a recursive type terminates
        types = get_type_hints(kind)
        names = [field.name for field in fields(kind)] if is_dataclass(kind) else list(getattr(kind, "_fields", ()))
        status = {"status": Literal["active", "flagged", "superseded", "retired", "quarantined", "former"]} if kind is Fact else {}
        records[kind.__name__] = _object({**status, **{name: types[name] for name in names}}, records)
    return {"$ref": f"#/$defs/{kind.__name__}"}


def _object(shape: Shape, records: dict[str, Schema]) -> Schema:
    if EACH in shape:
        return {"type": "object", "additionalProperties": schema_of(shape[EACH], records)}
    found = {name.removesuffix("?"): schema_of(kind, records) for name, kind in shape.items()}
    return {"type": "object", "properties": found, "required": [name for name in shape if not name.endswith("?")]}
