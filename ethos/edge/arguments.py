"""Arguments: what an action takes, declared once as a dataclass. From its fields and their types come the check and the usage line."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import MISSING, fields
from datetime import datetime, timedelta
from functools import cache
from types import UnionType
from typing import TYPE_CHECKING, Annotated, Any, Literal, TypeVar, Union, get_args, get_origin, get_type_hints

from ethos.core.errors import Refused, refuse
from ethos.edge.transcripts.lines import NAMES
from ethos.edge.transcripts.moments import moment

if TYPE_CHECKING:
    from _typeshed import DataclassInstance

Made = TypeVar("Made", bound="DataclassInstance")


def take(action: str, made: type[Made], given: Mapping[str, object]) -> Made:
    """An instance of `made`, from these arguments as JSON has them. Raises Refused with what would be right."""
    wanted = {field.name: field for field in fields(made)}
    if unknown := [name for name in given if name not in wanted]:
        raise _wrong(action, made, f'{action} takes no "{unknown[0][:80]}"')
    types = _types(made)
    taken = {}
    for name, value in given.items():
        try:
            taken[name] = _fit(types[name], value)
        except _Unfit:
            found = f'"{value[:80]}"' if isinstance(value, str) else NAMES[type(value)]
            raise _wrong(action, made, f'"{name}" must be {_words(types[name])}, found {found}') from None
    if missing := [name for name, field in wanted.items() if field.default is MISSING and name not in taken]:
        raise _wrong(action, made, f'"{missing[0]}" is missing')
    return made(**taken)


def usage(action: str, made: type[DataclassInstance]) -> str:
    """The action as a line: its arguments with what each is; brackets where one may be left out."""
    shown = [f'"action": "{action}"']
    for field in fields(made):
        told = f'"{field.name}": {_words(_types(made)[field.name])}'
        shown.append(told if field.default is MISSING else f"[{told}]")
    return "{" + ", ".join(shown) + "}"


def meanings(made: type[DataclassInstance]) -> dict[str, str]:
    """What each argument means, where its name does not say it."""
    declared = get_type_hints(made, include_extras=True)
    return {name: hint.__metadata__[0] for name, hint in declared.items() if get_origin(hint) is Annotated}


@cache
def _types(made: Any) -> Mapping[str, Any]:
    return get_type_hints(made)


def _wrong(action: str, made: type[DataclassInstance], what: str) -> Refused:
    return refuse("usage", what, hint=f"send {usage(action, made)}")


_WHOLE_DAY = timedelta(days=1, microseconds=-1)  # a day alone means all of it: what was held when it ended
_EITHER = (Union, UnionType)  # which of the two depends on how it was written


class _Unfit(Exception):
    """A value that is not of its type."""


def _fit(kind: Any, value: object) -> Any:
    """The value as this type has it; JSON has no tuples and no times."""
    origin, inner = get_origin(kind), get_args(kind)
    if origin in _EITHER:
        return None if value is None else _fit(inner[0], value)
    if kind is datetime and isinstance(value, str) and (found := moment(value)) is not None:
        return found[0] + _WHOLE_DAY if len(value) == len("2026-03-01") else found[0]
    if origin is tuple and isinstance(value, list):
        return tuple(_fit(inner[0], item) for item in value)
    if origin is Literal and value in inner:
        return value
    plainly = origin or kind
    if isinstance(plainly, type) and plainly is not tuple and isinstance(value, plainly) and isinstance(value, bool) == (plainly is bool):
        return value
    raise _Unfit


def _words(kind: Any) -> str:
    """A type in the words of somebody who writes JSON."""
    origin, inner = get_origin(kind), get_args(kind)
    if origin in _EITHER:
        return f"{_words(inner[0])} or null"
    if origin is Literal:
        return " or ".join(f'"{each}"' for each in inner)
    if origin is tuple:
        return f"a list, and in it {_words(inner[0])}"
    return 'a time like "2026-03-01T09:30:00Z"' if kind is datetime else NAMES[origin or kind].replace("a number", "a whole number")
