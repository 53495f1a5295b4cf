"""The exact test of sign flips: whether numbers of unknown spread lie about zero (R. A. Fisher, The Design of Experiments, 1935).

Every number is one block of cases. Within a block cases may depend on each other in any way; blocks may not. Where each number is as
likely to have the other sign, all 2^n choices of signs are equally likely, and p is the share of them with a sum at least as high.
We count them all instead of drawing some: the number of choices for each sum is a coefficient of the product of (1 + x^2u), and the
product is taken in one long integer whose fields are the coefficients. Deviation: the numbers are rounded to a grid, which makes it fast;
every sum that rounding could have brought below the one observed counts, so p is never too small.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

_GRID = 4_000  # steps from zero to the sum of all sizes


def p_above_zero(numbers: Sequence[float]) -> float:
    """Return the one-sided p that the numbers lie above zero; 1 where there is none."""
    reach = math.fsum(abs(number) for number in numbers)
    if not reach:
        return 1.0
    steps = [round(number / reach * _GRID) for number in numbers]
    sizes = [abs(step) for step in steps if step]
    width = len(sizes) + 1  # bits of a field: no coefficient exceeds 2^len(sizes)
    ways = 1
    for size in sizes:
        ways += ways << (size * width)
    # a field holds the ways in which the sizes with a plus sign add up to its number
    wanted = max(0, sum(step for step in steps if step > 0) - (len(sizes) + 1) // 2)
    # fields modulo (field size - 1) add up, as digits do modulo nine
    return ((ways >> (wanted * width)) % ((1 << width) - 1)) / (1 << len(sizes))
