"""A fact is told in the words of its clause where these say more than subject, predicate and object (E-41)."""

from __future__ import annotations

from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ethos.core.text.language.pronouns import named_once
from tests.support.proven import claims_of


def told_in(text: str) -> list[str]:
    return [claim.told for claim in claims_of(text) if claim.told]


@pytest.mark.parametrize(("text", "told"), [
    ("Knitting helps me unwind after a shift.", "Knitting helps Ada unwind after a shift"),
    ("I started giving lessons, teaching kids the fiddle.", "Ada started giving lessons, teaching kids the fiddle"),
    ("Last year I went to Peru with my sister.", "Ada went to Peru with their sister last year"),
    ("When I work with CSV, I use qsv.", "Ada uses qsv when they work with CSV"),
    ("On Mondays we deploy with Ansible.", "team deploys with Ansible on Mondays"),
    ("I don't eat meat at home since March.", "Ada does not eat meat at home since March"),
    ("My old flat was flooded by a burst pipe last week.", "Ada's old flat was flooded by a burst pipe last week"),
    ("The budget for paint is 4,000 a month and the boss hates it.", "The budget for paint is 4,000 a month"),
    ("I joined a choir because my doctor told me to sing.", "Ada joined a choir because their doctor told them to sing"),
    ("When I was young, we had money problems and ate lentils.", "team had money problems and ate lentils when they were young"),
    ('We watch "Elf" during the holidays.', 'team watches "Elf" during the holidays'),
    ("From September my rate is 65 an hour.", "Ada's rate is 65 an hour from September"),
    ("I'm working on the shed right now, with my brother.", "Ada is working on the shed"),
    ("Last week, my grandma passed away and it is hard.", "Ada's grandma passed away last week"),
    ("I sold my canoe last week.", "Ada sold their canoe last week"),
    ("My brother and I went sailing in Norway last May.", "Ada and their brother went sailing in Norway last May"),
    ("Some friends from work and I went camping last week - a blast!", "Ada and some friends from work went camping last week"),
    ("I make tark, an app that shows the tides of Brest.", "Ada makes tark, an app that shows the tides of Brest"),
    ("From September my rate is 65 and I need no car.", "Ada's rate is 65 from September"),
    ("I visited my aunt last week, but the train was late.", "Ada visited their aunt last week"),
])  # fmt: skip
def test_e41_a_clause_that_says_more_is_told(text: str, told: str) -> None:
    assert told_in(text) == [told]


@pytest.mark.parametrize("text", [
    "I love rye bread.",  # says no more
    "We use Redis for caching.",  # the purpose is told anyway
    "We switched from npm to pnpm last week.",  # what is replaced is no part of what is so
    "I joined a choir now that you sing too.",  # said to somebody
    "I live in Porto these days with my cat.",  # it would be "these days" for ever
    "Use tabs in the examples, because they line up.",  # an order is told as one
    "I have two cats and a dog called Bo.",  # two claims share the clause
])  # fmt: skip
def test_e41_a_clause_that_says_no_more_or_could_be_misread_is_not_told(text: str) -> None:
    assert told_in(text) == []


@pytest.mark.parametrize(("clause", "told"), [
    ("I always walk to work", "Ada always walks to work"),
    ("I've never liked my job", "Ada has never liked their job"),
    ("I haven't slept since I moved", "Ada has not slept since they moved"),
    ("my sister and I share our flat", "Ada's sister and they share their flat"),
    ('I named it "My Way" myself', 'Ada named it "My Way" themself'),
])  # fmt: skip
def test_e41_the_speaker_is_named_once(clause: str, told: str) -> None:
    assert named_once(clause, "Ada") == told


OPENERS = ("", "Well, ", "So, also ")
CLAUSES = ("I joined a choir", "I started giving lessons", "I visited my aunt")
MORE = (" last week", " because my knee hurts", " with my brother", " after the storm")


ENDS = ("", ".", "!", ", but the dog was ill.", " and you know it.")


@given(st.sampled_from(list(product(OPENERS, CLAUSES, MORE))), st.sampled_from(ENDS))
def test_e41_what_is_told_stands_in_the_turn_but_for_pronouns(parts: tuple[str, str, str], end: str) -> None:
    """No word comes in but the speaker's name and "they", and none of the clause goes."""
    opener, clause, more = parts
    text = f"{opener}{clause}{more}{end}"
    for told in told_in(text):
        said = {*text.lower().replace(",", " ").replace(".", " ").replace("!", " ").split()}
        assert {*told.lower().split()} - said <= {"ada", "ada's", "their", "they", "them"}
        assert told.endswith(more.replace("my", "their"))
