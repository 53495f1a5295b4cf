"""Slot templates: `{group}`, `{group|default}`, `{group?}` and plain text around them (RULES.md, Field notes: patterns)."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from typing import NamedTuple

import regex

_PART = regex.compile(r"\{(?P<name>\w+)(?P<optional>\?)?(?:\|(?P<default>[^{}]*))?\}(?P<blank> ?)")
_REMEMBERED = 1_024  # templates whose segments are kept; the shipped packs have some eighty


class Part(NamedTuple):
    """One placeholder. `free`: it has a default or is optional, so the group need not be in every pattern."""

    group: str
    free: bool


def parts(template: str) -> list[Part]:
    """The placeholders of a template."""
    return [Part(part["name"], part["optional"] is not None or part["default"] is not None) for part in _PART.finditer(template)]


class _Segment(NamedTuple):
    """Plain text, and the placeholder behind it; the last one has none."""

    plain: str
    group: str
    default: str
    blank: str


@lru_cache(_REMEMBERED)
def _segments(template: str) -> tuple[_Segment, ...]:
    found: list[_Segment] = []
    end = 0
    for part in _PART.finditer(template):
        found.append(_Segment(template[end : part.start()], part["name"], part["default"] or "", part["blank"]))
        end = part.end()
    return (*found, _Segment(template[end:], "", "", ""))


def fill(template: str, found: Mapping[str, str]) -> str:
    """The slot's text; a group that took no part is its default, or nothing, and then takes the blank after it along."""
    text = ""
    for plain, group, default, blank in _segments(template):
        value = found.get(group) or default
        text += plain + value + blank if value else plain
    return text.strip()


def is_plain(template: str) -> bool:
    """Whether it says the same of every match."""
    return _PART.search(template) is None


def sole_group(template: str) -> str:
    """The group that is all of a template, `{group}` or `{group?}`; "" for any other."""
    part = _PART.fullmatch(template)
    return part["name"] if part and part["default"] is None else ""
