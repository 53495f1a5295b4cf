"""Keep a chain as traces: one for each step from an episode to the next (L-22 to L-25, X-L6 to X-L8)."""

from __future__ import annotations

from datetime import date, datetime
from itertools import pairwise

from ethos.core.learning.chains.chain import Chain
from ethos.core.learning.chains.moment import hours
from ethos.core.model.ids import trace_id
from ethos.core.model.settings import ReplaySettings
from ethos.core.model.traces import Trace, TraceType


def prefix(day: date) -> str:
    """Return how the ids of a day's chains begin."""
    return f"chain_{day:%Y%m%d}_"


def narrative_id(day: date, number: int) -> str:
    """Return the id of the chain with this number among those of a day, from 0: of the day that was replayed, whenever that is done."""
    return f"{prefix(day)}{number}"


def strength(gap_hours: float, settings: ReplaySettings) -> float:
    """Return how strong the trace over a gap is, 0..1; it is 1 at no gap, and a half at `trace_tau_hours`."""
    return 1 / (1 + gap_hours / settings.trace_tau_hours)


def type_at(step: int, steps: int) -> TraceType:
    """Return the type of a step, from 0; the only step of a chain of two is its initiator."""
    if step == 0:
        return TraceType.INITIATOR
    return TraceType.CONCLUSION if step == steps - 1 else TraceType.PROGRESSION


def traces(chain: Chain, narrative: str, now: datetime, settings: ReplaySettings) -> tuple[Trace, ...]:
    """Return the traces of a chain in the order of time."""
    steps = len(chain.links) - 1
    return tuple(
        Trace(
            id=trace_id(earlier.user, narrative, earlier.id, later.id),
            user=earlier.user,
            project=earlier.project,
            source=earlier.id,
            target=later.id,
            type=type_at(at, steps),
            strength=strength(hours(earlier.at, later.at), settings),
            created_at=now,
            narrative_id=narrative,
            relation=relation,
        )
        for at, ((earlier, relation), (later, _)) in enumerate(pairwise(chain.links))
    )
