"""The list of cues of now: one list, from which every reader takes the cues of its place."""

from __future__ import annotations

from itertools import combinations

import pytest

from ethos.core.facts.statement import ANYTHING, replaced
from ethos.core.text.language.cues import cues, is_cue, is_opened_by_cue, without_cue, without_inner_cue
from ethos.core.text.language.lexicon import lines_of

PLACES = {"end", "near", "before", "within", "taste", "turn", "sign"}


def test_every_cue_has_only_places_that_somebody_asks_for() -> None:
    """A misspelt place would take a cue out of use silently."""
    rows = [line.partition(":") for line in lines_of("cues")]
    assert rows
    for cue, colon, places in rows:
        assert colon
        assert set(places.split()) <= PLACES, cue


def test_of_two_cues_at_an_end_the_longer_is_found_first() -> None:
    """The first that fits is taken off: "from now on" must not leave "from"."""
    for earlier, later in combinations(cues("end"), 2):
        assert not later.endswith(f" {earlier}")


@pytest.mark.parametrize("cue", cues("end"))
def test_a_cue_behind_an_object_is_no_part_of_it(cue: str) -> None:
    """It is what the claim takes the place of: anything."""
    assert without_cue(f"zsh {cue}") == ("zsh", cue)
    assert is_cue(cue)
    assert replaced(cue) == ANYTHING


def test_what_is_no_cue_is_what_is_replaced() -> None:
    """A name is looked for among what is held."""
    assert replaced("Maven") == "maven"
    assert replaced("Pushed back") == ANYTHING
    assert without_cue("zsh") == ("zsh", "")


@pytest.mark.parametrize(
    ("said", "thing"),
    [
        ("our current tutor", "our tutor"),
        ("favorite poet since last winter", "favorite poet"),
        ("the bus I take these mornings", "the bus I take"),
        ("the latest build", "the build"),
    ],
)
def test_a_thing_is_the_same_without_the_cue_in_its_name(said: str, thing: str) -> None:
    """The cue tells that it is so now; the name of the thing is what stays."""
    assert without_inner_cue(said) == (thing, "now")


@pytest.mark.parametrize("said", ["our tutor", "current", "the presenter", "the since field", "this season"])
def test_a_thing_without_a_cue_keeps_its_name(said: str) -> None:
    """And a cue alone is no name of anything."""
    assert without_inner_cue(said) == (said, "")


@pytest.mark.parametrize(
    ("before", "opened"),
    [
        ("this season ", True),
        ("as of May, ", True),
        ("good news: these days ", True),
        ("this box ", False),
        ("the season ", False),
        ("", False),
    ],
)
def test_a_phrase_of_now_opens_what_stands_behind_it(before: str, opened: bool) -> None:
    """Only where nothing else stands between them."""
    assert is_opened_by_cue(before) is opened
