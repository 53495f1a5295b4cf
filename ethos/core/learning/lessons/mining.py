"""Mining: find what goes with success or failure, in two looks.

First look, at the earlier observations of every group: Fisher's exact test of each condition, with Benjamini and Hochberg's control over
all that was tried in all groups, and the test by blocks. Second look, at the later observations, which had no part in the first:
Boschloo's exact test and the test by blocks must both find the effect in the same direction (the larger of the two p counts), at a level
that Holm divides among all candidates. Where nothing plays a part, the first look finds something in at most `discovery_rate` of all
runs and the second one confirms any of it in at most `confirm_level`.

That costs power: a part of the observations has to pass where every comparison is counted. So there is a second way in: what all
observations show together by Boschloo's test at `whole_level`, divided by all that was tried (Bonferroni), and by blocks, needs no
suggestion by the first look. The second one must confirm it by itself at `confirm_level`, and blocks of neither part may speak against
it (`block_level`). A run has a false lesson with a chance of at most `discovery_rate` times `confirm_level`, and `whole_level`: 0.045.

How large an effect is, is estimated from all observations. Half of them would only tell it with more noise, and an effect that is asked
for in both halves is lost where one of them was unlucky.

What says the same as a better one is left out: of a field only the best condition stays, and another field must still tell something
where the better one is held fixed (N. Mantel and W. Haenszel, JNCI 22, 1959).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from ethos.core.learning.lessons.columns import Columns, Part
from ethos.core.learning.lessons.conditions import conditions
from ethos.core.learning.lessons.observation import Condition, Observation
from ethos.core.learning.statistics import boschloo
from ethos.core.learning.statistics.many_tests import benjamini_hochberg, holm
from ethos.core.learning.statistics.tables import Table
from ethos.core.model.settings import LessonsSettings

FAR = 10  # times a level: a p of Fisher's beyond this is not tested once more by Boschloo's test, which takes far longer


@dataclass(frozen=True, slots=True)
class Finding:
    """What was found in a group. better: it goes with success. p: of the second look. tried: tests of the first look in all groups.

    suggested: by the earlier observations alone; else all of them showed it together.
    """

    group: str
    condition: Condition
    better: bool
    overall: Table
    early: Table
    late: Table
    p: float
    tried: int
    suggested: bool


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

    def by_blocks(self, part: Part) -> float:
        """Return the p in a part of the test that allows neighbours to depend on each other."""
        return self.columns.p_by_blocks(self.so, self.known, part, more=self.better)


def mine(groups: Mapping[str, Sequence[Observation]], settings: LessonsSettings) -> list[Finding]:
    """Return what holds in these groups, the surest first. No finding is the normal answer."""
    candidates, tried = _first_look(groups, settings)
    looks = [_second_look(each, settings) for each in candidates]
    suggested = [at for at, each in enumerate(candidates) if each.suggested]
    sure = {suggested[at] for at in holm([max(looks[at]) for at in suggested], settings.confirm_level)}
    for at, (each, look) in enumerate(zip(candidates, looks, strict=True)):
        if each.striking and look.exact <= settings.confirm_level and look.by_blocks <= settings.block_level:
            sure.add(at)
    passed = [(candidates[at], looks[at].exact) for at in sorted(sure)]
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
            each.suggested,
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
        if (each.overall.difference if each.better else -each.overall.difference) >= settings.min_effect
    ]
    return [
        each for each in weighed if (each.suggested or each.striking) and each.by_blocks(each.columns.early) <= settings.block_level
    ], len(asked)


def _is_striking(each: _Candidate, settings: LessonsSettings, tried: int) -> bool:
    """Return whether all observations together show it, with every comparison counted and also by blocks."""
    table, level = each.overall, settings.whole_level / tried
    if table.p_either() > FAR * level or boschloo.p_either(table) > level:
        return False
    return each.by_blocks(each.columns.all) <= settings.whole_block_level


class _Look(NamedTuple):
    """The one-sided p of a candidate in the later observations, of the exact test and of the one by blocks."""

    exact: float
    by_blocks: float


def _second_look(each: _Candidate, settings: LessonsSettings) -> _Look:
    """Return how the later observations bear a candidate out; p are 1 where those are too few."""
    table = each.late
    if table.support < settings.min_support:
        return _Look(1.0, 1.0)
    exact = boschloo.p_more(table) if each.better else boschloo.p_fewer(table)
    return _Look(exact, each.by_blocks(each.columns.late) if exact <= settings.confirm_level else 1.0)


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
