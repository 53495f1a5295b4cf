"""Recall by days and by what a question wants: the decision of yesterday, what of a kind is used."""

from __future__ import annotations

from datetime import timedelta

from ethos.app import Ethos
from tests.conftest import SetClock
from tests.support.telling import said


def texts(ethos: Ethos, query: str, limit: int = 10) -> list[str]:
    """What is found, best first."""
    return [hit.text for hit in ethos.recall(query, limit=limit)]


def talked(ethos: Ethos, clock: SetClock) -> None:
    """Two decisions, one of them yesterday, and talk about them."""
    week, day = clock.at - timedelta(days=30), clock.at - timedelta(days=1)
    ethos.capture([said("Let's go with Kafka for the event bus.", at=week, session="w")])
    lines = (
        "We have to pick a database for the orders service.",
        "Does Nora know that the Halifax office reads all orders?",
        "Let's go with SQLite for the orders service.",
    )
    ethos.capture([said(line, at=day + timedelta(minutes=at), session="y") for at, line in enumerate(lines)])
    ethos.consolidate()


def test_what_was_decided_yesterday_is_found_by_that_alone(ethos: Ethos, clock: SetClock) -> None:
    """No word of the question stands in the talk: the day and the kind of fact find it; another day finds nothing."""
    talked(ethos, clock)
    decided = "team uses SQLite for the orders service"
    assert texts(ethos, "What did we decide yesterday?")[0] == decided
    assert texts(ethos, "decisions of yesterday")[0] == decided
    assert "team uses Kafka for the event bus" not in texts(ethos, "What did we decide yesterday?")
    assert texts(ethos, "What did we decide two weeks ago?") == []
    clock.move(days=2)
    assert texts(ethos, "What did we decide 3 days ago?")[0] == decided


def test_a_question_for_a_kind_is_answered_before_talk_about_the_kind(ethos: Ethos, clock: SetClock) -> None:
    """ "which database" wants the one that is used, not the turn in which one was looked for."""
    talked(ethos, clock)
    assert texts(ethos, "which database")[0] == "team uses SQLite for the orders service"
    assert texts(ethos, "what did we choose for the orders service")[0] == "team uses SQLite for the orders service"


def test_a_list_of_a_kind_is_found_by_its_name_in_the_plural(ethos: Ethos, clock: SetClock) -> None:
    """Among many turns that have the word, each fact about one of the kind stands first, however it is written."""
    runners = ("pytest", "jest", "mocha", "vitest", "rspec")
    turns = [said(f"The cache and the test runners near {place} are slow.", at=clock.at + timedelta(minutes=at), session=f"n{at}")
             for at, place in enumerate(("Oslo", "Turin", "Porto", "Leeds", "Graz", "Lyon", "Bonn", "Bern"))]  # fmt: skip
    turns += [said(f"I like {each}.", at=clock.at + timedelta(hours=at), session=f"l{at}") for at, each in enumerate(runners)]
    ethos.capture(turns)
    ethos.consolidate()
    found = texts(ethos, "which test runners do I like", limit=len(runners))
    assert {text.rpartition(" ")[2] for text in found} == set(runners)
