"""The list of cues of now: one list, from which every reader takes the cues of its place."""

from __future__ import annotations

from itertools import combinations

import pytest

from ethos.core.facts.weighing import ANYTHING, replaced
from ethos.core.text.language.cues import cues, is_cue, without_cue
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
