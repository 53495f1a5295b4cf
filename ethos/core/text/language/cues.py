"""Cues of now: words around a clause that say that it is so from now on: "as of May", "these days", "now", "again", "since the move"."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cache

from ethos.core.text.language.lexicon import lines_of, word_class

_NOW = word_class("from-now")
CUE_WORDS = _NOW | {"since", "days", "starting", "longer", "back"}  # of which one stands in most cues
_PRESENT_BE = frozenset({"is", "are", "'s", "'m", "'re", "s", "m", "re"})
_BEHIND_BE = frozenset({"back"})
_BEGINNINGS = (("as", "of"), ("these", "days"), ("from",), ("since",), ("starting",), ("after", "all"))
_AHEAD = 6  # words before a clause in which such a phrase may begin


def cue_of_now(words: Sequence[str], tags: str, start: int, head: int, low: int, high: int) -> tuple[str, int]:
    """Return the cue in a clause, or "", and where its object ends without it.

    start: the first word of the clause; head: its main verb; words[low:high]: its object.
    """
    for place in range(low, high):
        if tags[place] in "IS" and words[place] == "since":
            return "now", place if place > low else high
        if words[place] == "as" and words[place + 1 : place + 2] == ["of"] and place > low:
            return "now", place
        if words[place : place + 2] == ["these", "days"] and place > low:
            return "now", place
    around = [*words[start:head], *words[head + 1 : low]]
    end = high
    while end < len(words) and tags[end] in "RX":
        around.append(words[end])
        end += 1
    if words[end : end + 2] in (["these", "days"], ["after", "all"], ["any", "more"], ["any", "longer"]):
        return "now", high
    if not _NOW.isdisjoint(around) or (words[head] in _PRESENT_BE and not _BEHIND_BE.isdisjoint(around)):
        return "now", high
    return ("now", high) if _opened(words, tags, start) else ("", high)


def _opened(words: Sequence[str], tags: str, start: int) -> bool:
    """Return whether a phrase of now stands right before a clause: "as of this Monday the branch is trunk"."""
    for place in range(start - 1, max(-1, start - 1 - _AHEAD), -1):
        if tags[place] in ";C" or (tags[place] == "," and place < start - 1):
            return False
        for phrase in _BEGINNINGS:
            if tuple(words[place : place + len(phrase)]) == phrase and (phrase != ("from",) or "on" in words[place:start]):
                return True
    return start > 0 and words[start - 1] in _NOW


@cache
def _turns() -> re.Pattern[str]:
    return re.compile(rf"\b(?:{'|'.join(map(re.escape, lines_of('turns')))})\b")


def thinks_otherwise(low: str) -> bool:
    """Return whether a folded sentence says that somebody thinks otherwise than before: "who'd have thought", "I changed my mind"."""
    return _turns().search(low) is not None
