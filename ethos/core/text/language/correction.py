"""Corrections: turns that put the turn before them right in a few words: "sorry, 6390", "no wait, the 11th", "I meant Vitest"."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from functools import cache
from itertools import groupby
from typing import NamedTuple

from ethos.core.text.language.dates import CALENDAR, DATE, WEEKDAY
from ethos.core.text.language.everyday import is_everyday
from ethos.core.text.language.lexicon import lines_of, pattern_of
from ethos.core.text.language.tagging import possible_tags, tag
from ethos.core.text.phrases import Phrases

_REACH = 160  # characters in which a turn says that it is a correction
_LONGEST = 40  # characters of a cue, at most
_NUMBERS = pattern_of("number")
_NO_UNITS = "a|an|and|as|at|but|by|for|he|i|if|in|is|it|me|my|no|not|of|on|or|per|she|so|the|to|up|us|was|we|you"
_FORMS = (
    ("date", re.compile(DATE)),
    ("time", re.compile(r"\b\d{1,2}[:.]\d\d\b(?: ?[ap]m\b)?|\b\d{1,2} ?[ap]m\b")),
    ("path", re.compile(r"[\w.-]*\w/[\w./-]+|\b[\w-]+(?:\.[\w-]+)*\.[a-z]{2,6}\b")),
    ("day", re.compile(rf"\b{WEEKDAY}\b")),
    ("number", re.compile(rf"[$€£]?\b\d[\d.,:]*(?: ?(?:%|(?!(?:{_NO_UNITS})\b)[a-z]{{1,3}}\b))?|\b(?:{_NUMBERS})(?= [a-z])")),
)
_FRAGMENT = re.compile(
    rf"\W*(?:it'?s |its |that'?s |make (?:it|that) |with )?(?:\d[\w.,:]*|{_NUMBERS})(?: [a-z-]+){{1,2}}\s*(?:[.!?,;\n]|\Z)", re.IGNORECASE
)
# "I typed it wrong", "I'd told you the wrong day"
_WRONGLY = (
    r"(?:type|typed|wrote|written|writing|said|say|saying|told|telling|spelled|spelt|spelling|counted|read|gave|given|giving|put|got|had|added"
    r"|heard|remembered|called|calling|named|listed)(?: (?!n[o']t\b)[\w']+){0,3} (?:wrong|wrongly|incorrectly)"
)
_REPLACED = re.compile(r"\s*s(?P<mark>[/|#])(?P<wrong>[^/|#\n]{1,60})(?P=mark)(?P<right>[^/|#\n]{1,60})(?P=mark)?g?\b")


_UNIT = re.compile(r" ?([a-z-]{2,})")


class Value(NamedTuple):
    """A value in a text: its kind, and its span."""

    kind: str
    start: int
    end: int


@cache
def _begun() -> re.Pattern[str]:
    lines = [line[:-1] for line in lines_of("corrections") if line.endswith("^")]
    begins = "|".join(re.escape(line) + (r"\b" if line[-1].isalpha() else "") for line in lines)
    return re.compile(rf"\W*(?:{begins})", re.IGNORECASE)


@cache
def _inner() -> tuple[Phrases, re.Pattern[str]]:
    """Return the cues that may stand further on, and the pattern of one. Where none of them stands in a text it need not be tried."""
    lines = tuple(line for line in lines_of("corrections") if not line.endswith("^"))
    cues = "|".join([*map(re.escape, lines), _WRONGLY])
    return Phrases((*lines, "wrong", "incorrect"), whole=False), re.compile(rf".{{0,{_REACH}}}?\b(?:{cues})\b", re.DOTALL | re.IGNORECASE)


def corrects(text: str) -> bool:
    """Return whether a turn may put the turn before it right: it says so near its beginning, or begins with a number of something alone."""
    return _begun().match(text) is not None or puts_right(text) or is_fragment(text)


def puts_right(text: str) -> bool:
    """Return whether a turn says near its beginning that something said before was wrong, whenever that was."""
    cues, pattern = _inner()
    return cues.stand_in(text[: _REACH + _LONGEST].casefold()) and pattern.match(text) is not None


def is_fragment(text: str) -> bool:
    """Return whether a turn begins with a number of something and nothing else ("four nieces!!"), or with "s/10/12/"."""
    return _FRAGMENT.match(text) is not None or substituted(text) is not None


def substituted(text: str) -> tuple[tuple[int, int], tuple[int, int]] | None:
    """Return the spans of the old and the new words of "s/10/12/", or None."""
    found = _REPLACED.match(text)
    return (found.span("wrong"), found.span("right")) if found else None


def unit_of(low: str, value: Value) -> str:
    """Return the noun behind a number, in the singular; "" if there is none. low: the folded text of the value."""
    found = _UNIT.search(low[value.start : value.end]) or _UNIT.match(low, value.end)
    return found[1].removesuffix("s") if found and "N" in possible_tags(found[1]) else ""


def values_of(low: str) -> list[Value]:
    """Return the values in a folded text from left to right: dates, times, paths, days, numbers, names. None lies in another."""
    found: list[Value] = []
    for kind, form in _FORMS:
        found += [Value(kind, *match.span()) for match in form.finditer(low) if _is_free(found, *match.span())]
    found += [Value("name", *span) for span in _names(low) if _is_free(found, *span)]
    return sorted(found, key=lambda value: value.start)


def _is_free(found: Iterable[Value], low: int, high: int) -> bool:
    return all(high <= value.start or value.end <= low for value in found)


def _names(low: str) -> Iterator[tuple[int, int]]:
    """Yield the spans of words beside each other that are likely names."""
    tagged = tag(low)
    words = zip(tagged.words, tagged.tags, tagged.spans(), strict=True)
    for named, run in groupby(words, lambda each: _is_name(each[0], each[1])):
        if named:
            spans = [span for _, _, span in run]
            yield spans[0][0], spans[-1][1]


def _is_name(word: str, tag: str) -> bool:
    return tag in "NAK" and len(word) > 2 and not is_everyday(word) and word not in CALENDAR
