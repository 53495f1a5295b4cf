"""Draw the day: each turn where it was said, in the lane of its session, and arcs along the chains that led to a turning point."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from datetime import datetime, timedelta
from math import ceil, floor

from ethos.core.passes.night import clock
from ethos.edge.jsonio.objects import Json
from ethos.edge.render.page.html import text

Place = tuple[float, float]
Span = tuple[datetime, datetime]

CAPTION = "Each circle is a turn, as large as it is salient after the night; gold are the turning points, and arcs lead to them."
MOST_POINTS = 400  # the most salient ones, and those that are linked
_MOST_LANES = 8  # sessions with a lane of their own, the longest; the others share the last one
_WIDTH, _LEFT, _RIGHT, _TOP, _LANE = 960, 120, 24, 26, 58
_STEPS = tuple(timedelta(minutes=minutes) for minutes in (5, 10, 15, 30, 60, 180))  # between two marks of the axis
_MOST_MARKS = 14
_LEAST_STEPS = 3  # of the axis, however short the day was


def drawn(points: Sequence[Json], links: Sequence[Json], start: datetime, end: datetime) -> Iterator[str]:
    """Yield the SVG, a part a line. start, end: the span of the day, whose hours are counted from its start."""
    linked = {id_ for link in links for id_ in (link["source"], link["target"])}
    ranked = sorted(points, key=lambda point: (point["turning"], point["id"] in linked, point["after"]), reverse=True)
    shown = sorted(ranked[:MOST_POINTS], key=lambda point: point["at"])
    lanes = _lanes(shown)
    step, span = _scale(shown, start, end)
    places = {point["id"]: (_x(_at(point), span), _row(lanes[point["session"]])) for point in shown}
    height = _TOP + _LANE * (max(lanes.values()) + 1) + 26
    yield f'<svg class="chart" viewBox="0 0 {_WIDTH} {height}" role="img">'
    yield from _axis(start, span, step, height)
    shared = _shared(lanes) if len(lanes) > 1 else 0
    for session, lane in lanes.items():
        if lane < _MOST_LANES - 1 or list(lanes.values()).count(lane) == 1:
            name = text(session[shared:], 12)
            yield f'<text class="lane" x="{_LEFT - 16}" y="{_row(lane) + 4:.0f}" text-anchor="end">{name}</text>'
    for link in links:
        if link["source"] in places and link["target"] in places:
            yield _arc(places[link["source"]], places[link["target"]], link)
    yield from (_circle(point, places[point["id"]]) for point in shown)
    yield "</svg>"
    if len(shown) < len(points):
        yield f'<p class="less">{len(points) - len(shown):,} less salient turns are not drawn.</p>'


def _lanes(points: Sequence[Json]) -> Mapping[str, int]:
    """Return the lane of each session: in the order in which they began, the small ones together at the bottom."""
    sizes = Counter(point["session"] for point in points)
    own = {session for session, _ in sizes.most_common(_MOST_LANES if len(sizes) <= _MOST_LANES else _MOST_LANES - 1)}
    begun = [session for session in dict.fromkeys(point["session"] for point in points) if session in own]
    lanes = {session: lane for lane, session in enumerate(begun)}
    return {session: lanes.get(session, _MOST_LANES - 1) for session in (*begun, *sizes)}


def _shared(names: Collection[str]) -> int:
    """Return with how many characters all of these begin."""
    return next((at for at, letters in enumerate(zip(*names, strict=False)) if len(set(letters)) > 1), min(map(len, names)))


def _row(lane: int) -> float:
    return _TOP + _LANE * (lane + 0.5)


def _at(point: Json) -> datetime:
    return datetime.fromisoformat(point["at"])


def _scale(points: Sequence[Json], start: datetime, end: datetime) -> tuple[timedelta, Span]:
    """Return the time between two marks and the part of the day that is drawn: where something was said, in whole steps."""
    since, until = _at(points[0]) - start, _at(points[-1]) - start
    step = next((step for step in _STEPS if (until - since) / step <= _MOST_MARKS - 2), _STEPS[-1])
    first = max(0, floor(since / step))
    last = min(ceil((end - start) / step), max(first + _LEAST_STEPS, ceil(until / step)))
    return step, (start + first * step, start + last * step)


def _x(at: datetime, span: Span) -> float:
    begin, end = span
    return _LEFT + (_WIDTH - _LEFT - _RIGHT) * min(1.0, max(0.0, (at - begin) / (end - begin)))


def _axis(start: datetime, span: Span, step: timedelta, height: float) -> Iterator[str]:
    first, last = (round((at - start) / step) for at in span)
    for mark in range(first, last + 1):
        x = _x(start + mark * step, span)
        yield f'<line class="grid" x1="{x:.1f}" y1="{_TOP - 8}" x2="{x:.1f}" y2="{height - 24}"/>'
        yield f'<text class="tick" x="{x:.1f}" y="{height - 8}" text-anchor="middle">{clock(start + mark * step, start)}</text>'


def _arc(source: Place, target: Place, link: Json) -> str:
    (x1, y1), (x2, y2) = source, target
    lift = min(48.0, 16 + abs(x2 - x1) / 5)
    curve = f"M{x1:.1f} {y1:.1f}C{x1:.1f} {y1 - lift:.1f} {x2:.1f} {y2 - lift:.1f} {x2:.1f} {y2:.1f}"
    return f'<path class="arc" d="{curve}" stroke-width="{0.8 + 2.4 * link["strength"]:.1f}"><title>{link["strength"]:.2f}</title></path>'


def _circle(point: Json, place: Place) -> str:
    x, y = place
    kind = "turning" if point["turning"] else "turn"
    radius = (3.5 if point["turning"] else 2.5) + 6 * max(0.0, min(1.0, point["after"])) ** 2
    said = f"{text(point['text'])} · salience {point['before']:.2f} → {point['after']:.2f}"
    return f'<circle class="{kind}" cx="{x:.1f}" cy="{y:.1f}" r="{radius:.1f}"><title>{said}</title></circle>'
