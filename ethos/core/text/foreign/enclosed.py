"""Find text with a visible beginning and end: fences, elements, HTML comments, triple quotation marks, parts in brackets.

Pairs are matched from the outside in: an element extends to the last end of its name, and a fence that is opened inside a fence closes
before it. So a surplus closing mark never unmasks the text before it. Text that is opened and never closed extends to the end.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

_FENCE = re.compile(r"^[ \t]*(?:(?:[-*+]|\d{1,3}[.)])[ \t]+)?(?P<marks>`{3,}(?=[^`\n]*$)|~{3,})(?P<rest>[^\n]*)$", re.MULTILINE)
_TAG = re.compile(
    r"(?P<open>(?P<first>^[ \t]*)?<(?P<name>[a-z][\w:.-]{0,40})(?=[\s>/]))|</(?P<close>[a-z][\w:.-]{0,40})[ \t]{0,20}>", re.MULTILINE
)
_BRACKET = re.compile(
    r"\[(?P<name>quote|code|spoiler)\b[^\]\n]{0,80}\]|\[/(?P<close>quote|code|spoiler)\]|\{(?P<both>quote|code|noformat|panel)(?:[:|][^}\n]{0,80})?\}"
)
_TRIPLE = re.compile("\"\"\"|'''")
_WORDS = 3  # an element in the middle of a line with this many spaces can hold a sentence


class Span(NamedTuple):
    """A part of a text."""

    start: int
    end: int


def without(low: str, spans: Iterable[Span]) -> str:
    """Return the text with line breaks in place of these spans; of the same length. The spans must be in the order of their starts."""
    pieces: list[str] = []
    done = 0
    for start, end in spans:
        if end > done:
            pieces += (low[done : max(start, done)], "\n" * (end - max(start, done)))
            done = end
    return "".join((*pieces, low[done:])) if pieces else low


def within(spans: Sequence[Span], at: int) -> bool:
    """Return whether one of these ordered spans covers the offset."""
    index = bisect_right(spans, at, key=lambda span: span.start) - 1
    return index >= 0 and at < spans[index].end


def fences(low: str) -> list[Span]:
    """Return the fences, each with the lines that open and close it; one that is opened inside a fence closes before it.

    If the last one stays open, opening and closing marks before it cannot be distinguished: all from the first mark on is one fence.
    """
    found, left_open = _fences(low, nested=True)
    return found if left_open is None else [Span(found[0].start if found else left_open, len(low))]


def closed_fences(low: str) -> list[Span]:
    """Return the closed fences, paired as in CommonMark: for whole documents, where one surplus mark must not mask the rest."""
    return _fences(low, nested=False)[0]


def _fences(low: str, *, nested: bool) -> tuple[list[Span], int | None]:
    """Return the closed fences, and the start of a fence that stays open, or None."""
    found: list[Span] = []
    marks, depth, start = "", 0, 0
    for fence in _FENCE.finditer(low):
        if not depth:
            marks, depth, start = fence["marks"], 1, fence.start()
        elif fence["marks"][0] == marks[0] and len(fence["marks"]) >= len(marks):
            closes = not fence["rest"].strip(" \t\r`~")
            depth += -1 if closes else int(nested)
            if not depth:
                found.append(Span(start, fence.end()))
    return found, start if depth else None


def elements(low: str) -> Iterator[Span]:
    """Yield each element that begins a line or can hold a sentence, to the last end of its name; and HTML comments.

    An element without an end is left to the analysis of its line.
    """
    opened: list[tuple[int, str, bool]] = []
    ends: dict[str, int] = {}
    for tag in _TAG.finditer(low):
        if tag["open"]:
            opened.append((tag.start(), tag["name"], tag["first"] is not None))
        else:
            ends[tag["close"]] = tag.end()
    comment, close = low.find("<!--"), low.rfind("-->")
    if comment >= 0:
        opened.append((comment, "!", True))
        ends["!"] = close + 3 if close > comment else len(low)
    covered = 0
    for start, name, first in sorted(opened):
        end = ends.get(name, 0)
        if (
            start >= covered
            and end > start
            and (first or low.count(" ", start, min(end, start + 400)) >= _WORDS or "\n" in low[start : start + 400])
        ):
            covered = end
            yield Span(start, end)


def brackets(low: str) -> Iterator[Span]:
    """Yield the text between `[quote]` and its last end, and similar parts of wikis; one that stays open extends to the end of the text."""
    starts: dict[str, int] = {}
    ends: dict[str, int] = {}
    for mark in _BRACKET.finditer(low):
        name = mark["name"] or mark["close"] or "{" + mark["both"]
        if not mark["close"] and name not in starts:
            starts[name] = mark.start()
        elif not mark["name"]:
            ends[name] = mark.end()
    for name, start in starts.items():
        yield Span(start, end if (end := ends.get(name, 0)) > start else len(low))


def triples(low: str) -> Iterator[Span]:
    """Yield the text between triple quotation marks; the last pair that stays open extends to the end of the text."""
    opened: dict[str, int] = {}
    for mark in _TRIPLE.finditer(low):
        start = opened.pop(mark[0], None)
        if start is None:
            opened[mark[0]] = mark.start()
        else:
            yield Span(start, mark.end())
    for start in opened.values():
        yield Span(start, len(low))
