"""What the nightly lessons find in logs whose truth we know: false lessons, power, and how soon a lesson that stops holding is retired.

    python -m benchmarks.quality --lessons [LOGS]

The logs are simulated (`simulated_logs`). Beside it stands a naive miner on the same logs: a share of successes that is ten points above
or below the share of all, in at least twenty episodes.
"""

from __future__ import annotations

import random
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import NamedTuple

from benchmarks.simulated_logs import Effect, Shape, any_shape, log
from ethos.core.learning.lessons.columns import Columns
from ethos.core.learning.lessons.conditions import conditions
from ethos.core.learning.lessons.holding import Pulse, after
from ethos.core.learning.lessons.mining import mine
from ethos.core.learning.lessons.observation import Observation
from ethos.core.learning.statistics.tables import Table
from ethos.core.model.settings import LessonsSettings

SETTINGS = LessonsSettings()
LIFT, ROWS = 0.1, 20  # of the naive miner
SIZES = (100, 200, 300, 600, 1_200)
RATIOS = (2.0, 3.0, 5.0, 8.0)
AFTERWARDS = 600  # episodes after a lesson was found

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
    """When a lesson was retired: after so many new episodes, of which it spoke of so many; None: it was not."""

    episodes: int | None
    spoken_of: int | None


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
    before, later = rows[: shape.episodes], rows[shape.episodes :]
    seen = [(row.features["f0"] is True, row.good) for row in before]
    table = Table.of(seen)
    recent = seen[-50:]
    pulse = Pulse(0.0, sum(good for _, good in recent) / len(recent), sum(so for so, _ in recent) / len(recent))
    new = [(row.features["f0"] is True, row.good) for row in later]
    at = after(pulse, table.log_odds_ratio, new, limit)[1]
    return Retired(at, None if at is None else sum(so for so, _ in new[:at]))


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
    print("  a lesson of odds ratio 5 in 300 episodes, retired by the 50th episode it speaks of, by the 50th of all, within 600")
    for name, ratio in (("no effect any more", 1.0), ("the contrary", 0.2), ("still so", 5.0)):
        when = [retired_after(seed, ratio) for seed in range(seeds)]
        spoken, all_, ever = (
            sum(condition(each) for each in when) / seeds
            for condition in (
                lambda each: each.spoken_of is not None and each.spoken_of <= 50,
                lambda each: each.episodes is not None and each.episodes <= 50,
                lambda each: each.episodes is not None,
            )
        )
        print(f"    {name:20} {spoken:>7.2f} {all_:>7.2f} {ever:>7.2f}")
    print(
        "  the price of retiring sooner, by the log of the odds that is asked for: by the 50th it speaks of if there is no effect any more,"
    )
    print("    within 600 if it is still so")
    for limit in (2.5, SETTINGS.retire_at, 4.5):
        gone, kept = ([retired_after(seed, ratio, limit=limit) for seed in few] for ratio in (1.0, 5.0))
        soon = sum(each.spoken_of is not None and each.spoken_of <= 50 for each in gone) / len(few)
        print(f"    {limit:20g} {soon:>7.2f} {sum(each.episodes is not None for each in kept) / len(few):>7.2f}")
