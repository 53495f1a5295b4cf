"""Draw salience before and after, lessons with their intervals, and what was known over time."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import datetime, timedelta
from statistics import fmean
from typing import NamedTuple

from ethos.edge.jsonio.objects import Json
from ethos.edge.render.page.html import text

SALIENCE = "From the ring (before) to the dot (after), for the turns that changed most."
LESSONS = "The share that came out so, with its interval; the short line is the share otherwise."
KNOWN = "Facts that were held at the end of each day, and how sure they were on average."
_MOST_ROWS = 12
_DAYS = 60
_NEVER = "9999-01-01T00:00:00Z"
_WIDTH, _LABEL, _RIGHT, _ROW = 960, 470, 60, 34
_AXIS, _MARGIN = 70, 70  # of the chart of days: left and right of it


class Day(NamedTuple):
    """What was held at the end of a day. confidence: the mean of it, 0..1."""

    at: datetime
    held: int
    confidence: float


def salience(points: Sequence[Json]) -> Iterator[str]:
    """Yield the SVG: a row for each turn, those that changed most."""
    rows = sorted(points, key=lambda point: abs(point["after"] - point["before"]), reverse=True)[:_MOST_ROWS]
    yield from _opened(len(rows))
    for number, point in enumerate(rows):
        y, before, after = _y(number), _x(point["before"]), _x(point["after"])
        yield f'<text class="label" x="0" y="{y + 4:.0f}">{text(point["text"], 64)}</text>'
        yield f'<line class="rise" x1="{before:.1f}" y1="{y:.1f}" x2="{after:.1f}" y2="{y:.1f}"/>'
        yield f'<circle class="before" cx="{before:.1f}" cy="{y:.1f}" r="5"/>'
        yield f'<circle class="after" cx="{after:.1f}" cy="{y:.1f}" r="6"/>'
        yield f'<text class="value" x="{_WIDTH}" y="{y + 4:.0f}" text-anchor="end">{point["after"] - point["before"]:+.2f}</text>'
    yield "</svg>"


def intervals(found: Sequence[Json]) -> Iterator[str]:
    """Yield the SVG: a row for each lesson."""
    yield from _opened(len(found[:_MOST_ROWS]))
    for number, each in enumerate(found[:_MOST_ROWS]):
        y = _y(number)
        yield f'<text class="label" x="0" y="{y + 4:.0f}">{text(each["text"], 64)}</text>'
        yield f'<line class="range" x1="{_x(each["low"]):.1f}" y1="{y:.1f}" x2="{_x(each["high"]):.1f}" y2="{y:.1f}"/>'
        if each["baseline"] is not None:
            x = _x(each["baseline"])
            yield f'<line class="baseline" x1="{x:.1f}" y1="{y - 9:.1f}" x2="{x:.1f}" y2="{y + 9:.1f}"/>'
        yield f'<circle class="after" cx="{_x(each["share"]):.1f}" cy="{y:.1f}" r="6"/>'
        yield f'<text class="value" x="{_WIDTH}" y="{y + 4:.0f}" text-anchor="end">{each["share"]:.0%}</text>'
    yield "</svg>"


def _opened(rows: int) -> Iterator[str]:
    """Yield the beginning of a chart with so many rows, and its axis from 0 to 1."""
    height = 12 + _ROW * rows + 24
    yield f'<svg class="chart" viewBox="0 0 {_WIDTH} {height}" role="img">'
    for share in (0.0, 0.25, 0.5, 0.75, 1.0):
        yield f'<line class="grid" x1="{_x(share):.1f}" y1="4" x2="{_x(share):.1f}" y2="{height - 22}"/>'
        yield f'<text class="tick" x="{_x(share):.1f}" y="{height - 6}" text-anchor="middle">{share:g}</text>'


def _x(share: float) -> float:
    return _LABEL + (_WIDTH - _LABEL - _RIGHT) * max(0.0, min(1.0, share))


def _y(row: int) -> float:
    return 12 + _ROW * (row + 0.5)


def history(facts: Sequence[Json], until: datetime) -> list[Day]:
    """Return what was held at the end of each of the last 60 days, from the first on which something was. facts: every version."""
    spans = [
        (datetime.fromisoformat(fact["recorded_at"]), datetime.fromisoformat(fact["closed_at"] or _NEVER), fact["confidence"])
        for fact in facts
        if not fact["superseded_by"] and not fact["retired_at"]
    ]
    found = []
    for back in reversed(range(_DAYS)):
        at = until - timedelta(days=back)
        if held := [confidence for begin, end, confidence in spans if begin <= at < end]:
            found.append(Day(at, len(held), fmean(held)))
    return found


def known(days: Sequence[Day]) -> Iterator[str]:
    """Yield the SVG: the number of facts as an area, and below it the mean confidence as a line."""
    most, now = max(day.held for day in days), days[-1]
    yield f'<svg class="chart" viewBox="0 0 {_WIDTH} 250" role="img">'
    area = _path([(day.at, day.held / most) for day in days], 20, 130)
    first, last = _AXIS, _WIDTH - _MARGIN
    yield f'<path class="area" d="{area}L{last} 130L{first} 130Z"/>'
    yield f'<path class="line" d="{area}"/>'
    yield f'<text class="tick" x="0" y="26">{most:,} {"fact" if most == 1 else "facts"}</text>'
    yield f'<line class="grid" x1="{first}" y1="130" x2="{last}" y2="130"/>'
    yield f'<path class="line sure" d="{_path([(day.at, day.confidence) for day in days], 160, 222)}"/>'
    yield f'<line class="grid" x1="{first}" y1="222" x2="{last}" y2="222"/>'
    yield '<text class="tick" x="0" y="166">sure 1.0</text>'
    yield '<text class="tick" x="0" y="226">0.0</text>'
    yield f'<text class="value" x="{_WIDTH}" y="{24 + 110 * (1 - now.held / most):.0f}" text-anchor="end">{now.held:,}</text>'
    yield f'<text class="value" x="{_WIDTH}" y="{164 + 62 * (1 - now.confidence):.0f}" text-anchor="end">{now.confidence:.2f}</text>'
    yield f'<text class="tick" x="{first}" y="244">{days[0].at:%-d %B}</text>'
    yield f'<text class="tick" x="{last}" y="244" text-anchor="end">{now.at:%-d %B}</text>'
    yield "</svg>"


def _path(values: Sequence[tuple[datetime, float]], top: float, floor: float) -> str:
    """Return a line through values of 0..1 between these heights, over the width of the chart of days."""
    begin, span = values[0][0], values[-1][0] - values[0][0]
    places = ((_AXIS + (_WIDTH - _AXIS - _MARGIN) * ((at - begin) / span), floor - (floor - top) * value) for at, value in values)
    return "M" + "L".join(f"{x:.1f} {y:.1f}" for x, y in places)
