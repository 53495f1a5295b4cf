"""Corrections: turns that put the turn before them right in a few words: "sorry, 6390", "no wait, the 11th", "I meant Vitest"."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from functools import cache
from itertools import groupby
from typing import NamedTuple

from ethos.core.text.language.dates import DATE, WEEKDAY
from ethos.core.text.language.everyday import is_everyday
from ethos.core.text.language.lexicon import lines_of, word_class
from ethos.core.text.language.tagging import tag

_REACH = 160  # characters in which a turn says that it is a correction
_FORMS = (
    ("date", re.compile(DATE)),
    ("time", re.compile(r"\b\d{1,2}[:.]\d\d\b(?: ?[ap]m\b)?|\b\d{1,2} ?[ap]m\b")),
    ("path", re.compile(r"[\w.-]*\w/[\w./-]+|\b[\w-]+(?:\.[\w-]+)*\.[a-z]{2,6}\b")),
    ("day", re.compile(rf"\b{WEEKDAY}\b")),
    ("number", re.compile(r"[$€£]?\b\d[\d.,:]*(?: ?(?:%|[a-z]{1,3}\b))?")),
)


class Value(NamedTuple):
    """A value in a text: its kind, and its span."""

    kind: str
    start: int
    end: int


@cache
def _cue() -> re.Pattern[str]:
    lines = list(lines_of("corrections"))
    begins = "|".join(re.escape(line[:-1]) + (r"\b" if line[-2].isalpha() else "") for line in lines if line.endswith("^"))
    inside = "|".join(re.escape(line) for line in lines if not line.endswith("^"))
    return re.compile(rf"\W*(?:{begins})|.{{0,{_REACH}}}?\b(?:{inside})\b", re.DOTALL | re.IGNORECASE)


def corrects(text: str) -> bool:
    """Return whether a turn says near its beginning that something said before was wrong."""
    return _cue().match(text) is not None


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
    return tag in "NAK" and len(word) > 2 and not is_everyday(word) and word not in word_class("calendar")
