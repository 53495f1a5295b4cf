"""Specific phrases: those that name something, by a number, a name, code, or a word that no dictionary has.

"Uses Postgres 17" and "meets on Tuesdays" can be held to; "uses a tool" and "is late" tell of the moment or of nothing.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from enum import Enum

from ethos.core.text.language.cues import cue_signs
from ethos.core.text.language.dates import CALENDAR
from ethos.core.text.language.everyday import is_everyday
from ethos.core.text.language.lexicon import pattern_of, word_class
from ethos.core.text.language.tagging import forms_in, possible_tags, words_of
from ethos.core.text.memoize import ChunkCache
from ethos.core.text.sentences import FILLER

_TITLE = 3  # blanks of a sentence that is a title, and not a name: "I Deleted The Old File"
_FEW = frozenset({"one", "1", "two", "2"})
VALUE, NAME, _STATE = 4, 2, 1
_CAPITAL = r"A-Z\u00c0-\u00de\u010c\u0141\u0158\u015a\u0160\u017b\u017d"
_INNER_CAPITAL = re.compile(rf"[{_CAPITAL}](?<=[\w,;%'\"-] .)(?:\w|(?<=[B-HJ-Z])\b)")  # "Plan B", but no "A" and no "I"
_COUNTED = f"one|{pattern_of('number')}|noon|midnight"
_CLOCK = rf"at (?:\d{{1,2}}|{_COUNTED})|in (?:\d+|{_COUNTED}) (?:seconds?|min(?:ute)?s?|hours?)"
_SOON_OVER = re.compile(rf"(?i:(?:\A| )(?:{_CLOCK})\Z)")


def _sign(word: str) -> int:
    """Return whether a word is a value, a cue of now, or a verb of change, or else may be a name."""
    if word in CALENDAR or word in cue_signs() or word in forms_in("changing") or word == "two":
        return VALUE
    if (word not in _FEW and "#" in possible_tags(word)) or _LETTERED(word) is not None:
        return VALUE
    if word in _NAMED:
        return NAME | _STATE
    if _is_unknown(word) or (possible_tags(word) == "K" and FILLER not in word):
        return NAME
    return _STATE if word in forms_in("state") else 0


def _sign_of(chunk: str) -> int:
    """Return the signs of the words between two blanks as one number."""
    found = 0
    for word in words_of(chunk):
        found |= _sign(word)
    return found


_NAMED = frozenset({"called", "named"})


def _is_unknown(word: str) -> bool:
    """Return whether a word of letters is in no dictionary, as names are not."""
    return len(word) > 2 and word.replace("-", "").replace("_", "").isalpha() and not is_everyday(word) and FILLER not in word


_LETTERED = re.compile(r"[a-z_-]*\d").match  # "er14505"


_signs = ChunkCache(_sign_of).__getitem__
_has_change = ChunkCache(lambda chunk: not forms_in("changing").isdisjoint(words_of(chunk))).__getitem__


def signs(text: str, low: str) -> int:
    """Return whether a turn or sentence has a number, a day, a name or a cue of now (`VALUE`), or only a word that may be a
    name, and a verb that tells a state (`NAME`); 0 if it has neither. low: the text folded.
    """
    if _INNER_CAPITAL.search(text) is not None or ": " in text:
        return VALUE
    found = 0
    for sign in set(map(_signs, low.split())):
        found |= sign
    return VALUE if found & VALUE else NAME if found & NAME and found & _STATE else 0


def tells_change(low: str) -> bool:
    """Return whether a folded text has a verb that says that something is not as it was."""
    return any(map(_has_change, low.split()))


def is_value(words: Sequence[str], tags: str, written: str, spans: Sequence[tuple[int, int]], phrase: tuple[int, int]) -> bool:
    """Return whether words[slice(*phrase)] of a tagged sentence have a number, a day or a name. written: the sentence with its capitals."""
    kinds = _kinds(words, tags, written, spans, phrase)
    return any(kind in (_Kind.NUMBER, _Kind.FEW, _Kind.DAY, _Kind.CAPITAL) for kind in kinds)


def is_specific(words: Sequence[str], tags: str, written: str, spans: Sequence[tuple[int, int]], phrase: tuple[int, int]) -> bool:
    """Return whether words[slice(*phrase)] of a tagged sentence name something: by a value, code, or a word that no dictionary has.

    "Two cats" names nothing, "two weeks" does.
    """
    return any(kind is not _Kind.FEW for kind in _kinds(words, tags, written, spans, phrase))


class _Kind(Enum):
    """What a word of a phrase is that says something by itself. FEW: "two cats", but not "two weeks"."""

    NUMBER, FEW, DAY, CAPITAL, CODE, UNKNOWN = range(6)


def _kinds(words: Sequence[str], tags: str, written: str, spans: Sequence[tuple[int, int]], phrase: tuple[int, int]) -> Iterator[_Kind]:
    """Yield the kinds of those words of a phrase that have one. "One" has none, but in "one week"."""
    shouted = written.isupper() or (written.istitle() and written.count(" ") >= _TITLE)  # where every word has a capital, none names
    for place in range(*phrase):
        word, tag, start = words[place], tags[place], spans[place][0]
        if word in CALENDAR:
            yield _Kind.DAY
        elif tag == "#":
            lasting = place + 1 < phrase[1] and words[place + 1] in word_class("duration")
            if word not in _FEW or lasting:
                yield _Kind.NUMBER
            elif word != "one":
                yield _Kind.FEW
        elif _LETTERED(word):
            yield _Kind.NUMBER
        elif start and not shouted and tag in "NAzVgRdnKI" and written[start].isupper():
            yield _Kind.CAPITAL
        elif tag == "K":
            yield _Kind.CODE
        elif tag in "NA" and not is_everyday(word):
            yield _Kind.UNKNOWN


def is_soon_over(phrase: str) -> bool:
    """Return whether a phrase ends with the time of day: "a meeting at three", "a call in 5 minutes"."""
    return _SOON_OVER.search(phrase) is not None


def is_name(words: Sequence[str], tags: str, phrase: tuple[int, int], *, any_word: bool = False) -> bool:
    """Return whether words[slice(*phrase)] are a name: at most three words, the last of which no dictionary has, or code.

    any_word: a verb of naming stands before them, and any noun is one.
    """
    low, high = phrase
    while low < high and tags[low] == "D":
        low += 1
    end = low
    while end < high and tags[end] in "A#NK":
        end += 1
    if not 0 < end - low <= _LONGEST_NAME or (end < high and tags[end] not in "I,C"):
        return False
    return any_word or tags[end - 1] == "K" or (tags[end - 1] == "N" and _is_unknown(words[end - 1]))


def is_bare_noun(words: Sequence[str], tags: str, phrase: tuple[int, int]) -> bool:
    """Return whether words[slice(*phrase)] are one word that can be nothing but a noun or a verb.

    "The formatter is ruff": a thing that can be counted has an article, and a name has none.
    """
    low, high = phrase
    if low >= high or tags[low] != "N" or (low + 1 < high and tags[low + 1] not in "I,"):
        return False
    return set(possible_tags(words[low])) <= {"N", "V"} and not words[low].endswith(_ENDINGS)


_ENDINGS = ("s", "ness", "ity", "tion", "ing", "ment")  # of what has no article, either
_LONGEST_NAME = 3  # words


def begins_with_value(words: Sequence[str], tags: str, phrase: tuple[int, int]) -> bool:
    """Return whether words[slice(*phrase)] are a number, a date, a day, a time or a path, with nothing but a determiner before it."""
    low, high = phrase
    while low < high and tags[low] in "DR":
        low += 1
    return low < high and (tags[low] in "#K" or words[low] in CALENDAR)
