"""A shelf: the active facts under one key where there are many, kept so that a claim is weighed without a look at each of them."""

from __future__ import annotations

from bisect import bisect_left, insort
from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator
from datetime import datetime
from heapq import merge

from ethos.core.facts.statement import Statement
from ethos.core.facts.weighing import Relation, alone, needs_no_word, rank, takes_any_place, weigh, weigh_latest
from ethos.core.model.records import Fact
from ethos.core.model.settings import ConflictSettings
from ethos.core.text import folding

MANY = 64  # from how many facts under a key on a shelf is worth its making

Rank = tuple[object, ...]


class Shelf:
    """The facts in the order in which they are compared, and where each of their words stands."""

    def __init__(self, facts: Iterable[Fact]) -> None:
        self._facts: dict[str, Fact] = {}
        self._ranked: list[tuple[Rank, str]] = []
        self._wanting: list[tuple[Rank, str]] = []  # those that may collide with what has no word in common with them
        self._by_word: dict[str, dict[str, None]] = defaultdict(dict)
        self._wordless: dict[str, None] = {}
        self._latest: datetime | None = None
        for fact in facts:
            self._add(fact)
        self._ranked = sorted((rank(fact), fact.id) for fact in self._facts.values())
        self._wanting = [each for each in self._ranked if needs_no_word(self._facts[each[1]])]

    def put(self, fact: Fact) -> None:
        """Put a fact in the place of its last version; one that is not active leaves."""
        before = self._facts.pop(fact.id, None)
        if before is not None:
            for order in self._orders(before):
                del order[bisect_left(order, (rank(before), before.id))]
            for word in _words(before):
                del self._by_word[word][before.id]
            self._wordless.pop(before.id, None)
        if fact.active:
            self._add(fact)
            for order in self._orders(fact):
                insort(order, (rank(fact), fact.id))

    def _orders(self, fact: Fact) -> list[list[tuple[Rank, str]]]:
        return [self._ranked, self._wanting] if needs_no_word(fact) else [self._ranked]

    def _add(self, fact: Fact) -> None:
        """Take an active fact in, but for its place in the order."""
        self._facts[fact.id] = fact
        self._latest = max(self._latest or fact.last_said, fact.last_said)
        for word in _words(fact):
            self._by_word[word][fact.id] = None
        if not all(map(folding.tokens, filter(None, (fact.object_key, fact.over, fact.replaces)))):
            self._wordless[fact.id] = None

    def weigh(self, new: Statement, without: Collection[Fact], settings: ConflictSettings) -> Relation:
        """Return the verdict of `weighing.weigh` on a claim against all facts of the shelf but `without`."""
        gone = {fact.id for fact in without}
        if settings.containment != "token" or (self._latest is not None and self._latest > new.said_at):
            return weigh(new, [fact for fact in self._facts.values() if fact.id not in gone], settings)
        sharing = [fact for fact in self._sharing(new) if fact.id not in gone]
        if alone(new, settings):
            return weigh(new, sharing, settings)
        return weigh_latest(new, sharing, (fact for fact in self._reached(new, sharing, settings) if fact.id not in gone), settings)

    def _reached(self, new: Statement, sharing: Iterable[Fact], settings: ConflictSettings) -> Iterator[Fact]:
        """Yield, by rank, every fact that the claim could collide with: what shares a word with it, and what needs no word for it."""
        if takes_any_place(new, settings):
            return (self._facts[id_] for _, id_ in self._ranked)
        near = sorted((rank(fact), fact.id) for fact in sharing if not needs_no_word(fact))
        return (self._facts[id_] for _, id_ in merge(near, self._wanting))

    def _sharing(self, new: Statement) -> list[Fact]:
        """Return the facts that have a word in common with the claim."""
        words = [word for said in (new.object_key, new.over_key, new.replaces_key) if said for word in folding.tokens(said)]
        found = {id_: None for word in words for id_ in self._by_word.get(word, ())} | self._wordless
        return [self._facts[id_] for id_ in found]


def _words(fact: Fact) -> set[str]:
    return {word for said in (fact.object_key, fact.over, fact.replaces) if said for word in folding.tokens(said)}
