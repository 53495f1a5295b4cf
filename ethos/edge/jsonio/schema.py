"""Convert JSON values to the fields of declared classes: the arguments of actions and the records of imports.

The type annotations are the declaration. A type that `fit` does not know must be the value's own type.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from datetime import datetime
from enum import Enum, EnumMeta
from functools import cache
from inspect import signature
from math import isfinite
from types import UnionType
from typing import Any, Literal, TypeVar, Union, get_args, get_origin, get_type_hints

from ethos.edge.jsonio.shapes import NAMES

Made = TypeVar("Made")
Time = Callable[[str], datetime | None]  # parses a time; returns None if it is not one

_EITHER = (Union, UnionType)  # Optional[X] or X | None, depending on how it was written
_LONE = re.compile("[\ud800-\udfff]")  # lone surrogates, which UTF-8 cannot encode


class Unfit(Exception):
    """A field is missing, or a value does not have its type. The message says which, and names it in quotes; field: its name."""

    def __init__(self, message: str = "", field: str = "") -> None:
        super().__init__(message)
        self.field = field


def made(kind: Callable[..., Made], given: Mapping[str, object], time: Time) -> Made:
    """Return an instance of a dataclass or named tuple. given: values by field name, no others. Raises `Unfit`."""
    types = declared(kind)
    taken = {}
    for name, value in given.items():
        try:
            taken[name] = fit(types[name], value, time)
        except Unfit:
            found = f'"{value[:80]}"' if isinstance(value, str) else NAMES[type(value)]
            raise Unfit(f'"{name}" must be {words(types[name])}, found {found}', name) from None
    if missing := [name for name in _needed(kind) if name not in taken]:
        raise Unfit(f'"{missing[0]}" is missing', missing[0])
    return kind(**taken)


def fit(kind: Any, value: object, time: Time) -> Any:
    """Convert a value to this type: JSON has no tuples, times and enumerations, and writes 1 for 1.0. Raises `Unfit`."""
    origin, inner = _parts(kind)
    if origin in _EITHER:
        return None if value is None else fit(inner[0], value, time)
    if origin is tuple and isinstance(value, list):
        return tuple(fit(inner[0], item, time) for item in value)
    if origin is Mapping and isinstance(value, dict):
        return {fit(inner[0], name, time): fit(inner[1], item, time) for name, item in value.items()}
    if kind is float and type(value) is int:
        value = _as_float(value)
    if kind is datetime and isinstance(value, str) and (found := time(value)) is not None:
        return found
    if isinstance(kind, EnumMeta) and isinstance(value, str):
        named = {_written(member): member for member in _members(kind)}
        if value in named:
            return named[value]
        raise Unfit
    fits = value in inner if origin is Literal else type(value) is (origin or kind) and origin is not tuple and _storable(value)
    if not fits:
        raise Unfit
    return value


def _members(kind: EnumMeta) -> list[Enum]:
    return list(kind.__members__.values())


def _written(member: Enum) -> str:
    """Return a member of an enumeration as JSON has it: a text by its value, a number by its name."""
    return member.value if isinstance(member, str) else member.name.lower()


def words(kind: Any) -> str:
    """Return the description of a type for a person who writes JSON."""
    origin, inner = _parts(kind)
    if origin in _EITHER:
        return f"{words(inner[0])} or null"
    if origin is Literal:
        return " or ".join(f'"{each}"' for each in inner)
    if origin is tuple:
        return f"a list, and in it {words(inner[0])}"
    if origin is Mapping:
        return f"an object, and in it {words(inner[1])}"
    if isinstance(kind, EnumMeta):
        return " or ".join(f'"{_written(member)}"' for member in _members(kind))
    if kind is datetime:
        return 'a time like "2026-03-01T09:30:00Z"'
    return "a whole number" if kind is int else NAMES[origin or kind]


@cache
def declared(kind: Any) -> Mapping[str, Any]:
    """Return the type of each field, by name."""
    return get_type_hints(kind)


@cache
def _needed(kind: Any) -> tuple[str, ...]:
    """Return the names of the required fields."""
    return tuple(field.name for field in signature(kind).parameters.values() if field.default is field.empty)


@cache
def _parts(kind: Any) -> tuple[Any, tuple[Any, ...]]:
    return get_origin(kind), get_args(kind)


def _as_float(value: int) -> float:
    try:
        return float(value)
    except OverflowError:
        raise Unfit from None


def _storable(value: object) -> bool:
    """Return True for a text without lone surrogates and a finite number."""
    if isinstance(value, str):
        return value.isascii() or not _LONE.search(value)
    return not isinstance(value, float) or isfinite(value)
