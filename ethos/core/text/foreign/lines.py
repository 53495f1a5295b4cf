"""Classify the lines of a turn by their shape: plain prose and list items, or one of the many shapes of pasted text.

A turn is folded first (`core.text.sentences.fold`): lower case, straight quotation marks. Each line is examined once, and each test reads
a bounded part of it, so the time is linear in the length of the text.
"""

from __future__ import annotations

import re
from enum import Enum, auto
from typing import NamedTuple

import regex

from ethos.core.text.escaping import UNSEEN
from ethos.core.text.foreign.labels import names_somebody


class Shape(Enum):
    """The shape of a line."""

    BLANK = auto()
    PROSE = auto()
    ITEM = auto()  # of a list
    NAMED_ITEM = auto()  # of a list, with a name and a colon in front: minutes, data
    QUOTED = auto()  # behind a `>`
    INDENTED = auto()  # four spaces or a tab
    UNSEEN = auto()  # with invisible characters, or letters of two alphabets in one word
    SPOKEN = auto()  # a speaker's name, a role, a time: a chat, a mail's head, settings
    LOG = auto()
    PROMPT = auto()  # a shell or an interpreter; its output comes below
    TABLE = auto()
    DATA = auto()  # JSON, CSV, TSV, settings
    CODE = auto()
    COMMENT = auto()  # of code, or a heading
    MARKUP = auto()
    CHANGES = auto()  # a diff
    TRACE = auto()  # an error and where it came from
    LETTER = auto()  # a salutation

    __hash__ = object.__hash__  # that of `Enum` is looked up by name, at each line


class Line(NamedTuple):
    """A line of a text: where it starts and ends (without its line break), and its shape."""

    start: int
    end: int
    shape: Shape


_PLAIN = re.compile(
    r"(?=[a-z,.]{1,40} )[a-z][a-z ,.;!?'()-]{0,2000}\Z"
)  # most lines; all but a few of the shapes below need other characters
_PLAIN_BUT = re.compile(
    r"(?:dear|sehr geehrte|liebe|cher|ch\u00e8re|estimad|querid|gentile|prezad|geachte|best regards"
    r"|npm (?:err|warn)|begin forwarded|def |class |import |commit |at [a-z.]{1,60}\(|[a-f]{7,40} )"
)

_CLOCK = r"\d{1,2}:\d\d(?::\d\d)?(?:[.,]\d{1,6})?(?: ?[ap]\.?m\.?)?"
_DATE = r"(?:\d{4}[-/.]\d{1,2}[-/.]\d{1,2}|\d{1,2}[-/.]\d{1,2}[-/.]\d{2,4})"
_MONTH = r"(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]{0,6}"

# Tried in this order at the start of a line; each reads a bounded part of it.
_SHAPES: tuple[tuple[Shape, str], ...] = (
    (
        Shape.PROMPT,
        (
            r"(?:[$%\u279c\u276f\u03bb\u25b6\u25ba\u27e9\u2570\u256d]|>>>|\.\.\. )(?=[ \t]|$)"
            r"|(?:in|out) ?\[[\d ]{0,6}\]:|(?:ps )?[a-z]:\\[^>\n]{0,120}>|ps [/~][^>\n]{0,120}>"
            r"|(?:\([\w.-]{1,40}\) ?)?\[?[\w.-]{1,40}@[\w.-]{1,60}[^$#%>\n]{0,120}[$#%>](?=\s|$)"
            r"|(?:\([\w.-]{1,40}\) ?)?(?:~|/)[\w./~-]{0,80} ?[$#%>\u276f](?=\s|$)"
            r"|[\w.()\[\]:=*-]{1,40}(?:=#|=>|[>$%])(?=\s|$)|(?:\([\w.-]{1,40}\) ?)[$#%>] "
        ),
    ),
    (Shape.QUOTED, r"(?:>|&gt;)"),
    (
        Shape.CHANGES,
        (
            r"@@|\+(?![\s\d])|\+\+\+|---? [ab]/|diff -|index [0-9a-f]{6,40}\.\.|<<<<<<<|>>>>>>>|[-=*_~#+]{3,}[ \t]*$|-{2,} ?\w"
            r"|(?:rename|copy|new file|deleted file) (?:from|to|mode)\b"
        ),
    ),
    (
        Shape.LOG,
        (
            rf"[\[(<]?(?:{_DATE}|{_MONTH} {{1,2}}\d{{1,2}}(?:,? \d{{4}})?|(?:mon|tue|wed|thu|fri|sat|sun)[a-z]{{0,6}},? \d{{1,2}} {_MONTH}"
            rf"(?: \d{{4}})?)[,t]?(?: at)? ?{_CLOCK}|[\[(<]?{_CLOCK}(?![\w%])|[\[(<]?{_DATE}\b"
            r"|(?:info|warn(?:ing)?|error|debug|trace|fatal|notice|critical|crit|verbose)[ \t]{0,4}[:|\]\[\t]|level="
            r"|[\w.-]{1,30}=\S{1,80} [\w.-]{1,30}=|[iwef]\d{4} |\d{10,19}\b|[\w.-]{1,40} +\| |commit [0-9a-f]{7,40}\b"
            r"|(?:[*|\\/ ]{0,8})(?=[0-9a-f]*\d)[0-9a-f]{7,40} |[\w./\\-]{1,120}\.[a-z]{1,5}:\d|[\w./\\-]{0,120}/[\w.-]{1,60}:\d"
            r"|npm (?:err|warn)|begin forwarded message"
        ),
    ),
    (
        Shape.TRACE,
        (
            r"[\w.$]{0,80}(?:error|exception|warning|failure)(?:\[[\w-]{1,30}\])?: |at [\w.<>$/ ]{1,120}\(|file \"[^\n\"]{0,200}\", line \d"
            r"|traceback \(|exception in thread|caused by:|panic:|thread '[^'\n]{1,60}' panicked|goroutine \d|error\["
        ),
    ),
    (Shape.TABLE, r"\||\+[-=+]{2}|[\u2500-\u257f]|\d{1,5} ?\| "),
    (
        Shape.DATA,
        (
            r"[{}\]]|\[(?!image|pasted|[ x]\]|[^\]\n]{1,80}\]\()|\(['\"]|(['\"])[\w .$-]{1,40}\1 ?:|[\w.-]{1,40} ?=(?![=>])(?= ?[^\s=])"
            r"|- [\w-]{1,30}:[ ]?[|>{\[]|- \{|\w{1,30}:[ ]?[|>{\[]|!\[|&\w{1,8};"
        ),
    ),
    (
        Shape.COMMENT,
        r"#(?!\d{1,6}\b)|//|/\*|\*/|\*\*?/|--(?=[ \t])|;;|%{1,3} |rem |\"\"\"|'''|<!--|<#|\(\*|\{-|'{1,2} |=begin|\.\. ",
    ),
    (
        Shape.MARKUP,
        (
            r"</?[a-z!?|\[]|<<|<\||\[/?\w{1,20}(?:=[^\]\n]{0,80})?\]|\{\w{1,20}(?:[:|][^}\n]{0,80})?\}"
            r"|\\[a-z]{2,20}\b|&lt;|:{3,}|\.{4,}$|___|={2,6} ?\w"
        ),
    ),
    (
        Shape.CODE,
        (
            r"(?:async )?(?:def|class|fn|func|function|interface|struct|enum|impl|module|namespace|package) [\w.:<>]{1,60}[ \t]?[({:<]"
            r"|(?:import|export|require|include) [\w.:@{}*/'\" ,]{1,80}\bfrom ['\"]|#include"
            r"|(?:const|let|var|val|int|string|bool|float|auto|final|public|private|protected|static|return|print|echo|console\.log)\b"
            r"[^\n=({:]{0,60}(?:[={(]|=>)|(?:if|for|while|switch|catch)[ ]?\([^\n]{0,120}[{:]$"
            r"|@[a-z]\w{1,40}(?:\(|$)|<\?|\w[\w.]{0,60}\([^)\n]{0,120}\);?$"
        ),
    ),
)
_SHAPE = re.compile("|".join(f"(?P<{shape.name}>{pattern})" for shape, pattern in _SHAPES))

_ITEM = re.compile(r"(?:[-*+\u2022\u2013\u2192\u00b7]|->|=>|\d{1,3}[.)]|[a-z][.)])[ \t]+(?:\[[ x-]\][ \t]+)?")
_ELSEWHERE = re.compile(  # recognised by something further on in the line
    r"\t|(?<= )\|(?= )|\{$|[)\w\]]\s?=>|[)}\]\"'];$|\[/?quote\b|\{(?:quote|code|noformat)\b|\\begin\{|#\+begin|<blockquote|<!--|&gt;"
)
_MAY_BE_ELSEWHERE = re.compile(r"[\t|;\[{\\#<&=](?:(?<!=)|>)")  # stands in each of them: one of these signs, or "=>"
_SEPARATED = (
    re.compile(  # fields with no space behind the sign between them: names of columns, or a row that a number or a quoted field begins
        r"[\w.-]{1,60}(?:[,;][\w.-]{1,60}){1,40}$|(?:\d{1,12}|\"[^\"\n]{0,200}\")[,;](?=[^\s\d,;])"
    )
)
_SPOKEN = re.compile(  # a name, a role or a time without a colon behind it
    rf"[\[(<][^\])>\n]{{0,40}}{_CLOCK}[\])>]|\[\w[\w .-]{{0,30}}\] |<[\w|^`. -]{{1,30}}> |@\w[\w.-]{{0,30}} ?[>|]|\u2014 "
)
_NAMED_AND_TIMED = re.compile(
    rf"(?P<name>[^\W\d_][\w.'-]{{0,30}}(?: [\w.'-]{{1,30}}){{0,3}}) {{0,4}}"
    rf"(?:[,|\u2014\u2013\u00b7-] ?|[\[(] ?)?(?:(?:today|yesterday|{_DATE})"
    rf"(?: at|,)? ?)?{_CLOCK}[\])]?:?$"
)
_ROLE_LINE = re.compile(r"(?!\[(?:image|pasted))(?:\*\*|__|\[)(?P<name>[^*_\]\n]{1,40}?)(?:\*\*|__|\])?:?(?:\*\*|__)?$")
_SALUTES = re.compile(
    r"(?:dear|sehr geehrte[rs]?|liebe[rs]?|chers?|ch\u00e8res?|estimad[oa]s?|querid[oa]s?|car[oa]|gentile|prezad[oa]s?|geachte|"
    r"\u0443\u0432\u0430\u0436\u0430\u0435\u043c\w{1,4}|\u0434\u043e\u0440\u043e\u0433\w{1,4})\b[^.!?:;\n]{0,60}[,!:\uff0c]?$"
)
_CONTROLS = rf"[{UNSEEN}](?<![\n\t\r])|\r(?!\n|\Z)|[\u2028\u2029]"
_JOINED = r"(?<=[,\p{So}\p{Sk}\p{Arabic}\p{Devanagari}\p{Bengali}\p{Malayalam}])[\u200c\u200d\ufe0e]"  # as emoji and some scripts use them
_HIDDEN = regex.compile(rf"(?!{_JOINED})(?:{_CONTROLS})")
_CONTROL = re.compile(r"[\x00-\x08\x0b-\x1f\x7f]")  # all of them in ASCII
_ALPHABETS = regex.compile(
    r"\p{Latin}[\p{Cyrillic}\p{Armenian}\p{Cherokee}\p{Greek}]|[\p{Cyrillic}\p{Armenian}\p{Cherokee}\p{Greek}]\p{Latin}"
)


def hidden(low: str) -> int:
    """Return the offset of the first invisible character, or of the first word that mixes alphabets; the length if there is none."""
    if low.isascii() and _CONTROL.search(low) is None:
        return len(low)
    found = [match.start() for pattern in (_HIDDEN, _ALPHABETS) if (match := pattern.search(low))]
    return min(found, default=len(low))


def line_at(low: str, start: int, *, in_list: bool = False) -> Line:
    """Return the line that starts there.

    in_list: the line before it belongs to a list, so that an indented line continues the list.
    """
    end = low.find("\n", start)
    end = len(low) if end < 0 else end
    return Line(start, end, _shape(low, start, end, in_list=in_list))


def _shape(low: str, start: int, end: int, *, in_list: bool) -> Shape:
    if _PLAIN.match(low, start, end) and not _PLAIN_BUT.match(low, start, end):
        return Shape.PROSE
    first = _past_blanks(low, start, end)
    if first == end:
        return Shape.BLANK
    if end > first and low[end - 1] == "\r":
        end -= 1
    if ("\t" in low[start:first] or first - start >= 4) and not in_list:
        return Shape.INDENTED
    if item := _ITEM.match(low, first, end):
        content = _pasted(low, item.end(), end)
        return {Shape.PROSE: Shape.ITEM, Shape.LETTER: Shape.ITEM, Shape.SPOKEN: Shape.NAMED_ITEM}.get(content, content)
    return _pasted(low, first, end)


def _past_blanks(low: str, start: int, end: int) -> int:
    while start < end and low[start] in " \t\r":
        start += 1
    return start


def _pasted(low: str, first: int, end: int) -> Shape:
    """Return the shape of a line that is not a list item; prose if it has no other shape."""
    if (found := _SHAPE.match(low, first, end)) and found.lastgroup:
        return Shape[found.lastgroup]
    if _SPOKEN.match(low, first, end) or names_somebody(low, first, end):
        return Shape.SPOKEN
    for pattern in (_NAMED_AND_TIMED, _ROLE_LINE):
        if (titled := pattern.match(low, first, end)) and names_somebody(titled["name"] + ":", 0, len(titled["name"]) + 1):
            return Shape.SPOKEN
    if _SALUTES.match(low, first, end):
        return Shape.LETTER
    if _SEPARATED.match(low, first, end):
        return Shape.DATA
    if _MAY_BE_ELSEWHERE.search(low, first, end) and (further := _ELSEWHERE.search(low, first, end)):
        return Shape.DATA if further[0] == "\t" else Shape.MARKUP
    return Shape.PROSE
