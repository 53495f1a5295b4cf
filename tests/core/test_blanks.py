"""Blanks: a comment, a tag, a masked secret or a placeholder in the place of a name claims nothing."""

from __future__ import annotations

import pytest

from ethos.core.model.records import Claim, Origin
from ethos.core.text.blanks import is_blank
from tests.support import proven

RULES = proven.rules_by_default()
BLANKS = (
    "[secret:github:0a1b2c]",
    "`[secret:openai:abcdef]`",
    "[REDACTED]",
    "<!-- x -->",
    "<br>",
    "</section>",
    "<your-name>",
    '<span class="a b">',
    "<%= name %>",
    "{name}",
    "{{ name }}",
    "${NAME}",
    "$NAME",
    "$(name)",
    "#{name}",
    "%s",
    "%(name)s",
    "%NAME%",
    "[your name]",
    "&nbsp;",
    "TBD",
    "XXX",
    "___",
    "the <name>",
    "**{name}**",
)
FORMS = (
    "We decided to use {}",
    "We decided to use {}.",
    "We decided to use {} for caching.",
    "We no longer use {}.",
    "We switched from Kafka to {}.",
    "I use {}.",
    "I prefer {}.",
    "I want to learn {}.",
    "I live in {}.",
    "My name is {}.",
    "My favorite editor is {}.",
    "{} prefers Vim.",
    "Never use {}.",
    "My {} is Vim.",
)


def claims(text: str) -> tuple[Claim, ...]:
    return RULES.claims(text, role="user", speaker="Maren", origin=Origin.USER)


@pytest.mark.parametrize("blank", BLANKS)
def test_fault_h6_a_blank_in_the_place_of_a_name_claims_nothing(blank: str) -> None:
    """A fact whose object is a placeholder or a masked secret says nothing, and hides the rule's mistake."""
    found = {text: read for form in FORMS if (read := claims(text := form.replace("{}", blank)))}
    assert found == {}


@pytest.mark.parametrize(
    "text",
    [
        "We decided to use:\n```\nPostgres\n```",
        "We decided to use <!-- x --> for caching.",
        "We decided to use <b>one two three four five</b>.",
    ],
)
def test_fault_h6_words_that_lead_on_to_what_is_not_read_claim_nothing(text: str) -> None:
    """ "Use" is not what was decided, where the name behind it stands in a comment, a fence or an element."""
    assert claims(text) == ()


@pytest.mark.parametrize(
    ("text", "object_"),
    [
        ("We decided to use <b>Postgres</b>.", "Postgres"),
        ("I use Vim<br>", "Vim"),
        ("I use Vim <!-- or Emacs -->", "Vim"),
        ("We use Vec<String> for names.", "Vec<String>"),
        ("We use <https://postgresql.org>.", "https://postgresql.org"),
        ("We store logs in /var/log/{app}.", "/var/log/{app}"),
        ("We decided to use `GET /users/{id}` for that.", "GET /users/{id}"),
        ("I use Vim with [secret:github:0a1b2c].", "Vim"),
        ("We decided to use the {app} compiler.", "the {app} compiler"),
        ("We decided to use [Postgres](https://postgresql.org).", "Postgres"),
        ("We decided to use DATABASE_URL.", "DATABASE_URL"),
    ],
)
def test_fault_h6_a_name_with_a_blank_beside_it_is_read(text: str, object_: str) -> None:
    """Tags around a name go, and a placeholder that is part of one stays, whole."""
    assert [claim.object for claim in claims(text)] == [object_]


@pytest.mark.parametrize("blank", ["{editor}", "[secret:github:0a1b2c]", "$OLD"])
def test_fault_h6_what_is_replaced_or_put_below_is_no_blank(blank: str) -> None:
    """What was chosen is held; a blank that it replaces, is preferred over or serves is left out."""
    for form in ("I prefer Vim over {}.", "We use Vim for {}.", "We decided to use Vim instead of {}."):
        for claim in claims(form.replace("{}", blank)):
            assert (claim.object, claim.over, claim.supersedes, claim.purpose) == ("Vim", None, None, None)


@pytest.mark.parametrize(
    "words", ["", "Postgres", "the new", "$50", "50%", "100 % cotton", "R&D", "a < b", "{app}.log", "C#", "print {x} and {y} to the log"]
)
def test_words_are_no_blank(words: str) -> None:
    """Signs that also begin a blank, and a blank in a name, leave a name."""
    assert not is_blank(words)
