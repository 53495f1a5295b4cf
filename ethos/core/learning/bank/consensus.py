"""Believe a consolidated memory by the beliefs of its sources (R-27, X-R6).

base = sum c (u + 1) / sum (u + 1), with c a source's confidence and u how often it was used. The bonus for agreement is .01 for each
source, at most .1, times 1 - 2 s, with s the standard deviation of the confidences (population; at most .5, so the factor is 0..1).
"""

from __future__ import annotations

from collections.abc import Sequence
from math import sqrt
from typing import NamedTuple

_BONUS_EACH = 0.01
_MOST_BONUS = 0.1
_NOTHING_KNOWN = 0.6  # of a memory without sources


class Consensus(NamedTuple):
    """The confidence of a consolidated memory, in its two parts."""

    base: float
    bonus: float

    @property
    def total(self) -> float:
        """Return the confidence; 0..1."""
        return min(1.0, self.base + self.bonus)


def consensus(sources: Sequence[tuple[float, int]], fewest: int = 2) -> Consensus:
    """Return the confidence of what these sources say together. sources: (confidence, usage count); fewest: that earn a bonus."""
    if not sources:
        return Consensus(_NOTHING_KNOWN, 0.0)
    said = [confidence for confidence, _ in sources]
    base = sum(c * (used + 1) for c, used in sources) / sum(used + 1 for _, used in sources)
    if len(sources) < fewest:
        return Consensus(base, 0.0)
    mean = sum(said) / len(said)
    deviation = sqrt(sum((c - mean) ** 2 for c in said) / len(said))
    return Consensus(base, min(_MOST_BONUS, _BONUS_EACH * len(said)) * (1 - 2 * deviation))
