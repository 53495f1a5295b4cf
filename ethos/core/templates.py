"""Slot templates: `{group}`, `{group|default}`, `{group?}` and plain text around them (RULES.md, Field notes: patterns)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

import regex

_PART = regex.compile(r"\{(?P<name>\w+)(?P<optional>\?)?(?:\|(?P<default>[^{}]*))?\}(?P<blank> ?)")


class Part(NamedTuple):
    """One placeholder. `free`: it has a default or is optional, so the group need not be in every pattern."""

    group: str
    free: bool


def parts(template: str) -> list[Part]:
    """The placeholders of a template."""
    return [Part(part["name"], part["optional"] is not None or part["default"] is not None) for part in _PART.finditer(template)]


def fill(template: str, found: Mapping[str, str]) -> str:
    """The slot's text; a group that took no part is its default, or nothing, and then takes the blank after it along."""

    def put(part: regex.Match[str]) -> str:
        value = found.get(part["name"]) or part["default"]
        return value + part["blank"] if value else ""

    return _PART.sub(put, template).strip()


def sole_group(template: str) -> str:
    """The group that is all of a template, `{group}` or `{group?}`; "" for any other."""
    part = _PART.fullmatch(template)
    return part["name"] if part and part["default"] is None else ""
