"""Capturing: episodes come in, once each. Their text never changes afterwards, and what a person had forgotten stays out.

What is counted is what the store says: an episode that it refuses is reported, with the file it came from.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import NamedTuple

from ethos.app.dependencies import Dependencies
from ethos.app.erase import buried
from ethos.core.history.salience import initial_salience
from ethos.core.model.ids import episode_id
from ethos.core.model.plan import ChangeSet, Plan
from ethos.core.model.records import Episode
from ethos.core.ports.store import Work

_CHUNK = 1_000  # episodes a transaction
_CHUNK_TEXT = 8 << 20  # characters a transaction, but one episode at least


class Arrival(NamedTuple):
    """An episode that comes in, and the id that an older version may hold it under.

    anywhere: an episode held under that id is this one whatever its project.
    """

    episode: Episode
    former: str = ""
    anywhere: bool = False


class Refusal(NamedTuple):
    """An episode that the store did not take, and why."""

    source: str
    error: str


@dataclass(frozen=True, slots=True)
class Captured:
    """The outcome of a capture. `changed`: ids held already, with another text; an episode's text never changes, so they stay."""

    added: int = 0
    known: int = 0
    changed: tuple[str, ...] = ()
    forgotten: int = 0  # left out, because a person had them forgotten
    refused: tuple[Refusal, ...] = ()
    moved: int = 0  # dated after what is held, since a clock that ran fast had dated that later than now


def capture(deps: Dependencies, episodes: Iterable[Episode | Arrival], *, live: bool) -> Captured:
    """Put episodes, chunk by chunk; those already held stay as they are. live: a session event (E-03)."""
    total = Captured()
    for chunk in _chunks(each if isinstance(each, Arrival) else Arrival(each) for each in episodes):
        total = _chunk(deps, chunk, total, live=live)
    return total


def _chunks(arrivals: Iterable[Arrival]) -> Iterator[list[Arrival]]:
    chunk: list[Arrival] = []
    size = 0
    for arrival in arrivals:
        chunk.append(arrival)
        size += len(arrival.episode.text)
        if len(chunk) >= _CHUNK or size >= _CHUNK_TEXT:
            yield chunk
            chunk, size = [], 0
    if chunk:
        yield chunk


def _chunk(deps: Dependencies, chunk: Sequence[Arrival], so_far: Captured, *, live: bool) -> Captured:
    with deps.store.begin(write=True) as work:
        held, chunk = _held(work, chunk)
        first: dict[str, Episode] = {}
        for arrival in chunk:
            first.setdefault(arrival.episode.id, arrival.episode)
        changed = tuple(e.id for e in (each.episode for each in chunk) if (held.get(e.id) or first[e.id]).text != e.text)
        new = [each for each in chunk if each.episode.id not in held]
        left_out = _left_out(deps, work, new)
        moved = _behind(work, deps.clock.now(), [each for each in first.values() if each.id not in held and each.id not in left_out])
        groups = tuple(
            ChangeSet(e.id, (e, initial_salience(e.id, e.kind, e.importance, e.captured_at, deps.settings.decay, tone=e.tone)))
            for e in (moved.get(each.id, each) for each in first.values())
            if e.id not in held and e.id not in left_out
        )
        refused = tuple(Refusal(first[failure.cause].source, failure.error) for failure in work.apply(Plan(groups), "").failures)
        if live:
            for session in {each.episode.session for each in chunk}:
                work.record_live_capture(session, deps.clock.now())
    added = len(groups) - len(refused)
    known = len(chunk) - len(groups) - len(changed) - len(left_out)
    return Captured(
        so_far.added + added,
        so_far.known + known,
        so_far.changed + changed,
        so_far.forgotten + len(left_out),
        so_far.refused + refused,
        so_far.moved + len(moved),
    )


def _behind(work: Work, now: datetime, new: Sequence[Episode]) -> Mapping[str, Episode]:
    """Return, by their ids, those of these episodes that have the time of receipt where what is held is dated later than now.

    A clock ran fast. Whatever is held was said before they came in, so they are dated after it.
    """
    received = [each for each in new if each.time_source == "received"]
    ends = {user: work.latest_turn(user) for user in {each.user for each in received}}
    after = {user: end + timedelta(microseconds=1) for user, end in ends.items() if end is not None and end > now}
    return {each.id: replace(each, said_at=after[each.user]) for each in received if each.user in after}


def _held(work: Work, chunk: Sequence[Arrival]) -> tuple[Mapping[str, Episode], Sequence[Arrival]]:
    """Return the episodes that are held already, by the ids of these arrivals; and the arrivals, with an id that nobody else has."""
    found = dict(work.episodes([each.episode.id for each in chunk]))
    users = {each.episode.id: each.episode.user for each in chunk}
    taken = {id_ for id_, episode in found.items() if episode.user != users[id_]}
    if taken:  # a given id that another user holds
        chunk = [each._replace(episode=_apart(each.episode)) if each.episode.id in taken else each for each in chunk]
        found |= work.episodes([each.episode.id for each in chunk])
    former = work.episodes([each.former for each in chunk if each.former and each.episode.id not in found])
    for each in chunk:
        old = former.get(each.former)
        if old is not None and old.user == each.episode.user and (each.anywhere or old.project == each.episode.project):
            found.setdefault(each.episode.id, old)
    return found, chunk


def _apart(episode: Episode) -> Episode:
    return replace(episode, id=episode_id("given", episode.user, episode.id))


def _left_out(deps: Dependencies, work: Work, new: Sequence[Arrival]) -> frozenset[str]:
    """Return the ids of those that a person had forgotten, under this id or the former one."""
    former = {each.former: each.episode.id for each in new if each.former}
    by_own = buried(work, (each.episode for each in new), deps.seal)
    by_former = buried(work, (replace(each.episode, id=each.former) for each in new if each.former), deps.seal)
    return by_own | {former[id_] for id_ in by_former}
