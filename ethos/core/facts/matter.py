"""Matter: what is known of one thing and what was said of it, as far as one of them can have a say about the other."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime

from ethos.core.facts.changes import ReadTurn
from ethos.core.facts.keyed_claims import KeyedClaim
from ethos.core.facts.rereading import Reading
from ethos.core.facts.retirement import Retirement
from ethos.core.facts.statement import Statement, statement_of
from ethos.core.model.records import Evidence, Fact, Kind, Question, WeakClaim


@dataclass(frozen=True, slots=True)
class History:
    """A matter: every claim in it in the order in which they were said, and what is known of it so far.

    facts: as they stand. pieces: the evidence that each of them rests on. questions: about any of them. shelved: readings too weak to be
    held and known already. retired: fact -> its retirement by a person.
    """

    told: tuple[KeyedClaim, ...]
    facts: Mapping[str, Fact]
    pieces: Mapping[str, Mapping[Reading, Evidence]]
    questions: Sequence[Question]
    shelved: frozenset[Reading]
    retired: Mapping[str, Retirement] = field(default_factory=dict)
    turns: Sequence[tuple[ReadTurn, tuple[KeyedClaim, ...]]] = ()  # that may say of it that it has changed, with what they claim themselves


Node = Fact | WeakClaim | KeyedClaim  # what can be in a matter


def stated_by(node: Node) -> Statement:
    """Return what a fact, a weak claim or a claim states, as one side of a weighing."""
    match node:
        case Fact():
            return statement_of(node)
        case KeyedClaim():
            return node.statement
        case WeakClaim():
            kind: Kind = "negation" if node.polarity == "-" else "fact"  # it may deny
            return Statement(node.fact_key, node.object_key, kind, node.polarity, "single", node.confidence, 0, node.said_at)


def successor(fact: Fact) -> str:
    """Return the id of the fact that took the place of this one, by what was said of it; "" if none did."""
    return "" if fact.retired_at is not None or fact.superseded_by is None else fact.superseded_by


def latest(group: Sequence[Node]) -> datetime:
    """Return when the last of what is known of a matter was said, or retired."""
    times = [each.last_said if isinstance(each, Fact) else each.said_at for each in group if not isinstance(each, KeyedClaim)]
    times += [each.retired_at for each in group if isinstance(each, Fact) and each.retired_at is not None]
    return max(times, default=datetime.min.replace(tzinfo=UTC))
