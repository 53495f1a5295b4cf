"""Holding: whether new episodes still bear a lesson out.

A cumulative sum (E. S. Page, Biometrika 41, 1954) over the episodes in which the condition holds: what each says for "it goes as it does
without the condition" against "it goes as the lesson says", as a log of odds. It never falls below zero, so a long good time does not hide
that a lesson stops holding. No test finds the change sooner at the same rate of false alarms (G. Lorden, Annals of Mathematical Statistics
42, 1971), so the one has its price in the other; `python -m benchmarks.quality --lessons` shows both for several limits.

How it goes without the condition is followed through the episodes of the same time in which it does not hold, by a filter for a level that
wanders (the extended Kalman filter of a logistic model; as in M. E. Glickman, Applied Statistics 48, 1999). So luck that drifts for all
speaks neither for nor against a lesson.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from typing import NamedTuple

from ethos.core.learning.statistics.tables import Table

LARGEST = 3.0  # log of the odds ratio that is expected at most: no lesson claims that exceptions cannot be
LEAST = 0.3  # and at least: a smaller one could be told from none by no number of episodes
_WANDERS = 0.003  # variance that the log-odds without the condition gain from one episode to the next
_UNKNOWN = 1.0  # their variance before any episode
_EDGE = 0.01

Case = tuple[bool, bool]  # whether the condition held, and whether it went well


class Base(NamedTuple):
    """How it goes without the condition, lately: the log of the odds of success, and its variance."""

    log_odds: float
    variance: float

    @property
    def share(self) -> float:
        """Return the share of successes."""
        return _share(self.log_odds)

    def after(self, case: Case) -> Base:
        """Return how it goes after one more episode."""
        so, good = case
        variance = self.variance + _WANDERS
        if so:
            return Base(self.log_odds, variance)
        share = self.share
        variance /= 1 + variance * share * (1 - share)
        return Base(self.log_odds + variance * (good - share), variance)

    def expected(self, effect: float) -> float:
        """Return the share of successes at this effect on the log of the odds, as far as the base is known (D. MacKay, 1992)."""
        known = 1 / math.sqrt(1 + math.pi * (self.variance + _WANDERS) / 8)
        return min(max(_share(known * (self.log_odds + effect)), _EDGE), 1 - _EDGE)


def base_of(before: Sequence[Case], otherwise: Table) -> Base:
    """Return how it goes without the condition after these episodes, in order of time. otherwise: counts for where there are none."""
    good = sum(went for so, went in before if not so)
    total = sum(not so for so, _ in before)
    if not total:
        good, total = otherwise.without
    base = Base(math.log((good + 0.5) / (total - good + 0.5)), _UNKNOWN)
    for case in before:
        base = base.after(case)
    return base


class Pulse(NamedTuple):
    """How a lesson stands. against: log of the odds against it since it was found or retired; base: see `Base`."""

    against: float
    base: Base


def episodes_to_refute(table: Table, limit: float) -> float:
    """Return how many episodes with the condition refute a lesson on average, where it makes no difference (A. Wald, 1945)."""
    base = min(max(table.without.rate, _EDGE), 1 - _EDGE)
    expected = _share(math.log(base / (1 - base)) + _bounded(table.log_odds_ratio))
    return limit / _surprise(base, expected)


def after(pulse: Pulse, log_odds_ratio: float, seen: Iterable[Case], limit: float) -> tuple[Pulse, int | None]:
    """Return how a held lesson stands after new episodes, in order of time, and after how many it was refuted; None if it was not."""
    return _followed(pulse, log_odds_ratio, seen, lambda against: against > limit, floor=0.0)


def regained(pulse: Pulse, log_odds_ratio: float, seen: Iterable[Case], limit: float) -> tuple[Pulse, int | None]:
    """Return how a retired lesson stands after new episodes, and after how many of them it holds again; None if it does not.

    Here the sum begins at zero with the retirement and has no floor: so it is a sequential test (A. Wald, Annals of Mathematical
    Statistics 16, 1945), and a lesson without any effect ever comes back with a chance of at most exp(-limit), however often one looks.
    """
    return _followed(pulse, log_odds_ratio, seen, lambda against: against < -limit, floor=-math.inf)


def _followed(
    pulse: Pulse, log_odds_ratio: float, seen: Iterable[Case], ends: Callable[[float], bool], floor: float
) -> tuple[Pulse, int | None]:
    against, base = pulse
    effect = _bounded(log_odds_ratio)
    for count, (so, good) in enumerate(seen, 1):
        if so:
            without, claimed = base.expected(0.0), base.expected(effect)
            against = max(floor, against + (math.log(without / claimed) if good else math.log((1 - without) / (1 - claimed))))
        base = base.after((so, good))
        if ends(against):
            return Pulse(against, base), count
    return Pulse(against, base), None


def _bounded(log_odds_ratio: float) -> float:
    return math.copysign(min(max(abs(log_odds_ratio), LEAST), LARGEST), log_odds_ratio)


def _share(log_odds: float) -> float:
    return 1 / (1 + math.exp(-log_odds))


def _surprise(share: float, expected: float) -> float:
    """Return the mean evidence of one episode for `share` against `expected` where `share` is true (Kullback and Leibler, 1951)."""
    return share * math.log(share / expected) + (1 - share) * math.log((1 - share) / (1 - expected))
