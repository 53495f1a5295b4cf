"""Specific phrases: those that name something, by a number, a name, code, or a word that no dictionary has.

"Uses Postgres 17" and "meets on Tuesdays" can be held to; "uses a tool" and "is late" tell of the moment or of nothing.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cache

from ethos.core.text.language.cues import CUE_WORDS
from ethos.core.text.language.everyday import is_everyday
from ethos.core.text.language.lexicon import word_class
from ethos.core.text.language.tagging import forms_of, possible_tags, words_of
from ethos.core.text.memoize import ChunkCache

_FEW = frozenset({"one", "1", "two", "2"})
_CALENDAR = word_class("calendar")
_CAPITAL = r"A-Z\u00c0-\u00de\u010c\u0141\u0158\u015a\u0160\u017b\u017d"
_INNER_CAPITAL = re.compile(rf"[{_CAPITAL}](?<=[\w,;%'\"-] .)(?!(?<=I)\b)\w")
_CLOCK = r"at (?:\d{1,2}|[a-z]{3,6})|in (?:\d+|[a-z]{3,6}) (?:seconds?|min(?:ute)?s?|hours?)"
_SOON_OVER = re.compile(rf"(?i:(?:\A| )(?:{_CLOCK})\Z)")


def _telling(word: str) -> bool:
    """Return whether a word is a value, a cue of now, or a verb of change."""
    if word in _CALENDAR or word in CUE_WORDS or word in _changes() or word == "two":
        return True
    return (word not in _FEW and "#" in possible_tags(word)) or _LETTERED(word) is not None


_LETTERED = re.compile(r"[a-z_-]*\d").match  # "er14505"


@cache
def _changes() -> frozenset[str]:
    """Return the forms of the verbs of change."""
    return frozenset(form for verb in word_class("changing") for form in forms_of(verb))


_has_value = ChunkCache(lambda chunk: any(map(_telling, words_of(chunk)))).__getitem__
_has_change = ChunkCache(lambda chunk: not _changes().isdisjoint(words_of(chunk))).__getitem__


def may_name(text: str, low: str) -> bool:
    """Return whether a turn or sentence has a number, a day, a name or a cue of now. low: the text folded."""
    return _INNER_CAPITAL.search(text) is not None or any(map(_has_value, low.split()))


def tells_change(low: str) -> bool:
    """Return whether a folded text has a verb that says that something is not as it was."""
    return any(map(_has_change, low.split()))


def is_value(words: Sequence[str], tags: str, written: str, spans: Sequence[tuple[int, int]], phrase: tuple[int, int]) -> bool:
    """Return whether words[slice(*phrase)] of a tagged sentence have a number, a day or a name."""
    shouted = written.isupper()
    for place in range(*phrase):
        word, tag, start = words[place], tags[place], spans[place][0]
        if tag == "#" or word in _CALENDAR or _LETTERED(word):
            return word != "one"
        if start and not shouted and tag in "NAzVgRdnKI" and written[start].isupper():
            return True
    return False


def is_soon_over(phrase: str) -> bool:
    """Return whether a phrase ends with the time of day: "a meeting at three", "a call in 5 minutes"."""
    return _SOON_OVER.search(phrase) is not None


def is_specific(words: Sequence[str], tags: str, written: str, spans: Sequence[tuple[int, int]], phrase: tuple[int, int]) -> bool:
    """Return whether words[slice(*phrase)] of a tagged sentence name something. written: the sentence with its capitals."""
    shouted = written.isupper()
    for place in range(*phrase):
        word, tag = words[place], tags[place]
        if (tag == "#" and word not in _FEW) or tag == "K":
            return True
        if tag in "NAzVgRdn":
            start = spans[place][0]
            if word in _CALENDAR or (start and not shouted and written[start].isupper()) or (tag in "NA" and not is_everyday(word)):
                return True
    return False


def begins_with_value(words: Sequence[str], tags: str, phrase: tuple[int, int]) -> bool:
    """Return whether words[slice(*phrase)] are a number, a date, a day, a time or a path, with nothing but a determiner before it."""
    low, high = phrase
    while low < high and tags[low] in "DR":
        low += 1
    return low < high and (tags[low] in "#K" or words[low] in _CALENDAR)
