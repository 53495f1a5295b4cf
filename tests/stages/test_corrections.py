"""A turn that puts the one before it right in a few words takes the place of what that one said (JUDGEMENT: what changes is heard)."""

from __future__ import annotations

import pytest

from ethos.app import Ethos
from ethos.core.facts.corrections import PUT_RIGHT
from ethos.core.history.erasure import ErasureRequest
from ethos.core.ports.queries import FactFilter
from tests.stages.test_cycle import day
from tests.support.telling import NOON, said

PAIRS = [
    ("The upload limit is 25 MB.", "sorry, 35 MB", "35 MB"),
    ("The backup starts at 02:00.", "no wait, 03:30", "03:30"),
    ("We decided to use Postgres.", "I meant MariaDB, had the wrong repo open", "MariaDB"),
    ("The launch is on the 14th of June.", "haha oh no, it's the 21st of June", "21st of June"),
    ("The limit of the queue is 40 jobs.", "60 jobs!! I cannot read my own notes", "60"),
    ("The upload limit is 25 MB.", "s/25/35/", "35 MB"),
    ("Our cat is called Mortimer.", "*Morton, my keyboard knows better", "Morton"),
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


@pytest.mark.parametrize(("first", "second", "value"), PAIRS)
def test_h3_a_correction_is_read_again_where_its_turn_before_comes_in_late(ethos: Ethos, first: str, second: str, value: str) -> None:
    """The correction came in alone, and said nothing by itself; `why` names the rule, and the late run is taken back whole."""
    ethos.capture([said(second, at=NOON + day(0.001))])
    ethos.consolidate(reason="the correction")
    before = _held(ethos)
    ethos.capture([said(first, at=NOON)])
    late = ethos.consolidate(reason="the turn before it")
    held = [fact for fact in ethos.facts(FactFilter("default")) if value in fact.object]
    assert [fact.rule for fact in held] == [PUT_RIGHT]
    assert len(_held(ethos)) == 1
    assert ethos.store.check() == []
    ethos.undo(late.run)
    assert _held(ethos) == before
    assert ethos.store.check() == []


def test_h3_a_turn_that_comes_in_between_takes_the_correction_to_itself(ethos: Ethos) -> None:
    """What had been put right before stands as it was said; a turn that claims nothing does so, too."""
    ethos.capture([said("The upload limit is 25 MB.", at=NOON), said("sorry, 35 MB", at=NOON + day(0.004))])
    ethos.consolidate(reason="in order")
    assert _held(ethos) == ["35 MB"]
    ethos.capture([said("The page limit is 20 MB.", at=NOON + day(0.002))])
    ethos.consolidate(reason="between")
    assert sorted(_held(ethos)) == ["25 MB", "35 MB"]
    ethos.capture([said("What time is it in Lisbon?", at=NOON + day(0.003))])
    ethos.consolidate(reason="between again")
    assert sorted(_held(ethos)) == ["20 MB", "25 MB"]
    assert ethos.store.check() == []


def test_e20_a_correction_without_a_value_of_that_kind_changes_nothing(ethos: Ethos) -> None:
    """And one that corrects nothing that was claimed is no claim."""
    ethos.capture([said("The upload limit is 25 MB.", at=NOON), said("sorry, that came out wrong", at=NOON + day(0.001))])
    ethos.consolidate(reason="test")
    assert _held(ethos) == ["25 MB"]


@pytest.mark.parametrize("order", [(0, 1), (1, 0)])
def test_e20_a_correction_in_words_of_its_own_ends_what_it_puts_right(ethos: Ethos, order: tuple[int, int]) -> None:
    """Though one may have several such things, and whichever of the two turns comes in first."""
    turns = (said("I am allergic to walnuts.", at=NOON), said("Strike the walnuts. I am allergic to hazelnuts.", at=NOON + day(0.001)))
    for number in order:
        ethos.capture([turns[number]])
        ethos.consolidate(reason=str(number))
    assert _held(ethos) == ["hazelnuts"]


@pytest.mark.parametrize("second", ["12 people", "three weeks", "s/40/50/"])
def test_e20_a_number_of_something_else_corrects_nothing(ethos: Ethos, second: str) -> None:
    """It may answer a question of the agent."""
    ethos.capture([said("The upload limit is 25 MB.", at=NOON), said(second, at=NOON + day(0.001))])
    ethos.consolidate(reason="test")
    assert _held(ethos) == ["25 MB"]


def test_e20_nobody_corrects_what_somebody_else_said(ethos: Ethos) -> None:
    """Two people talk: the second tells of a limit of their own."""
    ethos.capture([said("The upload limit is 25 MB.", at=NOON), said("sorry, 35 MB", at=NOON + day(0.001), speaker="Bo")])
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
