"""Belief, weights and consensus against the worked values of the specification, to four digits."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime, timedelta
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ethos.core.learning.bank.belief import Counts, believed, counted, initial_confidence, moved, recent, rolled_up, tallied
from ethos.core.learning.bank.consensus import consensus
from ethos.core.learning.bank.weights import Weights, learned, weights_of
from ethos.core.model.memories import Outcome, ProjectTrust, Signal, SignalKind, Tally
from ethos.core.model.settings import BankSettings

NOON = datetime(2026, 6, 1, 12, tzinfo=UTC)
TRUST = ProjectTrust("w-1", "ada", "api")
FIRST = weights_of(TRUST)
WINDOW = timedelta(days=30)
EXPLICIT, USAGE, OUTCOME = SignalKind


def signal(kind: SignalKind, positive: bool, days_ago: float = 0, name: str = "s-1") -> Signal:
    """A signal of the memory m-1."""
    return Signal(name, "ada", "api", "m-1", kind, positive, NOON - timedelta(days=days_ago))


def test_r15_r17_weights_begin_with_the_priors_and_sum_to_one() -> None:
    """7:3, 5:5 and 5:5."""
    assert pytest.approx((0.411765, 0.294118, 0.294118), abs=1e-6) == FIRST
    assert sum(FIRST) == pytest.approx(1)


def test_r16_a_kind_that_foretold_it_is_worth_more() -> None:
    """The worked value after one hit of usage; a miss is worth less; what is explicit never changes."""
    hit = learned(TRUST, {USAGE: (1, 0)}, helpful=True)
    assert (hit.usage_alpha, hit.usage_beta) == (6, 5)
    assert weights_of(hit) == pytest.approx((0.401042, 0.3125, 0.286458), abs=1e-6)
    miss = learned(TRUST, {USAGE: (1, 0), OUTCOME: (0, 2)}, helpful=False)
    assert (miss.usage_beta, miss.outcome_alpha) == (6, 6)
    mixed = learned(TRUST, {USAGE: (1, 3)}, helpful=True)  # one good signal foretold it
    assert (mixed.usage_alpha, mixed.usage_beta) == (6, 5)
    told = learned(hit, {EXPLICIT: (3, 3)}, helpful=False)
    assert told == hit


def test_r16_a_kind_without_recent_signals_learns_nothing() -> None:
    """X-R3: it predicted nothing."""
    assert learned(TRUST, {}, helpful=False) == TRUST
    assert learned(TRUST, {USAGE: (0, 0)}, helpful=True) == TRUST


def test_r18_the_worked_example() -> None:
    """X-R1: .5, then a use, a success, and a person's word."""
    steps = [Counts(), Counts([(USAGE, True)]), Counts([(USAGE, True), (OUTCOME, True)])]
    steps.append(Counts([(USAGE, True), (OUTCOME, True), (EXPLICIT, True)]))
    assert [believed(0.5, each, FIRST).mean for each in steps] == pytest.approx([0.5, 0.564103, 0.613636, 0.666667], abs=1e-6)


def test_r12_a_memory_begins_at_its_initial_confidence() -> None:
    """X-R2: whatever that is, and five failures bring one recorded at .8 under .5."""
    assert [initial_confidence(each, BankSettings(), recorded=False) for each in Outcome] == [0.7, 0.6, 0.5]
    assert initial_confidence(Outcome.FAILURE, BankSettings(), recorded=True) == 0.8
    assert believed(0.8, Counts(), FIRST).mean == pytest.approx(0.8)
    assert believed(0.8, Counts({(OUTCOME, False): 5}), FIRST).mean == pytest.approx(0.4610, abs=5e-5)


def test_r19_what_was_rolled_up_and_what_is_recent_count_alike() -> None:
    """The worked hybrid."""
    tally = Tally("m-1", NOON, 5, 1, 10, 2, 3, 1)
    now = [signal(EXPLICIT, True), signal(USAGE, True), signal(OUTCOME, False)]
    assert believed(0.5, tallied(tally) + counted(now), FIRST).mean == pytest.approx(0.745665, abs=1e-6)


def test_r14_r19_r20_a_roll_up_counts_what_left_the_window() -> None:
    """One of 31 days and a new one: one is counted, one is recent; the belief stays."""
    old, new = signal(USAGE, True, 31), signal(USAGE, True, 0, "s-2")
    assert recent([old, new], NOON, WINDOW) == (new,)
    tally = rolled_up("m-1", None, [old], NOON)
    assert tallied(tally) == Counts([(USAGE, True)])
    assert tally.rolled_up_at == NOON
    again = rolled_up("m-1", tally, [signal(EXPLICIT, False, 40)], NOON + timedelta(days=1))
    assert tallied(again) == Counts([(USAGE, True), (EXPLICIT, False)])
    assert tallied(tally) + counted([new]) == counted([old, new])


any_counts = st.builds(Counts, st.dictionaries(st.tuples(st.sampled_from(SignalKind), st.booleans()), st.integers(0, 200)))
any_trust = st.builds(
    lambda *n: replace(TRUST, usage_alpha=n[0], usage_beta=n[1], outcome_alpha=n[2], outcome_beta=n[3]), *[st.floats(1, 500)] * 4
)


@given(any_counts, any_trust, st.floats(0, 1), st.sampled_from(list(SignalKind)), st.booleans())
def test_r18_helpful_never_lowers(counts: Counts, trust: ProjectTrust, initial: float, kind: SignalKind, positive: bool) -> None:
    """X-R2: under the same weights a signal moves the belief its own way; and with weights learned meanwhile the stored one too."""
    weights = weights_of(trust)
    before = believed(initial, counts, weights).mean
    after = believed(initial, counts + counted([signal(kind, positive)]), weights).mean
    assert after >= before - 1e-12 if positive else after <= before + 1e-12
    newer = weights_of(learned(trust, {USAGE: (1, 0)}, helpful=positive))
    stored = moved(before, believed(initial, counts + counted([signal(kind, positive)]), newer).mean, positive=positive)
    assert stored >= before if positive else stored <= before


def test_r18_belief_finds_the_truth() -> None:
    """Over 2,000 memories with known rates, after 20 signals of mixed kinds, beliefs and truths correlate by rank at .9 or more."""
    random = Random(11)
    truths = [random.random() for _ in range(2_000)]
    beliefs = []
    for truth in truths:
        signals = [signal(random.choice(list(SignalKind)), random.random() < truth) for _ in range(20)]
        beliefs.append(believed(0.8, counted(signals), FIRST).mean)
    assert rank_correlation(truths, beliefs) >= 0.9


def rank_correlation(first: list[float], second: list[float]) -> float:
    """Spearman's, with ties in the order met."""

    def ranks(values: list[float]) -> list[int]:
        order = sorted(range(len(values)), key=values.__getitem__)
        found = [0] * len(values)
        for rank, at in enumerate(order):
            found[at] = rank
        return found

    pairs = zip(ranks(first), ranks(second), strict=True)
    n = len(first)
    return 1 - 6 * sum((a - b) ** 2 for a, b in pairs) / (n * (n * n - 1))


@pytest.mark.parametrize(
    ("sources", "total"),
    [
        ([(0.75, 10), (0.82, 8), (0.70, 15)], 0.772325),
        ([(0.8, 0)] * 2, 0.82),
        ([(0.9, 0)] * 10, 1.0),
        ([(0.8, 0), (0.82, 0), (0.79, 0), (0.81, 0)], 0.844106),
        ([(0.2, 0), (0.9, 0), (0.5, 0)], 0.546129),
        ([(0.8, 10), (0.8, 0)], 0.82),
        ([(0.9, 10), (0.5, 0)], 0.878667),
        ([(0.0, 0)] * 3, 0.03),
        ([(0.95, 0)] * 10, 1.0),
        ([(0.8, 5)] * 3, 0.83),
        ([(0.9, 50), (0.3, 1), (0.4, 2)], 0.866038),
        ([(0.75, 10), (0.85, 5), (0.65, 15)], 0.744798),
        ([(0.7, 0), (0.7, 100), (0.7, 50)], 0.73),
        ([(0.9, 0), (0.6, 0), (0.8, 0)], 0.789183),
        ([], 0.6),
        ([(0.75, 3)], 0.75),
        ([(0.75, 0), (0.85, 0)], 0.818),
        ([(0.6, 0), (1.0, 0)], 0.812),
    ],
)
def test_r27_confidence_of_a_consolidated_memory(sources: list[tuple[float, int]], total: float) -> None:
    """X-R6: every worked value of the specification."""
    assert consensus(sources).total == pytest.approx(total, abs=1e-6)


def test_r27_base_and_bonus_are_told_apart() -> None:
    """X-R6."""
    assert consensus([(0.75, 10), (0.82, 8), (0.70, 15)]) == pytest.approx((0.745278, 0.027047), abs=1e-6)
    assert consensus([(0.5, 0)] * 14) == pytest.approx((0.5, 0.1))  # .01 for each source, at most .1


def test_r21_a_bonus_needs_so_many_members() -> None:
    """X-R12: consensus_threshold."""
    assert consensus([(0.8, 0), (0.8, 0)], fewest=3).bonus == 0.0


@given(st.lists(st.tuples(st.floats(0, 1), st.integers(0, 1_000)), max_size=30))
def test_r27_it_is_a_confidence(sources: list[tuple[float, int]]) -> None:
    """Between 0 and 1, with a bonus of at most .1."""
    found = consensus(sources)
    assert 0 <= found.total <= 1
    assert -1e-9 <= found.bonus <= 0.1


def test_r13_weights_of_every_kind() -> None:
    """A signal of each kind has a weight of its own."""
    assert [Weights(0.5, 0.3, 0.2).of(kind) for kind in SignalKind] == [0.5, 0.3, 0.2]
