"""Trace back from each breakthrough to the episodes that led to it (L-05 to L-11, L-29 to L-31).

The walk goes from the latest earlier episode backwards, within the window and on the same day, and takes what is related. The first
design visits every earlier episode for every breakthrough; here the only ones visited are those that can be related: of the same
session, with a tag in common, or alike in words. A chain stops at its greatest length, so the work grows with the day, not its square.
"""

from __future__ import annotations

import heapq
from bisect import bisect_left
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from itertools import islice
from typing import NamedTuple

from ethos.core.learning.chains.breakthrough import Breakthrough
from ethos.core.learning.chains.likeness import Likenesses
from ethos.core.learning.chains.moment import Moment, hours
from ethos.core.model.settings import ReplaySettings
from ethos.core.model.traces import Relation


class Link(NamedTuple):
    """An episode of a chain, and why it is in it. The breakthrough itself is of its own session."""

    moment: Moment
    relation: Relation = Relation.SESSION


class Chain(NamedTuple):
    """What led to a breakthrough, in the order of time; the breakthrough is last."""

    breakthrough: Breakthrough
    links: tuple[Link, ...]

    @property
    def moments(self) -> tuple[Moment, ...]:
        """Return the episodes in the order of time."""
        return tuple(link.moment for link in self.links)


def relation(
    candidate: Moment, breakthrough: Moment, cursor: Moment, *, words: float, topic: float, settings: ReplaySettings
) -> Relation | None:
    """Return why an earlier episode is related, None where it is not.

    words: its likeness to the breakthrough; topic: its likeness to the cursor, the earliest episode taken so far. Both 0..1.
    """
    gap = hours(candidate.at, breakthrough.at)
    if not 0 < gap <= settings.max_chain_hours or candidate.project != breakthrough.project:
        return None
    if candidate.session == breakthrough.session:
        return Relation.SESSION
    if words > max(settings.similarity, settings.min_similarity):
        return Relation.WORDS
    if len(candidate.tags & breakthrough.tags) >= settings.shared_tags:
        return Relation.TAGS
    near = (cursor.at - candidate.at).total_seconds() < settings.topic_gap_seconds
    return Relation.TOPIC if near and topic > max(settings.topic_similarity, settings.min_similarity) else None


class Day:
    """The episodes of one day, ready to be traced back through."""

    def __init__(self, moments: Iterable[Moment], settings: ReplaySettings) -> None:
        self.moments: Sequence[Moment] = sorted(moments, key=lambda moment: (moment.at, moment.id))
        self._settings = settings
        self._place = {moment.id: at for at, moment in enumerate(self.moments)}
        self._sessions: dict[str, list[int]] = defaultdict(list)
        self._tags: dict[str, list[int]] = defaultdict(list)
        for at, moment in enumerate(self.moments):
            self._sessions[moment.session].append(at)
            for tag in moment.tags:
                self._tags[tag].append(at)
        self._likenesses = Likenesses([moment.text for moment in self.moments], settings.min_similarity)

    def chains(self, found: Iterable[Breakthrough]) -> tuple[Chain, ...]:
        """Return the chain of each breakthrough that has one, in the order of the breakthroughs."""
        chains = (self.trace_back(one) for one in found)
        return tuple(chain for chain in chains if len(chain.links) >= self._settings.min_chain_length)

    def trace_back(self, breakthrough: Breakthrough) -> Chain:
        """Return the breakthrough with the latest related episodes before it."""
        end = breakthrough.moment
        cursor = self._place[end.id]
        links = [Link(end)]
        waiting = _Waiting()
        waiting.add(self._before(self._sessions[end.session], cursor))
        waiting.add(self._tagged(end, cursor))
        waiting.add(self._likenesses.earlier(cursor))
        for visited, at in enumerate(waiting):
            candidate = self.moments[at]
            if (
                len(links) >= self._settings.max_chain_length
                or visited >= self._settings.max_candidates
                or hours(candidate.at, end.at) > self._settings.max_chain_hours
            ):
                break
            why = self._relation(at, candidate, end, cursor)
            if why is not None:
                links.append(Link(candidate, why))
                cursor = at
                waiting.add(self._likenesses.earlier(at))
        return Chain(breakthrough, tuple(reversed(links)))

    def _relation(self, at: int, candidate: Moment, end: Moment, cursor: int) -> Relation | None:
        """Return why a candidate is related. Whatever is not found to be like a text counts as not like it at all."""
        words = self._likenesses.earlier(self._place[end.id]).get(at, 0.0)
        topic = self._likenesses.earlier(cursor).get(at, 0.0)
        return relation(candidate, end, self.moments[cursor], words=words, topic=topic, settings=self._settings)

    def _tagged(self, end: Moment, place: int) -> list[int]:
        """Return the places before one that have enough tags in common with it, the latest first."""
        most = self._settings.max_candidates
        counted = Counter(at for tag in end.tags for at in islice(self._before(self._tags[tag], place), most))
        return sorted((at for at, shared in counted.items() if shared >= self._settings.shared_tags), reverse=True)

    def _before(self, places: Sequence[int], place: int) -> Iterator[int]:
        """Yield the places before one, the latest first."""
        return (places[at] for at in range(bisect_left(places, place) - 1, -1, -1))


class _Waiting:
    """Places still to be visited, the latest first, each once, from several descending lists. Lists may be added on the way."""

    def __init__(self) -> None:
        self._heads: list[tuple[int, int, Iterator[int]]] = []
        self._lists = 0
        self._seen: set[int] = set()

    def add(self, places: Iterable[int]) -> None:
        self._lists += 1
        self._push(iter(places), self._lists)

    def _push(self, places: Iterator[int], number: int) -> None:
        for place in places:
            heapq.heappush(self._heads, (-place, number, places))
            return

    def __iter__(self) -> Iterator[int]:
        while self._heads:
            negative, number, places = heapq.heappop(self._heads)
            self._push(places, number)
            if -negative not in self._seen:
                self._seen.add(-negative)
                yield -negative
