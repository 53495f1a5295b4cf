"""Worth: what was said truly and will not matter is weak; what names something, or goes on, is held."""

from __future__ import annotations

import pytest

from ethos.core.model.records import Claim, Origin
from ethos.core.rules.matcher import Rules
from ethos.core.rules.worth import worth
from ethos.core.text.language.lexicon import weights_of
from tests.support.proven import rules_by_default


def both() -> Rules:
    """All shipped rules, with both readers."""
    return rules_by_default()


def read(rules: Rules, text: str) -> tuple[Claim, ...]:
    """Return what Maren says."""
    return rules.claims(text, role="user", speaker="Maren", origin=Origin.USER)


@pytest.mark.parametrize(("text", "grade"), [
    ("write a short README explaining that minsky is a tool for agent workflows.", "held"),
    ("add a comment saying that `minsky` is a tool for agent workflows.", "held"),
    ("make sure that minsky is a tool for agent workflows.", "weak"),  # that is what is to be done
])  # fmt: skip
def test_x_e1_what_an_order_has_told_is_so(text: str, grade: str) -> None:
    """The order is for the moment; what is to be explained in it is a statement as any other."""
    assert [claim.grade for claim in read(both(), text)] == [grade]


@pytest.mark.parametrize(("text", "grade"), [
    ("I adopted a cat.", "held"),
    ("I went to an event yesterday.", "weak"),
    ("My loom has 3 shafts.", "held"),  # a number
    ("I kept 3 pieces of fabric.", "weak"),  # a number of one deed
    ("I went to Woodhaven yesterday.", "held"),  # it names something
    ("I love it when my dog greets me.", "held"),
    ("I own another one.", "weak"),  # it points to what was said before
    ("I upgraded some of my equipment at home.", "weak"),  # one deed among many, of nothing that has a name
    ("I upgraded my Saeco machine at home.", "held"),
    ("Setbacks are lessons from Kiel.", "weak"),  # all of a sort
    ("I want to spread that intensity with other people.", "weak"),  # which one?
    ("I want to plant beans this week.", "held"),
    ("Hotfixes are exempt from the freeze.", "held"),
    ("Turtles are like little zen masters in Kiel.", "weak"),
])  # fmt: skip
def test_x_e1_what_has_little_worth_is_weak(text: str, grade: str) -> None:
    """Truth is not enough: "an event, yesterday" is kept with its words, and held when it is told again."""
    assert [claim.grade for claim in read(both(), text)] == [grade]


def test_the_worth_of_a_claim_is_the_sum_of_its_signs() -> None:
    """Each sign has its weight in the list, and nothing else counts."""
    text = "I went to an event yesterday."
    (claim,) = read(both(), text)
    found = worth(claim, text, "Maren")
    assert {"empty", "passing"} <= found.signs.keys()
    assert all(found.signs[sign] == weights_of("worth")[sign] for sign in found.signs)
    assert found.value < weights_of("worth")["least"]
    assert worth(claim, text, "Maren", alone=True).value < found.value


@pytest.mark.parametrize(("thing", "dangles"), [("that shed", True), ("beans this week", False), ("beans this Friday", False)])
def test_x_e1_a_time_at_hand_is_nothing_that_is_pointed_at(thing: str, dangles: bool) -> None:
    text = f"I want to plant {thing}."
    (claim,) = read(both(), text)
    assert ("dangling" in worth(claim, text, "Maren").signs) is dangles


def test_only_the_sentence_of_a_claim_counts() -> None:
    """What stands in other sentences changes no grade (property 8)."""
    alone, among = read(both(), "I adopted a cat."), read(both(), "Yesterday was odd. I adopted a cat. It rained last night.")
    assert [claim.grade for claim in alone] == [claim.grade for claim in among if claim.object == "a cat"]


def test_a_long_sentence_is_looked_at_near_the_claim() -> None:
    """What a claim costs does not grow with its text: beyond the length of a sentence nothing is read."""
    claim = "so I adopted a cat"
    near, far = f"as we went out yesterday, {claim}", "as we went out yesterday, " + "x, " * 2_000 + claim
    for text, passing in ((near, True), (far, False)):
        (adopted,) = read(both(), text)
        assert ("passing" in worth(adopted, text, "Maren").signs) == passing
