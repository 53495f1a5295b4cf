"""Mask foreign text in a turn: rules read only the person's own leading prose (promise 5).

A turn is read line by line (`lines`). Prose and lists are the person's own, until a line has another shape or announces foreign text
(`announced`). Foreign text with a visible end ends there, and prose after it is the person's again: fences, elements and the like
(`enclosed`), closed quotations, and quoted or indented lines followed by a blank line. All other foreign text extends to the end of the
turn, because pasted text has blank lines and prose of its own. The person's words after it are lost to the rules: the lesser harm.
Ambiguous text is masked.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import partial

from ethos.core.text.foreign.announced import Follows, announced, looked_back_upon
from ethos.core.text.foreign.enclosed import Span, brackets, elements, fences, triples, without
from ethos.core.text.foreign.letters import letter
from ethos.core.text.foreign.lines import Line, Shape, hidden, line_at

_OPENS = re.compile(r"(?:^\s*|(?<=[\s(:\[*_-]))\"(?=\w|(?<=^\") )[^\"]*\Z")  # the last quotation mark of a line, when it opens a quotation
_EMPTY = re.compile(r"\n+")
_CLOSES = re.compile(r"\"(?!\w)")
_SINGLE_CLOSES = re.compile(r"(?<=[\w.!?,;])'(?=[.,;!?)]{0,2}[ \t\r]*$)", re.MULTILINE)

# Shapes that continue in lines without their mark, and the shapes that end them: lines under a quoted one belong to it, up to a blank line.
_ENDS: Mapping[Shape, frozenset[Shape]] = {
    Shape.QUOTED: frozenset({Shape.BLANK}),
    Shape.INDENTED: frozenset({Shape.BLANK}),
    Shape.NAMED_ITEM: frozenset({Shape.BLANK, Shape.ITEM}),
}
_NO_BLOCK: frozenset[Shape] = frozenset()


def mask(low: str, whole: str, *, code: bool = False) -> str:
    """Return the folded text with line breaks in place of foreign text; of the same length.

    low: the text, with line breaks in place of its private parts.
    whole: the text with another sign in their place, so that its lines are those that were written.
    code: keep fences, for rules that read code.
    """
    fenced = fences(low) if "```" in low or "~~~" in low else []
    outline = without(low, fenced)
    if '"""' in outline or "'''" in outline:
        outline = without(outline, triples(outline))
    if "<" in outline:
        outline = without(outline, elements(outline))
    if "[" in outline or "{" in outline:
        outline = without(outline, sorted(brackets(outline)))
    foreign = list(_foreign(outline, low, _Lines(low, whole)))
    masked = without(outline, foreign)
    return _with_code(low, masked, _outside(fenced, foreign)) if code and fenced else masked


def _with_code(low: str, masked: str, fenced: Iterable[Span]) -> str:
    """Return the masked text with these fences restored."""
    pieces: list[str] = []
    done = 0
    for start, end in fenced:
        pieces += (masked[done:start], low[start:end])
        done = end
    return "".join((*pieces, masked[done:]))


def _outside(spans: Iterable[Span], covers: Sequence[Span]) -> Iterator[Span]:
    """Yield the spans that none of the others covers. Both must be in order."""
    at = 0
    for span in spans:
        while at < len(covers) and covers[at].end <= span.start:
            at += 1
        if at == len(covers) or covers[at].start > span.start:
            yield span


def _foreign(low: str, whole: str, lines: _Lines) -> Iterator[Span]:
    """Yield the foreign spans of a text without its enclosed parts, in order. whole: the text with them. lines: as they were written."""
    start = looked_back_upon(low)
    if start:
        yield Span(0, start)
    written = letter(low)
    unseen, quotations = hidden(low), _Quotations(low)
    ends = _NO_BLOCK  # the shapes that end the current block
    in_list = False
    while start <= len(low):
        begins = start
        if empty := _EMPTY.match(low, start):  # where enclosed parts stood, there are thousands of empty lines
            start = empty.end()
            if lines.ends_block(begins, start):
                ends = _NO_BLOCK
        line = line_at(low, start, in_list=in_list)
        if unseen < line.end or start == written:
            yield Span(start, len(low))
            return
        after = line.end + 1
        if lines.is_blank(line) if line.shape is Shape.BLANK else line.shape in ends:
            ends = _NO_BLOCK
        shape = lines.goes_on_with(begins, start) or line.shape
        if ends or line.shape in _ENDS or shape in _ENDS:
            yield Span(start, line.end)
            ends = _ENDS.get(shape, _ENDS.get(line.shape, ends))
        elif line.shape in (Shape.PROSE, Shape.ITEM):
            in_list = line.shape is Shape.ITEM or (in_list and low[start] in " \t")
            if (quotation := quotations.of(line)) is not None:
                yield quotation
                after = quotation.end
            elif (since := announced(low, start, line.end, partial(_follows, low, whole, after))) is not None:
                yield Span(since, len(low))
                return
        elif line.shape is not Shape.BLANK:
            yield Span(start, len(low))
            return
        start = after


def _follows(low: str, whole: str, start: int) -> Follows:
    """Return the kind of the next line that has words."""
    while start < len(low) and whole[start] in " \t\r\n":
        start += 1
    if start >= len(low):
        return Follows.PROSE
    shape = line_at(low, low.rfind("\n", 0, start) + 1).shape
    if low[start] != whole[start] or shape in _ENDS:
        return Follows.ENCLOSED
    return Follows.LIST if shape is Shape.ITEM else Follows.PROSE


class _Lines:
    """The lines of a text as they were written, asked for in order; so that each is read once, however many parts are left out of it."""

    def __init__(self, low: str, whole: str) -> None:
        self._low, self._whole = low, whole
        self._read = 0  # up to here the line breaks are known
        self._shape: Shape | None = None  # of the line in which that is

    def ends_block(self, begins: int, end: int) -> bool:
        """Return whether a block ends in a part without visible text: at an empty line, or at an enclosed part that is not private.

        Words behind a private part are in the block that its line belongs to.
        """
        if self._low[begins:end].strip("\n"):
            return True
        return self._whole[begins] == "\n" or "\n\n" in self._whole[begins:end]

    def is_blank(self, line: Line) -> bool:
        """Return whether a line without visible text ends where it was written to end, and not at a private part."""
        return line.end == len(self._whole) or self._whole[line.end] == "\n"

    def goes_on_with(self, begins: int, at: int) -> Shape | None:
        """Return the shape of the line that goes on there, behind parts without visible text; None where a line begins.

        Of `> a <b>few words of it</b> and more`, the rest is quoted as well.
        begins: where the parts begin, or up to a character behind that. They can have several lines, of which the first or the last tells.
        """
        if not at or self._whole[at - 1] == "\n":
            return None
        first = self._shape_at(begins)
        return first if first in _ENDS else self._shape_at(at)

    def _shape_at(self, place: int) -> Shape:
        start = self._whole.rfind("\n", self._read, place) + 1
        if start or self._shape is None:
            self._shape = line_at(self._whole, start).shape
        self._read = place
        return self._shape


class _Quotations:
    """The quotations of a text that are not part of a sentence. The places of closing marks are indexed once, for all lines."""

    def __init__(self, low: str) -> None:
        self._low = low
        self._marked = '"' in low
        self._double = [found.end() for found in _CLOSES.finditer(low)] if self._marked else []
        self._single = [found.end() for found in _SINGLE_CLOSES.finditer(low)] if "'" in low else []

    def of(self, line: Line) -> Span | None:
        """Return the quotation that a line opens and does not close, or that the line is as a whole; it ends at its closing mark.

        A quotation that begins the line and is never closed extends to the end of the text.
        """
        if not self._marked and not self._single:
            return None
        start, end, _ = line
        words = self._low[start:end]
        first = start + len(words) - len(words.lstrip())
        if words.count('"') % 2 and (opening := _OPENS.search(words)):
            begins = start + opening.start()
            if closed := _after(self._double, end):
                return Span(begins, closed)
            return Span(begins, len(self._low)) if begins <= first else None
        if (
            words.startswith("'", first - start)
            and first + 1 < end
            and self._low[first + 1].isalnum()
            and (closed := _after(self._single, first + 1))
        ):
            return Span(first, closed)
        return None


def _after(places: Sequence[int], least: int) -> int:
    """Return the first of the places after an offset, 0 if there is none."""
    at = bisect_right(places, least)
    return places[at] if at < len(places) else 0
