"""Values as JSON has them, fitted to the fields of declared classes: what a request and an import say is of its type, or is refused."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from enum import IntEnum
from typing import Any, Literal, NamedTuple

import pytest

from ethos.edge.jsonio.schema import Unfit, made


class Trust(IntEnum):
    """As origins are."""

    LOW = 0
    HIGH = 1


@dataclass(frozen=True)
class Thing:
    """A field of each type that records and arguments have."""

    name: str
    many: int = 0
    weight: float = 0.0
    sure: bool = False
    at: datetime | None = None
    trust: Trust = Trust.LOW
    kind: Literal["a", "b"] = "a"
    tags: tuple[str, ...] = ()
    counts: Mapping[str, int] = field(default_factory=dict)


class Pair(NamedTuple):
    """A named tuple is declared alike."""

    one: str
    two: int = 2


def when(written: str) -> datetime | None:
    """One time that there is."""
    return datetime(2026, 3, 1, tzinfo=UTC) if written == "then" else None


def test_what_fits_is_taken_and_becomes_what_json_has_no_words_for() -> None:
    """Times, enumerations, tuples; 1 is 1.0 where that is declared; what is left out has its default."""
    given: dict[str, object] = {"name": "é", "many": 3, "weight": 1, "sure": True, "at": "then", "trust": "high", "kind": "b"}
    given |= {"tags": ["x", "y"], "counts": {"n": 1}}
    thing = made(Thing, given, when)
    assert thing == Thing("é", 3, 1.0, True, datetime(2026, 3, 1, tzinfo=UTC), Trust.HIGH, "b", ("x", "y"), {"n": 1})
    assert (type(thing.weight), type(thing.trust), type(thing.tags)) == (float, Trust, tuple)
    assert made(Thing, {"name": "x", "at": None}, when) == Thing("x")
    assert made(Pair, {"one": "x"}, when) == Pair("x", 2)


@pytest.mark.parametrize(
    ("name", "value", "told"),
    [
        ("name", 7, '"name" must be text, found a number'),
        ("name", None, '"name" must be text, found null'),
        ("name", "x\ud800", '"name" must be text, found "x'),
        ("many", True, '"many" must be a whole number, found true or false'),
        ("many", 1.0, '"many" must be a whole number, found a number'),
        ("many", "1", '"many" must be a whole number, found "1"'),
        ("weight", float("nan"), '"weight" must be a number, found a number'),
        ("weight", 10**400, '"weight" must be a number, found a number'),
        ("weight", False, '"weight" must be a number, found true or false'),
        ("sure", 1, '"sure" must be true or false, found a number'),
        ("at", "now", '"at" must be a time like "2026-03-01T09:30:00Z" or null, found "now"'),
        ("at", 7, '"at" must be a time like "2026-03-01T09:30:00Z" or null, found a number'),
        ("trust", "most", '"trust" must be "low" or "high", found "most"'),
        ("trust", 1, '"trust" must be "low" or "high", found a number'),
        ("kind", "c", '"kind" must be "a" or "b", found "c"'),
        ("kind", ["a"], '"kind" must be "a" or "b", found a list'),
        ("tags", "x", '"tags" must be a list, and in it text, found "x"'),
        ("tags", ["x", 1], '"tags" must be a list, and in it text, found a list'),
        ("counts", {"n": "1"}, '"counts" must be an object, and in it a whole number, found an object'),
        ("counts", {"\ud800": 1}, '"counts" must be an object, and in it a whole number, found an object'),
        ("counts", [], '"counts" must be an object, and in it a whole number, found a list'),
    ],
)
def test_what_does_not_fit_is_told_with_what_would(name: str, value: Any, told: str) -> None:
    """Nothing is taken for something that looks like it."""
    with pytest.raises(Unfit) as unfit:
        made(Thing, {"name": "x", name: value}, when)
    assert str(unfit.value).startswith(told)


def test_what_must_be_there_is_missed() -> None:
    """The first of it."""
    for kind, name in ((Thing, "name"), (Pair, "one")):
        with pytest.raises(Unfit, match=f'"{name}" is missing'):
            made(kind, {}, when)
