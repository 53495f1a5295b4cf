"""Who does what others count on has one key, and so has what is done on a date, in whatever words it is told."""

from __future__ import annotations

import pytest

from ethos.core.facts.doers import TAKEN_OVER, Doer, doer_told, duties_met, duty_named
from ethos.core.facts.occasions import occasion_named, occasion_told
from ethos.core.model.keys import FactKey


@pytest.mark.parametrize(("subject", "predicate", "obj"), [
    ("Cleo", "approve", "the deploys"),
    ("the deploys", "be approved by", "Cleo"),
    ("deploys", "be", "approved by Cleo"),
    ("Cleo", "sign off on", "deploys"),
])  # fmt: skip
def test_e21_who_does_a_thing_has_one_key(subject: str, predicate: str, obj: str) -> None:
    assert doer_told(subject, predicate, obj, "ada") == Doer("deploys", "be approve by", "who", "cleo")


@pytest.mark.parametrize(("subject", "predicate", "obj"), [
    ("The server", "run", "Debian"),
    ("prod", "run", "Ubuntu"),
    ("Ada", "teach", "maths"),
    ("Ada", "do", "my shopping at Lidl"),
    ("Ada", "drive", "a Skoda"),
    ("Ada", "run", "late"),
    ("The report", "be sent by", "Friday"),
    ("Ada", "water", "the plants twice a week"),
])  # fmt: skip
def test_e21_what_a_thing_runs_or_somebody_does_for_themselves_is_no_duty(subject: str, predicate: str, obj: str) -> None:
    assert doer_told(subject, predicate, obj, "ada") is None


def test_e21_when_it_is_done_is_part_of_the_key_and_since_when_is_not() -> None:
    at_lunch, since = doer_told("Bo", "walk", "the dog at lunch", "ada"), doer_told("Bo", "lead", "QA as of Monday", "ada")
    assert at_lunch == Doer("dog", "be walk by", "who at lunch", "bo")
    assert since == Doer("qa", "be lead by", "who", "bo")


def test_e21_a_position_names_its_duty() -> None:
    assert duty_named("sdk maintainer", "bo") == Doer("sdk", "be look after by", "who", "bo")
    assert duty_named("maintainer", "bo") is None


def test_e21_who_took_a_thing_over_meets_every_duty_of_it() -> None:
    owned = FactKey("default", "shop", "billing", "be own by", "who")
    assert [key.predicate for key in duties_met(owned)] == [TAKEN_OVER]
    assert owned in set(duties_met(owned._replace(predicate=TAKEN_OVER)))
    assert list(duties_met(owned._replace(slot="name"))) == []


@pytest.mark.parametrize(("subject", "predicate", "obj", "thing"), [
    ("", "go", "live on may 12", "launch"),
    ("", "launch on", "may 12", "launch"),
    ("sister", "be", "getting married on may 12", "sister wedding"),
])  # fmt: skip
def test_e21_what_is_done_on_a_date_is_a_date_of_the_thing(subject: str, predicate: str, obj: str, thing: str) -> None:
    told = occasion_told(subject, predicate, obj)
    assert told is not None
    assert (told.thing, told.predicate, told.slot, told.date) == (thing, "be", "date", "may 12")


def test_e21_what_is_done_on_no_date_is_no_occasion() -> None:
    assert occasion_told("", "launch on", "fridays") is None
    assert occasion_told("", "launch", "the app") is None
    assert occasion_named("shop go-live") == "shop launch"
