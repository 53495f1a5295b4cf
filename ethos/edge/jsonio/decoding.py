"""Values from JSON that Ethos itself wrote: dataclasses and named tuples, by the types of their fields.

This is the way back of `shapes.plain`. What a person or another program wrote is checked by `schema.made` instead.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields, is_dataclass
from datetime import date, datetime
from enum import EnumMeta
from functools import cache
from types import UnionType
from typing import Any, Literal, TypeVar, Union, get_args, get_origin, get_type_hints

from ethos.core.model.errors import Problem

Kind = TypeVar("Kind")


def decoded(kind: type[Kind], value: Any) -> Kind:
    """Return the value of this type that the JSON says. Fields that the type does not have are passed over."""
    found: Kind = _decoded(kind, value)
    return found


def _decoded(kind: Any, value: Any) -> Any:
    origin, inner = get_origin(kind), get_args(kind)
    if origin in {Union, UnionType}:
        options = [each for each in inner if each is not type(None)]
        return _decoded(options[0], value) if value is not None and len(options) == 1 else value
    if origin is tuple:
        kinds = inner[:1] * len(value) if inner[-1:] == (...,) else inner
        return tuple(_decoded(each, item) for each, item in zip(kinds, value, strict=True))
    if isinstance(origin, type) and issubclass(origin, Mapping):
        return {name: _decoded(inner[1], item) for name, item in value.items()}
    if origin is Literal or not isinstance(kind, type):
        return value
    if kind in {date, datetime}:
        return kind.fromisoformat(value)
    if isinstance(kind, EnumMeta):
        return kind[value.upper()]
    if kind is Problem:
        return Problem(value["code"], value["message"], value["hint"], value["where"])
    names = _names(kind)
    if not names:
        return value
    given = value if isinstance(value, Mapping) else dict(zip(names, value, strict=True))
    return kind(**{name: _decoded(each, given[name]) for name, each in names.items() if name in given})


@cache
def _names(kind: type) -> Mapping[str, Any]:
    """Return the fields of a dataclass or a named tuple, with their types; nothing of another type."""
    if not (is_dataclass(kind) or hasattr(kind, "_fields")):
        return {}
    types = get_type_hints(kind)
    return {name: types[name] for name in ([each.name for each in fields(kind)] if is_dataclass(kind) else kind._fields)}
