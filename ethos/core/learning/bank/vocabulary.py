"""The words by which memories are compared: a list of the package (`words/likeness.toml`), read when the first is asked for."""

from __future__ import annotations

import pkgutil
import tomllib
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any

from ethos.core.recall.terms import STOP_WORDS, folded, term_of

Phrase = tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Vocabulary:
    """Words and phrases, folded. Those that are compared with terms are terms themselves.

    same: phrase of words -> the term that stands for it. sizes: first term of phrases of several words -> their lengths, the longest first.
    apart: term -> the groups of which it is a member. left_out: terms that two memories may differ in. spelled: a term -> its words.
    """

    same: Mapping[Phrase, str]
    sizes: Mapping[str, tuple[int, ...]]
    apart: Mapping[str, frozenset[int]]
    opposite_prefixes: tuple[str, ...]
    negations: frozenset[str]
    conditions: frozenset[str]
    relations: frozenset[str]
    conjunctions: frozenset[str]
    leading: frozenset[str]
    modals: frozenset[Phrase]
    be: frozenset[str]
    numbers: Mapping[str, str]
    left_out: frozenset[str]
    names: frozenset[str]
    spelled: Mapping[str, tuple[str, ...]]

    def canonical(self, words: Sequence[str]) -> list[str]:
        """Return the words with every phrase of `same` put as the one term that stands for it, and all else as terms."""
        terms = [term_of(word) for word in words]
        found: list[str] = []
        at = 0
        while at < len(terms):
            size = next((size for size in self.sizes.get(terms[at], ()) if tuple(terms[at : at + size]) in self.same), 1)
            bare = size == 1 and words[at] in STOP_WORDS  # "on" is no "one", though their terms are alike
            found.append(terms[at] if bare else self.same.get(tuple(terms[at : at + size]), terms[at]))
            at += size
        return found

    def synonyms(self, term: str) -> tuple[str, ...]:
        """Return the single words that a term stands for, as terms."""
        return self.spelled.get(term, ())


def table(name: str) -> Mapping[str, Any]:
    """Return a list of words of the package."""
    return tomllib.loads((pkgutil.get_data("ethos.core.learning.bank", f"words/{name}.toml") or b"").decode())


@cache
def vocabulary() -> Vocabulary:
    """Return the vocabulary of the package."""
    return parse(table("likeness"))


def parse(data: Mapping[str, Any]) -> Vocabulary:
    """Make a vocabulary of a table. Raises `KeyError`."""
    same: dict[Phrase, str] = {}
    for group in data["same"]:
        first = same.get(_phrase(group[0]), " ".join(_phrase(group[0])))
        for each in group:
            same.setdefault(_phrase(each), first)
    apart: dict[str, set[int]] = {}
    for number, group in enumerate(data["apart"]):
        for each in group:
            apart.setdefault(same.get(_phrase(each), term_of(folded(each))), set()).add(number)
    negations, relations = _words(data["negations"]), _words(data["relations"])
    return Vocabulary(
        same=same,
        sizes=_sizes(same),
        apart={term: frozenset(groups) for term, groups in apart.items()},
        opposite_prefixes=tuple(data["opposite_prefixes"]),
        negations=negations,
        conditions=_words(data["conditions"]),
        relations=relations,
        conjunctions=_words(data["conjunctions"]),
        leading=_words(data["conjunctions"]) | _words(data["leading"]),
        modals=frozenset(tuple(folded(each).split()) for each in data["modals"]),
        be=_words(data["be"]),
        numbers=data["numbers"],
        left_out=frozenset(map(term_of, (*data["general"].split(), *negations, *relations, *STOP_WORDS))),
        names=_words(data["names"]),
        spelled=_spelled(same),
    )


def _sizes(same: Mapping[Phrase, str]) -> Mapping[str, tuple[int, ...]]:
    found: dict[str, set[int]] = {}
    for phrase in same:
        if len(phrase) > 1:
            found.setdefault(phrase[0], set()).add(len(phrase))
    return {term: tuple(sorted(sizes, reverse=True)) for term, sizes in found.items()}


def _spelled(same: Mapping[Phrase, str]) -> Mapping[str, tuple[str, ...]]:
    found: dict[str, list[str]] = {}
    for phrase, term in same.items():
        if len(phrase) == 1:
            found.setdefault(term, []).append(phrase[0])
    return {term: tuple(words) for term, words in found.items()}


def _key(words: Iterable[str]) -> Phrase:
    return tuple(map(term_of, words))


def _phrase(text: str) -> Phrase:
    return _key(folded(text).split())


def _words(listed: Collection[str]) -> frozenset[str]:
    return frozenset(map(folded, listed))
