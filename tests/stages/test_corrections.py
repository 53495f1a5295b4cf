"""A turn that puts the one before it right in a few words takes the place of what that one said (JUDGEMENT: what changes is heard)."""

from __future__ import annotations

import pytest

from ethos.app import Ethos
from ethos.core.history.erasure import ErasureRequest
from ethos.core.ports.queries import FactFilter
from tests.stages.test_cycle import day
from tests.support.telling import NOON, said

PAIRS = [
    ("The upload limit is 25 MB.", "sorry, 35 MB", "35 MB"),
    ("The backup starts at 02:00.", "no wait, 03:30", "03:30"),
    ("We decided to use Postgres.", "I meant MariaDB, had the wrong repo open", "MariaDB"),
    ("The launch is on the 14th of June.", "haha oh no, it's the 21st of June", "21st of June"),
]


def _held(ethos: Ethos) -> list[str]:
    return [fact.object for fact in ethos.facts(FactFilter("default")) if fact.polarity == "+"]


@pytest.mark.parametrize(("first", "second", "value"), PAIRS)
def test_e20_a_correction_takes_the_place_of_the_turn_before(ethos: Ethos, first: str, second: str, value: str) -> None:
    """Only the new value is held, nobody is asked, and the old one stays in the history."""
    ethos.capture([said(first, at=NOON), said(second, at=NOON + day(0.001))])
    ethos.consolidate(reason="test")
    held = _held(ethos)
    assert len(held) == 1
    assert value in held[0]
    assert len({fact.object for fact in ethos.facts(FactFilter("default", history=True))}) == 2


@pytest.mark.parametrize(("first", "second", "value"), PAIRS)
def test_h3_a_correction_that_comes_in_a_later_pass_ends_the_same(ethos: Ethos, first: str, second: str, value: str) -> None:
    """The turn before is read again from the store."""
    for number, text in enumerate((first, second)):
        ethos.capture([said(text, at=NOON + day(number * 0.001))])
        ethos.consolidate(reason=str(number))
    assert [value in held for held in _held(ethos)] == [True]


def test_e20_a_correction_without_a_value_of_that_kind_changes_nothing(ethos: Ethos) -> None:
    """And one that corrects nothing that was claimed is no claim."""
    ethos.capture([said("The upload limit is 25 MB.", at=NOON), said("sorry, that came out wrong", at=NOON + day(0.001))])
    ethos.consolidate(reason="test")
    assert _held(ethos) == ["25 MB"]


def test_e20_a_question_corrects_nothing(ethos: Ethos) -> None:
    """ "Sorry, 35 MB?" asks."""
    ethos.capture([said("The upload limit is 25 MB.", at=NOON), said("sorry, is it 35 MB?", at=NOON + day(0.001))])
    ethos.consolidate(reason="test")
    assert _held(ethos) == ["25 MB"]


def test_t6_forgetting_a_turn_takes_what_only_its_correction_said(ethos: Ethos) -> None:
    """Whose value 35 MB is stands in the forgotten turn alone."""
    first = said("The upload limit is 25 MB.", at=NOON)
    ethos.capture([first, said("sorry, 35 MB", at=NOON + day(0.001))])
    ethos.consolidate(reason="test")
    ethos.forget(ErasureRequest((first.id,)))
    assert list(ethos.facts(FactFilter("default", history=True))) == []
    assert ethos.store.check() == []
