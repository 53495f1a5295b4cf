"""The report of a night as Markdown: one line for each sentence, row and number, so that it can be read, compared and scrubbed by lines."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from datetime import datetime

from ethos.core.model.sections import Interval, Line, NightKind, Point, Report, Section, Spent, Table, tells
from ethos.core.passes.night import clock
from ethos.core.text import escaping
from ethos.core.text.night_counts import counted

SAID: Mapping[NightKind, str] = {
    NightKind.REAL: "",
    NightKind.SHADOW: "This was a night in shadow: it changed nothing. What follows is what it would change.",
    NightKind.OVER_BUDGET: "This night would have changed more records than `[sleep] most_changes` allows, so it changed nothing.",
    NightKind.DRY_RUN: "This was a dry run: it changed nothing.",
}
"""What is said of each kind of night before anything else."""

MOST_POINTS = 10  # of the timeline, those that gained most
_LONGEST = 600  # characters of a line


def _next_step(report: Report) -> Line:
    """Return what a person may do about the night as a whole."""
    if report.kind is NightKind.REAL:
        return Line("To take the whole night back", f"ethos undo {report.run}") if report.changes else Line("It changed nothing.")
    return Line("To run it for real", f"ethos sleep --date {report.date}")


def budget(spent: Spent) -> str:
    """Return a line of the budget."""
    most = f" of at most {spent.most:,}" if spent.most else ""
    return f"{spent.used:,}{most} {spent.what}"


def markdown(report: Report) -> str:
    """Return the file."""
    return "\n".join([*_head(report), *(line for section in report.sections for line in _section(section, report.start)), ""])


def _head(report: Report) -> Iterator[str]:
    yield f"# The night of {report.date:%A}, {report.date}"
    yield ""
    yield f"<!-- ethos night {report.run} -->"
    yield f"Run on {report.at:%Y-%m-%d at %H:%M} UTC as `{report.run}`, with the seed {report.seed}."
    if SAID[report.kind]:
        yield f"**{SAID[report.kind]}**"
    yield ""
    yield f"Budget: {'; '.join(budget(each) for each in report.spent)}."
    if counts := counted(report.counts):
        yield f"Counted: {_text(counts)}."
    yield ""
    yield _line(_next_step(report))
    yield _line(Line("What changed, record by record", f"ethos diff {report.run}")) if report.kind is NightKind.REAL else ""
    if not report.sections:
        yield ""
        yield "Nothing happened that is worth a line."


def _section(section: Section, start: datetime) -> Iterator[str]:
    yield ""
    yield f"## {_text(section.title)}"
    yield ""
    yield from (f"- {budget(each)}" for each in section.spent)
    yield from map(_line, section.lines)
    said = [line.text for line in section.lines]
    told = [point for point in section.points if tells(point.text, said, turning=point.turning, quoted=point.quoted)]
    strongest = sorted(told, key=lambda point: point.before - point.after)[:MOST_POINTS]
    yield from (_point(point, start) for point in sorted(strongest, key=lambda point: point.at))
    if len(strongest) < len(section.points):
        yield _line(Line("The whole timeline, with every turn, as a page", "ethos report --html night.html"))
    yield from map(_interval, section.intervals)
    for table in section.tables:
        yield ""
        yield from _table(table)


def _line(line: Line) -> str:
    return f"- {_text(line.text)}" + (f" -> `{line.command.replace('`', '')}`" if line.command else "")


def _point(point: Point, start: datetime) -> str:
    changed = f", salience {point.before:.2f} -> {point.after:.2f}" if point.before != point.after else ""
    return f"- {clock(point.at, start)} {_text(point.text)}{changed} -> `ethos why {point.id}`"


def _interval(interval: Interval) -> str:
    against = f", against {interval.baseline:.0%} otherwise" if interval.baseline is not None else ""
    return f"- {_text(interval.text)}: {interval.share:.0%} ({interval.low:.0%} to {interval.high:.0%}){against}"


def _table(table: Table) -> Iterator[str]:
    yield f"| {' | '.join(map(_text, table.header))} |"
    yield f"|{'---|' * len(table.header)}"
    yield from (f"| {' | '.join(map(_text, row))} |" for row in table.rows)


def _text(text: str) -> str:
    return escaping.markdown(text, _LONGEST)
