"""An object that goes on in the text is told whole, or its claim is weak; an adverb that limits a claim stays in it."""

from __future__ import annotations

import pytest

from ethos.core.model.records import Claim, Origin
from tests.support.proven import rules_by_default


def read(text: str) -> list[Claim]:
    return list(rules_by_default().claims(text, role="user", speaker="Ada", origin=Origin.USER))


@pytest.mark.parametrize("text", [
    "I want to help make that happen.",  # at a verb before its object
    "I'm a fan of both classical like Bach and Mozart, as well as modern music.",  # within a pair
    "In the novel I'm reading the landlord is called Ivo.",  # a clause of its own
])  # fmt: skip
def test_an_object_cut_within_a_phrase_is_weak(text: str) -> None:
    assert [claim.grade for claim in read(text)] == ["weak"]


@pytest.mark.parametrize("text", ["My wall is white.", "I want to help cook.", "I'm a fan of both Bach and Mozart."])
def test_an_object_that_ends_with_its_phrase_is_not_cut(text: str) -> None:
    assert all(claim.grade == "held" for claim in read(text))


@pytest.mark.parametrize(("text", "told"), [
    ('I\'ve been taking regular "clear-head" walks in Leith park.', 'regular "clear-head" walks'),
    ("People like my designs, so I'm always on the hunt for unique, trendy pieces.", "on the hunt for unique, trendy pieces"),
])  # fmt: skip
def test_an_adjective_is_told_with_its_noun(text: str, told: str) -> None:
    assert any(f"{claim.predicate} {claim.object}".endswith(told) for claim in read(text))


def test_a_quotation_is_told_to_its_end() -> None:
    [claim] = read('never ask me questions like "Shall I go on with ...?"')
    assert claim.grade == "held"
    assert claim.object == 'me questions like "Shall I go on with ...?"'


@pytest.mark.parametrize(("text", "predicate"), [
    ("Long runs only fit on Saturdays.", "only fit on"),
    ("The gym only has two racks.", "only has"),
    ("The shop in Leith is only open on Fridays.", "is only"),
])  # fmt: skip
def test_an_adverb_that_limits_a_clause_stays_in_it(text: str, predicate: str) -> None:
    assert [claim.predicate for claim in read(text)] == [predicate]


def test_what_is_not_only_so_is_no_denial() -> None:
    assert read("The gym doesn't only have two racks.") == []


@pytest.mark.parametrize(("text", "thing"), [
    ("I went to a place in Graz a few years ago.", "a few years ago"),
    ("I started a food drive for folks who lost their jobs.", "folks who lost their jobs"),
    ("I'm working on a new project - a thriller set in Oslo.", "a new project - a thriller set in Oslo"),
])  # fmt: skip
def test_an_object_that_says_too_little_has_what_tells_it_apart(text: str, thing: str) -> None:
    assert any(claim.object.endswith(thing) for claim in read(text))


def test_what_is_not_merely_so_is_not_denied() -> None:
    assert not [claim for claim in read("The studio in Graz isn't just a business.") if claim.polarity == "-"]
