"""Reports of nights on the disk: Markdown for people, a file a night, and the same as JSON lines in the state folder, for programs.

Each part of a report is a line of its own in both, so that a forgetting takes out the lines that speak of what is gone and leaves the rest.
The first JSON line is the head; each further one is an object with one name, a part of `Section`, or "section" where one begins.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from pathlib import Path

from ethos.core.history.erasure import scrubbed
from ethos.core.model.errors import refuse
from ethos.core.model.ids import RUN_LENGTH
from ethos.core.model.sections import Interval, Line, Link, Point, Report, Spent
from ethos.edge.exchange.report_text import markdown
from ethos.edge.files import folders
from ethos.edge.files.outputs import Kind, Outputs
from ethos.edge.jsonio.decoding import decoded
from ethos.edge.jsonio.shapes import Json, plain

FOLDER = "reports"  # in the state folder
_ONES = {"lines": Line, "points": Point, "links": Link, "intervals": Interval, "spent": Spent}


class NightReports:
    """`ethos.core.ports.reports.Reports` on disk. folder: of the Markdown files; state: the state folder."""

    def __init__(self, folder: Path, state: Path) -> None:
        self._folder = folder
        self._data = state / FOLDER
        self._outputs = Outputs(state)

    def keep(self, report: Report, *, beside: bool = False) -> str:
        """See the port. A report of the same date is replaced, unless somebody wrote into it: then this one goes beside it."""
        folders.make(self._data)
        with self._outputs.temporary(self._file(report.run)) as fresh:
            fresh.write_text("".join(f"{json.dumps(part)}\n" for part in _parts(report)), "ascii")
            folders.sync(fresh)
            fresh.replace(self._file(report.run))
        folders.make(self._folder)
        path = self._folder / f"{report.date}.md"
        if path.exists() and (beside or not self._outputs.proven(Kind.REPORT, path)):
            path = path.with_stem(f"{report.date}-{report.run[-RUN_LENGTH:]}")
        with self._outputs.replacing(Kind.REPORT, path) as fresh:
            fresh.write_text(markdown(report), "utf-8")
        return str(path)

    def of(self, run: str) -> Report | None:
        """See the port."""
        path = self._file(run)
        try:
            head, *parts = [json.loads(line) for line in path.read_text("ascii").splitlines()]
            return decoded(Report, {**head, "sections": _sections(parts)})
        except FileNotFoundError:
            return None
        except (ValueError, KeyError, TypeError) as error:
            raise refuse("store", f"the report cannot be read: {error}", hint=f"ethos diff {run}", where=str(path)) from error

    def _file(self, run: str) -> Path:
        return self._data / f"{run}.jsonl"


def revise(path: Path, speaks: Callable[[str], bool], outputs: Outputs) -> list[Path]:
    """Take the lines that speak of what is gone out of a report of ours; return the path where that changed it. Raises Refused, OSError."""
    text = path.read_text("utf-8")
    left = scrubbed(text, speaks)
    if left == text:
        return []
    with outputs.replacing(Kind.REPORT, path) as fresh:
        fresh.write_text(left, "utf-8")
    return [path]


def _parts(report: Report) -> Iterator[Json]:
    """Yield the head, and every part of every section."""
    head = dict(plain(replace(report, sections=())))
    del head["sections"]
    yield head
    for section in report.sections:
        yield {"section": {"title": section.title, "counts": dict(section.counts)}}
        for name in _ONES:
            yield from ({name: plain(part)} for part in getattr(section, name))
        for table in section.tables:
            yield {"header": table.header}
            yield from ({"row": row} for row in table.rows)


def _sections(parts: Iterable[Json]) -> list[Json]:
    """Return the sections that these parts are of, as JSON. A part whose beginning was taken out by a forgetting goes, too."""
    found: list[Json] = []
    for part in parts:
        ((name, value),) = part.items()
        if name == "section":
            found.append({**value, "tables": [], **{each: [] for each in _ONES}})
        elif name == "header" and found:
            found[-1]["tables"].append({"header": value, "rows": []})
        elif name == "row" and found and found[-1]["tables"]:
            found[-1]["tables"][-1]["rows"].append(value)
        elif name in _ONES and found:
            found[-1][name].append(value)
    return found
