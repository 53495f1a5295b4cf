"""Recall by session: which conversations speak of something."""

from __future__ import annotations

from datetime import datetime, timedelta

import pytest

from ethos.app import Ethos
from ethos.core.model.errors import Refused
from ethos.core.model.records import Fact
from ethos.core.ports.queries import Hit, Narrowing, Search
from ethos.stages.recall import sessions as by_session
from tests.support.telling import NOON, said

WANTED = Search("", (), limit=5)


def hit(session: str, score: float, *, project: str = "p", kind: str = "episode", said_at: datetime = NOON) -> Hit:
    """A hit that was said there."""
    return Hit(f"{kind} {session} {score}", kind, score, "", "e", said_at, session, project)


def test_a_session_is_worth_its_best_hit_and_most_of_the_next_two() -> None:
    """Three good hits outweigh a better one alone; a fourth adds nothing, nor do hits that speak against a session."""
    found = by_session.sessions([hit("one", 10), hit("three", 6), hit("three", 6), hit("three", 5), hit("three", 4), hit("one", -9)], 5)
    assert [(each.session, each.score, len(each.hits)) for each in found] == [("three", 14.25, 3), ("one", 10, 2)]
    assert by_session.sessions([hit("", 3, kind="fact")], 5) == ()
    assert by_session.sessions([], 5) == ()


def test_equals_keep_the_order_of_their_hits() -> None:
    """So the same question has the same answer."""
    names = ["b", "a", "d", "c"]
    assert [each.session for each in by_session.sessions([hit(name, 2) for name in names], 5)] == names


def test_sessions_of_one_name_in_two_projects_stay_apart() -> None:
    """A fact that holds everywhere belongs to the session that it was said in."""
    found = by_session.sessions([hit("1", 9, project="api"), hit("1", 8, project="web"), hit("1", 5, project="", kind="fact")], 5)
    assert [(each.project, len(each.hits)) for each in found] == [("api", 2), ("web", 1)]


def test_sessions_are_found_narrowed_and_counted(ethos: Ethos) -> None:
    """The session that speaks of it most stands first; its hits count as retrieved; no more may be asked for than of hits."""
    told = {
        "plans": ("We could go to the sea in June.", "The sea is cold, but I like to swim.", "Then I book a house by the sea."),
        "dinner": ("I saw the sea on the way.", "Pasta is fine for me."),
        "work": ("The build is red.",),
    }
    ethos.capture(
        said(words, session=session, record=f"{session} {at}", at=NOON + timedelta(days=day, minutes=at))
        for day, (session, turns) in enumerate(told.items())
        for at, words in enumerate(turns)
    )
    found = ethos.sessions("swimming in the sea", WANTED, "asking")
    assert [each.session for each in found] == ["plans", "dinner"]
    assert "swim" in found[0].hits[0].text
    assert found[0].said_at == found[0].hits[0].said_at
    assert ethos.sessions("swimming in the sea", Search("", (), limit=1)) == found[:1]
    after = Search("", (), limit=5, only=Narrowing(after=NOON + timedelta(hours=12)))
    assert [each.session for each in ethos.sessions("sea", after)] == ["dinner"]
    assert ethos.sessions("sea", Search("", (), limit=5, types=(Fact,))) == ()
    assert ethos.sessions("?", WANTED) == ()
    served = {hit.id for each in found for hit in each.hits}
    with ethos.store.begin() as work:
        assert {record for record, session, _ in work.retrievals() if session == "asking"} == served
    for limit in (0, ethos.settings.recall.max_limit + 1):
        with pytest.raises(Refused) as refused:
            ethos.sessions("sea", Search("", (), limit=limit))
        assert refused.value.problem.hint


def test_one_long_session_does_not_crowd_out_the_others(ethos: Ethos) -> None:
    """Five sessions are found though one alone has more hits than a recall returns."""
    ethos.capture(
        said(f"The ferry left, number {at}.", session="long", record=f"l{at}", at=NOON + timedelta(minutes=at)) for at in range(60)
    )
    ethos.capture(said("We missed the ferry.", session=f"short {at}", record=f"s{at}", at=NOON + timedelta(days=1 + at)) for at in range(5))
    assert len({each.session for each in ethos.sessions("the ferry", WANTED)}) == 5
    assert {each.session for each in ethos.recall("the ferry", limit=10)} != {each.session for each in ethos.sessions("the ferry", WANTED)}


def test_common_words_are_not_searched_for_where_rare_ones_find_enough(ethos: Ethos) -> None:
    """Twenty hits of the rare words do for five sessions: those of a word that 2,100 turns have are not looked at."""
    ethos.capture(said(f"The weather, day {at}.", session=f"diary {at // 100}", record=f"w{at}") for at in range(2_100))
    ethos.capture(said(f"The ferry to Tinos, trip {at}.", session=f"trip {at % 3}", record=f"f{at}") for at in range(24))
    assert {each.session for each in ethos.sessions("weather on the ferry to Tinos", WANTED)} == {"trip 0", "trip 1", "trip 2"}
    assert len(ethos.recall("weather on the ferry to Tinos", limit=30)) == 30


def test_texts_with_both_of_two_common_words_stand_first(ethos: Ethos) -> None:
    """However long they are, and however often the others say one of the words: 2,000 postings are too many to weigh each."""
    say = {"harbour": "Harbour, harbour, harbour.", "weather": "Weather, weather, weather."}
    ethos.capture(said(words, session=f"{name} {at}", record=f"{name} {at}") for name, words in say.items() for at in range(1_100))
    both = "The weather was on everybody's mind again, so we stayed at home and read until the ferry left the harbour at noon."
    ethos.capture(said(f"{both} Trip {at}.", session=f"trip {at}", record=f"b{at}") for at in range(60))
    ethos.capture([said("The lighthouse stands beside the harbour.", session="l", record="l0")])
    assert all("harbour" in hit.text and "weather" in hit.text for hit in ethos.recall("weather, harbour", limit=30))
    ethos.capture([said("A pelican in this weather!", session="p", record="p0")])
    found = [hit.text for hit in ethos.recall("pelican weather", limit=5)]
    assert found[0] == "A pelican in this weather!"
    assert len(found) == 5  # where few texts have both, one of the words is enough
