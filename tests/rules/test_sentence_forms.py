"""Forms of English statements, whatever they speak of: interruptions, coordination, contrast, reasons, and orders for an occasion."""

from __future__ import annotations

import pytest

from ethos.core.model.records import Claim, Origin
from tests.support.proven import rules_by_default


def _read(text: str) -> list[Claim]:
    return list(rules_by_default().claims(text, role="user", speaker="Wim", origin=Origin.USER))


@pytest.mark.parametrize(("text", "subject", "verb", "thing"), [
    ("My boss, Mr Okafor, has 3 ferries.", "Wim's boss", "has", "3 ferries"),
    ("The dog, a beagle called Max, is eight.", "The dog", "is", "eight"),
    ("My car, a Fiat Panda, needs 5 litres of oil.", "Wim's car", "needs", "5 litres of oil"),
    ("The grain feed, which used to land at 02:00, comes in at 04:30.", "The grain feed", "comes at", "04:30"),
    ("The one who signs the contracts is Mr Adeyemi.", "The one who signs the contracts", "is", "Mr Adeyemi"),
])  # fmt: skip
def test_e12_a_subject_is_found_across_what_interrupts_it(text: str, subject: str, verb: str, thing: str) -> None:
    """An apposition or a relative clause between a noun and its verb does not hide whom the verb is about."""
    assert (subject, verb, thing) in [(claim.subject, claim.predicate, claim.object) for claim in _read(text)]


@pytest.mark.parametrize(("text", "things"), [
    ("My daughter plays the oboe and takes singing lessons.", ["the oboe"]),
    ("I live in Faro and run a small hotel.", ["Faro", "a small hotel"]),
    ("My parents live in Faro and run a small hotel.", ["Faro"]),
    ("pelican is written in Go and runs on Fly.", ["Go", "Fly"]),
    ("I like bread and butter.", ["bread and butter"]),
])  # fmt: skip
def test_e12_an_object_ends_where_another_clause_begins(text: str, things: list[str]) -> None:
    """An "and" with a verb behind it ends an object; one that joins two nouns does not."""
    held = [claim.object for claim in _read(text) if claim.grade == "held"]
    assert set(things) <= set(held)
    assert not any(" and " in thing for thing in held if thing not in things)


@pytest.mark.parametrize(("text", "thing", "old"), [
    ("We use Zulip instead of Slack.", "Zulip", "Slack"),
    ("The API runs on port 9000 rather than 8000.", "port 9000", "8000"),
    ("My dentist is Dr Lee rather than Dr Moreno.", "Dr Lee", "Dr Moreno"),
    ("I take the train instead of the bus.", "the train", "the bus"),
    ("The team uses pnpm and not npm.", "pnpm", "npm"),
])  # fmt: skip
def test_e23_a_claim_replaces_what_it_is_contrasted_with(text: str, thing: str, old: str) -> None:
    """ "X instead of Y" claims X, and says that it replaces Y."""
    assert (thing, old) in [(claim.object, claim.supersedes) for claim in _read(text)]


@pytest.mark.parametrize(("text", "now"), [
    ("Since we have two small children, we go to bed at nine.", False),
    ("Since my knee operation I cycle to work.", True),
])  # fmt: skip
def test_e23_since_is_a_cue_of_now_and_no_reason(text: str, now: bool) -> None:
    """ "Since" with a time says that it is so from then on; with a present state it says why."""
    claims = _read(text)
    assert claims
    assert any(claim.supersedes for claim in claims) == now


def test_e29_an_order_for_an_occasion_keeps_the_occasion() -> None:
    """ "When I write in Dutch, answer in Dutch" is no order to answer in Dutch always."""
    orders = [claim for claim in _read("When I write in Dutch, answer in Dutch.") if claim.subject == "agent"]
    assert [(claim.predicate, claim.object, claim.supersedes) for claim in orders] == [
        ("should, when I write in Dutch, answer in", "Dutch", None)
    ]


@pytest.mark.parametrize(("text", "subject", "verb"), [
    ("We were going to go with Nomad in 2024.", "team", "will go with"),
    ("A slot never takes 14 people.", "agent", "should takes"),
    ("The screenplay I sent in to the film festival has been on page 3.", "the film festival", "has been on"),
    ("Art's allowed me to explore my 3 selves.", "Art", "is allowed"),
])  # fmt: skip
def test_e12_what_is_not_said_is_not_claimed(text: str, subject: str, verb: str) -> None:
    """A plan that was given up, an order that is none, a subject that is another's, and "has" read as "is" give no such claim."""
    assert (subject, verb) not in [(claim.subject, claim.predicate) for claim in _read(text)]
