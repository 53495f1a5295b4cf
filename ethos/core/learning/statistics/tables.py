"""Two by two tables: how often it went well with a thing and without it, the exact test of that, and intervals.

Fisher's exact test: R. A. Fisher, The Design of Experiments, 1935. Interval of a share: E. B. Wilson, JASA 22, 1927. Interval of the
difference of two shares: R. G. Newcombe, Statistics in Medicine 17, 1998, method 10. Odds ratio with a half added to each cell: J. B. S.
Haldane, Annals of Human Genetics 20, 1956.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable
from functools import lru_cache
from typing import NamedTuple

_NORMAL_95 = 1.959963984540054  # 97.5 % of a normal distribution lie below


class Share(NamedTuple):
    """So many of so many."""

    of: int
    total: int

    @property
    def rate(self) -> float:
        """Return the share, 0..1; 0 of none."""
        return self.of / self.total if self.total else 0.0

    def interval(self, z: float = _NORMAL_95) -> tuple[float, float]:
        """Return Wilson's interval, within 0..1; (0, 1) where there is nothing."""
        if not self.total:
            return 0.0, 1.0
        squared = z * z
        middle = (self.rate + squared / (2 * self.total)) / (1 + squared / self.total)
        half = z / (1 + squared / self.total) * math.sqrt(self.rate * (1 - self.rate) / self.total + squared / (4 * self.total**2))
        return max(0.0, middle - half), min(1.0, middle + half)


class Table(NamedTuple):
    """How often it went well `with_it`, and `without`."""

    with_it: Share
    without: Share

    @classmethod
    def of(cls, cases: Iterable[tuple[bool, bool]]) -> Table:
        """Return the table of these cases: whether the thing was there, and whether it went well."""
        counts = Counter(cases)
        return cls(
            Share(counts[True, True], counts[True, True] + counts[True, False]),
            Share(counts[False, True], counts[False, True] + counts[False, False]),
        )

    @property
    def difference(self) -> float:
        """Return the share with it less the share without, -1..1."""
        return self.with_it.rate - self.without.rate

    @property
    def log_odds_ratio(self) -> float:
        """Return Haldane's estimate, which exists for every table."""
        (a, n), (b, m) = self
        return math.log((a + 0.5) * (m - b + 0.5) / ((n - a + 0.5) * (b + 0.5)))

    @property
    def support(self) -> int:
        """Return the number of cases of the smaller side."""
        return min(self.with_it.total, self.without.total)

    def interval(self, z: float = _NORMAL_95) -> tuple[float, float]:
        """Return Newcombe's interval of the difference, within -1..1."""
        (low, high), (low_other, high_other) = self.with_it.interval(z), self.without.interval(z)
        one, other = self.with_it.rate, self.without.rate
        return (
            self.difference - math.hypot(one - low, high_other - other),
            self.difference + math.hypot(high - one, other - low_other),
        )

    def p_more(self) -> float:
        """Return how likely at least so many went well with it, if the thing plays no part (Fisher, one-sided)."""
        (a, n), (b, m) = self
        return _upper_tail(a, n, a + b, n + m)

    def p_fewer(self) -> float:
        """Return how likely at most so many went well with it, if the thing plays no part (Fisher, one-sided)."""
        (a, n), (b, m) = self
        return _upper_tail(n - a, n, n + m - a - b, n + m)

    def p_either(self) -> float:
        """Return twice the smaller of the two, at most 1."""
        return min(1.0, 2 * min(self.p_more(), self.p_fewer()))

    def least_p(self) -> float:
        """Return the least `p_either` that any table with these margins could give (R. E. Tarone, Biometrics 46, 1990)."""
        (a, n), (b, m) = self
        good, total = a + b, n + m
        most = _upper_tail(min(n, good), n, good, total)
        fewest = _upper_tail(min(n, total - good), n, total - good, total)
        return min(1.0, 2 * min(most, fewest))


def _upper_tail(a: int, drawn: int, good: int, total: int) -> float:
    """Return the chance of `a` or more good ones among `drawn` of `total`, of which `good` are good (hypergeometric)."""
    low, high = max(0, drawn + good - total), min(drawn, good)
    if a <= low:
        return 1.0
    term = math.exp(_log_choose(good, a) + _log_choose(total - good, drawn - a) - _log_choose(total, drawn))
    tail = 0.0
    for k in range(a, high + 1):
        tail += term
        if term < tail * 1e-16:
            break
        term *= (good - k) * (drawn - k) / ((k + 1) * (total - good - drawn + k + 1))
    return min(1.0, tail)


@lru_cache(maxsize=65_536)
def _log_choose(n: int, k: int) -> float:
    return math.lgamma(n + 1) - math.lgamma(k + 1) - math.lgamma(n - k + 1)
