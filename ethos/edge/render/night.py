"""Render the report of a night for a terminal, from the data of the answer of `report`."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from datetime import datetime

from ethos.core.model.sections import tells
from ethos.core.passes.night import clock
from ethos.core.text.night_counts import counted
from ethos.edge.jsonio.objects import Json
from ethos.edge.render.report import clean, moment, paint, plural

MOST = 20  # lines, and turns, of a section on a terminal; the page and `--json` have all

LONGEST = 600  # characters of a line: a summary is shown whole

_SAID = {
    "shadow": "a night in shadow: it changed nothing, this is what it would change",
    "over_budget": "it would have changed more records than [sleep] most_changes allows, so it changed nothing",
    "dry_run": "a dry run: it changed nothing",
}


def told(data: Json) -> list[str]:
    """Render a report: its head, its budget, and the sections of its stages."""
    start = datetime.fromisoformat(data["start"])
    return [*_head(data), *(line for section in data["sections"] for line in _section(section, start))]


def _head(data: Json) -> Iterator[str]:
    yield paint(f"The night of {clean(data['date'])}", "bold") + paint(f"  {clean(data['run'])}, {moment(data['at'])}", "dim")
    if data["kind"] in _SAID:
        yield paint(_SAID[data["kind"]], "yellow")
    if data["undone_by"]:
        yield paint(f"taken back by {clean(data['undone_by'])}", "yellow")
    yield "; ".join(map(_spent, data["spent"])) or plural(data["changes"], "change")
    if said := counted(data["counts"]):
        yield clean(said, 600)
    if data["kind"] != "real":
        yield paint(f"to run it for real -> ethos sleep --date {clean(data['date'])}", "dim")
    elif data["changes"] and not data["undone_by"]:
        yield paint(f"to take it back -> ethos undo {clean(data['run'])}", "dim")


def _spent(spent: Json) -> str:
    return f"{spent['used']:,}" + (f" of at most {spent['most']:,}" if spent["most"] else "") + f" {clean(spent['what'], 60)}"


def _section(section: Json, start: datetime) -> Iterator[str]:
    yield ""
    yield paint(clean(section["title"], 200), "bold")
    yield from (f"  {_spent(each)}" for each in section["spent"])
    yield from _first_ones(section["lines"], lambda line: _line(line["text"], line["command"]), "more lines")
    said = [line["text"] for line in section["lines"]]
    told = [point for point in section["points"] if tells(point["text"], said, turning=point["turning"], quoted=point["quoted"])]
    yield from _first_ones(_strongest(told), lambda point: _point(point, start), "more on the timeline")
    yield from map(_interval, section["intervals"])
    for table in section["tables"]:
        yield from _table([table["header"], *table["rows"]])


def _first_ones(every: list[Json], render: Callable[[Json], str], more: str) -> Iterator[str]:
    """Render the first ones, and how many are left."""
    yield from map(render, every[:MOST])
    if len(every) > MOST:
        yield paint(f"  {len(every) - MOST:,} {more} -> ethos report --html night.html", "dim")


def _strongest(points: list[Json]) -> list[Json]:
    """Return the points in the order of the day, those first that gained most: as many as are shown, then the others."""
    ranked = sorted(points, key=lambda point: abs(point["after"] - point["before"]), reverse=True)
    return [*sorted(ranked[:MOST], key=lambda point: str(point["at"])), *ranked[MOST:]]


def _line(text: str, command: str) -> str:
    return f"  {clean(text, LONGEST)}" + (paint(f"  -> {clean(command, 200)}", "dim") if command else "")


def _point(point: Json, start: datetime) -> str:
    before, after = point["before"], point["after"]
    changed = f"  {before:.2f} -> {after:.2f}" if before != after else f"  {before:.2f}"
    text = f"{clock(datetime.fromisoformat(point['at']), start)} {clean(point['text'], 100)}{changed}"
    return _line(text, f"ethos why {point['id']}")


def _interval(interval: Json) -> str:
    against = f", against {interval['baseline']:.0%} otherwise" if interval["baseline"] is not None else ""
    return _line(f"{interval['text']}: {interval['share']:.0%} ({interval['low']:.0%} to {interval['high']:.0%}){against}", "")


def _table(rows: list[list[str]]) -> Iterator[str]:
    """Render rows in columns as wide as their widest cell."""
    cells = [[clean(cell, 60) for cell in row] for row in rows]
    widths = [max(map(len, column)) for column in zip(*cells, strict=True)]
    for number, row in enumerate(cells):
        line = "  " + "  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip()
        yield line if number else paint(line, "dim")
