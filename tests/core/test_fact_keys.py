"""Claims that are worded apart and speak of the same thing meet under one key, and others do not (docs/requirements.md, Settled)."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path

import pytest

from benchmarks.supersession import Side, weigh_pairs
from ethos.core.facts.aspects import count_of, part_of
from ethos.core.facts.fact_keys import normalise_modal, slot_for, subject_key
from ethos.core.facts.statement import statement_for
from ethos.core.model.records import Claim
from ethos.core.rules.matcher import Rules
from ethos.core.text.language.phrasing import phrase

MEET = [  # the later takes the place of the earlier
    ("The page size should be 50.", "Set the page size to 80."),
    ("The retry limit is 3.", "The retry limit should be 5."),
    ("Put the fixtures under tests/data.", "The fixtures should live in tests/fixtures."),
    ("The database should be SQLite.", "Let's use Postgres as the database."),
    ("Use Postgres for invoices.", "Use MySQL as the database for invoices."),
    ("We use Jenkins.", "Let's use Buildkite."),
    ("Our docs run on Jenkins.", "Our docs run on Buildkite now."),
    ("Always use tabs.", "Use spaces instead of tabs."),
    ("Let's call it harbor.", "Rename harbor to lantern."),
    ("make the `tally` command print totals", "ok, let's just rename tally to count"),
    ("Prod sits in Frankfurt.", "Prod lives in Lisbon now."),
    ("The cache limit in this repo is 25 MB.", "I bumped the cache limit to 100 MB."),
    ("Our choir meets on Tuesdays.", "our choir meets on Thursdays these days"),
    ("Kong is our api gateway.", "the gateway is envoy these days"),
    ("our site is hosted on Netlify", "our site moved from netlify to Vercel"),
    ("I use Slack.", "goodbye Slack, hello Zulip"),
    ("the main branch is master", "I renamed master to trunk"),
    ("I live in Lund.", "We moved to Malmö in May."),
]
ASKED = [  # nothing says which of them holds
    ("The invoicing service is owned by the Falcon team.", "The invoicing service belongs to team Osprey."),
    ("The parser is written in Go.", "the parser is written in elixir"),
    ("My birthday is on the 4th of March.", "my birthday is on the 9th of April"),
    ("The gateway returns 40 rows per call.", "the gateway returns 90 rows per call"),
    ("We go live on 3 May.", "we go live on 19 June"),
]
APART = [
    ("The page size should be 50.", "The image size should be 80."),
    ("The fixtures should be small.", "Put the fixtures under tests/data."),
    ("We use Jenkins.", "We use Buildkite."),
    ("We use Redis for sessions.", "Let's use Memcached for thumbnails."),
    ("The export should accept a folder.", "The export should accept a list of names."),
    ("make the `tally` command print totals", "rename tally to count"),
    ("The staging api listens on 8081.", "The prod api listens on 8443."),
    ("The gateway returns 40 rows per call.", "The gateway returns 3 headers per call."),
    ("Unit tests are in pytest.", "Browser tests are in Playwright."),
    ("The upload limit is 25 MB.", "I bumped the row limit to 100."),
]


def test_e23_what_is_worded_apart_is_replaced_in_either_order_of_arrival(tmp_path: Path) -> None:
    """A value, a place, a choice within a class, a name: whatever words the later one finds, it retires the earlier."""
    outcomes = weigh_pairs([(Side(old), Side(new)) for old, new in MEET], tmp_path)
    wrong = [(pair, o) for pair, o in zip(MEET, outcomes, strict=True) if (o.forward, o.backward) != ("Supersedes", "Supersedes")]
    assert wrong == []


def test_e25_what_meets_another_value_without_a_cue_asks(tmp_path: Path) -> None:
    """A thing has one owner, one language and one date: told another, and not that it changed, a person is asked."""
    outcomes = weigh_pairs([(Side(old), Side(new)) for old, new in ASKED], tmp_path)
    assert [(pair, o) for pair, o in zip(ASKED, outcomes, strict=True) if (o.forward, o.backward) != ("Contradicts", "Contradicts")] == []


def test_what_only_looks_alike_stands_side_by_side(tmp_path: Path) -> None:
    """Another subject, another purpose, something else asked of it, or a second tool of a class that is only used: both stay."""
    outcomes = weigh_pairs([(Side(old), Side(new)) for old, new in APART], tmp_path)
    assert [(pair, o) for pair, o in zip(APART, outcomes, strict=True) if (o.forward, o.backward) != ("apart", "apart")] == []


@pytest.mark.parametrize(
    ("said", "folded"),
    [("the `git pr` command", "git pr"), ("The config file", "config"), ("Maren", "Maren".lower()), ("the command", "command")],
)
def test_a_thing_and_its_name_are_one_subject(said: str, folded: str) -> None:
    """The word for what kind of thing it is, and the marks of code, make no other thing of it."""
    assert subject_key(said) == folded


def test_whatever_word_says_that_it_must_be_so_is_one() -> None:
    """Should, must, has to: one predicate; what is never so, or only so, is another."""
    assert {normalise_modal("must alway accept"), normalise_modal("have to accept"), normalise_modal("should also accept")} == {
        "should accept"
    }
    assert normalise_modal("should only accept") == "should only accept"
    assert normalise_modal("accept") == "accept"


def test_the_purpose_of_a_thing_does_not_name_its_own_kind(rules: Rules) -> None:
    """ "The database for billing" is billing to a database, and a database to anything."""
    assert slot_for("database for billing", "databases", rules.class_of) == "billing"
    assert slot_for("billing database", "databases", rules.class_of) == "billing"
    assert slot_for("database", "databases", rules.class_of) == "databases"
    assert slot_for("", "databases", rules.class_of) == "databases"
    assert slot_for("thumbnails", "caches", rules.class_of) == "thumbnails"


def test_words_that_one_quotes_of_oneself_are_said_again(rules: Rules) -> None:
    """ "As I said:" and "you missed this:" lead in one's own words; any other quotation, and one within it, is somebody else's."""

    def read(text: str) -> list[str]:
        return [claim.object for claim in rules.claims(text, role="user", speaker="Maren", origin=3)]

    quoted = "> never commit generated files"
    assert read(f"As I said:\n{quoted}") == ["generated files"]
    assert read(f"you missed this part:\n{quoted}\n\nfix it") == ["generated files"]
    assert read(f"The readme says:\n{quoted}") == []
    assert read(f"As I said:\n\n{quoted}") == []
    assert read(f"As I said:\n>{quoted}") == []
    assert read(f"> as I said:\n>{quoted}") == []


@pytest.mark.parametrize(
    ("said", "told"),
    [
        ("Write tests in Go.", "team should write tests in Go"),
        ("stop writing summaries after each change", "agent should not keep writing summaries after each change"),
        ("My car is a Skoda.", "Maren's car is a Skoda"),
        ("Rowing is my way of clearing my head.", "Maren's way of clearing their head is rowing"),
        ("I insist on aisle seats.", "Maren insists on aisle seats"),
    ],
)
def test_e41_what_is_read_is_told_as_a_sentence(said: str, told: str, rules: Rules) -> None:
    """A command keeps its verb in the base form, what one has is told as one's own."""
    claims = rules.claims(said, role="user", speaker="Maren", origin=3)
    assert [phrase(claim.subject, claim.predicate, claim.object, claim.polarity, "Maren") for claim in claims] == [told]


@pytest.mark.parametrize(
    ("predicate", "obj", "slot"),
    [
        ("return", "40 rows per call", "# rows per call"),
        ("be", "1m78 tall", "# tall"),
        ("go", "live on 3 may", "live on date"),
        ("have", "three nieces", "# nieces"),
        ("support", "python 3.12", ""),
        ("return", "rows", ""),
        ("use", "er14505 cells", ""),
    ],
)
def test_what_has_a_number_has_one_at_a_time(predicate: str, obj: str, slot: str) -> None:
    """The words around the number are the slot; a version behind a name is one of several."""
    assert count_of(predicate, obj) == slot


@pytest.mark.parametrize(
    ("predicate", "obj", "slot"),
    [
        ("be on", "the Basic plan of the provider", "the plan of the provider"),
        ("sleep in", "the small room", "the room"),
        ("be on", "a small plan", ""),
        ("work at", "the harbour", ""),
        ("drive", "the red van", ""),
    ],
)
def test_the_article_says_that_there_is_one_at_a_time(predicate: str, obj: str, slot: str) -> None:
    """Of where somebody is; the words before the noun say which one."""
    assert part_of(predicate, obj) == slot


@pytest.mark.parametrize(("said", "key"), [("is working for", "work for"), ("works for", "work for"), ("is hosted on", "be hosted on")])
def test_what_goes_on_is_what_is_done(said: str, key: str) -> None:
    """ "Is working for Lakeside" and "works for Lakeside" are one claim."""
    claim = Claim("fact", "Maren", said, "Lakeside", "+", "multi", 0.8, "a/b", 1, "1", 0, 1)
    at = datetime(2026, 3, 2, tzinfo=UTC)
    found = statement_for(claim, user="u", project="p", origin=3, said_at=at, class_of=lambda _: "", literal=False, speaker="Maren")
    assert found.key.predicate == key
