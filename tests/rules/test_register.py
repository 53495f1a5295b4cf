"""A turn that states things and cheers nobody is read whole: most of what friends say of things without a name is small talk."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from ethos.core.rules.matcher import Rules
from ethos.core.text.language.phrasing import phrase
from ethos.core.text.language.register import is_sober, tells_what_lasts
from ethos.core.text.sentences import fold
from tests.support.proven import claims_of, rules_by_default

CORPUS = Path(__file__).parents[1] / "corpus" / "plain.tsv"
FLOOR = 0.7  # the share of the corpus that is held whole; measured: 0.78


@pytest.mark.parametrize(("text", "sober"), [
    ("My car takes diesel.", True),
    ("our bins are green, please note that", True),
    ("My car takes diesel!", False),
    ("Thanks, my car takes diesel.", False),
    ("ok then", False),  # too short to state anything
    ("The car takes diesel. " * 20, False),
])  # fmt: skip
def test_x_e1_who_states_things_cheers_nobody(text: str, sober: bool) -> None:
    assert is_sober(fold(text)) == sober


@pytest.mark.parametrize(("predicate", "lasts"), [
    ("takes", True), ("are fed", True), ("has", True),
    ("is waiting for", False), ("has been doing", False), ("took", False), ("was in", False),
])  # fmt: skip
def test_x_e1_what_is_being_done_and_what_was_do_not_last(predicate: str, lasts: bool) -> None:
    assert tells_what_lasts(predicate) == lasts


@pytest.mark.parametrize(("text", "held"), [
    ("My kiln has cracks near the door.", ["cracks near the door"]),
    ("goats are milked twice a day", ["twice a day"]),
    ("My kiln had cracks near the door.", []),
    ("The kiln has cracks near the door.", []),  # "the" thing is often one of the moment
    ("My kiln has changed cracks near the door.", []),  # heard as a change
])  # fmt: skip
def test_x_e1_ones_own_in_a_sentence_that_tells_nothing_else_is_held(text: str, held: list[str]) -> None:
    assert [claim.object for claim in claims_of(text) if claim.grade == "held"] == held


def test_x_e1_plain_statements_are_held() -> None:
    """Somebody who did not know the rules wrote them: most have no name, and no number."""
    rules: Rules = rules_by_default()
    lines = CORPUS.read_text("utf-8").splitlines()
    assert len(lines) == 150
    assert sum(_is_held(rules, *line.split("\t")) for line in lines) >= FLOOR * len(lines)


def _is_held(rules: Rules, text: str, wanted: str) -> bool:
    claims = [claim for claim in rules.claims(text, role="user", speaker="Sam", origin=3) if claim.grade == "held"]
    told = " ".join(phrase(each.subject, each.predicate, each.object, each.polarity, "Sam", each.purpose or "") for each in claims)
    return all(re.search(rf"(?<!\w){re.escape(word)}", told, re.IGNORECASE) for word in wanted.split(","))
