"""What the nightly lessons find in logs whose truth we know: false lessons, power, and how soon a lesson that stops holding is retired.

    python -m benchmarks.quality --lessons [LOGS]

The logs are simulated (`simulated_logs`). Beside it stands a naive miner on the same logs: a share of successes that is ten points above
or below the share of all, in at least twenty episodes.
"""

from __future__ import annotations

import random
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from statistics import mean
from typing import NamedTuple

from benchmarks.simulated_logs import Effect, Shape, any_shape, log
from ethos.core.learning.lessons import keeping
from ethos.core.learning.lessons.columns import Columns
from ethos.core.learning.lessons.conditions import conditions
from ethos.core.learning.lessons.holding import Pulse, after, base_of, regained
from ethos.core.learning.lessons.mining import mine
from ethos.core.learning.lessons.observation import Observation
from ethos.core.learning.statistics.tables import Table
from ethos.core.model.lessons import Lesson, LessonEvidence
from ethos.core.model.settings import LessonsSettings

SETTINGS = LessonsSettings()
LIFT, ROWS = 0.1, 20  # of the naive miner
SIZES = (100, 200, 300, 600, 1_200)
RATIOS = (2.0, 3.0, 5.0, 8.0)
AFTERWARDS = 600  # episodes after a lesson was found
NIGHTS = 30  # of the life of a log
DRIFTS = Shape(features=1)
STAYS = Shape(features=1, drift=0, luck=0, session=1)

Groups = Mapping[str, Sequence[Observation]]


class Mistakes(NamedTuple):
    """Lessons found in a log in which there are none: ours, and the naive miner's."""

    ours: int
    naive: int


def groups_of(rows: Sequence[Observation]) -> Groups:
    """Return the log as a night sees it: by symbol, and as a whole."""
    groups: dict[str, list[Observation]] = {"all": list(rows)}
    for row in rows:
        groups.setdefault(str(row.features["symbol"]), []).append(row)
    return groups


def naive(groups: Groups) -> int:
    """Return how many conditions the naive miner takes for lessons."""
    found = 0
    for rows in groups.values():
        columns = Columns(rows, 0.0)
        share = columns.good.bit_count() / len(rows)
        for condition in conditions(columns, 3):
            so = columns.bits(condition)[0]
            if so.bit_count() >= ROWS:
                found += abs((so & columns.good).bit_count() / so.bit_count() - share) >= LIFT
    return found


def false_lessons(seed: int) -> Mistakes:
    """Return what is found in one log of any shape without an effect."""
    chance = random.Random(seed)
    groups = groups_of(log(any_shape(chance), chance))
    return Mistakes(len(mine(groups, SETTINGS)), naive(groups))


def is_found(seed: int, shape: Shape, odds_ratio: float) -> bool:
    """Return whether the planted effect is among the lessons of one log."""
    rows = log(shape, random.Random(seed), Effect(odds_ratio))
    return any(finding.condition.field == "f0" for finding in mine({"all": rows}, SETTINGS))


def power(seeds: Iterable[int], shape: Shape, odds_ratio: float) -> float:
    """Return the share of logs in which the planted effect is found."""
    found = [is_found(seed, shape, odds_ratio) for seed in seeds]
    return sum(found) / len(found)


class Retired(NamedTuple):
    """When a lesson was first retired: after so many new episodes, of which it spoke of so many; None: it was not.

    away: the share of all the new episodes at which it was retired, for it may come back.
    """

    episodes: int | None
    spoken_of: int | None
    away: float


def retired_after(
    seed: int,
    afterwards: float,
    shape: Shape = Shape(features=1),  # noqa: B008 (a value)
    claimed: float = 5.0,
    limit: float = SETTINGS.retire_at,
) -> Retired:
    """Return when a lesson of 300 episodes is retired, if the odds ratio is another one from then on. limit: `retire_at`."""
    share = shape.episodes / (shape.episodes + AFTERWARDS)
    longer = replace(shape, episodes=shape.episodes + AFTERWARDS)
    rows = log(longer, random.Random(seed), Effect(claimed, share, afterwards))
    cases = [(row.features["f0"] is True, row.good) for row in rows]
    before, new = cases[: shape.episodes], cases[shape.episodes :]
    table = Table.of(before)
    pulse, held, left, away = Pulse(0.0, base_of(before, table)), True, new, 0
    first: int | None = None
    while left:
        follow, at_most = (after, limit) if held else (regained, SETTINGS.revive_at)
        pulse, turned = follow(pulse, table.log_odds_ratio, left, at_most)
        lasted = len(left) if turned is None else turned
        if held and turned is not None and first is None:
            first = turned
        away += lasted * (not held)
        pulse, held, left = pulse._replace(against=0.0), not held, left[lasted:]
    return Retired(first, None if first is None else sum(so for so, _ in new[:first]), away / len(new))


def over_a_life(seed: int) -> tuple[int, int]:
    """Return how many false lessons one log without effects teaches in thirty nights, and how many of them are held after the last."""
    chance = random.Random(seed)
    shape = any_shape(chance)
    rows = log(shape, chance)
    lessons: dict[str, Lesson] = {}
    evidence: dict[str, LessonEvidence] = {}
    for night in range(1, NIGHTS + 1):
        told = rows[: len(rows) * night // NIGHTS]
        tonight = keeping.Night("u", f"r-{night}", told[-1].at, SETTINGS)
        groups = groups_of(told)
        for lesson in [*lessons.values()]:
            kept = keeping.again(lesson, groups[lesson.about], evidence, tonight)
            lessons[lesson.id] = kept.lesson
            if kept.evidence is not None:
                evidence[kept.evidence.id] = kept.evidence
        for finding in mine(groups, SETTINGS):
            if keeping.id_of(finding, "u") not in lessons:
                made = keeping.made(finding, groups[finding.group], "", (), tonight)
                lessons[made.lesson.id] = made.lesson
                if made.evidence is not None:
                    evidence[made.evidence.id] = made.evidence
    return len(lessons), sum(lesson.held for lesson in lessons.values())


def main(seeds: int) -> None:
    """Print the figures."""
    print(f"lessons, seeds 0 to {seeds - 1}")
    false = [false_lessons(seed) for seed in range(seeds)]
    ours, theirs = (sum(each) / seeds for each in zip(*false, strict=True))
    print(f"  logs without effects, false lessons a log: {ours:.4f}; a naive miner: {theirs:.1f}")
    few = range(max(20, seeds // 4))
    print(f"  planted effects that are found among 40 features, in {len(few)} logs each (share of success without the feature 0.3)")
    print("    odds ratio " + "".join(f"{size:>7}" for size in SIZES) + " episodes")
    for ratio in RATIOS:
        shares = [power(few, Shape(episodes=size, base=0.3, drift=0, luck=0, session=1), ratio) for size in SIZES]
        print(f"    {ratio:>10g} " + "".join(f"{share:>7.2f}" for share in shares))
    print("    odds ratio 5, 300 episodes, by the share of success without the feature; with drift and luck of sessions")
    for base in (0.15, 0.3, 0.5, 0.7):
        plain, drifting = (
            power(few, shape, 5.0)
            for shape in (Shape(base=base, drift=0, luck=0, session=1), Shape(base=base, drift=1.0, luck=0.7, session=3))
        )
        print(f"    {base:>10g} {plain:>7.2f} {drifting:>7.2f}")
    print(
        "  a lesson of odds ratio 5 in 300 episodes, half of them with the feature, and 600 more: retired by the 50th it speaks of,\n"
        "    by the 50th of all, ever; and the share of the 600 at which it is not held, for it may come back. With drift, and without"
    )
    for name, ratio in (("no effect any more", 1.0), ("the contrary", 0.2), ("still so", 5.0)):
        told = [_told([retired_after(seed, ratio, shape) for seed in range(seeds)]) for shape in (DRIFTS, STAYS)]
        print(f"    {name:20} " + "   ".join(told))
    print("  the price of retiring sooner, by the log of the odds that is asked for, over base rates of .2 to .7, shares of .2 to .8:")
    print("    odds ratio   limit   by the 50th if it has no effect any more   ever in 600 if it is still so   away")
    for claimed in (5.0, 3.0):
        for limit in (4.0, 5.0, SETTINGS.retire_at, 7.0, 8.0):
            gone, kept = (
                [
                    retired_after(seed, ratio, replace(shape, base=base, prevalence=share), claimed, limit)
                    for shape in (DRIFTS, STAYS)
                    for base in (0.2, 0.3, 0.5, 0.7)
                    for share in (0.2, 0.5, 0.8)
                    for seed in range(max(5, seeds // 10))
                ]
                for ratio in (1.0, claimed)
            )
            soon, ever, away = _soon(gone), sum(each.episodes is not None for each in kept) / len(kept), mean(each.away for each in kept)
            print(f"    {claimed:10g} {limit:7g} {soon:42.2f} {ever:31.2f} {away:6.3f}")
    lives = [over_a_life(seed) for seed in range(max(5, seeds // 8))]
    taught, held = (sum(each) / len(lives) for each in zip(*lives, strict=True))
    print(f"  {NIGHTS} nights on a growing log without effects, {len(lives)} logs: {taught:.3f} false lessons, {held:.3f} held at its end")


def _soon(gone: Sequence[Retired]) -> float:
    return sum(each.spoken_of is not None and each.spoken_of <= 50 for each in gone) / len(gone)


def _told(when: Sequence[Retired]) -> str:
    of_all = sum(each.episodes is not None and each.episodes <= 50 for each in when) / len(when)
    ever = sum(each.episodes is not None for each in when) / len(when)
    return f"{_soon(when):.2f} {of_all:.2f} {ever:.2f} {mean(each.away for each in when):.3f}"
