"""Trace back from each breakthrough to the episodes that led to it (L-05 to L-11, L-29 to L-31).

The walk goes from the latest earlier episode backwards, within the window and on the same day, and takes what is related. Where a
transcript gives the turns of a session one time, the earlier one is the one that stands before the other in its source. The first
design visits every earlier episode for every breakthrough; here the only ones visited are those that can be related: of the same
session, with a tag in common, or alike in words. A chain stops at its greatest length, so the work grows with the day, not its square.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right, insort
from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Sequence
from datetime import timedelta
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
    if not candidate.before(breakthrough) or candidate.project != breakthrough.project:
        return None
    if hours(candidate.at, breakthrough.at) > settings.max_chain_hours:
        return None
    if candidate.session == breakthrough.session:
        return Relation.SESSION
    if words and words > max(settings.similarity, settings.min_similarity):
        return Relation.WORDS
    if len(candidate.tags & breakthrough.tags) >= settings.shared_tags:
        return Relation.TAGS
    if not topic or (cursor.at - candidate.at).total_seconds() >= settings.topic_gap_seconds:
        return None
    return Relation.TOPIC if topic > max(settings.topic_similarity, settings.min_similarity) else None


class Day:
    """The episodes of one day, ready to be traced back through."""

    def __init__(self, moments: Iterable[Moment], settings: ReplaySettings) -> None:
        self.moments: Sequence[Moment] = sorted(moments, key=lambda moment: moment.order)
        self._settings = settings
        self._place = {moment.id: at for at, moment in enumerate(self.moments)}
        self._sessions: dict[str, list[int]] = defaultdict(list)
        self._tags: dict[str, list[int]] = defaultdict(list)
        for at, moment in enumerate(self.moments):
            self._sessions[moment.session].append(at)
            for tag in moment.tags:
                self._tags[tag].append(at)
        gap = timedelta(seconds=settings.topic_gap_seconds)
        self._times = [moment.at for moment in self.moments]
        self._near = [bisect_right(self._times, at - gap) for at in self._times]  # from where on one may be on the topic of this one
        self._likenesses = Likenesses((moment.terms for moment in self.moments), settings.min_similarity)

    def chains(self, found: Iterable[Breakthrough]) -> tuple[Chain, ...]:
        """Return the chain of each breakthrough that has one, in the order of the breakthroughs."""
        chains = (self.trace_back(one) for one in found)
        return tuple(chain for chain in chains if len(chain.links) >= self._settings.min_chain_length)

    def trace_back(self, breakthrough: Breakthrough) -> Chain:
        """Return the breakthrough with the latest related episodes before it."""
        end, settings, moments = breakthrough.moment, self._settings, self.moments
        cursor = self._place[end.id]
        earliest = bisect_left(self._times, end.at - timedelta(hours=settings.max_chain_hours), 0, cursor)
        like_end = like_cursor = self._likenesses.earlier(cursor)
        links = [Link(end)]
        waiting = _Waiting((*self._before(self._sessions[end.session], cursor), *self._tagged(end, cursor), *like_end))
        for visited, at in enumerate(waiting):
            if visited >= settings.max_candidates or at < earliest:
                break
            candidate = moments[at]
            if candidate.project != end.project:
                continue
            # whatever is not found to be like a text counts as not like it at all
            words, topic = like_end.get(at, 0.0), like_cursor.get(at, 0.0)
            why = relation(candidate, end, moments[cursor], words=words, topic=topic, settings=settings)
            if why is not None:
                links.append(Link(candidate, why))
                if len(links) >= settings.max_chain_length:
                    break
                cursor, like_cursor = at, self._likenesses.earlier(at, self._near[at])
                waiting.add(like_cursor)
        return Chain(breakthrough, tuple(reversed(links)))

    def _tagged(self, end: Moment, place: int) -> Collection[int]:
        """Return the places before one that have enough tags in common with it."""
        least = max(1, self._settings.shared_tags)
        having: list[set[int]] = [set() for _ in range(least + 1)]  # by how many of the tags looked at so far, or more
        for tag in end.tags if len(end.tags) >= least else ():
            places = self._before(self._tags[tag], place)
            for shared in range(least, 1, -1):
                having[shared].update(having[shared - 1].intersection(places))
            having[1].update(places)
        return having[least]

    def _before(self, places: Sequence[int], place: int) -> Sequence[int]:
        """Return the last of the places before one: as many as are looked at for one chain."""
        end = bisect_left(places, place)
        return places[max(0, end - self._settings.max_candidates) : end]


class _Waiting:
    """Places still to be visited, the latest first, each once. What is earlier than the place visited may be added on the way."""

    def __init__(self, places: Iterable[int]) -> None:
        self._places = sorted(places)  # the next one last

    def add(self, places: Iterable[int]) -> None:
        for place in places:
            insort(self._places, place)

    def __iter__(self) -> Iterator[int]:
        places, last = self._places, -1
        while places:
            place = places.pop()
            if place != last:  # what was given several times comes several times in a row
                last = place
                yield place
