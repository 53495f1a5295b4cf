"""Accounts: turns that tell that accounts of one thing differ: "Ana says the 16th, my note has the 9th", "it could be either".

Nobody who says that has made up their mind, so that what is held is neither confirmed nor replaced by it.
"""

from __future__ import annotations

from collections.abc import Sequence
from enum import IntEnum
from functools import cache
from itertools import pairwise

from ethos.core.text.language.lexicon import phrases_of, word_class
from ethos.core.text.language.retagging import is_plural
from ethos.core.text.language.signs_of_change import has_phrase, phrase_table
from ethos.core.text.language.tagging import forms_in, possible_tags, verb_of, words_of
from ethos.core.text.memoize import ChunkCache, cached_by_word, memoized


class Accounts(IntEnum):
    """How far a turn tells that accounts of a thing differ."""

    NONE = 0
    ONE = 1  # somebody else says something
    SEVERAL = 2
    OPEN = 3  # and it is open which of them is right


_HAD = frozenset({"has", "have", "had"})
_OWN = frozenset({"i", "we", "you", "to", "please"})


@memoized(1_024)
def accounts_in(low: str) -> Accounts:
    """Return how far a folded text tells of accounts that differ. What is settled is not open."""
    chunks = low.split()
    if not (any(map(_tells_or_asks, chunks)) or _many_tell(chunks) or (not _HAD.isdisjoint(chunks) and any(map(_is_source, chunks)))):
        return Accounts.NONE
    words = [word for chunk in chunks for word in _words_in(chunk)]
    if has_phrase(words, phrase_table("settled")):
        return Accounts.NONE
    told = _told(words)
    if has_phrase(words, phrase_table("either")) or (told and has_phrase(words, phrase_table("open"))):
        return Accounts.OPEN
    return Accounts(min(told, Accounts.SEVERAL))


def _told(words: Sequence[str]) -> int:
    """Return how many accounts of others are told: "the wiki says", "her mail has", "according to Ana"."""
    said = sum(_reports(word) and before.isalpha() and before not in _OWN for before, word in pairwise(words))
    said += _many_tell(words)
    had = sum(before in word_class("source") and word in _HAD for before, word in pairwise(words))
    return said + had + sum(pair == ("according", "to") for pair in pairwise(words))


def _many_tell(words: Sequence[str]) -> int:
    """Return how often several tell something: "the docs say", "some claim"."""
    if word_class("reporting").isdisjoint(words):
        return 0
    return sum(word in word_class("reporting") and _is_many(before) for before, word in pairwise(words))


@cached_by_word
def _is_many(word: str) -> bool:
    """Return whether a word may be a subject in the plural: "the docs say", "some claim"."""
    return word in _MANY or (possible_tags(word)[:1] == "N" and is_plural(word))


_MANY = frozenset({"they", "people", "some", "others", "both", "folks"})


@cached_by_word
def _reports(word: str) -> bool:
    """Return whether a word tells that somebody else says, or said, something: "says", "wrote"."""
    return word in forms_in("reporting") and possible_tags(word)[:1] in ("z", "d", "N") and verb_of(word) != word


@cache
def _rarest() -> frozenset[str]:
    """Return, of each phrase by which one says that either may be right, a word that few texts have."""
    return frozenset(
        next((word for word in phrase.split() if word in _RARE), max(phrase.split(), key=len)) for phrase in phrases_of("either")
    )


_RARE = frozenset({"both", "either", "right", "wrong", "correct", "true"})
_words_in = ChunkCache(lambda chunk: tuple(words_of(chunk))).__getitem__
_tells_or_asks = ChunkCache(
    lambda chunk: any(
        _reports(word) or word in _rarest() or word == "according" or word in word_class("reporting") for word in words_of(chunk)
    )
).__getitem__
_is_source = ChunkCache(lambda chunk: any(word in word_class("source") for word in words_of(chunk))).__getitem__
