"""Holding: whether new episodes still bear a lesson out.

A cumulative sum (E. S. Page, Biometrika 41, 1954) of what each new episode says for "it plays no part" against "as the lesson says", as a
log of odds. It never falls below zero, so a long good time does not hide that a lesson stops holding. No test finds the change sooner at
the same rate of false alarms (G. Lorden, Annals of Mathematical Statistics 42, 1971). Deviation: the general share of successes is
estimated on the way, from the last episodes, so that luck that drifts for all speaks neither for nor against.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from typing import NamedTuple

RECENT = 50.0  # episodes over which the general share of successes is averaged
LARGEST = 3.0  # log of the odds ratio that is expected at most: no lesson claims that exceptions cannot be
_EDGE = 0.02


class Pulse(NamedTuple):
    """How a lesson stands. against: log of the odds against it, 0 or more. good, so: recent shares of successes and of the condition."""

    against: float
    good: float
    so: float


def after(pulse: Pulse, log_odds_ratio: float, seen: Iterable[tuple[bool, bool]], limit: float) -> tuple[Pulse, int | None]:
    """Return how a lesson stands after new episodes, and after how many of them it was refuted; None if it was not.

    seen: of each episode, whether the condition held and whether it went well, in order of time.
    """
    against, share, held = pulse
    effect = max(-LARGEST, min(LARGEST, log_odds_ratio))
    for count, (so, good) in enumerate(seen, 1):
        base = min(max(share, _EDGE), 1 - _EDGE)
        expected = 1 / (1 + (1 - base) / base * math.exp(-effect * (so - held)))
        against = max(0.0, against + (math.log(base / expected) if good else math.log((1 - base) / (1 - expected))))
        if against > limit:
            return Pulse(against, share, held), count
        share += (good - share) / RECENT
        held += (so - held) / RECENT
    return Pulse(against, share, held), None
