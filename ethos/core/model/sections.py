"""Section: what a stage says of its night, as plain data. The terminal, Markdown and HTML are made from it (`edge/render/night.py`)."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import NamedTuple


class Line(NamedTuple):
    """A sentence of a report. command: what explains or undoes it, as it is typed; "" where nothing does."""

    text: str
    command: str = ""


class Table(NamedTuple):
    """A table of a report. Each row has as many cells as the header."""

    header: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]


class Section(NamedTuple):
    """A part of the report of a night. counts: numbers for the record of runs, by names such as `chain_count` (L-33).

    Sections with one title are one: a stage that works in units gives one for each.
    """

    title: str
    lines: tuple[Line, ...] = ()
    tables: tuple[Table, ...] = ()
    counts: Mapping[str, int] = MappingProxyType({})
