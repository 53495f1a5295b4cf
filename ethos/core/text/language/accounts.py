"""Accounts: turns that tell that accounts of one thing differ: "Ana says the 16th, my note has the 9th", "it could be either".

Nobody who says that has made up their mind, so that what is held is neither confirmed nor replaced by it.
"""

from __future__ import annotations

from collections.abc import Sequence
from enum import IntEnum
from functools import cache
from itertools import pairwise

from ethos.core.text.language.lexicon import phrases_of, word_class
from ethos.core.text.language.signs_of_change import has_phrase, phrase_table
from ethos.core.text.language.tagging import forms_in, possible_tags, verb_of, words_of
from ethos.core.text.memoize import ChunkCache, cached_by_word, memoized


class Accounts(IntEnum):
    """How far a turn tells that accounts of a thing differ."""

    NONE = 0
    ONE = 1  # somebody else says something
    SEVERAL = 2
    OPEN = 3  # and it is open which of them is right


_OWN = frozenset({"i", "we", "you", "to", "please"})


@memoized(1_024)
def accounts_in(low: str) -> Accounts:
    """Return how far a folded text tells of accounts that differ. What is settled is not open."""
    if not any(map(_may_differ, low.split())):
        return Accounts.NONE
    words = words_of(low)
    if has_phrase(words, phrase_table("settled")):
        return Accounts.NONE
    told = _told(words)
    if has_phrase(words, phrase_table("either")) or (told and has_phrase(words, phrase_table("open"))):
        return Accounts.OPEN
    return Accounts(min(told, Accounts.SEVERAL))


def _told(words: Sequence[str]) -> int:
    """Return how many accounts of others are told: "the wiki says", "her mail has", "according to Ana"."""
    said = sum(_reports(word) and before.isalpha() and before not in _OWN for before, word in pairwise(words))
    had = sum(before in word_class("source") and word in ("has", "have", "had") for before, word in pairwise(words))
    return said + had + sum(pair == ("according", "to") for pair in pairwise(words))


@cached_by_word
def _reports(word: str) -> bool:
    """Return whether a word tells that somebody else says, or said, something: "says", "wrote"."""
    return word in forms_in("reporting") and possible_tags(word)[:1] in ("z", "d", "N") and verb_of(word) != word


@cache
def _signs() -> frozenset[str]:
    """Return the words of which such a text has one: of each phrase the longest."""
    longest = {max(phrase.split(), key=len) for phrase in phrases_of("either")}
    return forms_in("reporting") | word_class("source") | longest | {"according"}


_may_differ = ChunkCache(lambda chunk: any(word in _signs() for word in words_of(chunk))).__getitem__
