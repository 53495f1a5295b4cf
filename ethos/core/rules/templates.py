"""Slot templates: `{group}`, `{group|default}`, `{group?}` and plain text around them."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from typing import NamedTuple

import regex

_PART = regex.compile(r"\{(?P<name>\w+)(?P<optional>\?)?(?:\|(?P<default>[^{}]*))?\}(?P<space> ?)")
_CACHED = 1_024  # templates whose segments are cached; the shipped packs have some eighty


class Part(NamedTuple):
    """One placeholder. `free`: it has a default or is optional, so some patterns may lack the group."""

    group: str
    free: bool


def parts(template: str) -> list[Part]:
    """Return the placeholders of a template."""
    return [Part(part["name"], part["optional"] is not None or part["default"] is not None) for part in _PART.finditer(template)]


class _Segment(NamedTuple):
    """Plain text and the placeholder after it; the last segment has none."""

    plain: str
    group: str
    default: str
    space: str


@lru_cache(_CACHED)
def _segments(template: str) -> tuple[_Segment, ...]:
    found: list[_Segment] = []
    end = 0
    for part in _PART.finditer(template):
        found.append(_Segment(template[end : part.start()], part["name"], part["default"] or "", part["space"]))
        end = part.end()
    return (*found, _Segment(template[end:], "", "", ""))


def fill(template: str, found: Mapping[str, str]) -> str:
    """Return the slot's text. A group that took no part gives its default, or nothing and also drops the space after it."""
    text = ""
    for plain, group, default, space in _segments(template):
        value = found.get(group) or default
        text += plain + value + space if value else plain
    return text.strip()


def is_plain(template: str) -> bool:
    """Return whether the template has no placeholder, so that its text is the same for every match."""
    return _PART.search(template) is None


def sole_group(template: str) -> str:
    """Return the group that is all of a template, `{group}` or `{group?}`; "" for any other."""
    part = _PART.fullmatch(template)
    return part["name"] if part and part["default"] is None else ""
