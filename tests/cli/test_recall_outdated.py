"""Recall says of an old turn what it states and is held no more, and what is held in its place."""

from __future__ import annotations

from datetime import timedelta

from ethos.app import Ethos
from ethos.core.ports.queries import FactFilter, Hit
from tests.conftest import SetClock
from tests.support.commands import Commands, commands, spoken
from tests.support.telling import NOON, said

__all__ = ["commands"]


def tell(ethos: Ethos, *words: str) -> None:
    """Say it, a day apart, and read it."""
    ethos.capture([said(each, at=NOON + timedelta(days=day)) for day, each in enumerate(words)])
    ethos.consolidate(reason="test")


def the(ethos: Ethos, statement: str) -> str:
    """The id of the fact that says so, held or not."""
    return next(fact.id for fact in ethos.facts(FactFilter("default", history=True)) if fact.statement == statement)


def turn(hits: tuple[Hit, ...], words: str) -> Hit:
    """The turn that has these words."""
    return next(hit for hit in hits if hit.type == "episode" and words in hit.text)


def test_a_turn_that_says_two_things_tells_which_is_held_no_more(ethos: Ethos) -> None:
    """Its other fact is held, so that it is not put last; what replaced the first stands beside it."""
    tell(ethos, "I live in Berlin and I have a cat called Mia.", "The sea is loud, and I live in Lisbon now.")
    old = turn(ethos.recall("Berlin cat Mia"), "Berlin")
    assert old.replaced_by == ""
    (gone,) = old.outdated
    assert (gone.fact, gone.by) == (the(ethos, gone.statement), the(ethos, gone.now))
    assert (gone.statement, gone.now) == ("Michael lives in Berlin", "Michael lives in Lisbon")
    assert turn(ethos.recall("Lisbon sea"), "Lisbon").outdated == ()


def test_a_turn_whose_fact_was_retired_says_so(ethos: Ethos, clock: SetClock) -> None:
    """There is no successor, and as of a time before there is nothing to tell."""
    tell(ethos, "We decided to use Rust, after a long talk in the kitchen.")
    before = clock.now()
    clock.move(days=1)
    ethos.retire(the(ethos, "team uses Rust"))
    (gone,) = turn(ethos.recall("Rust kitchen"), "Rust").outdated
    assert (gone.statement, gone.by, gone.now) == ("team uses Rust", "", "")
    assert turn(ethos.recall("Rust kitchen", as_of=before), "Rust").outdated == ()


def test_as_of_a_time_a_turn_has_the_marks_of_then(ethos: Ethos, clock: SetClock) -> None:
    """What had been replaced by then is marked, and what was replaced later is not."""
    tell(ethos, "The zoo is loud, and I live in Berlin.")
    first = clock.now()
    clock.move(days=5)
    ethos.capture([said("I live in Lisbon now.", at=NOON + timedelta(days=3))])
    ethos.consolidate(reason="test")
    second = clock.now()
    clock.move(days=5)
    assert turn(ethos.recall("Berlin zoo", as_of=first), "Berlin").replaced_by == ""
    assert turn(ethos.recall("Berlin zoo", as_of=second), "Berlin").replaced_by == the(ethos, "Michael lives in Lisbon")


def test_a_turn_that_replaces_its_own_words_is_not_outdated(ethos: Ethos) -> None:
    """ "We moved from X to Y" says itself what is held now."""
    tell(ethos, "We switched from MySQL to Postgres.")
    assert turn(ethos.recall("MySQL"), "MySQL").outdated == ()


def test_recall_tells_it_in_words_and_in_json(commands: Commands) -> None:
    """Of a hit, of a hit of a session, and not where no texts are asked for."""
    commands.write("talk.jsonl", spoken("t1", "I live in Berlin.") + spoken("t2", "I live in Lisbon now.", day=3))
    commands("capture", "talk.jsonl")
    commands("consolidate")
    (hit,) = [hit for hit in commands("recall", "Berlin", "--json").data["hits"] if hit["id"] == "t1"]
    (gone,) = hit["outdated"]
    assert (hit["replaced_by"], gone["statement"], gone["now"]) == (gone["by"], "Ada lives in Berlin", "Ada lives in Lisbon")
    line = f"no longer held: Ada lives in Berlin · superseded by {gone['by']}: Ada lives in Lisbon"
    for words in ((), ("--by", "session")):
        assert line in commands("recall", "Berlin", *words).out
    assert all("outdated" not in hit for hit in commands("recall", "Berlin", "--json", "--detail", "ids").data["hits"])
    assert all("outdated" not in hit for hit in commands("recall", "Lisbon", "--json").data["hits"])
