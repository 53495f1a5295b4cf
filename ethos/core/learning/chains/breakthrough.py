"""Find the breakthroughs of a day: the episodes that mattered most (L-03, L-04, X-L15)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from ethos.core.learning.chains.moment import Moment
from ethos.core.model.settings import ReplaySettings

TOLERANCE = 1e-9  # two scores closer than that are equal


class Breakthrough(NamedTuple):
    """An episode that scored high enough; score 0..1."""

    moment: Moment
    score: float


def score(moment: Moment, settings: ReplaySettings) -> float:
    """Return how much of a breakthrough an episode is, 0..1: the weighted sum of salience, emotions, good valence and importance."""
    emotions = moment.feelings[:4]
    return (
        settings.salience_weight * moment.salience
        + settings.emotion_weight * sum(emotions) / len(emotions)
        + settings.valence_weight * max(0.0, moment.feelings.valence)
        + settings.importance_weight * moment.importance
    )


def percentile(values: Sequence[float], percent: float) -> float:
    """Return the percentile, interpolated linearly between the two nearest ranks (as numpy does by default). values: at least one."""
    ranked = sorted(values)
    place = (len(ranked) - 1) * percent / 100
    below = int(place)
    above = min(below + 1, len(ranked) - 1)
    return ranked[below] + (ranked[above] - ranked[below]) * (place - below)


def breakthroughs(moments: Sequence[Moment], settings: ReplaySettings) -> tuple[Breakthrough, ...]:
    """Return the episodes at or above the percentile, the highest first, equals in the order of time.

    Where all score alike, or there are fewer than five, one must also lie above the mean: a dull day has no breakthrough. Where so many
    score just as high as the percentile that twice its share would be found, one must lie above it. `literal` leaves both out.
    """
    if not moments:
        return ()
    scores = [score(moment, settings) for moment in moments]
    least = percentile(scores, settings.percentile)
    found = [Breakthrough(moment, scored) for moment, scored in zip(moments, scores, strict=True) if scored >= least]
    if not settings.literal and (len(moments) < settings.few or min(scores) == max(scores)):
        mean = sum(scores) / len(scores)
        found = [one for one in found if one.score > mean + TOLERANCE]
    elif not settings.literal and len(found) > 2 * (1 - settings.percentile / 100) * len(moments) + 1:
        found = [one for one in found if one.score > least + TOLERANCE] or found
    return tuple(sorted(found, key=lambda one: (-one.score, one.moment.order)))
