"""A statement beside a question is read, and what is asked is not."""

from __future__ import annotations

import pytest

from tests.support.proven import claims_of


@pytest.mark.parametrize(("text", "wanted"), [
    ("Our vet is Dr Ansah, opening hours?", "Dr Ansah"),
    ("My left ear has a hearing aid from Oticon, batteries?", "a hearing aid from Oticon"),
    ("I come from Recife, where in Lisbon can I eat tapioca?", "Recife"),
    ("Our car is a Skoda Octavia, what tyre pressure should I use?", "a Skoda Octavia"),
    ("what's the best way to export my list, I use Castbox for podcasts", "Castbox"),
])  # fmt: skip
def test_e14_a_statement_beside_a_question_is_read(text: str, wanted: str) -> None:
    assert wanted in [claim.object for claim in claims_of(text)]


@pytest.mark.parametrize("text", [
    "Our vet is Dr Ansah, right?",
    "Our vet is Dr Ansah, or Dr Holm?",
    "We meet on Monday, at 9?",
    "Our fridge is a Bosch, a good one?",
    "what if I use Castbox for podcasts",
    "what did my boss say, does she use Castbox",
])  # fmt: skip
def test_e14_what_is_asked_or_doubted_is_not_read(text: str) -> None:
    assert claims_of(text) == ()


@pytest.mark.parametrize(("text", "wanted"), [
    ("slide decks use the Lato font", ("slide decks", "use", "the Lato font")),
    ("Our test servers run Debian.", ("test servers", "run", "Debian")),
    ("the health endpoint is /healthz, wire the probe", ("the health endpoint", "is", "/healthz")),
    ("export jobs use 4 workers", ("export jobs", "use", "4 workers")),
])  # fmt: skip
def test_e14_a_compound_of_verbs_is_a_subject(text: str, wanted: tuple[str, str, str]) -> None:
    assert wanted in [(claim.subject, claim.predicate, claim.object) for claim in claims_of(text)]


def test_e14_a_bare_infinitive_leaves_the_order() -> None:
    assert [claim for claim in claims_of("help users find the docs") if claim.grade == "held"] == []


@pytest.mark.parametrize(("text", "wanted"), [
    ("Finn has judo on Wednesdays so make the week plan around it", "judo on Wednesdays"),
    ("I'm open Saturdays till one so don't book me after that", "open Saturdays till one"),
])  # fmt: skip
def test_e14_an_order_behind_a_statement_is_no_part_of_it(text: str, wanted: str) -> None:
    assert wanted in [claim.object for claim in claims_of(text)]


@pytest.mark.parametrize(("text", "wanted"), [
    ("the cli for anvil gets written in Rust", ("the cli for anvil", "is written in", "Rust")),
    ("the best man is gonna be Theo", ("the best man", "will be", "Theo")),
])  # fmt: skip
def test_e14_a_passive_with_get_and_a_plan_with_gonna_are_read(text: str, wanted: tuple[str, str, str]) -> None:
    assert wanted in [(claim.subject, claim.predicate, claim.object) for claim in claims_of(text)]
