"""Opposites: two places of one scale of one thing (`language/words/scales.txt`)."""

from __future__ import annotations

import pytest

from ethos.core.text.language.lexicon import lines_of
from ethos.core.text.language.scales import opposed, scaled


@pytest.mark.parametrize(
    ("one", "other", "want"),
    [
        ("short answers", "long answers with every change", True),
        ("short answers", "brief answers", False),
        ("short answers", "long walks", False),
        ("dark mode", "light mode", True),
        ("steak well done", "steak rare", True),
        ("work on the thesis at night", "working in the morning", True),
        ("dry wine", "sweet wine", True),
        ("dry wine", "strong wine", False),
        ("tea", "coffee", False),
    ],
)
def test_e20_opposites_are_places_of_one_scale(one: str, other: str, want: bool) -> None:
    """Whichever comes first."""
    assert opposed(one, other) is want
    assert opposed(other, one) is want


def test_e20_what_has_no_scale_or_no_thing_is_not_on_one() -> None:
    """An adjective alone says of nothing what it is like."""
    assert scaled("") is scaled("short") is scaled("oat milk") is None


def test_each_scale_has_two_places_and_each_word_once_on_it() -> None:
    """So that no word is its own opposite."""
    for line in lines_of("scales"):
        scale, _, places = line.partition(":")
        words = [word for place in places.split("|") for word in place.split()]
        assert scale
        assert len(places.split("|")) > 1
        assert len(words) == len(set(words)), line
