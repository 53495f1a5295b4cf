"""Holding: whether new episodes still bear a lesson out.

A cumulative sum (E. S. Page, Biometrika 41, 1954) of what each new episode says for "it plays no part" against "as the lesson says", as a
log of odds. It never falls below zero, so a long good time does not hide that a lesson stops holding. No test finds the change sooner at
the same rate of false alarms (G. Lorden, Annals of Mathematical Statistics 42, 1971), and so the one cannot be had without the other:
`python -m benchmarks.quality --lessons` shows both for several limits. Deviation: the general share of successes is
estimated on the way, from the last episodes, so that luck that drifts for all speaks neither for nor against.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable
from typing import NamedTuple

from ethos.core.learning.statistics.tables import Table

RECENT = 50.0  # episodes over which the general share of successes is averaged
LARGEST = 3.0  # log of the odds ratio that is expected at most: no lesson claims that exceptions cannot be
_EDGE = 0.02


class Pulse(NamedTuple):
    """How a lesson stands. against: log of the odds against it since it was found or retired; good, so: recent shares of successes and
    of the condition.
    """

    against: float
    good: float
    so: float


def episodes_to_refute(table: Table, limit: float) -> float:
    """Return how many episodes in which the condition makes no difference refute a lesson, on average (A. Wald's approximation, 1945)."""
    (_, here), (_, rest) = table
    held = here / (here + rest)
    base = min(max(held * table.with_it.rate + (1 - held) * table.without.rate, _EDGE), 1 - _EDGE)
    effect = _bounded(table.log_odds_ratio)
    a_time = sum(share * _surprise(base, _expected(base, effect * (so - held))) for so, share in ((1, held), (0, 1 - held)))
    return limit / a_time if a_time else math.inf


def after(pulse: Pulse, log_odds_ratio: float, seen: Iterable[tuple[bool, bool]], limit: float) -> tuple[Pulse, int | None]:
    """Return how a held lesson stands after new episodes, and after how many of them it was refuted; None if it was not.

    seen: of each episode, whether the condition held and whether it went well, in order of time.
    """
    return _followed(pulse, log_odds_ratio, seen, lambda against: against > limit, floor=0.0)


def regained(pulse: Pulse, log_odds_ratio: float, seen: Iterable[tuple[bool, bool]], limit: float) -> tuple[Pulse, int | None]:
    """Return how a retired lesson stands after new episodes, and after how many of them it holds again; None if it does not.

    Here the sum begins at zero with the retirement and has no floor: so it is a sequential test (A. Wald, Annals of Mathematical
    Statistics 16, 1945), and a lesson without any effect ever comes back with a chance of at most exp(-limit), however often one looks.
    """
    return _followed(pulse, log_odds_ratio, seen, lambda against: against < -limit, floor=-math.inf)


def _followed(
    pulse: Pulse, log_odds_ratio: float, seen: Iterable[tuple[bool, bool]], ends: Callable[[float], bool], floor: float
) -> tuple[Pulse, int | None]:
    against, share, held = pulse
    effect = _bounded(log_odds_ratio)
    for count, (so, good) in enumerate(seen, 1):
        base = min(max(share, _EDGE), 1 - _EDGE)
        expected = _expected(base, effect * (so - held))
        against = max(floor, against + (math.log(base / expected) if good else math.log((1 - base) / (1 - expected))))
        share += (good - share) / RECENT
        held += (so - held) / RECENT
        if ends(against):
            return Pulse(against, share, held), count
    return Pulse(against, share, held), None


def _bounded(log_odds_ratio: float) -> float:
    return max(-LARGEST, min(LARGEST, log_odds_ratio))


def _expected(base: float, effect: float) -> float:
    """Return the share of successes at this effect on the log of the odds."""
    return 1 / (1 + (1 - base) / base * math.exp(-effect))


def _surprise(share: float, expected: float) -> float:
    """Return the mean evidence of one episode for `share` against `expected` where `share` is true (Kullback and Leibler, 1951)."""
    return share * math.log(share / expected) + (1 - share) * math.log((1 - share) / (1 - expected))
