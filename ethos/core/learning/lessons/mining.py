"""Mining: find what goes with success or failure, in two looks.

First look, at the earlier observations of every group: Fisher's exact test of each condition, with Benjamini and Hochberg's control over
all that was tried in all groups; a least effect; and the test by blocks. Second look, at the later observations, which had no part in the
first: Fisher's test and the test by blocks must both find the effect in the same direction (the larger of the two p counts), at a level
that Holm divides among all candidates. Where nothing plays a part, the first look finds something in at most `discovery_rate` of all
runs and the second one confirms any of it in at most `confirm_level`, so a run has a false lesson with a chance of at most their product.
By a second way in, that is for strong effects: what all observations show together at `whole_level`, divided by all that was tried
(Bonferroni), and by blocks, needs no suggestion by the first look, and of the second one only that it confirms it by itself.

What says the same as a better one is left out: of a field only the best condition stays, and another field must still tell something
where the better one is held fixed (N. Mantel and W. Haenszel, JNCI 22, 1959).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from ethos.core.learning.lessons.columns import Columns
from ethos.core.learning.lessons.conditions import conditions
from ethos.core.learning.lessons.observation import Condition, Observation
from ethos.core.learning.statistics.many_tests import benjamini_hochberg, holm
from ethos.core.learning.statistics.tables import Table
from ethos.core.model.settings import LessonsSettings


@dataclass(frozen=True, slots=True)
class Finding:
    """What was found in a group. better: it goes with success. p: of the second look. tried: tests of the first look in all groups."""

    group: str
    condition: Condition
    better: bool
    overall: Table
    early: Table
    late: Table
    p: float
    tried: int


class _Candidate(NamedTuple):
    """A condition as it is weighed: the bits in which it holds and in which that is known, and its p of the first look.

    suggested: the first look found it; striking: all observations show it.
    """

    group: str
    columns: Columns
    condition: Condition
    so: int
    known: int
    p: float
    suggested: bool = False
    striking: bool = False

    @property
    def overall(self) -> Table:
        return self.columns.table(self.so, self.known, self.columns.all)

    @property
    def early(self) -> Table:
        return self.columns.table(self.so, self.known, self.columns.early)

    @property
    def late(self) -> Table:
        return self.columns.table(self.so, self.known, self.columns.late)

    @property
    def better(self) -> bool:
        return self.early.difference > 0


def mine(groups: Mapping[str, Sequence[Observation]], settings: LessonsSettings) -> list[Finding]:
    """Return what holds in these groups, the surest first. No finding is the normal answer."""
    candidates, tried = _first_look(groups, settings)
    ps = [_second_look(each, settings) for each in candidates]
    suggested = [at for at, each in enumerate(candidates) if each.suggested]
    sure = {suggested[at] for at in holm([ps[at] for at in suggested], settings.confirm_level)}
    sure |= {at for at, each in enumerate(candidates) if each.striking and ps[at] <= settings.confirm_level}
    passed = [(candidates[at], ps[at]) for at in sorted(sure)]
    return [
        Finding(
            each.group,
            each.condition,
            each.better,
            each.overall,
            each.early,
            each.late,
            p,
            tried,
        )
        for each, p in _distinct(passed, settings)
    ]


def _first_look(groups: Mapping[str, Sequence[Observation]], settings: LessonsSettings) -> tuple[list[_Candidate], int]:
    """Return the candidates, and how many conditions were tried."""
    asked: list[_Candidate] = []
    for group, observations in groups.items():
        columns = Columns(observations, settings.held_out)
        for condition in conditions(columns, settings.min_support):
            so, known = columns.bits(condition)
            table = columns.table(so, known, columns.early)
            if table.least_p() <= settings.discovery_rate:  # another could never be found, and does not count as tried (Tarone)
                asked.append(_Candidate(group, columns, condition, so, known, table.p_either()))
    found = set(benjamini_hochberg([each.p for each in asked], settings.discovery_rate))
    weighed = [
        each._replace(suggested=at in found, striking=_is_striking(each, settings, len(asked)))
        for at, each in enumerate(asked)
        if abs(each.early.difference) >= settings.min_effect
    ]
    return [
        each
        for each in weighed
        if (each.suggested or each.striking)
        and each.columns.p_by_blocks(each.so, each.known, each.columns.early, more=each.better) <= settings.block_level
    ], len(asked)


def _is_striking(each: _Candidate, settings: LessonsSettings, tried: int) -> bool:
    """Return whether all observations together show it, with every comparison counted and also by blocks."""
    if each.overall.p_either() > settings.whole_level / tried:
        return False
    return each.columns.p_by_blocks(each.so, each.known, each.columns.all, more=each.better) <= settings.whole_block_level


def _second_look(each: _Candidate, settings: LessonsSettings) -> float:
    """Return the one-sided p of a candidate in the later observations; 1 where they are too few or the effect is too small there."""
    table = each.late
    effect = table.difference if each.better else -table.difference
    if table.support < settings.min_support or effect < settings.min_effect:
        return 1.0
    exact = table.p_more() if each.better else table.p_fewer()
    if exact > settings.confirm_level:
        return exact
    return max(exact, each.columns.p_by_blocks(each.so, each.known, each.columns.late, more=each.better))


def _distinct(passed: Iterable[tuple[_Candidate, float]], settings: LessonsSettings) -> list[tuple[_Candidate, float]]:
    """Return those that say something of their own, the best first."""
    kept: list[tuple[_Candidate, float]] = []
    for each, p in sorted(passed, key=lambda pair: (pair[1], pair[0].p, pair[0].group, pair[0].condition.field)):
        rivals = [other for other, _ in kept if other.group == each.group]
        if all(other.condition.field != each.condition.field and _adds(each, other, settings) for other in rivals):
            kept.append((each, p))
    return kept


def _adds(each: _Candidate, other: _Candidate, settings: LessonsSettings) -> bool:
    """Return whether a condition still tells something where another one is held fixed."""
    columns = each.columns
    excess = variance = 0.0
    for stratum in (other.so, other.known & ~other.so):
        known = each.known & stratum
        table = columns.table(each.so & stratum, known, columns.all)
        (good, here), (good_rest, rest) = table
        if (total := here + rest) > 1:
            share = (good + good_rest) / total
            excess += good - here * share
            variance += here * rest * share * (1 - share) / (total - 1)
    z = (excess if each.better else -excess) / variance**0.5 if variance else 0.0
    return z >= settings.adds_z
