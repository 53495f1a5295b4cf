"""Write a rule as TOML; the rulebook reads the same rule from it (property 15)."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import fields

from ethos.core.rules.clauses.frame import Frame, Words
from ethos.core.rules.rule import Example, Fallback, Pack, Rule, Unless
from ethos.edge.rulebook import SCHEMA

_APART = frozenset({"id", "pack_version", "unless", "examples"})  # fields of the pack, and fields written as tables of their own

Value = str | float | bool | tuple[str, ...] | Frame | Words | Mapping[str, "str | float | Value"]

_PLAIN_FRAME = {each.name: each.default for each in fields(Frame)}


def dump(what: Pack | Rule) -> str:
    """Return a pack file: of the whole pack, or of one rule in a pack of its name. Fragments are written out in the patterns.

        dump(rules["mine/garden.grows"])  # schema = 1, pack = "mine", [[rule]] ...

    TOML has no lone surrogates: a text with one cannot be written, and no file could have contained it.
    """
    pack = what if isinstance(what, Pack) else Pack(what.id.partition("/")[0], what.pack_version, (what,))
    return "\n".join(_pack(pack)) + "\n"


def _pack(pack: Pack) -> Iterator[str]:
    yield from _lines({"schema": SCHEMA, "pack": pack.name, "version": pack.version})
    for fallback in pack.fallbacks:
        yield "\n[[fallback]]"
        yield from _lines(_held(fallback, _APART))
    for rule in pack.rules:
        yield "\n[[rule]]"
        yield from _lines(_held(rule, _APART))
        for unless in rule.unless:
            yield "\n  [[rule.unless]]"
            yield from _lines(_unless(unless), "  ")
        for example in rule.examples:
            yield "\n  [[rule.example]]"
            yield from _lines(_example(example), "  ")
            wanted = ", ".join(map(_written, example.want))
            yield f"  want = [{wanted}]"


def _held(what: Rule | Fallback, apart: frozenset[str]) -> dict[str, Value]:
    """Return every field by its name, except empty lists and the fields in `apart`. A new field is included without a change here."""
    held = {each.name: getattr(what, each.name) for each in fields(what) if each.name not in apart}
    return {"id": what.id.partition("/")[2], **{name: value for name, value in held.items() if value not in ((), {}, None)}}


def _unless(unless: Unless) -> dict[str, Value]:
    return {"pattern": unless.pattern, "reason": unless.reason}


def _example(example: Example) -> dict[str, Value]:
    held: dict[str, Value] = {"text": example.text, "why": example.why, "todo": example.todo}
    return held if example.mark is None else {**held, "mark": example.mark}


def _lines(table: Mapping[str, Value], margin: str = "") -> Iterator[str]:
    for name, value in table.items():
        yield f"{margin}{name} = {_written(value)}"


def _written(value: Value) -> str:
    match value:
        case bool():
            return "true" if value else "false"
        case int() | float():
            return repr(value)
        case str():
            return json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f")
        case Frame():
            given = {each.name: getattr(value, each.name) for each in fields(value)}
            return _written({name: each for name, each in given.items() if each != _PLAIN_FRAME.get(name)})
        case Words():
            return _written(str(value))
        case tuple():
            return "[" + ", ".join(map(_written, value)) + "]"
        case Mapping():
            return "{ " + ", ".join(f"{name} = {_written(each)}" for name, each in value.items()) + " }"
