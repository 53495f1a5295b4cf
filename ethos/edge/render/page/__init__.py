"""Render the report of a night as one page of HTML that needs nothing else: no script, no font and no picture from anywhere.

What was said is data of unknown origin: it is cleaned and escaped, and stands in text alone, never in an attribute. Each part is a line of
its own, so that what is forgotten can be taken out of the file.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import date, datetime
from pathlib import Path

from ethos.edge.jsonio.objects import Json
from ethos.edge.render.page import charts, timeline
from ethos.edge.render.page.html import text

_STYLE = Path(__file__).with_name("page.css")
_KINDS = {
    "shadow": "A night in shadow: nothing was changed. This is what it would change.",
    "over_budget": "This night would have changed more records than [sleep] most_changes allows, so nothing was changed.",
    "dry_run": "A dry run: nothing was changed.",
}
_NAMES = {"breakthrough_count": "turning points", "chain_count": "chains", "trace_count": "links", "boosted_count": "turns made stronger"}


def page(report: Json, facts: Sequence[Json]) -> str:
    """Return the page. report: the answer of `report`; facts: that of `facts` with its history, for the confidence over time."""
    return "\n".join([*_top(report), *_figures(report, facts), *_sections(report), *_bottom(report)]) + "\n"


def _top(report: Json) -> Iterator[str]:
    day = date.fromisoformat(report["date"])
    yield "<!doctype html>"
    yield '<html lang="en">'
    yield "<head>"
    yield '<meta charset="utf-8">'
    yield '<meta name="viewport" content="width=device-width, initial-scale=1">'
    yield "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'\">"
    yield '<meta name="referrer" content="no-referrer">'
    yield f"<title>The night of {day:%A}, {day}</title>"
    yield f"<style>\n{_STYLE.read_text('utf-8')}</style>"
    yield "</head>"
    yield "<body>"
    yield '<header class="sky">'
    yield '<div class="wrap">'
    yield '<svg class="moon" viewBox="0 0 64 64" aria-hidden="true"><path d="M40 6a27 27 0 1 0 18 38A23 23 0 0 1 40 6z"/></svg>'
    yield '<p class="over">Ethos slept on</p>'
    yield f"<h1>{day:%A}, {day.day} {day:%B %Y}</h1>"
    if report["kind"] in _KINDS:
        yield f'<p class="notice">{_KINDS[report["kind"]]}</p>'
    if report["undone_by"]:
        yield f'<p class="notice">It was taken back by <code>{text(report["undone_by"])}</code>.</p>'
    yield '<dl class="tiles">'
    yield from (_tile(value, name) for name, value in _tiles(report))
    yield "</dl>"
    yield "</div>"
    yield "</header>"
    yield '<main class="wrap">'


def _tiles(report: Json) -> Iterator[tuple[str, int]]:
    """Yield what was counted, with the number of changes first."""
    yield ("change" if report["changes"] == 1 else "changes"), report["changes"]
    for name, number in report["counts"].items():
        if number:
            yield _NAMES.get(name, name.replace("_", " ")), number


def _tile(value: int, name: str) -> str:
    return f"<div><dd>{value:,}</dd><dt>{text(name, 40)}</dt></div>"


def _figures(report: Json, facts: Sequence[Json]) -> Iterator[str]:
    """Yield each figure for which there is something to show."""
    points = [point for section in report["sections"] for point in section["points"]]
    links = [link for section in report["sections"] for link in section["links"]]
    start, end = datetime.fromisoformat(report["start"]), datetime.fromisoformat(report["end"])
    if points:
        yield from _figure("The day", timeline.CAPTION, timeline.drawn(points, links, start, end))
    if changed := [point for point in points if point["after"] != point["before"]]:
        yield from _figure("What the night made stronger", charts.SALIENCE, charts.salience(changed))
    if intervals := [interval for section in report["sections"] for interval in section["intervals"]]:
        yield from _figure("Lessons", charts.LESSONS, charts.intervals(intervals))
    if len(history := charts.history(facts, datetime.fromisoformat(report["at"]))) > 1:
        yield from _figure("What is known, over time", charts.KNOWN, charts.known(history))


def _figure(title: str, caption: str, drawing: Iterator[str]) -> Iterator[str]:
    yield "<figure>"
    yield f"<h2>{title}</h2>"
    yield f"<figcaption>{caption}</figcaption>"
    yield '<div class="scroll">'
    yield from drawing
    yield "</div>"
    yield "</figure>"


def _sections(report: Json) -> Iterator[str]:
    """Yield the words of each stage; a timeline and intervals are figures above."""
    for section in report["sections"]:
        if section["lines"] or section["tables"] or section["spent"]:
            yield "<section>"
            yield f"<h2>{text(section['title'], 200)}</h2>"
            yield from map(_spent, section["spent"])
            if section["lines"]:
                yield "<ul>"
                yield from (f"<li><span>{text(line['text'])}</span>{_command(line['command'])}</li>" for line in section["lines"])
                yield "</ul>"
            for table in section["tables"]:
                yield from _table(table)
            yield "</section>"


def _command(command: str) -> str:
    return f"<code>{text(command, 200)}</code>" if command else ""


def _table(table: Json) -> Iterator[str]:
    yield '<div class="scroll"><table>'
    yield f"<thead><tr>{''.join(f'<th>{text(cell)}</th>' for cell in table['header'])}</tr></thead>"
    yield "<tbody>"
    yield from (f"<tr>{''.join(f'<td>{text(cell)}</td>' for cell in row)}</tr>" for row in table["rows"])
    yield "</tbody>"
    yield "</table></div>"


def _spent(spent: Json) -> str:
    """Return a line of a budget, with a bar where there is a limit."""
    most = spent["most"]
    share = min(1.0, spent["used"] / most) if most else 0.0
    bar = f'<span class="bar"><span style="width:{share:.1%}"></span></span>' if most else ""
    return f'<p class="spent">{bar}{spent["used"]:,}{f" of at most {most:,}" if most else ""} {text(spent["what"], 60)}</p>'


def _bottom(report: Json) -> Iterator[str]:
    yield "<footer>"
    yield from map(_spent, report["spent"])
    if not report["sections"]:
        yield "<p>Nothing happened that is worth a line.</p>"
    if report["kind"] != "real":
        yield f"<p>To run it for real: {_command('ethos sleep --date ' + report['date'])}</p>"
    elif not report["undone_by"]:
        run = report["run"]
        yield f"<p>To take it back: {_command(f'ethos undo {run}')} What changed, record by record: {_command(f'ethos diff {run}')}</p>"
    yield f"<p>Run <code>{text(report['run'])}</code> at {report['at'][:16].replace('T', ' ')} UTC, with the seed {report['seed']}.</p>"
    yield "</footer>"
    yield "</main>"
    yield "</body>"
    yield "</html>"
