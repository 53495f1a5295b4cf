"""The report of a night as plain data: what each stage says of it. The terminal, Markdown and HTML are made from it (`edge/render/`).

A line that quotes what was said should name the record in its command, or quote 32 characters at least: what is forgotten later is taken
out of reports line by line, and is known by these (`core.history.erasure`).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, fields
from datetime import date, datetime
from enum import StrEnum
from itertools import chain
from typing import Any


@dataclass(frozen=True, slots=True)
class Line:
    """A sentence. command: what explains or undoes it, as it is typed; "" where nothing does."""

    text: str
    command: str = ""


@dataclass(frozen=True, slots=True)
class Table:
    """A table. Each row has as many cells as the header."""

    header: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]


@dataclass(frozen=True, slots=True)
class Point:
    """An episode on the timeline of the day. before, after: its salience, 0..1. turning: it is a breakthrough.

    quoted: the text is a sentence of somebody's own that tells something; else it is how the episode begins.
    """

    id: str
    at: datetime
    text: str
    session: str
    before: float
    after: float
    turning: bool = False
    quoted: bool = True


@dataclass(frozen=True, slots=True)
class Link:
    """A trace between two points of the timeline, by their ids. strength: 0..1."""

    source: str
    target: str
    strength: float


@dataclass(frozen=True, slots=True)
class Interval:
    """A share with its interval, 0..1. baseline: the share that it is compared with; None: there is none."""

    text: str
    low: float
    share: float
    high: float
    baseline: float | None = None


@dataclass(frozen=True, slots=True)
class Spent:
    """What was used of a budget. most: 0 is no limit."""

    what: str
    used: int
    most: int


@dataclass(frozen=True, slots=True)
class Section:
    """A part of the report. counts: numbers for the record of runs, by names such as `chain_count` (L-33).

    Sections with one title are one: a stage that works in units gives one for each.
    """

    title: str
    lines: tuple[Line, ...] = ()
    tables: tuple[Table, ...] = ()
    points: tuple[Point, ...] = ()
    links: tuple[Link, ...] = ()
    intervals: tuple[Interval, ...] = ()
    spent: tuple[Spent, ...] = ()
    counts: Mapping[str, int] = field(default_factory=dict)

    def __add__(self, later: Section) -> Section:
        """Return both under this title."""
        return _added([self, later])


# The sections of a night in the order in which they are read: what was talked about, what was learned, and what that did to the memory.
ORDER = ("Summaries", "Profile", "Learned while working", "Lessons", "Reasoning bank", "Replay", "Faded")
SHORTEST = 4  # words of a turn that has a line of its own in a report; less ("go ahead", "try again") tells nothing by itself

PARTS = tuple(each.name for each in fields(Section) if each.name not in {"title", "counts"})


class NightKind(StrEnum):
    """What became of a night."""

    REAL = "real"  # it is in force
    SHADOW = "shadow"  # rehearsed, because the memory is new
    OVER_BUDGET = "over_budget"  # rehearsed, because it would change too much
    DRY_RUN = "dry_run"  # rehearsed, because somebody asked for that


@dataclass(frozen=True, slots=True)
class Report:
    """One night: what it is about, what it counted, and what its stages say of it.

    start, end: the span of the date in its zone, in UTC. changes: how many records are, or would be, different.
    """

    run: str
    date: date
    start: datetime
    end: datetime
    at: datetime
    seed: int
    kind: NightKind
    changes: int
    counts: Mapping[str, int]
    spent: tuple[Spent, ...] = ()
    sections: tuple[Section, ...] = ()
    undone_by: str | None = None  # the run that took it back, if that is in force


def joined(sections: Iterable[Section]) -> tuple[Section, ...]:
    """Return the sections with those of one title added up, in the order in which they are read; others after them as they came."""
    by_title: dict[str, list[Section]] = {}
    for section in sections:
        by_title.setdefault(section.title, []).append(section)
    found = map(_added, by_title.values())
    return tuple(sorted(found, key=lambda section: ORDER.index(section.title) if section.title in ORDER else len(ORDER)))


def _added(sections: Sequence[Section]) -> Section:
    """Return these sections as one, under the title of the first."""
    if len(sections) == 1:
        return sections[0]
    counts: Counter[str] = Counter()
    for section in sections:
        counts.update(section.counts)
    parts: dict[str, Any] = {name: tuple(chain.from_iterable(getattr(each, name) for each in sections)) for name in PARTS}
    return Section(sections[0].title, **parts, counts=dict(counts))


def tells(text: str, said: Iterable[str] = (), *, turning: bool, quoted: bool) -> bool:
    """Return whether a point of the timeline has a line of its own: what was a breakthrough, and says something by itself.

    said: the lines of its section; what one of them quotes is not said again.
    """
    return turning and quoted and len(text.split()) >= SHORTEST and not any(text in each for each in said)
