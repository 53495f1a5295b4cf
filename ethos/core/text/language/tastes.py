"""Tastes: what somebody likes or cannot stand, by a lexicon of the words that tell it (`words/tastes.txt`).

"Is fond of opera", "opera bores me", "went off opera" and "finds opera tedious" speak of one thing, opera, and say which way it goes.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from itertools import product
from typing import NamedTuple

from ethos.core.model.records import Polarity
from ethos.core.text import folding
from ethos.core.text.language.inflection import base_form, predicate_key
from ethos.core.text.language.lexicon import lines_of, word_class
from ethos.core.text.language.scales import stands_on_scale
from ethos.core.text.language.tagging import verb_of
from ethos.core.text.memoize import memoized

_SKIPPED = frozenset("RXUDmu")  # adverbs and determiners between the words of a construction: "am not really a fan of"
_MOST_SKIPPED = 3
_DEGREES = word_class("degrees")
_ME = {"me": ("me", "us"), "my": ("my", "our")}
_VERBS = "VzdngHYBb"


class Construction(NamedTuple):
    """Words that tell a taste: "be fond of _", "_ bore me"."""

    liked: bool
    strength: int  # 1 or 2
    changed: bool  # it was otherwise before
    state: bool  # the first word is a state, not a verb
    denied: str  # "not" or "can't" where only that is said; else ""
    fronted: bool  # what is liked stands before the verb
    words: tuple[str, ...]  # those to find, the anchor first; `_` is not among them
    second: frozenset[str]  # the forms of the second of them; empty where there is none


@cache
def constructions() -> Mapping[str, tuple[Construction, ...]]:
    """Return the constructions by their first word, the longest first; verbs in their base form."""
    found: dict[str, list[Construction]] = {}
    for line in lines_of("tastes"):
        head, _, entries = line.partition(":")
        for entry in entries.split(";"):
            words = entry.split()
            denied = words.pop(0) if words[0] in ("not", "can't") else ""
            fronted = words[0] == "_"
            words = [word for word in words if word != "_"]
            state = words[0].startswith("=")
            words[0] = words[0].removeprefix("=")
            for chosen in product(*(word.split("/") for word in words)):
                second = frozenset(form for word in chosen[1:2] for form in _ME.get(word, (word,)))
                one = Construction(head[0] == "+", int(head[1]), head.endswith("!"), state, denied, fronted, chosen, second)
                found.setdefault(chosen[0], []).append(one)
    return {first: tuple(sorted(each, key=lambda one: -len(one.words))) for first, each in found.items()}


@cache
def taste_verbs() -> frozenset[str]:
    """Return the verbs, in their base form, and the words for states that begin a construction."""
    return frozenset(constructions()) | {"find"}


def is_state(word: str) -> bool:
    """Return whether a word tells a state of somebody by which he likes a thing or not: "fond", "sick"."""
    return any(one.state for one in constructions().get(word, ()))


def follow(one: Construction, words: Sequence[str], tags: str, at: int) -> int:
    """Return where a construction ends that begins with the word at this place; 0 if it does not stand there."""
    place = at + 1
    for wanted in one.words[1:]:
        forms = _ME.get(wanted, (wanted,))
        skipped = 0
        while place < len(words) and words[place] not in forms:
            if skipped == _MOST_SKIPPED or (tags[place] not in _SKIPPED and words[place] not in _DEGREES):
                return 0
            place, skipped = place + 1, skipped + 1
        if place == len(words):
            return 0
        place += 1
    return place


def constructions_at(words: Sequence[str], tags: str, at: int) -> Iterator[tuple[Construction, int]]:
    """Yield the constructions that begin with the word at this place, the longest first, and where each ends."""
    known = constructions()
    verb = verb_of(words[at])
    near = words[at + 1 : at + 2 + _MOST_SKIPPED]
    for one in (*known.get(verb, ()), *(known.get(words[at], ()) if words[at] != verb else ())):
        if one.second and one.second.isdisjoint(near):
            continue  # as most: "be" begins a good part of them
        if (one.state and one.words[0] == words[at]) or (not one.state and tags[at] in _VERBS and one.words[0] == verb):
            end = follow(one, words, tags, at)
            if end:
                yield one, end


class Taste(NamedTuple):
    """Which way a held predicate and its object go, and what they are about."""

    polarity: Polarity
    thing: str


def taste_of(predicate: str, obj: str) -> Taste | None:
    """Return the taste that a predicate and an object tell, not denied; None if they tell none. Both are folded.

    "Finds" takes the word that says which way it goes at the end of its object, or has it itself: "finds opera tedious".
    """
    words = predicate.split()
    if words and base_form(words[0]) == "find":
        for at in (words[1:], obj.split()[1:]):
            if at and (liked := judged(at[-1])) is not None:
                return Taste(liked, thing_liked(obj if len(words) > 1 else obj.rsplit(" ", 1)[0]))
        return None
    words = [word for word in words if word not in _BETWEEN and word not in _DEGREES]
    known = constructions()
    bare = words[:-1] if words[-1:] == ["to"] else words  # "loves to cook" is about cooking, "has come round to tea" about tea
    for start, word in enumerate(words):
        for one in (*known.get(verb_of(word), ()), *known.get(word, ())):
            if not one.fronted and list(one.words[1:]) in (words[start + 1 :], bare[start + 1 :]):
                return Taste("+" if one.liked else "-", thing_liked(obj))
        if word not in _BEFORE:
            return None
    return None


def key_of_taste(predicate: str, obj: str) -> str:
    """Return an object folded, as it is compared; of a taste what it is about. predicate, obj: as they were said."""
    folded = folding.key(obj)
    told = taste_of(predicate_key(predicate), folded)
    return told.thing if told else folded


_BEFORE = word_class("ahead-of-taste")
_BETWEEN = word_class("within-taste")


def judged(word: str) -> Polarity | None:
    """Return which way a word goes that says what somebody finds a thing: "tedious" "-"; None for any other word."""
    if word in word_class("pleasant"):
        return "+"
    return "-" if word in word_class("unpleasant") else None


@memoized(1_024)
def thing_liked(obj: str) -> str:
    """Return what is liked without the words around it, each in its base form: "horror films at all" is "horror". obj: folded."""
    words = list(folding.tokens(obj))
    around, sorts = word_class("around-tastes"), word_class("sorts")
    while len(words) > 1 and words[0] in around:
        del words[0]
    while len(words) > 1 and words[-1] in around:
        del words[-1]
    words = [base_form(word) for word in words]
    if len(words) > 1 and words[-1] in sorts and not stands_on_scale(words[-2]):
        del words[-1]
    return " ".join(words) or obj
