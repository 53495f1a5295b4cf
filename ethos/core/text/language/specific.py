"""Specific phrases: those that name something, by a number, a name, code, or a word that no dictionary has.

"Uses Postgres 17" and "meets on Tuesdays" can be held to; "uses a tool" and "is late" tell of the moment or of nothing.
"""

from __future__ import annotations

from collections.abc import Sequence

from ethos.core.text.language.everyday import is_everyday
from ethos.core.text.language.lexicon import word_class

_FEW = frozenset({"one", "1", "two", "2"})
_CALENDAR = word_class("calendar")


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
