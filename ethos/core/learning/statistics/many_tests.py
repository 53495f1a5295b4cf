"""Many tests at once: which may count as found when everything that was tried is counted.

False discovery rate: Y. Benjamini and Y. Hochberg, JRSS B 57, 1995. Family-wise error: S. Holm, Scandinavian Journal of Statistics 6, 1979.
"""

from __future__ import annotations

from collections.abc import Sequence


def benjamini_hochberg(p: Sequence[float], rate: float, tried: int | None = None) -> list[int]:
    """Return the positions of those found such that at most `rate` of them are expected to be false.

    tried: how many tests there were, where `p` leaves out some that are surely not found.
    """
    order = sorted(range(len(p)), key=p.__getitem__)
    tests = max(tried or 0, len(p))
    last = max((rank for rank, at in enumerate(order, 1) if p[at] <= rate * rank / tests), default=0)
    return sorted(order[:last])


def holm(p: Sequence[float], level: float) -> list[int]:
    """Return the positions of those found such that the chance of a single false one is at most `level`."""
    found = []
    for rank, at in enumerate(sorted(range(len(p)), key=p.__getitem__)):
        if p[at] > level / (len(p) - rank):
            break
        found.append(at)
    return sorted(found)
