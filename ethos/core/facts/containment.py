"""Containment: whether one object stands in another (E-22, X-E2), what an object is one of, and which things a list is of."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

from ethos.core.text import folding
from ethos.core.text.language.everyday import is_everyday
from ethos.core.text.language.lexicon import word_class
from ethos.core.text.language.tagging import possible_tags
from ethos.core.text.memoize import cached_by_word

_TOLD_OF_ANYTHING = ("duration", "measure", "counted", "calendar", "times", "sort-behind-name", "sort-of-named", "sorts")
_BETWEEN_THINGS = re.compile(r",? (?:and|&|or) |, ")
_MOST_THINGS = 6
_FEW = 3  # words of a sort with what tells it apart


def compatible(left: str, right: str, containment: str = "token") -> bool:
    """Return whether one object contains the other (E-22, X-E2): as a run of whole words, or, with "substring", anywhere.

    We deviate where plain nouns make a compound: "a dog walker" is not a dog, and says nothing of one.
    """
    return compatible_with(left, containment)(right)


def compatible_with(left: str, containment: str) -> Callable[[str], bool]:
    """Return `compatible` for an object that is held against many others."""
    words = folding.tokens(left)

    def as_text(right: str) -> bool:
        one, other = folding.key(left), folding.key(right)
        return one in other or other in one

    def as_words(right: str) -> bool:
        others = folding.tokens(right)
        if not words or not others:
            return folding.key(left) == folding.key(right)
        return _names_thing(others, words) if len(others) > len(words) else _names_thing(words, others)

    return as_text if containment == "substring" else as_words


def contains(longer: str, shorter: str) -> bool:
    """Return whether the words of `shorter` stand in `longer` one after another. No words are contained in nothing."""
    part = folding.tokens(shorter)
    return _stands_in(part, folding.tokens(longer)) if part else folding.key(longer) == folding.key(shorter)


def names(text: str, phrase: str) -> bool:
    """Return whether the words of a folded phrase, one at least, stand in a folded text one after another."""
    part = folding.tokens(phrase)
    return bool(part) and phrase in text and _stands_in(part, folding.tokens(text))


def names_thing(text: str, phrase: str) -> bool:
    """Return whether a folded phrase stands in a folded text, and not only describes the noun behind it: "boat" of "a boat license"."""
    part = folding.tokens(phrase)
    return bool(part) and phrase in text and _names_thing(folding.tokens(text), part)


def _stands_in(part: tuple[str, ...], whole: tuple[str, ...]) -> bool:
    """Return whether the words of `part`, one at least, are a run of `whole`."""
    return next(_places(part, whole), None) is not None


def _places(part: tuple[str, ...], whole: tuple[str, ...]) -> Iterator[int]:
    """Yield where the words of `part`, one at least, begin as a run of `whole`."""
    length = len(part)
    for at in range(len(whole) - length + 1):
        if whole[at : at + length] == part and not (at and whole[at - 1].endswith("'s")):
            yield at  # the neighbour's dog is not the dog


def _names_thing(whole: tuple[str, ...], part: tuple[str, ...]) -> bool:
    """Return whether the words of `part`, one at least, are a run of `whole`, and do not only describe the noun behind it."""
    if part[0] not in whole:  # most pairs end here
        return False
    return any(not _describes(whole, at + len(part)) for at in _places(part, whole))


def _describes(whole: tuple[str, ...], end: int) -> bool:
    """Return whether the word before a place only describes the noun that stands there: both are plain nouns. "Rust language" is Rust."""
    return end < len(whole) and _is_plain_noun(whole[end - 1]) and _is_plain_noun(whole[end])


@cached_by_word
def _is_plain_noun(word: str) -> bool:
    """Return whether a word is first of all an everyday noun, and none of time, measure or sort."""
    if possible_tags(word)[:1] != "N" or not is_everyday(word):
        return False
    return not any(word in word_class(name) for name in _TOLD_OF_ANYTHING)


def sort_of(obj: str) -> str:
    """Return what one of is preferred: "themes" for "dark themes"; "" where the words do not tell. obj: folded."""
    words = obj.split()
    words = words[: next((at for at, word in enumerate(words) if word in word_class("relation")), len(words))]
    plain = 1 < len(words) <= _FEW and all(word.isalpha() and word not in word_class("relation") for word in words)
    return words[-1] if plain else ""


def without_part(obj: str, part: str) -> str:
    """Return a list of things without the one that has these words: "hens and goats" without "goats" is "hens"; "" where there is none.

    part: folded.
    """
    things = _BETWEEN_THINGS.split(obj)
    left = [thing for thing in things if not names(folding.key(thing), part)]
    if len(left) != len(things) - 1 or not left or len(things) > _MOST_THINGS:
        return ""
    left = [thing for thing in left if any(set("NAKg") & set(possible_tags(word)) for word in folding.tokens(thing))]
    return ", ".join(left[:-1]) + " and " * (len(left) > 1) + left[-1] if left else ""


def things_in_list(obj: str) -> frozenset[str]:
    """Return the last word of each thing in a list, folded: "hens" and "goats"; none where there is but one thing."""
    things = [folding.tokens(folding.key(thing)) for thing in _BETWEEN_THINGS.split(obj)]
    return frozenset(words[-1] for words in things if words) if 1 < len(things) <= _MOST_THINGS else frozenset()
