"""Everyday words: what a dictionary has. A word that is none of them, nor a form of one, is likely a name: "helix", "vitest", "gdal"."""

from __future__ import annotations

from functools import cache
from typing import Final

from ethos.core.text.language.lexicon import lines_of
from ethos.core.text.language.tagging import in_lexicon, verb_stems
from ethos.core.text.memoize import cached_by_word

# Written as lists of words; the quick test for an unknown word takes them off.
_ENDINGS: Final = (
    *("ly", "er", "ers", "est", "ness", "less", "able", "y", "ish", "like", "ful", "wise", "ward", "in'", "'"),
    *("ism", "ist", "ists", "al", "ally", "ity", "ion", "ions"),
)
_BEGINNINGS: Final = ("un", "re", "non", "over", "under", "out", "pre", "mis", "dis", "up", "super", "auto", "multi", "sub", "anti", "self")


@cache
def _common() -> frozenset[str]:
    """Return the words of every day that the tagger needs no list for, because it takes an unknown word for a noun."""
    return frozenset(word for line in lines_of("common") for word in line.split())


@cached_by_word
def is_everyday(word: str) -> bool:
    """Return whether a word in lower case, or a word that it is a form of, is an everyday one. "no-one" is if its parts are."""
    common = _common()
    forms = {word, *verb_stems(word), *(word.removesuffix(ending) for ending in _ENDINGS if word.endswith(ending))}
    forms |= {form.removeprefix(begin) for form in forms for begin in _BEGINNINGS if form.startswith(begin)}
    if any(form in common or in_lexicon(form) for form in forms):
        return True
    parts = word.split("-")
    return len(parts) > 1 and all(is_everyday(part) for part in parts if part)
