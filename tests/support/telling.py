"""Episodes and facts for tests, in one line each."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

from ethos.core.facts.statement import Statement
from ethos.core.model import ids
from ethos.core.model.keys import FactKey
from ethos.core.model.records import Cardinality, Episode, Fact, Kind, Origin, Polarity, Role
from ethos.core.text import folding
from ethos.core.text.language.inflection import predicate_key

NOON = datetime(2026, 6, 1, 12, tzinfo=UTC)


def said(
    words: str,
    *,
    at: datetime = NOON,
    importance: float | None = None,
    session: str = "s1",
    role: Role = "user",
    speaker: str = "Michael",
    origin: Origin = Origin.USER,
    record: str = "",
    project: str = "default",
) -> Episode:
    """One turn. Without an importance it counts as estimated."""
    return Episode(
        id=ids.episode_id("test", session, record or f"{at.isoformat()} {words}"),
        user="default",
        project=project,
        session=session,
        role=role,
        speaker=speaker,
        origin=origin,
        text=words,
        said_at=at,
        captured_at=NOON,
        importance=0.5 if importance is None else importance,
        importance_given=importance is not None,
        source="test",
    )


def fact(
    subject: str,
    predicate: str,
    obj: str,
    confidence: float,
    *,
    kind: Kind = "fact",
    slot: str = "",
    days: float = 0,
    polarity: Polarity = "+",
    cardinality: Cardinality = "single",
    origin: Origin = Origin.USER,
    over: str | None = None,
    replaces: str | None = None,
) -> Fact:
    """A held fact, said `days` after noon."""
    at = NOON + timedelta(days=days)
    return Fact(
        id="f-" + ids.digest(subject, predicate, obj, str(confidence), str(days)),
        version=1,
        user="default",
        project="default",
        kind=kind,
        subject=subject,
        predicate=predicate,
        object=obj,
        polarity=polarity,
        cardinality=cardinality,
        subject_key=folding.key(subject),
        predicate_key=predicate_key(predicate),
        slot=slot,
        object_key=folding.key(obj),
        statement=f"{subject} {predicate} {obj}",
        confidence=confidence,
        origin=origin,
        rule="test/rule",
        rule_version=1,
        pack_version="1.0.0",
        valid_from=at,
        recorded_at=at,
        run="r-test",
        over=over,
        replaces=replaces,
    )


def claimed(
    obj: str,
    confidence: float,
    *,
    kind: Kind = "fact",
    slot: str = "",
    days: float = 1,
    polarity: Polarity = "+",
    cardinality: Cardinality = "single",
    origin: Origin = Origin.USER,
    over: str = "",
    replaces: str = "",
) -> Statement:
    """The claim's side of a weighing, said `days` after noon: of a value, or, in a slot, of what is used."""
    return Statement(
        FactKey("default", "default", "team", "use" if slot else "value", slot),
        folding.key(obj),
        kind,
        polarity,
        cardinality,
        confidence,
        origin,
        NOON + timedelta(days=days),
        folding.key(over),
        folding.key(replaces),
    )
