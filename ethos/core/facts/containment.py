"""Containment: whether one object stands in another (E-22, X-E2), and what an object is one of."""

from __future__ import annotations

from ethos.core.text import folding
from ethos.core.text.language.lexicon import word_class

_FEW = 3  # words of a sort with what tells it apart


def compatible(left: str, right: str, containment: str = "token") -> bool:
    """Whether one object contains the other (E-22, X-E2): as a run of whole words, or, with "substring", anywhere."""
    if containment == "substring":
        one, other = folding.key(left), folding.key(right)
        return one in other or other in one
    words, others = folding.tokens(left), folding.tokens(right)
    if not words or not others:
        return folding.key(left) == folding.key(right)
    return _stands_in(words, others) if len(others) > len(words) else _stands_in(others, words)


def contains(longer: str, shorter: str) -> bool:
    """Whether the words of `shorter` stand in `longer` one after another. No words are contained in nothing."""
    part = folding.tokens(shorter)
    return _stands_in(part, folding.tokens(longer)) if part else folding.key(longer) == folding.key(shorter)


def names(text: str, phrase: str) -> bool:
    """Return whether the words of a folded phrase, one at least, stand in a folded text one after another."""
    part = folding.tokens(phrase)
    return bool(part) and phrase in text and _stands_in(part, folding.tokens(text))


def _stands_in(part: tuple[str, ...], whole: tuple[str, ...]) -> bool:
    """Whether the words of `part`, one at least, are a run of `whole`."""
    first, length = part[0], len(part)
    if first not in whole:  # most pairs end here
        return False
    places = (i for i in range(len(whole) - length + 1) if whole[i : i + length] == part)
    return any(not i or not whole[i - 1].endswith("'s") for i in places)  # the neighbour's dog is not the dog


def sort_of(obj: str) -> str:
    """Return what one of is preferred: "themes" for "dark themes"; "" where the words do not tell. obj: folded."""
    words = obj.split()
    words = words[: next((at for at, word in enumerate(words) if word in word_class("relation")), len(words))]
    plain = 1 < len(words) <= _FEW and all(word.isalpha() and word not in word_class("relation") for word in words)
    return words[-1] if plain else ""
