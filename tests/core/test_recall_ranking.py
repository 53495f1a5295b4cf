"""Ranking, without a store: what earns credit, what stands for the same, and what must not matter."""

from __future__ import annotations

from dataclasses import replace
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ethos.core.model.candidates import Noted, Resting
from ethos.core.recall import features
from ethos.core.recall.dates import Dates
from ethos.core.recall.ranking import Asked, Pool, Ranking, Weights, inverse_frequency
from ethos.core.recall.terms import terms

WEIGHTS = Weights()
DAY = 86_400 * 1_000_000
VOCABULARY = ("harbour", "lantern", "violin", "meadow", "copper", "what?", "Wow,", "yesterday")


def turn(row: int, text: str, speaker: str = "nora", said_at: int = 0) -> Noted:
    """A turn as the index notes it."""
    return Noted(row, *features.of_turn(text, "user"), speaker, said_at)


def fact(row: int, text: str, rests_on: int | None) -> Resting:
    """A fact as the index notes it."""
    return Resting(Noted(row, *features.of_fact(text), "", 0), f"f-{row}", rests_on)


def asked(text: str, **more: object) -> Asked:
    """A question for these words, which are all equally rare."""
    return replace(Asked(dict.fromkeys(terms(text), 2.0)), **more)  # type: ignore[arg-type]


def order(pool: Pool, wanted: Asked) -> list[int]:
    """The rows, best first."""
    return Ranking(pool, wanted, WEIGHTS).order


TALKS = st.lists(st.lists(st.sampled_from(VOCABULARY), min_size=1, max_size=6).map(" ".join), min_size=1, max_size=12)


@given(TALKS, st.lists(st.sampled_from(VOCABULARY[:5]), min_size=1, max_size=4), st.randoms(use_true_random=False))
def test_the_order_of_the_candidates_does_not_matter(talk: list[str], words: list[str], random: Random) -> None:
    """Whatever order they come in, the ranking is the same, ties included."""
    turns = [turn(row * 2, text) for row, text in enumerate(talk)]
    facts = [fact(1_000 + at, text, at * 2) for at, text in enumerate(talk[:3])]
    shuffled = random.sample(turns, len(turns)), random.sample(facts, len(facts))
    wanted = asked(" ".join(words))
    one, other = Ranking(Pool(turns, facts), wanted, WEIGHTS), Ranking(Pool(*shuffled), wanted, WEIGHTS)
    assert (one.order, one.scores) == (other.order, other.scores)


@given(TALKS, st.sampled_from(VOCABULARY[:5]), st.data())
def test_a_turn_that_says_more_of_what_is_asked_never_falls(talk: list[str], more: str, data: st.DataObject) -> None:
    """Adding a word of the question to a statement never lowers its score."""
    at = data.draw(st.integers(0, len(talk) - 1))
    wanted = asked("harbour lantern violin meadow copper")
    before = Ranking(Pool([turn(row, text) for row, text in enumerate(talk)]), wanted, WEIGHTS).scores.get(at)
    talk[at] = f"{talk[at]} {more}"
    after = Ranking(Pool([turn(row, text) for row, text in enumerate(talk)]), wanted, WEIGHTS).scores[at]
    assert before is None or after >= before - 1e-9


@given(TALKS, st.lists(st.sampled_from(VOCABULARY[:5]), min_size=1, max_size=4))
def test_parts_sum_to_the_score(talk: list[str], words: list[str]) -> None:
    """`--explain` tells the whole truth."""
    turns = [turn(row, text, said_at=19_000 * DAY) for row, text in enumerate(talk)]
    wanted = asked(" ".join(words), speaker="nora", rarity=0.5, dates=Dates((1,), (2022,), (8,)), asks_when=True, asks_where=True)
    ranking = Ranking(Pool(turns, found={0}), wanted, WEIGHTS)
    assert all(sum(ranking.parts(row).values()) == pytest.approx(score) for row, score in ranking.scores.items())


def test_an_answer_outranks_its_question() -> None:
    """The turn after a question is credited with the words of the question."""
    talk = [turn(0, "Where is the violin?"), turn(1, "It hangs in the hall."), turn(2, "Good.")]
    assert order(Pool(talk), asked("violin"))[0] == 1


def test_what_is_asked_in_between_carries_the_subject_on() -> None:
    talk = [turn(0, "I started a novel."), turn(1, "What is it about?"), turn(2, "Two sisters by the sea."), turn(9, "A novel idea?")]
    ranking = Ranking(Pool(talk), asked("novel"), replace(WEIGHTS, about=0.9))
    assert ranking.parts(2)["words"] == pytest.approx(1.8)


def test_neighbours_of_another_session_earn_nothing() -> None:
    """Their rows are not beside one another."""
    talk = [turn(65_535, "the violin"), turn(65_544, "in the hall")]
    assert order(Pool(talk), asked("violin")) == [65_535]


def test_credit_is_the_greatest_and_never_the_sum() -> None:
    """A turn among many that say the word is not lifted by each of them."""
    talk = [turn(row, "violin") for row in range(7)]
    ranking = Ranking(Pool(talk), asked("violin"), WEIGHTS)
    assert set(ranking.scores.values()) == {2.0}
    assert ranking.order == list(range(7))


def test_a_rarer_word_counts_more() -> None:
    assert inverse_frequency(1_000, 3) > inverse_frequency(1_000, 300) > inverse_frequency(1_000, 2_000) > 0


def test_a_fact_and_its_turn_are_one_answer() -> None:
    """The fact stands for both where it says as much of the question as the turn; else the turn. The better score is kept."""
    talk = [turn(5, "We keep the copper lantern in the harbour office.")]
    told = Ranking(Pool(talk, [fact(900, "the lantern is kept in the harbour", 5)]), asked("lantern harbour"), WEIGHTS)
    assert (told.order[0], told.told_by) == (900, {5: 900})
    told = Ranking(Pool(talk, [fact(900, "the lantern is kept in the harbour", 5)]), asked("lantern copper"), WEIGHTS)
    assert (told.order[0], told.told_by) == (5, {900: 5})
    assert told.scores[5] >= told.scores[900]


def test_two_facts_of_one_turn_that_say_what_is_asked_are_two_answers() -> None:
    """Each tells a thing of its own. One that says less than the turn is told by the turn, and so by the other."""
    talk = [turn(5, "We use Postgres for billing and Redis for sessions.")]
    facts = [fact(900, "team uses Postgres billing", 5), fact(901, "team uses Redis sessions", 5)]
    both = Ranking(Pool(talk, facts), asked("team uses"), WEIGHTS)
    assert both.order == [900, 901, 5]
    assert set(both.told_by) == {5}
    one = Ranking(Pool(talk, facts), asked("uses billing"), WEIGHTS)
    assert one.order[0] == 900
    assert one.told_by == {5: 900, 901: 5}


def test_a_fact_of_the_kind_that_is_asked_for_has_the_word() -> None:
    """ "which database" finds what is one."""
    plain, of_kind = fact(1, "team uses Postgres", None), fact(2, "team uses Redis", None)._replace(of_kind=frozenset(terms("database")))
    assert order(Pool([], [plain, of_kind]), asked("database"))[0] == 2


def test_a_fact_of_the_kind_stands_before_talk_about_it() -> None:
    """ "We have to pick a database" has the word, and answers nothing; a tool in lower case is a name like any other."""
    of_kind = fact(900, "team uses sqlite", 5)._replace(of_kind=frozenset(terms("database")))
    talk = [turn(4, "We have to pick a database, said Nora."), turn(5, "Let's go with sqlite.")]
    assert order(Pool(talk, [of_kind]), asked("database"))[:2] == [900, 4]


def test_whose_words_are_meant_and_when_lift_a_turn() -> None:
    talk = [turn(0, "the violin", "ben"), turn(20, "the violin", "nora"), turn(40, "the violin", "ben", 19_000 * DAY)]
    assert order(Pool(talk), asked("violin", speaker="nora"))[0] == 20
    assert order(Pool(talk), asked("violin", dates=Dates((1,), (2022,), (8,))))[0] == 40


def test_a_turn_of_the_day_that_is_named_is_an_answer_without_a_word() -> None:
    talk = [turn(0, "we sailed", said_at=19_000 * DAY), turn(30, "we rowed")]
    assert order(Pool(talk, found=[0]), asked("violin", dates=Dates((1,), (2022,), (8,)))) == [0]


def test_names_and_questions_count_in_proportion_where_no_word_is_rare() -> None:
    """In a memory of a few turns the words of the question decide; among many turns, what speaks for a turn besides counts in full."""
    turns = [turn(0, "Where is the lantern?"), turn(11, "I keep the lantern."), turn(13, "Then Ada came.")]
    few, many = (Ranking(Pool(turns), Asked({"lantern": rarity}), WEIGHTS) for rarity in (0.5, 6.0))
    assert few.order == [11, 0, 13]
    assert few.parts(13)["names"] == pytest.approx(many.parts(13)["names"] * 0.5 / 3)
    assert Ranking(Pool(turns, found=[13]), Asked({}, speaker="nora"), WEIGHTS).parts(13)["speaker"] == WEIGHTS.speaker
