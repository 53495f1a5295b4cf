"""Statements spliced with requests: a question mark at the end asks from the question on (JUDGEMENT, first gate)."""

from __future__ import annotations

import pytest

from ethos.core.model.records import Origin
from ethos.core.rules.matcher import Rules
from ethos.core.text.sentences import fold


def read(rules: Rules, text: str) -> list[tuple[str, str]]:
    found = rules.claims(text, role="user", speaker="Ada", origin=Origin.USER)
    return [(claim.polarity, claim.object) for claim in found]


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("We use Postgres for billing, can you write the migration?", [("+", "Postgres")]),
        ("I live in Oslo - could you find me a dentist?", [("+", "Oslo")]),
        ("I work as a nurse, any tips for the night shift?", [("+", "a nurse")]),
        ("I'm allergic to walnuts, so what can I bake?", [("+", "walnuts")]),
        ("Do we use Postgres for billing, or could you check?", []),
        ("We use Postgres for billing, right?", []),
        ("Do you think I live in Oslo, is that it?", []),
        ("I live in Oslo, how do i set up a standing order for the rent", [("+", "Oslo")]),  # without a question mark
        ("how do we use Postgres for billing", []),
        ("That is how we do it: we use Postgres.", [("+", "Postgres")]),
    ],
)
def test_g09_a_request_does_not_drop_the_statement_before_it(rules: Rules, text: str, wanted: list[tuple[str, str]]) -> None:
    """What stands before the request is stated; a question as a whole states nothing."""
    assert read(rules, text) == wanted


def test_g09_a_comma_between_digits_ends_nothing(rules: Rules) -> None:
    """ "$1,300" is one number; a comma before a word ends a phrase as before."""
    assert read(rules, "My salary is $1,300 a month, before tax.") == [("+", "$1,300 a month")]
    assert fold("1,300, or 2 ,5") == "1.300, or 2,,5"


def test_g09_what_was_always_hated_is_no_love(rules: Rules) -> None:
    """ "I have always hated" is a taste against it."""
    assert read(rules, "I have always hated wet socks.") == [("-", "wet socks")]
