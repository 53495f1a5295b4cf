"""Boost what led to a breakthrough: earlier links and closer ones more (L-12 to L-17, X-L1 to X-L4, X-L12, X-L18)."""

from __future__ import annotations

import math
from collections.abc import Iterable
from typing import NamedTuple

from ethos.core.learning.chains.chain import Chain
from ethos.core.learning.chains.moment import Moment, hours
from ethos.core.model.settings import ReplaySettings


class Boosted(NamedTuple):
    """An episode's salience and importance after a night. boost: what was added to the salience, at most 0.2."""

    boost: float
    salience: float
    importance: float


def boost(position: int, length: int, hours_before: float, score: float, settings: ReplaySettings) -> float:
    """Return the boost of a place in a chain, 0..0.2. position: from 0, the earliest; hours_before: until the breakthrough."""
    weight = 1 - position / length
    nearness = math.exp(-hours_before / settings.tau_hours)
    return min(score * weight * nearness * settings.boost_factor, settings.max_boost)


def boosts(chain: Chain, settings: ReplaySettings) -> dict[str, float]:
    """Return the boost of each episode of a chain; 0 where its salience lies below the floor."""
    moments, end = chain.moments, chain.breakthrough
    return {
        moment.id: 0.0
        if moment.salience < settings.min_salience
        else boost(at, len(moments), hours(moment.at, end.moment.at), end.score, settings)
        for at, moment in enumerate(moments)
    }


def greatest(chains: Iterable[Chain], settings: ReplaySettings) -> dict[str, float]:
    """Return the greatest boost of each episode over its chains: several chains do not add up."""
    found: dict[str, float] = {}
    for chain in chains:
        for id_, gained in boosts(chain, settings).items():
            found[id_] = max(gained, found.get(id_, 0.0))
    return found


def boosted(moment: Moment, gained: float) -> Boosted:
    """Return an episode's values after the night; they follow from those before it, so that a night that is run again adds nothing."""
    return Boosted(gained, min(moment.salience + gained, 1.0), min(moment.importance * (1 + gained), 1.0))
