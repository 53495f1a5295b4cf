"""Scales: attributes that what somebody likes has one way or the other, by a lexicon of their words (`words/scales.txt`).

"Long explanations" and "short explanations" are two places of one scale of one thing, and so are "work at night" and "work in the morning".
Who now wants the one does not want the other any more; of things without a common scale one may like many.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import NamedTuple

from ethos.core.text import folding
from ethos.core.text.language.inflection import base_form
from ethos.core.text.language.lexicon import lines_of, word_class
from ethos.core.text.language.tagging import possible_tags, verb_of
from ethos.core.text.memoize import memoized

_DAY = "day"


class Scaled(NamedTuple):
    """What is liked, "explanation" or "work", and its place on each scale that a word of the phrase stands on."""

    thing: str
    places: Mapping[str, int]


@cache
def _places() -> Mapping[str, Mapping[str, int]]:
    """Return, for each word, its place on the scales that it stands on."""
    found: dict[str, dict[str, int]] = {}
    for line in lines_of("scales"):
        scale, _, places = line.partition(":")
        for place, words in enumerate(places.split("|")):
            for word in words.split():
                found.setdefault(word, {})[scale] = place
    return found


@memoized(1_024)
def scaled(obj: str) -> Scaled | None:
    """Return the thing that a folded object is about, with its places on the scales; None where no scale is told, or of no thing."""
    words = folding.tokens(obj)
    at = next((at for at, word in enumerate(words) if word in word_class("relation")), len(words))
    phrase = [word for word in words[:at] if stands_on_scale(word)]
    if phrase:
        nouns = [word for word in words[:at] if "N" in possible_tags(word) and word not in phrase]
        return Scaled(base_form(nouns[-1]), _joined(phrase)) if nouns else None
    timed = [word for word in words[at:] if _DAY in _places().get(word, ())]
    verb = verb_of(words[0]) if words else ""
    return Scaled(verb, _joined(timed)) if timed and verb else None


def _joined(words: list[str]) -> Mapping[str, int]:
    found: dict[str, int] = {}
    for word in words:
        found |= _places()[word]
    return found


def stands_on_scale(word: str) -> bool:
    """Return whether a word tells a place on a scale: "long", "spicy"."""
    return word in _places()


def opposed(one: str, other: str) -> bool:
    """Return whether two folded objects are about one thing, at two places of one scale and at no common one."""
    first, second = scaled(one), scaled(other)
    if first is None or second is None or first.thing != second.thing:
        return False
    common = first.places.keys() & second.places.keys()
    return bool(common) and all(first.places[scale] != second.places[scale] for scale in common)
