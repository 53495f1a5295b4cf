"""Boschloo's exact test of two shares: R. D. Boschloo, Statistica Neerlandica 24, 1970.

Fisher's test asks only among tables with as many successes in all as were seen. Few tables have those, so p moves in wide steps, and a
test at a level of 0.05 errs far more seldom than that; most of all where nearly all goes well. Boschloo takes Fisher's p for a measure of
how much a table says, and asks how likely any table, with whatever number of successes, says at least as much. That depends on how
likely a success is, which nobody knows: the worst likelihood counts. So the test is exact as Fisher's is, and never has a larger p.

For each number of successes in all there is a least number among the cases with the thing from which on a table says as much. From one
number of successes to the next it grows by one or not at all, and the tail beyond it follows from the one before by a product and a sum:
one walk through all numbers, where others add up every table.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

from ethos.core.learning.statistics.tables import Table

STEP = 0.25  # standard deviations between two likelihoods of success that are tried
BETWEEN = 0.004  # of Fisher's p: no likelihood between two that are tried gives more than this beyond them (STEP**2 / 16)
_REACH = 7.0  # standard deviations; beyond lie 3 in 10^12 of a binomial distribution
_EQUAL = 1 + 1e-9  # two p that differ by less are one, rounded


def p_more(table: Table) -> float:
    """Return how likely a table says at least as much for more successes with it, if the thing plays no part (one-sided)."""
    fisher = table.p_more()
    if fisher >= 1.0:
        return 1.0
    tails = _tails(table.with_it.total, table.without.total, fisher)
    return min(fisher, _worst(tails) + BETWEEN * fisher)


def p_fewer(table: Table) -> float:
    """Return how likely a table says at least as much for fewer successes with it, if the thing plays no part (one-sided)."""
    (a, n), (b, m) = table
    return p_more(Table(table.with_it._replace(of=n - a), table.without._replace(of=m - b)))


def p_either(table: Table) -> float:
    """Return twice the smaller of the two, at most 1."""
    return min(1.0, 2 * (p_more(table) if table.difference > 0 else p_fewer(table)))


def _tails(here: int, rest: int, level: float) -> list[float]:
    """Return, for each number of successes in all, the largest one-sided p of Fisher's that is at most `level`; 0 where there is none."""
    total = here + rest
    tail, below = 0.0, 1.0  # the chance of `least` or more successes with it, and of exactly one less than that
    least = 1
    tails = [tail]
    for good in range(total):
        # one more case goes well; it is one of the others that may, each as likely as the next
        more = below * (here - least + 1) / (total - good)
        scale = (good + 1) / (total - good)
        tail += more
        if tail > level * _EQUAL:
            below *= (here - least + 1) / least * scale
            tail = max(0.0, tail - below)
            least += 1
        else:
            below *= (rest - good + least - 1) / (good - least + 2) * scale
        tails.append(tail)
    return tails


def _worst(tails: Sequence[float]) -> float:
    """Return the largest mean of the tails, over all likelihoods of success; the number of successes is binomial.

    The likelihoods stand at like distances on the scale of the arc sine, on which every binomial distribution has one width.
    """
    cases = len(tails) - 1
    worst = 0.0
    step = STEP / (2 * math.sqrt(cases))
    for number in range(1, math.ceil(math.pi / 2 / step)):
        likely = math.sin(number * step) ** 2
        worst = max(worst, _mean(tails, cases, likely))
    return worst


def _mean(tails: Sequence[float], cases: int, likely: float) -> float:
    """Return the mean of the tails where each of so many cases goes well with this chance."""
    middle = int(cases * likely)
    reach = math.ceil(_REACH * math.sqrt(cases * likely * (1 - likely))) + 1
    odds = likely / (1 - likely)
    chance = math.exp(
        math.lgamma(cases + 1)
        - math.lgamma(middle + 1)
        - math.lgamma(cases - middle + 1)
        + middle * math.log(likely)
        + (cases - middle) * math.log1p(-likely)
    )
    mean = chance * tails[middle]
    up = down = chance
    for good in range(middle, min(cases, middle + reach)):
        up *= (cases - good) / (good + 1) * odds
        mean += up * tails[good + 1]
    for good in range(middle, max(0, middle - reach), -1):
        down *= good / (cases - good + 1) / odds
        mean += down * tails[good - 1]
    return mean
