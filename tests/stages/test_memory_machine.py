"""The memory against its model (`memory_machine.py`): a few walks in `make test`, many long ones in `make torture`; and faults found."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import HealthCheck, Phase, settings
from hypothesis.stateful import run_state_machine_as_test

from ethos import engine
from ethos.core.model.plan import Plan
from ethos.stages.person import reversal
from ethos.store.sqlite import apply
from tests.support.memory_machine import MemoryMachine

pytestmark = pytest.mark.no_cover  # the same lines, thousands of times

_PLAIN = settings(
    deadline=None,
    derandomize=True,
    database=None,
    report_multiple_bugs=False,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large, HealthCheck.filter_too_much],
)


def test_t2_t3_nothing_is_lost_whatever_happens() -> None:
    """Random walks of captures, cycles, rehearsals, answers, undos, forgetting, time and changes of rules."""
    run_state_machine_as_test(MemoryMachine, settings=settings(_PLAIN, max_examples=15, stateful_step_count=15))


@pytest.mark.torture
def test_t2_t3_nothing_is_lost_whatever_happens_for_long(pytestconfig: pytest.Config) -> None:
    """The same, longer and more of them; the same walks each time, or others with `--hypothesis-seed N`."""
    same = pytestconfig.getoption("hypothesis_seed", default=None) is None
    run_state_machine_as_test(MemoryMachine, settings=settings(_PLAIN, derandomize=same, max_examples=400, stateful_step_count=40))


def loses_an_episode(patch: pytest.MonkeyPatch) -> None:
    """A unit leaves its last episode in no state, and the check of the unit is off."""
    patch.setattr(engine, "conserve", lambda *_: None)
    put_marks = apply._put_marks
    patch.setattr(apply, "_put_marks", lambda sql, marks: put_marks(sql, [replace(mark, consolidated_at=None) for mark in marks]))


def undoes_by_halves(patch: pytest.MonkeyPatch) -> None:
    """What the run had replaced does not come back."""
    take_back = reversal.Reversal._take_back

    def halved(undo: Any) -> None:
        before = dict(undo.facts)
        take_back(undo)
        for id_, fact in undo.facts.items():
            undo.facts[id_] = replace(fact, superseded_by=before[id_].superseded_by, valid_to=before[id_].valid_to)

    patch.setattr(reversal.Reversal, "_take_back", halved)


def guesses(patch: pytest.MonkeyPatch) -> None:
    """Questions stay open about facts that are gone."""
    patch.setattr(reversal.Reversal, "_settle_doubts", lambda _: None)


def rehearses_something_else(patch: pytest.MonkeyPatch) -> None:
    """A rehearsal leaves out what a cycle does at its end, and commits."""
    run = engine.run_unit

    def other(within: Any, stages: Any, ctx: Any, **marked: bool) -> Any:
        outcome = run(within, stages, ctx, **marked)
        return outcome._replace(plan=Plan()) if isinstance(within, engine.Rehearsal) else outcome

    patch.setattr(engine, "run_unit", other)


@pytest.mark.parametrize(
    "fault",
    [
        loses_an_episode,
        rehearses_something_else,
        pytest.param(undoes_by_halves, marks=pytest.mark.torture),  # it takes a longer walk
        pytest.param(guesses, marks=pytest.mark.torture),
    ],
)
def test_t2_t3_the_model_would_tell(monkeypatch: pytest.MonkeyPatch, fault: Callable[[pytest.MonkeyPatch], None]) -> None:
    """Each fault, planted in the memory, is found by one of the walks."""
    fault(monkeypatch)
    few = settings(_PLAIN, max_examples=100, stateful_step_count=30, phases=[Phase.generate])
    with pytest.raises(AssertionError):
        run_state_machine_as_test(MemoryMachine, settings=few)
