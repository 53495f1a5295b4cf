"""Decay, to the worked values: Ebbinghaus with stretching by retrieval, computed on reading."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ethos.core.history.salience import estimate_importance, fades_at, initial_salience, retrieved, salience_at, tau_days
from ethos.core.model.records import Salience
from ethos.core.model.settings import STABILITY_DAYS, DecaySettings
from tests.support.telling import NOON

DECAY = DecaySettings()


def _held(base: float, *, retrievals: int = 0, tone: float = 0.0, kind: str = "episode") -> Salience:
    held = Salience("e-1", kind, base, tone, NOON, NOON, retrievals, NOON)
    return replace(held, fades_at=fades_at(held, DECAY))


def _after(held: Salience, **time: float) -> float:
    return salience_at(held, NOON + timedelta(**time), DECAY)


def test_e06_the_worked_values_of_decay() -> None:
    """Decay pairs with the defaults."""
    assert _after(_held(1.0), seconds=10) > 0.95
    assert _after(_held(1.0), days=7) == pytest.approx(0.368, abs=0.001)
    assert _after(_held(1.0, retrievals=5), days=30) > 0.5
    assert _after(_held(0.5, tone=1.0), days=3) / _after(_held(0.5), days=3) == pytest.approx(1.2)
    assert _after(_held(0.1), days=90) < 0.05
    assert _after(_held(1.0, retrievals=100), days=1) <= 1.0
    assert _after(_held(0.5, retrievals=10), days=10) > _after(_held(0.5, retrievals=1), days=10)


@pytest.mark.parametrize(("retrievals", "tau"), [(0, 7.0), (1, 10.5), (5, 53.16), (10, 403.7)])
def test_e06_tau_by_retrievals(retrievals: int, tau: float) -> None:
    """Each retrieval stretches it by half."""
    assert tau_days("episode", retrievals, STABILITY_DAYS) == pytest.approx(tau, abs=0.05)


def test_e06_tone_counts_for_episodes_alone() -> None:
    """A fact has no mood."""
    assert _after(_held(0.5, tone=1.0, kind="fact"), days=1) == _after(_held(0.5, kind="fact"), days=1)


@given(base=st.floats(0, 1), retrievals=st.integers(0, 30), tone=st.floats(-1, 1), days=st.floats(0, 4000))
@settings(derandomize=True, max_examples=300)
def test_salience_stays_in_bounds_and_only_falls(base: float, retrievals: int, tone: float, days: float) -> None:
    """0..1 for any input, and never more tomorrow than today unless somebody asks."""
    held = _held(base, retrievals=retrievals, tone=tone)
    today, tomorrow = _after(held, days=days), _after(held, days=days + 1)
    assert 0 <= tomorrow <= today <= 1


@given(base=st.floats(0.06, 1), retrievals=st.integers(0, 12), tone=st.floats(-1, 1))
@settings(derandomize=True, max_examples=200)
def test_xe19_the_moment_of_fading_is_when_the_value_crosses(base: float, retrievals: int, tone: float) -> None:
    """The sweep looks a moment up; the value computed around that moment agrees, so sweeping more often changes nothing."""
    held = _held(base, retrievals=retrievals, tone=tone)
    assert salience_at(held, held.fades_at - timedelta(seconds=5), DECAY) >= DECAY.fade_below
    assert salience_at(held, held.fades_at + timedelta(seconds=5), DECAY) <= DECAY.fade_below


def test_e09_a_retrieval_lifts_and_starts_the_time_again() -> None:
    """Base by a tenth, at most 1; one more retrieval; no longer faded."""
    held = replace(initial_salience("e-1", "episode", 0.5, NOON, DECAY), faded=True)
    lifted = retrieved(held, NOON + timedelta(days=20), DECAY)
    assert lifted.base == pytest.approx(0.55)
    assert lifted.retrievals == 1
    assert not lifted.faded
    assert lifted.fades_at > held.fades_at
    assert retrieved(replace(held, base=0.99), NOON, DECAY).base == 1.0


def test_a_clock_that_goes_back_ages_nothing() -> None:
    """No negative ages, and no time at all lost."""
    assert _after(_held(0.5), days=-3) == _after(_held(0.5), days=0)


def test_nothing_fades_when_the_threshold_is_zero_or_the_time_has_no_end() -> None:
    """The calendar ends before some records do."""
    assert fades_at(_held(0.5), DecaySettings(fade_below=0.0)) > NOON + timedelta(days=300_000)
    assert fades_at(_held(1.0, retrievals=60), DECAY) > NOON + timedelta(days=300_000)


def test_e08_an_importance_that_was_not_given_is_estimated() -> None:
    """0.5, plus 0.2 with a rule literal, plus 0.1 from the user: never enough for the fallback by itself to be told apart as given."""
    assert estimate_importance(has_literal=False, role="assistant") == 0.5
    assert estimate_importance(has_literal=True, role="assistant") == 0.7
    assert estimate_importance(has_literal=False, role="user") == 0.6
    assert estimate_importance(has_literal=True, role="user") == 0.8
