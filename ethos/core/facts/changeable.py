"""Changeable: what a turn may change of a fact, and the words by which such a turn is found (`core.facts.changes`)."""

from __future__ import annotations

from ethos.core.facts.containment import things_in_list
from ethos.core.facts.naming import (
    deed_alone,
    deed_of,
    doing,
    is_forbidden,
    is_order,
    manners,
    things_of,
)
from ethos.core.facts.replacement import TOGETHER
from ethos.core.facts.topics import words_about
from ethos.core.facts.values import (
    measured_in,
    specific_words,
    value_words,
)
from ethos.core.model.records import Fact
from ethos.core.text import folding
from ethos.core.text.language.ending import Ending
from ethos.core.text.language.inflection import predicate_key
from ethos.core.text.language.lexicon import phrases_of, word_class
from ethos.core.text.language.mentions import stem
from ethos.core.text.language.phrasing import NOBODY
from ethos.core.text.language.stations import station_of, words_of_end
from ethos.core.text.language.tagging import PAST_AUXILIARIES, possible_tags, verb_of


def could_change(fact: Fact) -> bool:
    """Return whether a fact says what is so, and not what happened ("threw out SQLite"). Tastes change by their own words."""
    so = (fact.polarity == "+" or is_forbidden(fact)) and (fact.kind != "preference" or is_order(fact)) and fact.tense == "present"
    return so and fact.subject_key != NOBODY and not tells_event(fact.predicate)


def could_be_wrong(fact: Fact) -> bool:
    """Return whether a fact may be put right or put in question: what is so, or what happened, with a value ("was built by Farid")."""
    told = fact.kind == "fact" and fact.polarity == "+" and fact.subject_key != NOBODY
    return could_change(fact) or (told and value_words(fact.object) != "")


def tells_event(predicate: str) -> bool:
    """Return whether a predicate tells what happened ("threw out", "was"), and not what is so since then."""
    verb = predicate.partition(" ")[0].lower() or "is"
    past = possible_tags(verb).startswith("d") and verb_of(verb) != verb and predicate_key(predicate) not in phrases_of("deciding-to")
    return past or verb in PAST_AUXILIARIES


def may_end(ending: Ending, fact: Fact) -> bool:
    """Return whether an ending is one for such a fact: an order may be waived as well, and what is forbidden may only be permitted."""
    if is_forbidden(fact):
        return ending.permitted
    return ending.given_up or (ending.waived and is_order(fact))


def is_valued(fact: Fact) -> bool:
    """Return whether a fact holds the one value of a thing. What one is working on is none."""
    return fact.cardinality == "single" and bool(fact.slot) and not fact.slot.startswith("the ")


def is_bound(fact: Fact) -> bool:
    """Return whether a fact asks for no value but a bound, which other values keep or break: "should take under two hours"."""
    before = f"{fact.predicate} {fact.object}".split()
    obliged = before[:1] == ["should"] or before[:1] == ["must"]
    return obliged and not word_class("bounds").isdisjoint(before)


def anchors(fact: Fact) -> tuple[str, ...]:
    """Return the words of which a turn has one, at least, that may say something of a fact: of its value, or of its thing."""
    if not could_be_wrong(fact):
        return ()
    value = measured_in(fact.object)
    words = specific_words(fact.object)
    if words or value is not None or is_valued(fact):
        words |= words_about(fact, value_words(fact.object))
    if is_order(fact) or is_forbidden(fact):
        words |= things_of(fact.object_key)
    words |= {stem(word) for word in deed_of(fact)[-1:]} | things_in_list(fact.object) | doing(deed_alone(fact)) | manners(fact)
    words |= words_of_end(station_of(fact.predicate_key, fact.object, fact.subject_key)[0])
    if (named := folding.tokens(fact.subject_key)) and fact.subject_key not in TOGETHER:
        words |= {named[-1]}  # which may be no more
    return tuple(sorted(words))
