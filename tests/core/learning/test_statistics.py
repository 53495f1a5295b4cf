"""Exact tests, intervals and the control of many tests, against counting every case and against worked values."""

from __future__ import annotations

import math
import random
from itertools import combinations, product

import pytest

from ethos.core.learning.statistics import boschloo
from ethos.core.learning.statistics.many_tests import benjamini_hochberg, holm
from ethos.core.learning.statistics.sign_flips import p_above_zero
from ethos.core.learning.statistics.tables import Share, Table


@pytest.mark.parametrize("seed", range(20))
def test_fisher_counts_every_way_to_deal_the_successes(seed: int) -> None:
    """The one-sided p is the share of the ways in which at least, or at most, so many fall on one side."""
    chance = random.Random(seed)
    n, m = chance.randint(1, 6), chance.randint(1, 6)
    a, b = chance.randint(0, n), chance.randint(0, m)
    table = Table(Share(a, n), Share(b, m))
    ways = [sum(at < n for at in dealt) for dealt in combinations(range(n + m), a + b)]
    assert table.p_more() == pytest.approx(sum(way >= a for way in ways) / len(ways))
    assert table.p_fewer() == pytest.approx(sum(way <= a for way in ways) / len(ways))
    assert table.least_p() <= table.p_either() + 1e-12


def test_fisher_stays_exact_where_numbers_are_large() -> None:
    """Fisher's tea: 3 of 4 cups is 17 in 70. And a table of thousands has a p between 0 and 1 that falls with the effect."""
    assert Table(Share(3, 4), Share(1, 4)).p_more() == pytest.approx(17 / 70)
    ps = [Table(Share(700 + more, 1500), Share(700, 1500)).p_more() for more in (0, 30, 60, 300)]
    assert ps == sorted(ps, reverse=True)
    assert 0.5 < ps[0] < 0.55
    assert 0 < ps[-1] < 1e-25


@pytest.mark.parametrize("seed", range(20))
def test_boschloo_adds_up_every_table_that_says_as_much(seed: int) -> None:
    """The one-sided p is their chance at the worst likelihood of success; what the grid leaves out may only add to it, and hardly does."""
    chance = random.Random(seed)
    n, m = chance.randint(1, 8), chance.randint(1, 8)
    table = Table(Share(chance.randint(0, n), n), Share(chance.randint(0, m), m))
    as_much = [
        (a, b) for a, b in product(range(n + 1), range(m + 1)) if Table(Share(a, n), Share(b, m)).p_more() <= table.p_more() * (1 + 1e-9)
    ]
    wanted = max(
        sum(math.comb(n, a) * math.comb(m, b) * likely ** (a + b) * (1 - likely) ** (n + m - a - b) for a, b in as_much)
        for likely in (at / 1_000 for at in range(1, 1_000))
    )
    assert wanted * (1 - 1e-4) <= boschloo.p_more(table) <= wanted * 1.02 + 1e-9
    assert boschloo.p_more(table) <= table.p_more()


def test_boschloo_has_published_values() -> None:
    """Of scientists 74 in 117 content with their work, of professors 31 in 63: 0.0355 where Fisher's test has 0.0483 (SciPy's manual)."""
    table = Table(Share(74, 117), Share(31, 63))
    assert table.p_more() == pytest.approx(0.0483, abs=5e-5)
    assert boschloo.p_more(table) == pytest.approx(0.0355, abs=5e-4)
    assert boschloo.p_fewer(Table(table.without, table.with_it)) == pytest.approx(boschloo.p_more(table), rel=1e-3)
    assert boschloo.p_either(table) == 2 * boschloo.p_more(table)
    assert boschloo.p_more(Table(Share(0, 9), Share(3, 9))) == 1.0


def test_boschloo_uses_up_the_level_that_fisher_leaves() -> None:
    """Where nearly all goes well anyway: the chance of a p below 0.05 is nearer to it, and not above it."""
    every = [
        (table, math.comb(40, a) * math.comb(40, b) * 0.9 ** (a + b) * 0.1 ** (80 - a - b))
        for a, b in product(range(25, 41), repeat=2)
        for table in [Table(Share(a, 40), Share(b, 40))]
    ]
    fisher = sum(likely for table, likely in every if table.p_more() <= 0.05)
    exact = sum(likely for table, likely in every if boschloo.p_more(table) <= 0.05)
    assert fisher < 0.03 < exact <= 0.05


def test_intervals_have_their_published_values() -> None:
    """Wilson's of 81 of 263, and Newcombe's of 56/70 less 48/80, both from Newcombe's papers of 1998."""
    assert Share(81, 263).interval() == pytest.approx((0.2553, 0.3662), abs=5e-5)
    assert Table(Share(56, 70), Share(48, 80)).interval() == pytest.approx((0.0524, 0.3339), abs=5e-5)
    assert Share(0, 0).interval() == (0.0, 1.0)


@pytest.mark.parametrize("seed", range(10))
def test_sign_flips_count_every_choice_of_signs(seed: int) -> None:
    """The p is the share of all choices with a sum at least as high; rounding may only add to it, and hardly does."""
    chance = random.Random(seed)
    numbers = [float(chance.randint(-4, 6)) for _ in range(chance.randint(1, 10))]
    flipped = [sum(sign * number for sign, number in zip(signs, numbers, strict=True)) for signs in product((1, -1), repeat=len(numbers))]
    wanted = sum(total >= sum(numbers) - 1e-9 for total in flipped) / len(flipped) if any(numbers) else 1.0
    assert wanted <= p_above_zero(numbers) <= wanted + 0.01


def test_sign_flips_are_as_likely_below_any_level_as_it_says() -> None:
    """Of numbers about zero, of any spread, at most a tenth have p below 0.1; numbers above zero nearly always do."""
    chance = random.Random(1)
    null = [p_above_zero([chance.gauss(0, 1 + at % 5) for at in range(12)]) for _ in range(1_000)]
    assert 0.06 < sum(p <= 0.1 for p in null) / 1_000 < 0.13
    assert p_above_zero([1.0] * 12) == 2**-12


def test_benjamini_and_hochberg_and_holm_find_what_their_papers_do() -> None:
    """The fifteen p of Benjamini and Hochberg's example: four at a rate of 0.05, three by Holm."""
    ps = [0.0001, 0.0004, 0.0019, 0.0095, 0.0201, 0.0278, 0.0298, 0.0344, 0.0459, 0.3240, 0.4262, 0.5719, 0.6528, 0.7590, 1.0]
    assert benjamini_hochberg(ps, 0.05) == [0, 1, 2, 3]
    assert holm(ps, 0.05) == [0, 1, 2]
    assert benjamini_hochberg([], 0.05) == holm([], 0.05) == []


def test_a_log_odds_ratio_exists_for_every_table() -> None:
    """Also where a cell is empty; it changes its sign with the sides."""
    table = Table(Share(5, 5), Share(0, 5))
    assert table.log_odds_ratio == pytest.approx(math.log(11 * 11))
    assert Table(table.without, table.with_it).log_odds_ratio == pytest.approx(-table.log_odds_ratio)
