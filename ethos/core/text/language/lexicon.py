"""The lexicon: what is known of words, read once from the lists in `words/`, when the first word is asked for.

The lists are data of the package, as its modules are: they are read through the loader, and change only with a release.
"""

from __future__ import annotations

import pkgutil
import re
from collections.abc import Iterator, Mapping
from functools import cache
from typing import NamedTuple

from ethos.core.model.records import Polarity
from ethos.core.text.language.dates import CALENDAR


def lines_of(name: str) -> Iterator[str]:
    """Yield the lines of a list, without comments and empty ones."""
    data = pkgutil.get_data("ethos.core.text.language", f"words/{name}.txt")
    for line in (data or b"").decode().splitlines():
        if line and line[0] != ";":
            yield line


@cache
def weights_of(name: str) -> Mapping[str, float]:
    """Return the weights of a list by their names, in log odds. Raise ValueError if a line has no name and number."""
    return {sign: float(weight) for sign, weight in (line.split() for line in lines_of(name))}


@cache
def word_classes() -> Mapping[str, frozenset[str]]:
    """Return the words of each class by its name."""
    classes: dict[str, list[str]] = {}
    name = ""
    for line in lines_of("classes"):
        named, colon, words = line.rpartition(":")
        name = named if colon else name
        classes.setdefault(name, []).extend(words.split())
    return {name: frozenset(words) for name, words in classes.items()} | {"calendar": CALENDAR}


@cache
def word_class(name: str) -> frozenset[str]:
    """Return the words of one class. Raise KeyError if there is no such class."""
    return word_classes()[name]


@cache
def phrases_of(name: str) -> frozenset[str]:
    """Return the phrases of a class, in which "_" stands for a blank."""
    return frozenset(word.replace("_", " ") for word in word_class(name))


def pattern_of(*names: str) -> str:
    """Return a pattern for one phrase of these classes, without a group around it; the longest is tried first."""
    phrases = {phrase for name in names for phrase in phrases_of(name)}
    return "|".join(map(re.escape, sorted(phrases, key=lambda phrase: (-len(phrase), phrase))))


class Heads(NamedTuple):
    """The heads of a list `head: phrase; phrase | noun noun`, by each of their phrases and by each of their nouns."""

    by_phrase: Mapping[str, str]
    by_noun: Mapping[str, str]


@cache
def heads_of(name: str) -> Heads:
    """Return the heads of a list by what tells them: "look after" by "take care of", and by "caretaker"."""
    by_phrase: dict[str, str] = {}
    by_noun: dict[str, str] = {}
    for line in lines_of(name):
        head, _, rest = line.partition(":")
        phrases, _, nouns = rest.partition("|")
        by_phrase |= dict.fromkeys(filter(None, map(str.strip, phrases.split(";"))), head)
        by_noun |= dict.fromkeys(nouns.split(), head)
    return Heads(by_phrase, by_noun)


@cache
def _synonyms() -> tuple[re.Pattern[str], Mapping[str, str]]:
    """Return the pattern of a noun that another one stands for, and that other one by it."""
    rows = (line.partition(": ") for line in lines_of("synonyms"))
    nouns = {other.replace("_", " "): noun for noun, _, others in rows for other in others.split()}
    return re.compile(rf"\b(?:{'|'.join(sorted(map(re.escape, nouns), key=len, reverse=True))})\b"), nouns


def with_one_noun(folded: str) -> str:
    """Return folded words with one noun for all that mean the same: "phone number" for "mobile number"."""
    pattern, nouns = _synonyms()
    return pattern.sub(lambda found: nouns[found[0]], folded)


def taste(verb: str) -> Polarity | None:
    """Return which way a verb of taste goes ("love" "+", "hate" "-"); None for any other verb. verb: its base form."""
    if verb in word_class("liking"):
        return "+"
    return "-" if verb in word_class("disliking") else None
