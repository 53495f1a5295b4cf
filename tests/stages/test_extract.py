"""The extract stage: the rules speak, and what they do not find important episodes keep by themselves."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime
from typing import NamedTuple

import pytest

from ethos.core.facts.extraction import Candidate
from ethos.core.model.events import Criterion
from ethos.core.model.records import Claim, Kind, Origin, Utterance
from ethos.core.model.settings import ConsolidationSettings, Settings
from ethos.core.passes.context import Context
from ethos.stages.consolidate.extract import extract
from tests.support import proven

RULES = proven.rules()
NOW = datetime(2026, 3, 1, 12, tzinfo=UTC)


def utterance(text: str, importance: float = 0.5, *, given: bool = True, origin: Origin = Origin.USER, retrievals: int = 0) -> Utterance:
    return Utterance("e-1", text, NOW, "u", "default", "s", "user", "user", origin, importance, given, retrievals, 0)


def read(episode: Utterance, settings: Settings | None = None) -> tuple[Claim, ...]:
    ctx = Context(NOW, settings or Settings(), RULES, "r-1")
    read = extract([Candidate(episode, Criterion.KEYWORD, RULES.hits(episode.text))], ctx)
    return tuple(claim for proposal in read.proposals for claim in proposal.claims)


class Want(NamedTuple):
    """A row's answer."""

    kind: Kind
    subject: str
    predicate: str
    object: str
    confidence: float


NONE: tuple[Want, ...] = ()

PART_C = [
    ("We decided to use Rust for all backend services", 0.5, [Want("decision", "team", "uses", "Rust", 0.90)]),
    ("Michael prefers Rust over Python", 0.5, [Want("preference", "Michael", "prefers", "Rust", 0.80)]),
    (
        "Some random high importance content without keywords",
        0.9,
        [Want("fact", "context", "contains", "Some random high importance content without keywor...", 0.70)],
    ),
    ("Random low importance content", 0.3, NONE),
    ("Remember this: The API key is stored in the vault", 0.5, [Want("fact", "context", "is", "The API key is stored in the vault", 0.85)]),
    ("Let's go with Postgres", 0.5, [Want("decision", "team", "uses", "Postgres", 0.90)]),
    ("We'll use Redis for caching", 0.5, [Want("decision", "team", "uses", "Redis", 0.90)]),
    ("Michael's favorite language is Rust", 0.5, [Want("preference", "Michael", "favorite language", "Rust", 0.80)]),
    ("The plan is to ship on Friday. Then rest.", 0.5, [Want("decision", "team", "plan", "ship on Friday", 0.90)]),
    ("We are going with the new design", 0.5, [Want("decision", "team", "uses", "the new design", 0.90)]),
    ("Michael prefers Telegram", 0.5, [Want("preference", "Michael", "prefers", "Telegram", 0.80)]),
    ("note that: the build is broken", 0.5, [Want("fact", "context", "is", "the build is broken", 0.85)]),
    ("Note that the build is broken", 0.5, [Want("fact", "context", "is", "the build is broken", 0.85)]),
    ("important: use Python 3.11 everywhere", 0.5, [Want("fact", "context", "is", "use Python 3.11 everywhere", 0.85)]),
    ("important: rotate keys\n", 0.5, [Want("fact", "context", "is", "rotate keys", 0.85)]),
    ("the plan is to use BMAD Method", 0.5, [Want("decision", "team", "plan", "use BMAD Method", 0.90)]),
    ("Alice prefers dark mode over light mode", 0.5, [Want("preference", "Alice", "prefers", "dark mode", 0.80)]),
    ("we decided to go with FastAPI", 0.5, [Want("decision", "team", "uses", "FastAPI", 0.90)]),
    ("WE DECIDED TO SWITCH TO uv", 0.5, [Want("decision", "team", "uses", "uv", 0.90)]),
    ("We decided to use C++", 0.5, [Want("decision", "team", "uses", "C++", 0.90)]),
    ("I would never do that", 0.5, NONE),
    ("Whatever you say", 0.5, NONE),
    ("Nevertheless it works", 0.5, NONE),
    ("Zoë loves café", 0.5, [Want("preference", "Zoë", "loves", "café", 0.80)]),
    ("It is important: never deploy on Friday", 0.5, [Want("fact", "context", "is", "never deploy on Friday", 0.85)]),
    ("Friday prefers C++.", 0.5, [Want("preference", "Friday", "prefers", "C++", 0.80)]),
]


@pytest.mark.parametrize(("text", "importance", "want"), PART_C, ids=[row[0][:40].strip() for row in PART_C])
def test_e14_e15_e16_e17_e18_e19_the_worked_values(text: str, importance: float, want: list[Want]) -> None:
    """Each row of the worked values gives the kind, subject, predicate, object and confidence that are asked for, and nothing else."""
    got = [Want(c.kind, c.subject, c.predicate, c.object, c.confidence) for c in read(utterance(text, importance)) if c.kind != "negation"]
    assert got == list(want)


def test_e15_the_purpose_of_a_decision_is_kept_apart_from_its_object() -> None:
    """What a thing is for is the slot in which two decisions collide, so it is not part of the object."""
    (claim,) = read(utterance("We'll use Redis for caching"))
    assert (claim.object, claim.purpose) == ("Redis", "caching")


def test_e16_what_was_passed_over_is_kept() -> None:
    """The loser of a preference is part of the claim."""
    (claim,) = read(utterance("Michael prefers Rust over Python"))
    assert claim.over == "Python"


def test_e18_only_a_given_importance_triggers_the_fallback() -> None:
    """An importance that was merely estimated never does (Settled: the fallback of E-18)."""
    assert read(utterance("Nothing a rule would know", 0.9, given=False)) == ()
    (claim,) = read(utterance("Nothing a rule would know", 0.9))
    assert (claim.rule, claim.cardinality, claim.object) == ("core-en/fallback", "multi", "Nothing a rule would know")


def test_e18_xe21_the_fallback_follows_the_configured_threshold() -> None:
    """Not 0.8 for ever: `importance_threshold` decides."""
    lower = replace(Settings(), consolidation=ConsolidationSettings(importance_threshold=0.6))
    assert read(utterance("Nothing a rule would know", 0.7)) == ()
    assert len(read(utterance("Nothing a rule would know", 0.7), lower)) == 1


def test_e18_the_fallback_is_not_for_what_the_user_did_not_say() -> None:
    """Text of a tool or a page is not kept for its importance, whoever set it."""
    for origin in (Origin.EXTERNAL, Origin.TOOL, Origin.ASSISTANT):
        assert read(utterance("Nothing a rule would know", 0.9, origin=origin)) == ()


def test_e18_the_fallback_leaves_out_private_parts() -> None:
    """What stands between <private> marks is in no fact, not even in the fallback's first words."""
    (claim,) = read(utterance("<private>my pin is 4711</private> Moved the meeting", 0.9))
    assert claim.object == "Moved the meeting"
    assert read(utterance("<private>my pin is 4711</private>", 0.9)) == ()


def test_e19_xe7_many_retrievals_alone_give_no_fact() -> None:
    """Retrievals select an episode; the rule that would keep it for that ships disabled."""
    assert read(utterance("Nothing a rule would know", 0.3, retrievals=9)) == ()


def test_extract_returns_what_it_read_and_names_the_rest() -> None:
    """An episode in which nothing was found is a finding too: it is marked as scanned."""
    episodes = [utterance("Zoë loves café")._replace(id="e-1"), utterance("Good morning")._replace(id="e-2")]
    candidates = [Candidate(each, Criterion.KEYWORD, RULES.hits(each.text)) for each in episodes]
    read = extract(candidates, Context(NOW, Settings(), RULES, "r-1"))
    assert [(proposal.utterance.id, len(proposal.claims)) for proposal in read.proposals] == [("e-1", 1)]
    assert (read.silent, read.deferred) == (("e-2",), ())
