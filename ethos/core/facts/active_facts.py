"""The active facts of a ledger, found by their key, by their subject, or by the words in them."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Hashable, Sequence
from functools import lru_cache
from typing import TypeVar

from ethos.core.facts.containment import names
from ethos.core.facts.purpose import purpose_of
from ethos.core.facts.statement import key_of
from ethos.core.model.keys import FactKey
from ethos.core.model.records import Fact
from ethos.core.recall.stemming import stem
from ethos.core.text import folding
from ethos.core.text.language.lexicon import word_class
from ethos.core.text.language.phrasing import sure_words

Subject = tuple[str, str, str]  # user, project, folded subject
Scope = tuple[str, str]  # user, project
Place = TypeVar("Place", bound=Hashable)


def subject_of(fact: Fact) -> Subject:
    """Return whom a fact is about, in which project."""
    return fact.user, fact.project, fact.subject_key


class ActiveFacts:
    """Hold facts as long as they are active. fact: gives the present version of one by its id."""

    def __init__(self, fact: Callable[[str], Fact]) -> None:
        self._fact = fact
        self._placed: dict[str, tuple[FactKey, Subject, tuple[str, ...]]] = {}  # id -> where it stands, to be taken out again
        self._ids: dict[FactKey | Subject, dict[str, None]] = defaultdict(dict)
        self._by_word: dict[Scope, dict[str, dict[str, None]]] = defaultdict(lambda: defaultdict(dict))

    def put(self, fact: Fact) -> None:
        """Take a fact in, or in the place of its last version; one that is not active is taken out."""
        if not fact.active:
            self.discard(fact.id)
            return
        key, subject, words = places = key_of(fact), subject_of(fact), _words(fact)
        if self._placed.get(fact.id) != places:
            self.discard(fact.id)
            self._placed[fact.id] = places
            self._ids[key][fact.id] = self._ids[subject][fact.id] = None
            by_word = self._by_word[subject[:2]]
            for word in words:
                by_word[word][fact.id] = None

    def discard(self, fact_id: str) -> None:
        """Take a fact out, if it is in."""
        placed = self._placed.pop(fact_id, None)
        if placed is None:
            return
        key, subject, words = placed
        scope = subject[:2]
        by_word = self._by_word[scope]
        for place in (key, subject):
            _take_out(self._ids, place, fact_id)
        for word in words:
            _take_out(by_word, word, fact_id)
        if not by_word:
            del self._by_word[scope]

    def number(self, place: FactKey | Subject) -> int:
        """Return how many facts stand under a key, or are about a subject."""
        return len(self._ids.get(place, ()))

    def ids(self, place: FactKey | Subject) -> Sequence[str]:
        """Return the ids of the facts under a key, or about a subject."""
        return tuple(self._ids.get(place, ()))

    def at(self, place: FactKey | Subject) -> list[Fact]:
        """Return the facts under a key, or about a subject."""
        return [self._fact(id_) for id_ in self._ids.get(place, ())]

    def naming(self, user: str, project: str, phrase: str) -> list[Fact]:
        """Return the facts of this user and project in whose words those of a folded phrase stand one after another."""
        by_word = self._by_word.get((user, project), {})
        having = [by_word.get(word, {}) for word in folding.tokens(phrase)]
        if not (having and all(having)):  # so with most
            return []
        rarest = min(having, key=len)
        facts = map(self._fact, rarest)
        return [
            fact for fact in facts if any(names(key, phrase) for key in (fact.object_key, *_about(fact))) and _in_sentence(phrase, fact)
        ]


def _take_out(ids: dict[Place, dict[str, None]], place: Place, fact_id: str) -> None:
    """Take a fact out of a place, and the place with the last one."""
    there = ids[place]
    del there[fact_id]
    if not there:
        del ids[place]


def _about(fact: Fact) -> tuple[str, ...]:
    """Return the folded words of a fact but for its object, and its thing as it was said, for which another noun may stand in the key."""
    return fact.subject_key, folding.key(fact.subject).rpartition("'s ")[2], fact.predicate_key, purpose_of(fact)


def _in_sentence(phrase: str, fact: Fact) -> bool:
    """Return whether the sentence of a fact has the words of a phrase, as a store's index of sentences reads them: a word that stands in
    its key alone ("launch" of "we go live") finds it nowhere.
    """
    words = sure_words(phrase)
    return not words or {stem(words[0]), stem(words[-1])} <= _stems(fact.statement)


@lru_cache(2_048)
def _stems(sentence: str) -> frozenset[str]:
    return frozenset(map(stem, sure_words(folding.key(sentence))))


def _words(fact: Fact) -> tuple[str, ...]:
    """Return each word of a fact once, but for verbs that say little."""
    light = word_class("light")
    subject_key, subject, _, purpose = _about(fact)
    words = dict.fromkeys((*folding.tokens(fact.object_key), *folding.tokens(subject_key), *folding.tokens(subject)))
    if purpose:
        words |= dict.fromkeys(folding.tokens(purpose))
    return (*(words | dict.fromkeys([word for word in folding.tokens(fact.predicate_key) if word not in light])),)
