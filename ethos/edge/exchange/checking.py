"""Checking: whether the fields of a line that is brought in are of the types that the record has (pydantic)."""

from __future__ import annotations

from functools import cache
from typing import Any

from pydantic import TypeAdapter, ValidationError

from ethos.app.moving import Item
from ethos.core.errors import refuse


def checked(kind: Any, given: Any, where: str, hint: str) -> Item:
    """The record of this type with these fields, by name or in order. Raises `Refused` with the first that is wrong."""
    try:
        made: Item = _adapter(kind).validate_python(given)
    except ValidationError as error:
        wrong = error.errors(include_url=False, include_input=False)[0]
        field = ".".join(str(part) for part in wrong["loc"])
        what = f'"{field}" of {kind.__name__.lower()} is wrong: {wrong["msg"].lower()}'
        raise refuse("bad-input", what, hint=hint, where=where) from None
    return made


@cache
def _adapter(kind: Any) -> TypeAdapter[Any]:
    return TypeAdapter(kind)
