"""Columns: the observations of a group as bits of whole numbers, one bit an observation, so that a table is counted in a few operations.

Observations stand by session, sessions by their first moment. The earlier ones are for finding, the later ones for confirming; the
border falls between two sessions where it can. Both parts are cut into blocks of whole sessions, for the test that allows observations
of one time to depend on each other.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime

from ethos.core.learning.lessons.observation import Condition, Observation, Value
from ethos.core.learning.statistics.sign_flips import p_above_zero
from ethos.core.learning.statistics.tables import Share, Table

BLOCK_ROWS = 10  # a block has at least so many observations,
_BLOCK_SESSIONS = 4  # and so many sessions,
_BLOCK_AT_MOST = 20  # unless it would have more than this
_BLOCKS_AT_MOST = 40  # in a part: with more, each would be as good as the last


@dataclass(frozen=True, slots=True)
class Part:
    """A stretch of the observations: where it begins and ends, and where each of its blocks does."""

    start: int
    end: int
    blocks: tuple[tuple[int, int], ...]

    @property
    def bits(self) -> int:
        """Return a number with the bits of this part set."""
        return (1 << self.end) - (1 << self.start)


class Columns:
    """The observations of one group."""

    def __init__(self, observations: Sequence[Observation], held_out: float) -> None:
        self.rows = by_session(observations)
        self.good = bits_of([row.good for row in self.rows])
        border = self._border(round(len(self.rows) * (1 - held_out)))
        self.early = self._part(0, border)
        self.late = self._part(border, len(self.rows))
        self._values: dict[str, list[Value | None]] = {}
        self._floats: dict[str, list[float]] = {}
        self._known: dict[tuple[str, type], int] = {}
        self.all = Part(0, len(self.rows), self.early.blocks + self.late.blocks)

    def bits(self, condition: Condition) -> tuple[int, int]:
        """Return the observations in which the condition holds, and those in which it is known whether it does."""
        name, operator, wanted = condition
        if operator == "has":
            return bits_of([value is not None for value in self.values(name)]), self.all.bits
        values = self.values(name)
        kind = type(wanted)
        known = self._known.get((name, kind))
        if known is None:
            known = self._known[name, kind] = bits_of([type(value) is kind for value in values])
        if operator == "is":
            return bits_of([value == wanted for value in values]) & known, known
        over = bits_of([number > wanted for number in self._numbers(name)])  # type: ignore[operator]  # a cut is a number
        return (over if operator == "above" else known & ~over), known

    def values(self, name: str) -> list[Value | None]:
        """Return what each observation has in a field, in their order."""
        if name not in self._values:
            self._values[name] = [row.features.get(name) for row in self.rows]
        return self._values[name]

    def _numbers(self, name: str) -> list[float]:
        """Return the numbers of a field; what is none is not a number (NaN), which is above nothing."""
        if name not in self._floats:
            self._floats[name] = [value if type(value) is float else math.nan for value in self.values(name)]
        return self._floats[name]

    def table(self, so: int, known: int, part: Part) -> Table:
        """Return how often it went well in a part, where it is so and where it is known not to be."""
        so, rest = so & part.bits, known & ~so & part.bits
        return Table(Share((so & self.good).bit_count(), so.bit_count()), Share((rest & self.good).bit_count(), rest.bit_count()))

    def p_by_blocks(self, so: int, known: int, part: Part, *, more: bool) -> float:
        """Return the one-sided p that it goes together with success (more: or failure) within blocks, by flips of their signs.

        Each block gives its own excess of successes over what its shares let expect, so what drifts slowly plays no part; and blocks
        are flipped whole, so it does not matter how the observations of a block depend on each other (R. Ibragimov and U. Mueller,
        Journal of Business and Economic Statistics 28, 2010, on inference from few groups).
        """
        excess = []
        for start, end in part.blocks:
            ones = (1 << (end - start)) - 1
            seen = known >> start & ones
            if total := seen.bit_count():
                here, good = so >> start & seen, self.good >> start & seen
                excess.append((here & good).bit_count() - here.bit_count() * good.bit_count() / total)
        return p_above_zero(excess if more else [-each for each in excess])

    def _border(self, wanted: int) -> int:
        """Return the first place after `wanted` where a session begins; `wanted` if one session takes up most of what is left."""
        rows = self.rows
        border = wanted
        while 0 < border < len(rows) and rows[border].session == rows[border - 1].session:
            border += 1
        return border if border - wanted <= _BLOCK_AT_MOST and border < len(rows) else wanted

    def _part(self, start: int, end: int) -> Part:
        rows = max(BLOCK_ROWS, -(-(end - start) // _BLOCKS_AT_MOST))
        at_most = max(_BLOCK_AT_MOST, 2 * rows)
        cuts = [start]
        sessions = 0
        for at in range(start + 1, end):
            begins = self.rows[at].session != self.rows[at - 1].session
            sessions += begins
            size = at - cuts[-1]
            if (begins and size >= rows and sessions >= _BLOCK_SESSIONS) or size >= at_most:
                cuts.append(at)
                sessions = 0
        if len(cuts) > 1 and end - cuts[-1] < rows // 2:
            cuts.pop()  # a short rest belongs to the block before
        return Part(start, end, tuple(zip(cuts, [*cuts[1:], end], strict=True)) if end > start else ())


def by_session(observations: Sequence[Observation]) -> list[Observation]:
    """Return the observations of each session together, sessions by their first moment."""
    ordered = sorted(observations, key=lambda each: (each.at, each.episode))
    first: dict[str, datetime] = {}
    for each in ordered:
        first.setdefault(each.session, each.at)
    return sorted(ordered, key=lambda each: (first[each.session], each.session))


_DIGITS = bytes.maketrans(b"\x00\x01", b"01")


def bits_of(flags: Iterable[bool]) -> int:
    """Return a number whose bits are these, the first one lowest."""
    return int(bytes(flags)[::-1].translate(_DIGITS) or b"0", 2)
