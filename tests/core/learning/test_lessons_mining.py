"""What counts as a lesson: what is planted is found, what is not there is not, and what stops holding is retired.

The short form, on few simulated logs; the long one is marked `torture`, and `python -m benchmarks.quality --lessons` prints the figures.
"""

from __future__ import annotations

import random
from dataclasses import replace
from datetime import timedelta

import pytest

from benchmarks import lessons
from benchmarks.simulated_logs import BEGINNING, Effect, Shape, log
from ethos.core.learning.lessons.columns import Columns
from ethos.core.learning.lessons.holding import Pulse, after, base_of
from ethos.core.learning.lessons.mining import Finding, mine
from ethos.core.learning.lessons.observation import Condition, Observation, Value
from ethos.core.learning.lessons.wording import grounds
from ethos.core.learning.statistics.tables import Share, Table
from ethos.core.model.settings import LessonsSettings

PLAIN = Shape(drift=0, luck=0, session=1, base=0.3)
SETTINGS = LessonsSettings()


@pytest.mark.no_cover  # the same lines, hundreds of times
def test_shuffled_outcomes_teach_nothing() -> None:
    """At most 0.05 lessons a log, where a naive miner takes dozens of conditions for lessons."""
    found = [lessons.false_lessons(seed) for seed in range(20)]
    assert sum(each.ours for each in found) <= 1
    assert sum(each.naive for each in found) > 20


def test_a_planted_effect_is_found() -> None:
    """An odds ratio of 5 in 300 episodes of which half have the feature, among 40 features."""
    assert lessons.power(range(20), PLAIN, 5.0) >= 0.9


@pytest.mark.no_cover  # the same lines, hundreds of times
def test_a_strong_effect_is_found_where_most_goes_well_anyway() -> None:
    """Few failures tell little in a part of the episodes: nine in ten are found, where one look at all finds 94 in a hundred.

    Far fewer without the look at all episodes together.
    """
    rows_of = [log(replace(PLAIN, base=0.7), random.Random(seed), Effect(5.0)) for seed in range(60)]
    together, apart = (
        sum(any(each.condition.field == "f0" for each in mine({"all": rows}, settings)) for rows in rows_of)
        for settings in (SETTINGS, replace(SETTINGS, whole_level=0.0))
    )
    assert together >= 0.85 * 60
    assert apart < 0.8 * 60


def test_x_h5_what_all_episodes_show_must_be_confirmed_by_the_later_ones_alone() -> None:
    """A strong effect of the earlier half is striking in all of them, and is no lesson."""
    vanished = log(Shape(features=1, episodes=400, drift=0, luck=0, session=1, base=0.3), random.Random(2), Effect(20.0, 0.5))
    told = [replace(row, features={"f0": row.features["f0"]}) for row in vanished]
    columns = Columns(told, SETTINGS.held_out)
    so, known = columns.bits(Condition("f0", "is", value=True))
    assert columns.table(so, known, columns.all).p_either() < SETTINGS.whole_level
    assert mine({"x": told}, SETTINGS) == []


def test_a_lesson_says_which_look_found_it() -> None:
    """By the earlier episodes, or by all together where those alone do not suggest it."""
    suggested = found_in(rows(300, random.Random(1)))
    assert suggested.suggested
    assert grounds(suggested).startswith(
        "The earlier 165 episodes suggested it, among 1 conditions that were tried; the later 135 confirmed it"
    )
    assert grounds(replace(suggested, suggested=False)).startswith(
        "All 300 episodes show it, among 1 conditions that were tried; the later 135 alone confirm it: "
    )


@pytest.mark.torture
def test_the_figures_hold_on_many_logs() -> None:
    """False lessons in 400 logs of every shape; planted effects in 200; retired lessons in 400."""
    assert sum(lessons.false_lessons(seed).ours for seed in range(400)) / 400 <= 0.05
    assert lessons.power(range(200), PLAIN, 5.0) >= 0.9
    assert lessons.power(range(400), replace(PLAIN, base=0.7), 5.0) >= 0.9
    spoken = [lessons.retired_after(seed, 1.0).spoken_of or 999 for seed in range(400)]
    assert sum(each <= 50 for each in spoken) / 400 >= 0.9


def test_a_lesson_that_stops_holding_is_retired_within_fifty_episodes_it_speaks_of() -> None:
    """Nine in ten of those without an effect any more, and nearly all of those of which the contrary is now true."""
    gone = [lessons.retired_after(seed, 1.0).spoken_of or 999 for seed in range(60)]
    contrary = [lessons.retired_after(seed, 0.2).episodes or 999 for seed in range(60)]
    assert sum(each <= 50 for each in gone) >= 0.85 * 60  # of 60 logs; nine in ten in the long form
    assert sum(each <= 50 for each in contrary) >= 0.9 * 60


def test_a_lesson_that_still_holds_is_away_for_a_short_time_only() -> None:
    """A third of them is retired once within 600 episodes by bad luck, and comes back: held for nineteen in twenty of the episodes."""
    kept = [lessons.retired_after(seed, 5.0) for seed in range(60)]
    assert sum(each.episodes is not None for each in kept) <= 0.45 * 60
    assert sum(each.away for each in kept) / 60 <= 0.08


def test_luck_that_drifts_for_all_is_no_evidence() -> None:
    """What happens without the condition alone never speaks for or against; when all goes worse, a lesson that still holds stays."""
    told = Table(Share(80, 100), Share(40, 100))
    before = [(so, number % 5 < (4 if so else 2)) for number in range(100) for so in (True, False)]
    pulse = Pulse(0.0, base_of(before, told))
    without, turned = after(pulse, told.log_odds_ratio, [(False, False)] * 200, SETTINGS.retire_at)
    assert (without.against, turned) == (0.0, None)
    assert without.base.share < pulse.base.share
    worse = [(so, number % 10 < (5 if so else 1)) for number in range(100) for so in (True, False)]
    assert after(pulse, told.log_odds_ratio, worse, SETTINGS.retire_at)[1] is None


def rows(count: int, chance: random.Random, odds_ratio: float = 9.0, **more: Value) -> list[Observation]:
    """A log with one feature, `f0`, that matters."""
    found = log(Shape(features=1, episodes=count, drift=0, luck=0, session=1, base=0.3), chance, Effect(odds_ratio))
    return [replace(row, features={"f0": row.features["f0"], **more}) for row in found]


def test_what_is_found_has_its_tables() -> None:
    """Of the earlier and of the later episodes, which add up to all; the later ones had no part in the first look."""
    finding = found_in(rows(300, random.Random(1)))
    assert finding.condition == Condition("f0", "is", value=True)
    assert finding.better
    for side in ("with_it", "without"):
        early, late, overall = (getattr(table, side) for table in (finding.early, finding.late, finding.overall))
        assert (early.of + late.of, early.total + late.total) == overall
    assert finding.late.with_it.total + finding.late.without.total == round(300 * SETTINGS.held_out)


def test_what_does_not_hold_later_is_no_lesson() -> None:
    """An effect of the first half alone passes the first look and not the second."""
    vanished = log(Shape(features=1, episodes=400, drift=0, luck=0, session=1, base=0.3), random.Random(2), Effect(9.0, 0.5))
    assert mine({"x": [replace(row, features={"f0": row.features["f0"]}) for row in vanished]}, SETTINGS) == []


def test_a_few_lucky_cases_are_no_lesson() -> None:
    """X-H5: three wins of three pass no exact test; nor does a large log with an effect below the least one."""
    few = [Observation(f"e-{at}", BEGINNING + timedelta(hours=at), f"s-{at}", at < 3, {"f": at < 3}) for at in range(8)]
    assert mine({"x": few}, SETTINGS) == []
    assert mine({"x": rows(300, random.Random(1))}, replace(SETTINGS, min_effect=0.9)) == []


def test_one_session_repeated_is_no_evidence() -> None:
    """Sessions of ten like episodes each: feature and luck belong to the session. Fisher's test would believe a third of these logs."""
    believed = 0
    for seed in range(30):
        told = of_sessions(random.Random(seed))
        columns = Columns(told, 0.0)
        so, known = columns.bits(Condition("f", "is", value=True))
        believed += columns.table(so, known, columns.all).p_either() < 0.05
        assert mine({"x": told}, SETTINGS) == []
    assert believed >= 10


def of_sessions(chance: random.Random) -> list[Observation]:
    """Thirty sessions of which each has its own feature and its own luck."""
    return [
        Observation(f"e-{session}-{at}", BEGINNING + timedelta(minutes=10 * session + at), f"s-{session}", good, {"f": feature})
        for session in range(30)
        for feature, good in [(chance.random() < 0.5, chance.random() < 0.5)]
        for at in range(10)
    ]


def test_numbers_are_cut_where_they_part_and_the_cut_is_short() -> None:
    """An effect above 0.05 is told as a number one can say; what is not a number is left out of the comparison."""
    chance = random.Random(3)
    told = []
    for at in range(400):
        funding = round(chance.uniform(0, 0.1), 4)
        good = chance.random() < (0.8 if funding > 0.05 else 0.25)
        features: dict[str, Value] = {"funding": funding} if at % 10 else {"funding": "n/a"}
        told.append(Observation(f"e-{at}", BEGINNING + timedelta(hours=at), f"s-{at}", good, features))
    finding = found_in(told)
    assert finding.condition.field == "funding"
    assert finding.condition.operator == "above"
    assert isinstance(finding.condition.value, float)
    assert finding.condition.value == pytest.approx(0.05, abs=0.005)
    assert len(str(finding.condition.value)) <= 6
    assert finding.overall.with_it.total + finding.overall.without.total == 360


def test_what_says_the_same_as_a_better_condition_is_left_out() -> None:
    """A feature that nearly always goes with the one that matters teaches nothing of its own; another that matters too does."""
    chance = random.Random(4)
    told = []
    for row in rows(600, chance):
        echo = row.features["f0"] if chance.random() < 0.9 else chance.random() < 0.5
        other = chance.random() < 0.5
        good = row.good if chance.random() < 0.75 else other
        told.append(replace(row, good=good, features={**row.features, "echo": echo, "other": other}))
    fields = {finding.condition.field for finding in mine({"x": told}, SETTINGS)}
    assert fields == {"f0", "other"}


def test_the_same_log_gives_the_same_lessons_in_any_order() -> None:
    """Nothing is drawn by chance: time, session and id decide."""
    told = rows(300, random.Random(1), side="short")
    shuffled = random.Random(9).sample(told, len(told))
    assert mine({"x": told}, SETTINGS) == mine({"x": shuffled}, SETTINGS)


def found_in(told: list[Observation]) -> Finding:
    """The first lesson of a log, of which there is one."""
    return mine({"x": told}, SETTINGS)[0]
