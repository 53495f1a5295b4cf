"""Tastes under one key, whatever words tell them (E-23)."""

from __future__ import annotations

import pytest

from ethos.core.rules.clauses.tastes import tastes_in
from ethos.core.text.language.clauses import parsed
from ethos.core.text.language.tastes import Taste, taste_of


@pytest.mark.parametrize(
    ("predicate", "obj", "told"),
    [
        ("is a big fan of", "dark mode", Taste("+", "dark mode")),
        ("love", "horror films at all", Taste("+", "horror")),
        ("finds", "peaty whisky revolting", Taste("-", "peaty whisky")),
        ("finds exhausting", "crowded markets", Taste("-", "crowded market")),
        ("has gone off", "oysters", Taste("-", "oyster")),
        ("has a soft spot for", "old trams", Taste("+", "old tram")),
        ("cannot stand", "opera", Taste("-", "opera")),
        ("has come round to", "tea", Taste("+", "tea")),
        ("uses", "vim", None),
        ("would love to", "cook", None),
    ],
)
def test_e23_a_taste_is_one_thing_with_a_polarity(predicate: str, obj: str, told: Taste | None) -> None:
    """The words around what is liked, and the words that tell it, are no part of the key."""
    assert taste_of(predicate, obj) == told


@pytest.mark.parametrize(
    ("low", "things"),
    [
        ("i'm fond of peaty whisky, and very fond of calvados", ["+ peaty whisky", "+ calvados"]),
        ("since the baby i don't enjoy horror at all", ["- horror now"]),
        ("beach holidays do nothing for me now", ["- beach holidays now"]),
        ("big fan of dark mode, and of the iosevka font", ["+ dark mode", "+ the iosevka font"]),
        ("no jazz, i've grown tired of it", ["- jazz now"]),
        ("i used to love graphql", ["- graphql now"]),
        ("i don't hate it", []),
        ("i don't hate wet socks", []),
        ("i'd love horror films", []),
        ("the things i hate cost nothing", []),
        ("we moved into a bigger flat", []),
        ("my wife says i love tea", []),
        ("it looks like rain", []),
        ("i've liked turtles since i was a boy", ["+ turtles"]),
        ("it would suit me since i love fantasy", ["+ fantasy"]),
        ("i love all the details", []),
        ("i love the vase in the picture", []),
        ("i love the smell of rain", ["+ the smell of rain"]),
        ("we enjoy sharing our tools with them", []),
        ("i love getting lost in those stories", []),
        ("translate into german", []),
        ("make fans of opera happy", []),
    ],
)
def test_e23_the_tastes_in_a_sentence_are_the_speakers_own(low: str, things: list[str]) -> None:
    """They are found by their constructions; a cue of now is heard around them; what is supposed or another's is none."""
    tagged, found = parsed(low)
    told = [
        f"{'+' if each.liked else '-'} {' '.join(tagged.words[slice(*each.thing)])}{' now' if each.changed else ''}"
        for each in tastes_in(tagged, found)
    ]
    assert told == things
