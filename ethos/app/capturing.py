"""Capturing: episodes come in, once each. Their text never changes afterwards, and what a person had forgotten stays out."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import islice

from ethos.app.erasing import buried
from ethos.app.means import Means
from ethos.core.plan import Group, Plan
from ethos.core.records import Episode
from ethos.core.salience import fresh

CHUNK = 1_000  # episodes a transaction


@dataclass(frozen=True, slots=True)
class Captured:
    """What a capture did. `changed`: ids held already, with another text; an episode's text never changes, so they stay as they were."""

    added: int = 0
    known: int = 0
    changed: tuple[str, ...] = ()
    forgotten: int = 0  # left out, because a person had them forgotten


def capture(means: Means, episodes: Iterable[Episode], *, live: bool) -> Captured:
    """Put episodes, chunk by chunk; those already held stay as they are. live: a session event (E-03)."""
    incoming = iter(episodes)
    total = Captured()
    while chunk := list(islice(incoming, CHUNK)):
        total = _chunk(means, chunk, total, live=live)
    return total


def _chunk(means: Means, chunk: Sequence[Episode], so_far: Captured, *, live: bool) -> Captured:
    with means.store.begin(write=True) as work:
        held = work.episodes([episode.id for episode in chunk])
        first: dict[str, Episode] = {}
        for episode in chunk:
            first.setdefault(episode.id, episode)
        changed = tuple(e.id for e in chunk if (held.get(e.id) or first[e.id]).text != e.text)
        left_out = buried(work, (e for e in first.values() if e.id not in held), means.seal)
        groups = tuple(
            Group(e.id, (e, fresh(e.id, e.kind, e.importance, e.captured_at, means.settings.decay, tone=e.tone)))
            for e in first.values()
            if e.id not in held and e.id not in left_out
        )
        work.apply(Plan(groups), "")
        if live:
            for session in {e.session for e in chunk}:
                work.record_live_capture(session, means.clock.now())
    known = len(chunk) - len(groups) - len(changed) - len(left_out)
    return Captured(so_far.added + len(groups), so_far.known + known, so_far.changed + changed, so_far.forgotten + len(left_out))
