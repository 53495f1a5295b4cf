"""Measures: words that tell one measure of a thing have one stem: "I charge 60" and "my rate is 70" both tell a price."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache
from typing import Final

from ethos.core.text.language.lexicon import word_class

PRICE: Final = "price"
_CLASSES: Final = {PRICE: "pricing", "limit": "capping"}  # the class of words that each stem stands for


@cache
def _stems() -> Mapping[str, str]:
    return {word: stem for stem, name in _CLASSES.items() for word in word_class(name)}


def words_of_measure(stem: str) -> frozenset[str]:
    """Return the words that tell the measure with this stem. Raise KeyError if there is no such measure."""
    return word_class(_CLASSES[stem])


def measure_told(word: str, behind: str = "") -> str:
    """Return the stem of the measure that a word tells, "" where it tells none. behind: the next word; a "rate limit" is no price."""
    stem = _stems().get(word, "")
    return "" if stem == PRICE and _stems().get(behind, PRICE) != PRICE else stem


def measures_told(words: Sequence[str]) -> frozenset[str]:
    """Return the stems of the measures that these words tell, which stand one after another."""
    return frozenset(filter(None, map(measure_told, words, (*words[1:], ""))))
