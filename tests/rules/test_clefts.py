"""Clefts are told as plain clauses: "Zulip is what we use" says "we use Zulip"."""

from __future__ import annotations

import pytest

from ethos.core.rules.explain import clauses_seen
from ethos.core.text.language.clefts import plainly
from ethos.core.text.language.tagging import tag
from tests.support.proven import held_in


@pytest.mark.parametrize(("text", "fact"), [
    ("What we use for chat is Zulip.", "team uses Zulip"),
    ("Zulip is what we use for chat.", "team uses Zulip"),
    ("It's Zulip we settled on in the end.", "team settled on Zulip"),
    ("Python 3.12 is what prod runs.", "prod runs Python 3.12"),
    ("It is the Hawthorn library I volunteer at.", "Ada volunteers at the Hawthorn library"),
    ("The gym I go to is Basic-Fit.", "Ada goes to Basic-Fit"),
])  # fmt: skip
def test_e14_a_cleft_is_told_as_a_plain_clause(text: str, fact: str) -> None:
    assert fact in held_in(text)


@pytest.mark.parametrize(("text", "plain"), [
    ("so what i use is zulip, by the way", "so i use zulip , by the way"),
    ("jest is what runs our tests", "jest runs our tests"),
    ("it's zulip we use", "we use zulip"),
    ("the tool we use is slow", "the tool we use is slow"),
    ("what is the limit", "what is the limit"),
    ("it is a calm i have not felt before", "it is a calm i have not felt before"),
    ("it is late", "it is late"),
    ("the thing i came to is this", "the thing i came to is this"),
])  # fmt: skip
def test_e14_the_words_of_a_cleft_change_their_order_and_keep_their_places(text: str, plain: str) -> None:
    sentence = plainly(tag(text))
    assert " ".join(sentence.words) == plain
    assert [text[start:end] for start, end in sentence.spans()] == sentence.words


@pytest.mark.parametrize("text", ["What we use for chat is slow.", "The bank I use is closed today.", "What do we use?"])
def test_e14_what_names_nothing_is_no_fact(text: str) -> None:
    assert held_in(text) == []


def test_e14_the_clauses_that_are_shown_are_those_that_are_read() -> None:
    """`ethos rules explain` tells a cleft as the reader takes it."""
    assert [(each.subject, each.verb, each.object) for each in clauses_seen("What we use is Zulip.")] == [("we", "use", "zulip")]
