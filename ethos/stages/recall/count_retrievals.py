"""Retrieve: what being recalled does to a record (E-09; docs/requirements.md, Settled).

A retrieval counts once a record and session; it lifts the record's salience, and an episode retrieved often enough is read again.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial

from ethos.core.history.salience import retrieved
from ethos.core.model.plan import ChangeSet, Plan
from ethos.core.model.records import EpisodeState, Record, Salience
from ethos.core.passes.context import Context
from ethos.core.passes.stage import Stage
from ethos.core.ports.queries import Hit
from ethos.core.ports.store import Work


@dataclass(frozen=True, slots=True)
class Needs:
    """The records that were returned and not yet counted in this session."""

    salience: Mapping[str, Salience]
    marks: Mapping[str, EpisodeState]


def gather(hits: Sequence[Hit], session: str, work: Work, ctx: Context) -> Needs:  # noqa: ARG001 (every stage's gather ends in this form)
    """Return how alive they are, and how far the episodes among them have come."""
    ids = [hit.id for hit in hits]
    counted = work.retrieved(ids, session)
    fresh = [hit for hit in hits if hit.id not in counted]
    return Needs(work.salience([h.id for h in fresh]), work.marks([h.id for h in fresh if h.type == "episode"]))


def decide(needs: Needs, ctx: Context) -> Plan:
    """Lift each record; an unpromoted episode that has now been asked for often enough loses its scanned mark (E-09, X-E8)."""
    threshold = ctx.settings.consolidation.retrieval_threshold
    groups = []
    for held in needs.salience.values():
        lifted = retrieved(held, ctx.now, ctx.settings.decay)
        puts: tuple[Record, ...] = (lifted,)
        mark = needs.marks.get(held.record)
        if mark is not None and mark.consolidated_at is None and lifted.retrievals == threshold:
            puts += (EpisodeState(mark.episode, None, None, None, mark.attempts, mark.set_aside, mark.pruned),)
        groups.append(ChangeSet(held.record, puts))
    return Plan(tuple(groups))


def count(hits: Sequence[Hit], session: str) -> Stage[Needs]:
    """Return the stage that counts these hits as retrieved in this session."""
    return Stage("retrieve", partial(gather, hits, session), decide)
