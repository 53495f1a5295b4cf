"""What stands behind an object and limits what is said of it: a denial is held with its limit or not at all."""

from __future__ import annotations

import pytest

from ethos.core.model.records import Claim, Origin
from ethos.core.rules.qualifiers import MAX_QUALIFIER, extend_span, qualifier_end
from tests.support import proven

RULES = proven.rules()


def said(text: str) -> list[tuple[str, str]]:
    return [(claim.polarity, claim.object) for claim in claims(text)]


def claims(text: str) -> tuple[Claim, ...]:
    return RULES.claims(text, role="user", speaker="Maren", origin=Origin.USER)


@pytest.mark.parametrize(
    ("text", "object_"),
    [
        ("I never drink espresso after 5 pm.", "espresso after 5 pm"),
        ("I never eat cheese after 9:45 pm because it wakes me.", "cheese after 9:45 pm"),
        ("I don't drink wine when I cook.", "wine when I cook"),
        ("We don't eat fish before Lent.", "fish before Lent"),
        ("I don't eat oysters unless they are cooked.", "oysters unless they are cooked"),
        ("I don't drink soda, except on holidays.", "soda, except on holidays"),
        ("I no longer eat bread after dinner.", "bread after dinner"),
        ("I can't stand the radio while I read.", "the radio while I read"),
        ("Never delete branches unless the release is out.", "branches unless the release is out"),
        ("We decided not to use Consul until the audit is done.", "Consul until the audit is done"),
    ],
)
def test_a_denial_is_held_with_its_limit(text: str, object_: str) -> None:
    """ "Never after 5 pm" is not "never": the limit is part of what is held."""
    assert ("-", object_) in said(text)
    assert all(held.startswith(object_) for polarity, held in said(text) if polarity == "-")


@pytest.mark.parametrize(
    ("text", "object_"),
    [
        ("I never eat cheese because it makes me ill.", "cheese"),
        ("I don't eat fish, but I cook it.", "fish"),
        ("I gave up cheese when I turned thirty.", "cheese"),
        ("I don't like goats so I keep hens.", "goats"),
    ],
)
def test_a_reason_or_an_occasion_is_no_limit(text: str, object_: str) -> None:
    """Why it is so, and when it came about, take nothing from a denial."""
    assert ("-", object_) in said(text)


def test_only_keeps_what_it_goes_with() -> None:
    """What is done only then is not held as done always."""
    assert said("I only drink espresso after lunch.") == [("+", "espresso after lunch")]


def test_a_limit_too_long_to_hold_leaves_nothing() -> None:
    """A denial whose limit cannot be held is not held without it."""
    assert said("I never drink espresso when " + "the rain falls on the roof of a house " * 2 + "by night.") == []


def test_a_limit_behind_a_purpose_leaves_nothing() -> None:
    """What is denied for one use, and there with a limit, has no place for the limit."""
    assert said("We decided not to use Consul for discovery until the audit is done.") == []


@pytest.mark.parametrize(
    ("text", "object_"),
    [("My flight is on June 4th at 11:25.", "June 4th at 11:25"), ("My favorite ratio is 3:1.", "3:1")],
)
def test_a_colon_between_digits_ends_nothing(text: str, object_: str) -> None:
    """A time or a ratio stays whole."""
    assert [claim.object for claim in claims(text)] == [object_]


def test_two_favorites_in_one_sentence_are_two() -> None:
    """The second thing that is said after "and my" is not part of the first."""
    assert [(claim.predicate, claim.object) for claim in claims("My favorite poet is Celan and my favorite painter is Klee.")] == [
        ("favorite poet", "Celan"),
        ("favorite painter", "Klee"),
    ]


@pytest.mark.parametrize(
    "text",
    [
        "I told Ruth that I love jazz, but that was a lie.",
        "I told Ruth that I love jazz.",
        "I love jazz, but not really.",
        "I hate jazz, just kidding.",
    ],
)
def test_what_is_taken_back_in_the_same_breath_is_not_held(text: str) -> None:
    """A lie or a joke that is called so, and what one told somebody else, are no claims."""
    assert said(text) == []


def test_what_one_told_the_listener_is_said() -> None:
    """ "I told you" says it once more."""
    assert said("I told you that I love jazz.") == [("+", "jazz")]


def test_the_ends_are_found_in_the_sentence() -> None:
    """The bare functions: where a time and a limit end, and what is too long."""
    assert extend_span("at 10:40 am sharp", 5) == len("at 10:40 am")
    assert extend_span("note: this", 4) == 4
    text = "i never drink tea after lunch, i think"
    assert qualifier_end(text, 0, len("i never drink tea")) == len("i never drink tea after lunch")
    assert qualifier_end("i never drink tea when " + "a" * MAX_QUALIFIER, 0, len("i never drink tea")) is None


@pytest.mark.parametrize(
    ("text", "object_"),
    [
        ("I bought a small, sturdy table.", "a small, sturdy table"),
        ("I want to build a warm, welcoming home for my sister.", "build a warm, welcoming home"),
        ("I love the quiet, and the fog.", "the quiet"),
        ("I bought a shed, moved in, and slept.", "a shed"),
    ],
)
def test_adjectives_are_not_cut_from_their_noun(text: str, object_: str) -> None:
    """ "A small" is nothing one can buy: a comma between adjectives ends no object."""
    assert ("+", object_) in said(text)
