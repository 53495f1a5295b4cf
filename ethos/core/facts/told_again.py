"""Told again: the claims that a turn makes of a fact that has changed: with another value, with less of a list, or denied."""

from __future__ import annotations

from typing import Final

from ethos.core.facts.fact_keys import NAMED
from ethos.core.facts.values import MEASURED, kind_of_value, place_of, whole_name
from ethos.core.model.keys import ClassOf
from ethos.core.model.records import Claim, Fact, Kind, Polarity
from ethos.core.text import folding
from ethos.core.text.language.mentions import Mention

GIVEN_UP: Final = "changes/given-up"
NEW_VALUE: Final = "changes/new-value"
RULES: Final = frozenset({GIVEN_UP, NEW_VALUE})
_VERSION, _PACK = 1, "1.0.0"
_CONFIDENCE = 0.85


def with_value(fact: Fact, new: Mention, ending: Mention | None, text: str, class_of: ClassOf) -> Claim:
    """Return a fact told with a new value in the place of its own. ending: the words that give that value up, if any do."""
    measured = kind_of_value(folding.key(new.words), class_of) in MEASURED
    place, (start, end) = place_of(fact.object, measured=measured), (new.start, new.end)
    at = -1 if ending is None else fact.object.lower().find(ending.words)
    if ending is not None and at >= 0 and not measured:
        place = whole_name(fact.object, at, at + len(ending.words))
    if place and not measured and fact.slot == NAMED:
        place, (start, end) = whole_name(fact.object, *place), whole_name(text, start, end)
    value = text[start:end]
    obj = fact.object[: place[0]] + value + fact.object[place[1] :] if place else value
    return _claim(fact, fact.kind, obj, "+", NEW_VALUE, supersedes="now" if fact.cardinality == "single" else fact.object)


def lessened(fact: Fact, left: str) -> Claim:
    """Return a fact told with what is left of its list of things."""
    return _claim(fact, fact.kind, left, "+", NEW_VALUE, supersedes=fact.object)


def denied(fact: Fact) -> Claim:
    """Return a fact told as what does not hold any more."""
    return _claim(fact, "negation", fact.object, "-", GIVEN_UP)


def _claim(fact: Fact, kind: Kind, obj: str, polarity: Polarity, rule: str, supersedes: str | None = None) -> Claim:
    return Claim(
        kind,
        fact.subject,
        fact.predicate,
        obj,
        polarity,
        fact.cardinality,
        _CONFIDENCE,
        rule,
        _VERSION,
        _PACK,
        0,
        0,
        supersedes=supersedes,
    )
