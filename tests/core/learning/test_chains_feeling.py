"""What an episode was to people, estimated from its words alone."""

from __future__ import annotations

from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ethos.core.learning.chains.feeling import Feeling, count, estimated_salience, feelings, felt, phrases
from ethos.core.learning.chains.moment import NEUTRAL
from ethos.core.learning.chains.own_words import best
from ethos.core.recall.terms import words
from ethos.core.text.readings import Readings
from ethos.core.text.sentences import fold


def test_l03_nothing_is_made_up() -> None:
    """Without a word of feeling all stays in the middle; a tone that was given is kept."""
    plain = count(words("The function takes two arguments."), "user")
    assert not plain
    assert feelings(plain, 0.0, 0.5) == NEUTRAL
    assert feelings(plain, -0.4, 0.5).valence == -0.4
    assert estimated_salience(0.6, plain) == 0.6


@pytest.mark.parametrize(
    ("text", "feeling"),
    [
        ("I'm so happy about it", Feeling.JOY),
        ("Thanks, that makes sense", Feeling.TRUST),
        ("I can't wait for the trip", Feeling.ANTICIPATION),
        ("Wow, it turned out to be the cache", Feeling.SURPRISE),
        ("The build is broken again", Feeling.TROUBLE),
        ("The tests are passing", Feeling.SUCCESS),
        ("The deploy timed out", Feeling.FAILURE),
        ("No, that's not the file I meant", Feeling.CORRECTION),
        ("It took me three days of debugging", Feeling.EFFORT),
    ],
)
def test_l03_words_of_each_list_count(text: str, feeling: Feeling) -> None:
    """Each list is heard in a sentence of its kind."""
    assert count(words(text), "user")[feeling] > 0


@pytest.mark.parametrize(
    ("text", "times"),
    [("thank you", 1), ("so thank you", 1), ("well, thank you!", 1), ("thank her and you", 0), ("thank yourself", 0), ("outthank you", 0)],
)
def test_l03_a_phrase_counts_where_its_words_stand_together(text: str, times: int) -> None:
    """As whole words, anywhere in the text."""
    assert count(words(text), "user")[Feeling.TRUST] == times


def test_l03_a_feeling_is_a_persons_own() -> None:
    """An assistant's cheer and a tool's words are no feelings; the outcome that they tell counts."""
    text = "Great news, I'm happy to say: all tests passed. Thanks!"
    assert count(words(text), "assistant") == count(words(text), "tool") == Counter({Feeling.SUCCESS: 1})
    assert count(words(text), "user")[Feeling.JOY] == 2


@pytest.mark.parametrize(
    "text",
    [
        "Wow, that's cool, Ilse!",
        "Congrats, Ilse! You both looked fantastic on your wedding day!",
        "Did you have fun?",
        "Have fun and stay safe, Ilse!",
        "```\nwow, what a happy, wonderful log\n```",
    ],
)
def test_l03_courtesy_and_pasted_text_are_no_feelings(text: str) -> None:
    """What is said to somebody about theirs, asks, or was pasted leaves everything at the middle."""
    assert count(words(text), "user")
    assert not felt(words(text), lambda: Readings().of(text), "Maren", {"maren", "ilse"})


def test_l03_what_is_told_keeps_its_feelings_beside_courtesy() -> None:
    """And a correction, trouble and outcomes count whoever they are said to; of what was pasted outcomes alone."""
    told = "Wow, thanks Ilse! I am so happy about the new loom."
    assert felt(words(told), lambda: Readings().of(told), "Maren", {"maren", "ilse"}) == {Feeling.JOY: 1}
    said = "No, that's not it, you broke the gate.\n```\nwow, it failed\n```"
    found = felt(words(said), lambda: Readings().of(said), "user", {"user"})
    assert found == {Feeling.CORRECTION: 1, Feeling.TROUBLE: 1, Feeling.FAILURE: 1}


def test_l39_a_turn_is_quoted_by_what_it_tells() -> None:
    """The sentence that most likely lasts, as it was written; of courtesy nothing."""
    text = "Thanks, Ilse! It was fine. My goal is to open a bakery in March. Are you coming?"
    assert best(text, Readings().of(text), "Maren", {"maren", "ilse"}).text == "My goal is to open a bakery in March"
    for empty in ("Wow, what a great day", "So much since we talked", "It says 'No gates found. Shut them!'", "It ends at `gate.open"):
        assert best(empty, Readings().of(empty), "Maren", {"ilse"}).text == ""
    for whole in ("When it rains, shut the gate", "Great, that fixed it: the gate works now, thank you so much"):
        assert best(whole, Readings().of(whole), "user", {"user"}).text == whole
    praise = (
        "That loom is gorgeous, Ilse",
        "It was a great day at the sea",
        "Yeah, the sea is lovely like that",
        "Must be great to see it move",
        "She seems so happy there",
    )
    for courtesy in (*praise, "I'm always happy to help", "Glad I could help"):
        assert best(courtesy, Readings().of(fold(courtesy)), "Maren", {"ilse"}).text == ""
    for whole in ("The deploy is broken again", "I was at the sea, it was lovely"):
        assert best(whole, Readings().of(fold(whole)), "Maren", {"ilse"}).text == whole
    assert best("That's awesome, Ilse!", Readings().of("That's awesome, Ilse!"), "Maren", {"ilse"}).text == ""


def test_l03_an_offer_to_help_shows_no_joy() -> None:
    """It is courtesy, like what is said of somebody else's news."""
    offer = "I'm happy to help with the loom."
    assert felt(words(offer), lambda: Readings().of(fold(offer)), "Maren", {"maren", "ilse"}) == {}
    news = "I'm happy about the loom."
    assert felt(words(news), lambda: Readings().of(fold(news)), "Maren", {"maren", "ilse"}) == {Feeling.JOY: 1}


def test_l03_more_words_say_more_and_trouble_takes_joy() -> None:
    """Each word goes half of the way that is left."""
    assert feelings({Feeling.JOY: 1}, 0.0, 0.5).joy == 0.75
    assert feelings({Feeling.JOY: 2}, 0.0, 0.5).joy == 0.875
    mixed = feelings({Feeling.JOY: 1, Feeling.TROUBLE: 1}, 0.0, 0.5)
    assert (mixed.joy, mixed.trust, mixed.surprise, mixed.valence) == (0.375, 0.25, 0.5, 0.0)
    assert feelings({Feeling.FAILURE: 2}, 0.0, 0.5).valence == pytest.approx(-2 / 3)


def test_l03_signs_that_an_episode_mattered_raise_its_salience() -> None:
    """An outcome, effort, and most of all a person's correction; a quarter of the scale at most."""
    corrected, solved = count(words("no, that's not it, use tabs"), "user"), count(words("fixed"), "user")
    assert estimated_salience(0.5, corrected) > estimated_salience(0.5, solved) > 0.5
    every = Counter(dict.fromkeys(Feeling, 3))
    assert estimated_salience(0.5, every) == pytest.approx(0.75)
    assert estimated_salience(0.9, every) == 1.0


def test_the_lists_are_whole() -> None:
    """Each has words, and no phrase stands in one twice."""
    listed = phrases()
    assert {feeling for _, feeling in listed} == set(Feeling)
    assert len(listed) == len(set(listed))


@given(st.text(max_size=200), st.sampled_from(("user", "assistant", "tool")), st.floats(-1, 1), st.floats(0, 1))
def test_l03_estimates_lie_in_their_ranges(text: str, role: str, tone: float, step: float) -> None:
    """Whatever the text."""
    counted = count(words(text), role)  # type: ignore[arg-type]  # sampled from the roles
    told = feelings(counted, tone, step)
    assert all(0 <= each <= 1 for each in told[:4])
    assert -1 <= told.valence <= 1
    assert 0 <= estimated_salience(0.5, counted) <= 1
