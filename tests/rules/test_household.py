"""Who is at home: "we" of a household are told as the speaker, whose flat and dog they are; "we" at work stay a team."""

from __future__ import annotations

import pytest

from ethos.core.model.records import Origin
from tests.support.proven import rules_by_default


def told(text: str) -> list[tuple[str, str, str]]:
    claims = rules_by_default().claims(text, role="user", speaker="Ada", origin=Origin.USER)
    return [(claim.subject, claim.predicate, claim.object) for claim in claims]


@pytest.mark.parametrize(("text", "claim"), [
    ("We bought a 1912 house in Porto.", ("Ada", "bought", "a 1912 house in Porto")),
    ("We've got a kitten and a tortoise.", ("Ada", "has", "a kitten and a tortoise")),
    ("We are getting a puppy in June.", ("Ada", "is getting", "a puppy in June")),
    ("We took the kids to Faro in May.", ("Ada", "took", "the kids to Faro in May")),
])  # fmt: skip
def test_what_we_have_at_home_is_told_of_the_speaker(text: str, claim: tuple[str, str, str]) -> None:
    assert told(text) == [claim]


@pytest.mark.parametrize("text", [
    "We load about 40 million rows a night from SAP into Snowflake.",  # neither home nor work is named: as it is told without more
    "We bought a 1912 house in Porto for the new office.",
    "We're a family of five.",  # who the members are is told of no single one
    "We deploy the house pricing service to Fly.",
])  # fmt: skip
def test_what_is_not_surely_of_the_home_stays_with_the_team(text: str) -> None:
    assert {subject for subject, *_ in told(text)} == {"team"}


def test_other_lines_do_not_decide_whose_home_it_is() -> None:
    """A claim does not depend on what is said in another paragraph, so it is told alike in any order."""
    alone = told("We bought a 1912 house in Porto.")
    assert told("We bought a 1912 house in Porto.\n\nThe release slipped.")[:1] == alone
