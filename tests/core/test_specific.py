"""Values: numbers, days and names, which an object must have for a frame to be held alone."""

from __future__ import annotations

import pytest

from ethos.core.text.language.specific import VALUE, is_soon_over, is_specific, is_value, signs
from ethos.core.text.language.tagging import tag
from ethos.core.text.sentences import fold


@pytest.mark.parametrize(("text", "first"), [
    ("We meet on Tuesdays", "tuesdays"),
    ("we meet on tuesdays", "tuesdays"),
    ("there are twelve of us", "twelve"),
    ("Delyth teaches with Gwen", "gwen"),  # what begins a sentence is no sure name
    ("the cell is an er14505", "er14505"),
    ("Then I went home, and I'm fine", ""),
    ("The oven often fails", ""),  # "ten" is no word of "often"
    ("Two bands of Žuti", "two"),
    ("one of them sings", ""),
])  # fmt: skip
def test_values_are_numbers_days_and_names(text: str, first: str) -> None:
    """What holds none is not looked at any closer."""
    tagged = tag(fold(text))
    spans = tagged.spans()
    values = [tagged.words[at] for at in range(len(spans)) if is_value(tagged.words, tagged.tags, text, spans, (at, at + 1))]
    assert values[:1] == ([first] if first else [])
    assert (signs(text, fold(text)) == VALUE) == bool(first)


@pytest.mark.parametrize(("text", "specific", "value"), [
    ("two cats", False, True),
    ("two weeks", True, True),
    ("one cat", False, False),
    ("one week", True, True),
    ("one of the three doors", True, True),  # "one" tells nothing, and what follows does
    ("a cat", False, False),
    ("an iguanodon", True, False),
])  # fmt: skip
def test_what_is_specific_and_what_is_a_value_differ_in_two_kinds(text: str, specific: bool, value: bool) -> None:
    """A small number is a value and names nothing; a word that no dictionary has names something and is no value."""
    said = f"there is {text}"
    tagged = tag(said)
    phrase = (2, len(tagged.words))
    found = [read(tagged.words, tagged.tags, said, tagged.spans(), phrase) for read in (is_specific, is_value)]
    assert found == [specific, value]


def test_the_time_of_day_is_soon_over() -> None:
    """An appointment is over tomorrow."""
    assert [is_soon_over(phrase) for phrase in ("a meeting at three", "a call in 5 minutes", "a meeting on Mondays")] == [True, True, False]
    assert not is_soon_over("the weekly shop at Aldi")
