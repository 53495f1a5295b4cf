"""Telling turns: those, of the unit or read before it, that may say that a fact has changed.

A late matter can have as many turns as facts. So the turns are kept by their words, and a fact is held beside those alone that share one.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Hashable, Iterable, Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import replace
from datetime import UTC, datetime
from heapq import heapify, heappop, heappush
from itertools import chain, count
from typing import TypeVar

from ethos.core.facts.changeable import anchors
from ethos.core.facts.changes import ReadTurn, read_turns
from ethos.core.facts.naming import deed_alone, doing
from ethos.core.facts.nearby import sought
from ethos.core.facts.purpose import purpose_of
from ethos.core.facts.statement import key_of, object_key_of
from ethos.core.facts.topics import topic_of
from ethos.core.facts.values import value_words
from ethos.core.model.records import Fact
from ethos.core.passes.context import Context
from ethos.core.ports.store import Work
from ethos.core.text import folding
from ethos.core.text.language.mentions import stem
from ethos.core.text.language.stations import station_of

Node = TypeVar("Node")

_NEVER, _EVER = datetime.max.replace(tzinfo=UTC), datetime.min.replace(tzinfo=UTC)
_LOT = 500  # turns that are read at once
_MOST_TOLD = 5_000  # facts of which it is kept what turns tell of them


class _Told:
    """What turns tell of a fact."""

    __slots__ = ("becomes", "latest", "seen", "turns")

    def __init__(self) -> None:
        self.turns: list[ReadTurn] = []
        self.latest = _EVER  # when the last of them was said
        self.becomes: dict[tuple[str, str | None], list[datetime]] = {}  # object, and what it replaces -> when that was said
        self.seen = 0  # turns that were looked at


class TellingTurns:
    """Finds the turns that speak of facts, each looked for once in a pass."""

    def __init__(self, work: Work, ctx: Context) -> None:
        """Create an empty cache of turns over this store."""
        self._work = work
        self._ctx = ctx
        self._looked_up: set[tuple[str, str]] = set()
        self._turns: dict[str, ReadTurn] = {}
        self._read: set[str] = set()  # ids of the turns that are known to tell a change, or to tell none
        self._by_word: dict[str, dict[str, ReadTurn]] = defaultdict(dict)
        self._numbers: dict[str, int] = {}  # in which the turns came in
        self._words: dict[Hashable, tuple[Sequence[str], Sequence[str]]] = {}
        self._told: dict[Hashable, _Told] = {}

    def resume(self, work: Work) -> TellingTurns:
        """Go on in the next unit."""
        self._work = work
        return self

    @property
    def size(self) -> int:
        """Return how much it keeps, in facts and turns."""
        return len(self._words) + len(self._read)

    def speaking_of(self, facts: Iterable[Fact]) -> dict[str, ReadTurn]:
        """Return, by their ids, the turns that may speak of one of these facts, or of what a turn may have made of it."""
        found: dict[str, ReadTurn] = {}
        for _, fact, told, _ in self._walk(((fact, fact) for fact in facts), {}):
            found |= {turn.utterance.id: turn for turn in told.turns if fact.valid_from < turn.utterance.said_at}
        return found

    def made_of(self, nodes: Iterable[tuple[Node, Fact]], known: dict[Hashable, datetime]) -> Iterator[tuple[Node, Fact, Sequence[Fact]]]:
        """Yield facts of which a turn may speak, and what turns may have made of facts, each with what turns may make of it.

        known: facts, and since when each has been true, of which it is known what turns made of them.
        """
        for node, fact, told, made in self._walk(nodes, known):
            if fact.valid_from < told.latest:
                yield node, fact, made

    def _walk(
        self, nodes: Iterable[tuple[Node, Fact]], known: dict[Hashable, datetime]
    ) -> Iterator[tuple[Node, Fact, _Told, Sequence[Fact]]]:
        """Yield facts, with what turns tell of each and make of it, and then the same of what they made.

        What a turn made of a fact is true since that turn, so only a later one makes something of it again, and the walk comes to an end.
        Earlier facts come first: whatever is told of a fact is told of the same fact that was true before, too, so it is not looked for
        again.
        """
        left = [(fact.valid_from, at, node, fact) for at, (node, fact) in enumerate(nodes)]
        heapify(left)
        numbers = count(len(left))
        self._find(fact for *_, fact in left)
        while left:
            since, _, node, fact = heappop(left)
            if known.get(same := _content(fact), _NEVER) <= since:
                continue
            known[same] = since
            told = self._told_of(same, fact)
            becomes = [(each, [at for at in times if since < at]) for each, times in told.becomes.items()]
            made = [
                replace(fact, object=obj, object_key=object_key_of(fact, obj), replaces=old, valid_from=min(later))
                for (obj, old), later in becomes
                if later
            ]
            yield node, fact, told, made
            self._find(made)
            for new in made:
                if known.get(_content(new), _NEVER) > new.valid_from:
                    heappush(left, (new.valid_from, next(numbers), node, new))

    def _told_of(self, same: Hashable, fact: Fact) -> _Told:
        """Return what turns tell of a fact; each is held beside it once in a pass. same: `_content` of the fact, by which it is kept."""
        told = self._told.get((same, fact.subject)) or _Told()
        for turn in self._sharing(fact, told.seen):
            if turn.speaks_of(fact):
                told.turns.append(turn)
                at = turn.utterance.said_at
                told.latest = max(told.latest, at)
                for new in turn.successors(fact, self._ctx.rules.class_of):
                    each = (new.object, new.replaces)
                    told.becomes.setdefault(each, []).append(at)
        told.seen = len(self._numbers)
        if len(self._told) < _MOST_TOLD:
            self._told[same, fact.subject] = told
        return told

    def _find(self, facts: Iterable[Fact]) -> None:
        """Load the turns that have the words of one of these facts."""
        wanted = {(fact.user, word) for fact in facts for word in self._words_of(fact)[0]} - self._looked_up
        self._looked_up |= wanted
        if wanted:
            self._load(self._work.turns_with(wanted))

    def _load(self, turns: AbstractSet[str]) -> None:
        """Read those of these turns that were not read yet."""
        new = sorted(turns - self._read)
        self._read.update(new)
        for start in range(0, len(new), _LOT):  # most of them tell no change, and are not kept
            self.take(read_turns(self._work.utterances(new[start : start + _LOT])))

    def having(self, users: Collection[str], words: Collection[str]) -> Sequence[ReadTurn]:
        """Return the turns that have one of these words; and those with a word of what these give up, which another may have told of."""
        asked: set[tuple[str, str]] = set()
        found: dict[str, ReadTurn] = {}
        while wanted := {(user, word) for user in users for word in words} - asked:
            asked |= wanted
            ids = self._work.turns_with(wanted)
            self._load(ids)
            new = {id_: self._turns[id_] for id_ in sorted(ids - found.keys()) if id_ in self._turns}
            found |= new
            words = {word for turn in new.values() for phrase in turn.given_up for word in sought(phrase)}
        return [*found.values()]

    def any_tells_of(self, fact: Fact, among: Collection[str]) -> bool:
        """Return whether one of these turns, which were found, speaks of a fact."""
        return any(turn.utterance.id in among for turn in self._told_of(_content(fact), fact).turns)

    def take(self, turns: Mapping[str, ReadTurn]) -> None:
        """Take in turns of a unit, which the store may not have as read yet."""
        self._read.update(turns)
        self._turns.update(turns)
        for id_, turn in turns.items():
            self._numbers.setdefault(id_, len(self._numbers))
            for word in _spoken_by(turn):
                self._by_word[word][id_] = turn

    def _sharing(self, fact: Fact, seen: int) -> Sequence[ReadTurn]:
        """Return the turns that have a word in common with a fact, in the order in which they came in, without the first so many."""
        found: dict[str, ReadTurn] = {}
        for word in self._words_of(fact)[1]:
            for id_, turn in reversed(self._by_word.get(word, {}).items()):
                if self._numbers[id_] < seen:
                    break
                found[id_] = turn
        return [found[id_] for id_ in sorted(found, key=self._numbers.__getitem__)]

    def _words_of(self, fact: Fact) -> tuple[Sequence[str], Sequence[str]]:
        """Return the words by which the store is asked for turns that speak of a fact, and those of which such a turn has one.

        The latter are of its value, and of what it is about, whoever speaks.
        """
        same = (_content(fact), fact.subject)
        if (known := self._words.get(same)) is None:
            about = topic_of(fact, "", value_words(fact.object))
            station, _ = station_of(fact.predicate_key, fact.object, fact.subject_key)
            tokens = folding.tokens(f"{fact.object_key} {folding.key(fact.object)}")
            words = (*tokens, *map(stem, tokens), *about, *doing(deed_alone(fact)), *([f"{station}/"] if station else ()))
            known = self._words[same] = anchors(fact), tuple(dict.fromkeys(words))
        return known


def _spoken_by(turn: ReadTurn) -> set[str]:
    """Return the words one of which a fact has that a turn speaks of: of what the turn gives up, and of sentences that give a value."""
    given_up = [folding.tokens(folding.key(each.words)) for each in turn.told.mentions if each.ending.ends]
    given_up += [tuple(map(stem, words)) for words in given_up]
    stations = (f"{each.station}/" for each, _ in turn.told.ended)
    done = (each.ending.done for each in turn.told.mentions if each.ending.doer is not None)
    return set(chain(*given_up, stations, done)).union(*(spoken.stems for spoken in turn.told.spoken))


def _content(fact: Fact) -> Hashable:
    """Return what decides whether a turn speaks of a fact, and what it makes of it, but for when the fact was true."""
    return key_of(fact), fact.object, fact.cardinality, fact.kind, fact.polarity, fact.tense, fact.predicate, purpose_of(fact)
