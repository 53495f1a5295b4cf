"""Told again: the claims that a turn makes of a fact that has changed: with another value, with less of a list, or denied."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import Final

from ethos.core.facts.fact_keys import NAMED
from ethos.core.facts.purpose import purpose_said
from ethos.core.facts.values import MEASURED, kind_of_value, place_of, whole_name
from ethos.core.model.keys import ClassOf
from ethos.core.model.records import Claim, Fact, Kind, Polarity
from ethos.core.text import folding
from ethos.core.text.language.inflection import predicate_key
from ethos.core.text.language.lexicon import phrases_of
from ethos.core.text.language.mentioned import Mention
from ethos.core.text.language.phrasing import with_occasion_last
from ethos.core.text.language.tagging import verb_of

GIVEN_UP: Final = "changes/given-up"
NEW_VALUE: Final = "changes/new-value"
RULES: Final = frozenset({GIVEN_UP, NEW_VALUE})
_VERSION, _PACK = 1, "1.0.0"
_CONFIDENCE = 0.85
_NUMBER = re.compile(r"\d+(?:[.,]\d+)*")


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
    if place and measured and _NUMBER.fullmatch(value) and (number := _NUMBER.search(fact.object, *place)) is not None:
        place = number.span()  # "up to 75", where 50 micrograms were held
    obj = fact.object[: place[0]] + value + fact.object[place[1] :] if place else value
    supersedes = "now" if fact.cardinality == "single" else fact.object
    return _claim(fact, fact.kind, obj, "+", NEW_VALUE, supersedes)


def lessened(fact: Fact, left: str) -> Claim:
    """Return a fact told with what is left of its list of things."""
    return _claim(fact, fact.kind, left, "+", NEW_VALUE, supersedes=fact.object)


def denied(fact: Fact) -> Claim:
    """Return a fact told as what does not hold any more. Of what was decided the deed is denied, and not that it was decided."""
    predicate, obj = fact.predicate, fact.object
    if predicate_key(predicate) in phrases_of("deciding-to"):
        words, verb = obj.split(), 1 + fact.predicate_key.count(" ")
        predicate, obj = " ".join(words[:verb]), " ".join(words[verb:])
    return _claim(fact, "negation", obj, "-", GIVEN_UP, predicate=predicate)


def in_question(fact: Fact, other: Mention | None, text: str, class_of: ClassOf) -> Claim:
    """Return a fact told with another value that some say it has, or denied, where none is told or it is one of many: both ask a person."""
    claim = denied(fact)
    if other is not None and fact.cardinality == "single":
        claim = with_value(fact, other, None, text, class_of)
    return replace(claim, kind="fact", confidence=fact.confidence, supersedes=None)


def unneeded(fact: Fact) -> Claim:
    """Return an order told as what need not be done any more."""
    asked, obj = _asked(fact)
    return _claim(fact, "negation", obj, "-", GIVEN_UP, predicate=f"need to {asked}")


def permitted(fact: Fact, *, now: bool) -> Claim:
    """Return what an order forbids told as what may be done. now: from now on, so that nobody needs to be asked."""
    asked, obj = _asked(fact)
    return _claim(fact, fact.kind, obj, "+", NEW_VALUE, supersedes="now" if now else None, predicate=f"may {asked}")


def _asked(fact: Fact) -> tuple[str, str]:
    """Return the verb of an order in its base form, "push to" of "should push to", and its object with the occasion."""
    predicate, obj = with_occasion_last(fact.predicate, fact.object)
    verb, blank, rest = predicate.removeprefix("should ").partition(" ")
    return f"{verb_of(verb.lower())}{blank}{rest}", obj


def _claim(
    fact: Fact, kind: Kind, obj: str, polarity: Polarity, rule: str, supersedes: str | None = None, *, predicate: str | None = None
) -> Claim:
    """Return a claim about the subject of a fact; what a thing is used for stays."""
    return Claim(
        kind,
        fact.subject,
        predicate or fact.predicate,
        obj,
        polarity,
        fact.cardinality,
        _CONFIDENCE,
        rule,
        _VERSION,
        _PACK,
        0,
        0,
        purpose=purpose_said(fact) or None,
        supersedes=supersedes,
    )
