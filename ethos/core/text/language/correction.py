"""Corrections: turns that put the turn before them right in a few words: "sorry, 6390", "no wait, the 11th", "I meant Vitest"."""

from __future__ import annotations

import re
from functools import cache

from ethos.core.text.language.everyday import is_everyday
from ethos.core.text.language.lexicon import lines_of, word_class
from ethos.core.text.language.tagging import tag

_REACH = 160  # characters in which a turn says that it is a correction
_MONTHS = "january|february|march|april|may|june|july|august|september|october|november|december"
_DATE = re.compile(rf"(?:the )?\d{{1,2}}(?:st|nd|rd|th)?(?: of)? (?:{_MONTHS})|(?:{_MONTHS}) (?:the )?\d{{1,2}}(?:st|nd|rd|th)?")
_TIME = re.compile(r"\b\d{1,2}[:.]\d\d\b(?: ?[ap]m\b)?|\b\d{1,2} ?[ap]m\b")
_PATH = re.compile(r"[\w.-]*\w/[\w./-]+|\b[\w-]+(?:\.[\w-]+)*\.[a-z]{2,6}\b")
_NUMBER = re.compile(r"[$€£]?\b\d[\d.,:]*(?: ?(?:%|[a-z]{1,3}\b))?")
_DAY = re.compile(r"\b(?:mon|tues|wednes|thurs|fri|satur|sun)days?\b")
_FORMS = (("date", _DATE), ("time", _TIME), ("path", _PATH), ("day", _DAY), ("number", _NUMBER))


@cache
def _cue() -> re.Pattern[str]:
    lines = list(lines_of("corrections"))
    begins = "|".join(re.escape(line[:-1]) for line in lines if line.endswith("^"))
    inside = "|".join(re.escape(line) for line in lines if not line.endswith("^"))
    return re.compile(rf"\W*(?:{begins})\b|.{{0,{_REACH}}}?\b(?:{inside})\b", re.DOTALL)


def corrects(text: str) -> bool:
    """Return whether a turn says near its beginning that something said before was wrong."""
    return _cue().match(text.lower()) is not None


def values_of(text: str) -> list[tuple[str, int, int]]:
    """Return the values in a text in lower case with their spans, from left to right: dates, times, paths, days, numbers, names."""
    found: list[tuple[str, int, int]] = []

    def free(low: int, high: int) -> bool:
        return all(high <= begin or end <= low for _, begin, end in found)

    for kind, form in _FORMS:
        found += [(kind, *match.span()) for match in form.finditer(text) if free(*match.span())]
    tagged = tag(text)
    spans = tagged.spans()
    number = 0
    while number < len(spans):
        last = number
        while last < len(spans) and _is_name(tagged.words[last], tagged.tags[last]):
            last += 1
        if last > number and free(spans[number][0], spans[last - 1][1]):
            found.append(("name", spans[number][0], spans[last - 1][1]))
        number = max(last, number + 1)
    return sorted(found, key=lambda each: each[1])


def _is_name(word: str, tag: str) -> bool:
    return tag in "NAK" and len(word) > 2 and not is_everyday(word) and word not in word_class("calendar")
