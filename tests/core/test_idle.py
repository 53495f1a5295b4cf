"""Idle or not: the decision on plain values, the probes on the machine and on a real store."""

from __future__ import annotations

from datetime import timedelta

import psutil
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ethos.app import Ethos
from ethos.core.model.errors import refuse
from ethos.core.model.settings import ConsolidationSettings
from ethos.edge.server import idle
from ethos.edge.server.idle import Reading, why_not
from tests.conftest import SetClock
from tests.support.telling import said

WANTED = ConsolidationSettings()


def test_e03_a_session_event_within_the_threshold_is_not_idle() -> None:
    """One is enough, and the reason says how many."""
    assert why_not(Reading(events=0, load_percent=10.0), WANTED) == ()
    assert why_not(Reading(events=2, load_percent=10.0), WANTED) == ("2 session events in the last 60 s",)


@pytest.mark.parametrize(("load", "is_idle"), [(0.0, True), (79.99, True), (80.0, False), (80.01, False), (500.0, False)])
def test_e04_xe9_load_must_be_below_the_threshold(load: float, is_idle: bool) -> None:
    """Exactly equal is not below."""
    assert (why_not(Reading(0, load), WANTED) == ()) is is_idle


def test_xe9_what_cannot_be_read_is_taken_as_busy() -> None:
    """No load, no store: not idle, and both are said."""
    assert len(why_not(Reading(None, None), WANTED)) == 2


def test_on_battery_counts_only_where_the_person_says_so() -> None:
    """`on_battery = false` keeps cycles to the mains."""
    assert why_not(Reading(0, 1.0, on_battery=True), WANTED) == ()
    assert why_not(Reading(0, 1.0, on_battery=True), ConsolidationSettings(on_battery=False)) == ("running on battery",)
    assert why_not(Reading(0, 1.0, on_battery=False), ConsolidationSettings(on_battery=False)) == ()


@settings(derandomize=True, max_examples=200)
@given(st.none() | st.integers(0, 9), st.none() | st.floats(0, 500), st.booleans(), st.booleans(), st.floats(0, 100))
def test_more_activity_never_makes_it_idle(events: int | None, load: float | None, battery: bool, allowed: bool, threshold: float) -> None:
    """Whatever is idle stays idle with less of everything."""
    wanted = ConsolidationSettings(cpu_threshold_percent=threshold, on_battery=allowed)
    if why_not(Reading(events, load, battery), wanted) == ():
        assert why_not(Reading(0, 0.0, on_battery=False), wanted) == ()
        assert events == 0
        assert load is not None
        assert load < threshold


def test_e03_a_live_capture_is_an_event_for_a_while_and_an_import_is_none(ethos: Ethos, clock: SetClock) -> None:
    """The store tells; after idle_threshold_seconds it is quiet again."""
    ethos.capture([said("Something from last year.")])
    assert idle.recent_events(ethos.store, clock.at - timedelta(seconds=60), clock.at) == 0
    ethos.capture([said("Something just now.")], live=True)
    assert idle.recent_events(ethos.store, clock.at - timedelta(seconds=60), clock.at) == 1
    clock.move(seconds=61)
    assert idle.recent_events(ethos.store, clock.at - timedelta(seconds=60), clock.at) == 0


def test_xe9_a_store_that_refuses_is_not_idle(ethos: Ethos, monkeypatch: pytest.MonkeyPatch, clock: SetClock) -> None:
    """An error of the database is no reason to start work on it."""

    def broken(*, write: bool = False) -> None:
        raise refuse("store", f"the disk gave an error (write={write})")

    monkeypatch.setattr(ethos.store, "begin", broken)
    assert why_not(idle.read(ethos.store, clock.at, WANTED), WANTED)[0].startswith("the store could not be asked")


def test_the_load_is_psutils_one_minute_average_for_each_processor(monkeypatch: pytest.MonkeyPatch) -> None:
    """In percent of all processors; None where the kernel does not say."""
    monkeypatch.setattr(psutil, "getloadavg", lambda: (1.5, 9.0, 9.0))
    monkeypatch.setattr(psutil, "cpu_count", lambda: 2)
    assert idle.load_percent() == 75.0
    monkeypatch.setattr(psutil, "cpu_count", lambda: None)
    assert idle.load_percent() is None


def test_the_load_of_this_machine_can_be_read() -> None:
    """The real probes, on whatever this runs on."""
    load = idle.load_percent()
    assert load is not None
    assert load >= 0
    assert idle.on_battery() in {True, False}
