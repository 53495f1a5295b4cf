"""Statements: a claim, or a fact that is held, as one side of a weighing, with the key under which it can collide (E-20, E-21).

The key is whom it is about, what is told of them, and the slot: what the thing is for, or the class it belongs to. It does not hang on
the wording (`core.facts.fact_keys`, `core.facts.aspects`).
"""

from __future__ import annotations

from datetime import datetime
from functools import cache
from typing import NamedTuple

from ethos.core.facts.aspects import aspect_of, count_of, part_of, placed_told, thing_of, trade_of
from ethos.core.facts.containment import sort_of
from ethos.core.facts.doers import doer_told, duty_named, is_duty
from ethos.core.facts.fact_keys import NAMED, deed_told, dwelling, key_for, name_told, position_told, subject_key
from ethos.core.facts.frequencies import frequency_in
from ethos.core.facts.occasions import occasion_named, occasion_told
from ethos.core.model.keys import ClassOf, FactKey
from ethos.core.model.records import Cardinality, Claim, Fact, Kind, Polarity
from ethos.core.model.value import value
from ethos.core.text import folding
from ethos.core.text.language.cues import is_cue
from ethos.core.text.language.inflection import base_form, predicate_key
from ethos.core.text.language.lexicon import phrases_of, with_one_noun, word_class
from ethos.core.text.language.pronouns import AGENT, TEAM
from ethos.core.text.language.scales import scaled
from ethos.core.text.language.tagging import verb_of
from ethos.core.text.language.tastes import key_of_taste, taste_of

EVERYWHERE = ""  # the project of what is true of the user in all of them
NO_PROJECT = "default"  # the project of what was said where no project is named
ANYTHING = "*"  # wildcard of a claim that says "now" or "moved to": it replaces whatever holds the slot
PREFER = "prefer"
TASTE = "like"  # the key of all tastes, whatever words tell them
_IS = ("is", "are", "'s")
_PEOPLE = (TEAM, AGENT, "project", "context", "user")  # whose values are many: what is told of them has keys of its own


@value
class Statement:
    """One side of a weighing: a claim with its key, or a held fact seen the same way."""

    key: FactKey
    object_key: str
    kind: Kind
    polarity: Polarity
    cardinality: Cardinality
    confidence: float
    origin: int
    said_at: datetime
    over_key: str = ""
    replaces_key: str = ""


class _Told(NamedTuple):
    """What a claim tells of what: the parts of its key and its object, folded."""

    subject: str
    predicate: str
    slot: str
    object: str
    cardinality: Cardinality
    polarity: Polarity


def statement_for(
    claim: Claim, *, user: str, project: str, origin: int, said_at: datetime, class_of: ClassOf, literal: bool, speaker: str = ""
) -> Statement:
    """Return the claim with its key: of the user everywhere or of the project (`_scope`); the slot is the purpose, else the class."""
    predicate = predicate_key(_simple(claim.predicate))
    if (attribute := with_one_noun(predicate)) in phrases_of("attribute-of-a-person"):
        predicate = attribute
    if literal:
        told = _Told(subject_key(claim.subject), predicate, "", folding.key(claim.object), "single", claim.polarity)
    else:
        told = (
            _of_taste(claim, predicate, speaker)
            or _of_duty(claim, predicate, speaker)
            or _of_occasion(claim, predicate, speaker)
            or _of_place(claim, class_of, speaker)
            or _of_thing(claim, predicate, class_of, speaker)
        )
    scope = _scope(claim, project, speaker)
    if speaker and claim.kind == "fact" and claim.predicate in _IS and told.subject in _of_one_person():
        scope, told = EVERYWHERE, told._replace(subject=subject_key(speaker), predicate=told.subject, slot="", cardinality="single")
    return Statement(
        FactKey(user, scope, told.subject, told.predicate, told.slot),
        told.object,
        claim.kind,
        told.polarity,
        told.cardinality,
        claim.confidence,
        origin,
        said_at,
        folding.key(claim.over or ""),
        _replaced_by(claim),
    )


@cache
def _of_one_person() -> frozenset[str]:
    """Return the nouns of what a person has one of, folded: they are the speaker's, whether or not "my" stands before them."""
    return phrases_of("belonging") | phrases_of("attribute-of-a-person")


def _of_taste(claim: Claim, predicate: str, speaker: str) -> _Told | None:
    """Return the claim as one of taste, or of what is preferred of its sort; None where it is neither. predicate: folded."""
    subject, object_key, polarity = subject_key(claim.subject), folding.key(claim.object), claim.polarity
    if (taste := taste_of(predicate, object_key)) is not None:
        subject = subject_key(speaker) if subject == TEAM and speaker else subject  # who says what "we" love loves it
        going = taste.polarity if polarity == "+" else "-"
        return _Told(subject, TASTE, _slot_on_scale(taste.thing), taste.thing, claim.cardinality, going)
    if claim.kind == "preference" and subject != AGENT and (sort := _slot_on_scale(object_key) or _sort_preferred(predicate, object_key)):
        return _Told(subject, TASTE, sort, object_key, "single", polarity)
    return None


def _of_duty(claim: Claim, predicate: str, speaker: str) -> _Told | None:
    """Return the claim as one of who does, or does no more, what others count on; None where it is none. predicate: folded."""
    if not _tells_what_is_so(claim) or claim.subject == TEAM:
        return None
    doer = doer_told(claim.subject, predicate, claim.object, subject_key(speaker))
    if doer is None:
        return None
    of_thing = folding.key(claim.subject) != doer.who
    return _Told(*doer, "single" if of_thing else claim.cardinality, claim.polarity)


def _of_occasion(claim: Claim, predicate: str, speaker: str) -> _Told | None:
    """Return the claim as one of a date on which somebody does something; None where it is none. predicate: folded."""
    subject, whose = subject_key(claim.subject), subject_key(speaker)
    occasion = occasion_told("" if subject in (TEAM, whose) else thing_of(subject, whose), predicate, folding.key(claim.object))
    return None if occasion is None else _Told(*occasion, "single", claim.polarity)


def _of_place(claim: Claim, class_of: ClassOf, speaker: str) -> _Told | None:
    """Return the claim as one of where the speaker or the team keeps something; None where it is none."""
    if not _tells_what_is_so(claim) or subject_key(claim.subject) not in (TEAM, subject_key(speaker)):
        return None
    kept = placed_told(f"{_simple(claim.predicate)} {claim.object}", class_of)
    return None if kept is None else _Told(*kept[0], kept[1], "single", claim.polarity)


def _tells_what_is_so(claim: Claim) -> bool:
    """Return whether a claim tells what is so, or is so no more, and is no order."""
    return claim.kind in ("fact", "negation") and claim.tense == "present" and claim.subject != AGENT


def _of_thing(claim: Claim, predicate: str, class_of: ClassOf, speaker: str) -> _Told:
    """Return the claim as one that says something of a thing or a person. predicate: folded."""
    subject, object_key, cardinality = subject_key(claim.subject), folding.key(claim.object), claim.cardinality
    position = position_told(claim.subject, predicate, claim.object)
    subject, object_key = position or (subject, object_key)
    if predicate == "be" and (named := name_told(subject)):
        subject, predicate = named, NAMED
    whose, denied = subject_key(speaker), claim.polarity == "-"
    thing = subject not in (*_PEOPLE, whose)
    if thing:
        subject = thing_of(subject, whose) if claim.kind == "fact" or predicate == NAMED else subject
    if _one_favorite(claim.predicate):
        cardinality = "single"
    predicate, object_key = deed_told(predicate, object_key)
    purpose, decided = folding.key(claim.purpose or ""), claim.kind == "decision"
    where = key_for(subject, predicate, object_key, purpose, cardinality, decided=decided, denied=denied, class_of=class_of)
    subject, predicate, slot, cardinality = where
    if subject == TEAM and predicate in phrases_of("dwelling") and speaker:
        subject = subject_key(speaker)  # who says where "we" live says where they live
    slot = slot or dwelling(predicate, claim.object)
    told = _Told(subject, predicate, slot, object_key, cardinality, claim.polarity)
    if thing and not denied and claim.tense == "present":
        told = _with_aspect(told, class_of, proper=position is not None or claim.object[:1].isupper())
    countable = (claim.kind, claim.tense) == ("fact", "present") and not (told.slot or denied)
    if countable and told.cardinality == "multi" and told.predicate not in phrases_of("choosing"):
        slot, object_key = frequency_in(told.object) or ("", told.object)
        slot = slot or count_of(told.predicate, object_key) or part_of(told.predicate, claim.object) or trade_of(told.predicate, object_key)
        told = told._replace(slot=slot, object=object_key, cardinality="single" if slot else "multi")
    return told


def _with_aspect(told: _Told, class_of: ClassOf, *, proper: bool) -> _Told:
    """Return what is told of a thing under the key of the one value that it gives that thing, if it gives one; else as it is.

    proper: the object begins with a capital.
    """
    subject, predicate, slot, object_key = told[:4]
    many = predicate == "be" and subject.rpartition(" ")[2] in word_class("of-many")
    if many or subject in _PEOPLE or trade_of(predicate, object_key) or slot not in ("", "value", class_of(object_key)):
        return told
    aspect = aspect_of(subject, predicate, object_key, class_of, proper=proper)
    if aspect is None:
        return told
    if (aspect.relation, aspect.slot) == ("be", "name") and (duty := duty_named(aspect.thing, object_key)) is not None:
        return told._replace(subject=duty.thing, predicate=duty.predicate, slot=duty.slot, cardinality="single")
    named = occasion_named(aspect.thing) if aspect.slot == "date" else aspect.thing
    return told._replace(subject=named, predicate=aspect.relation, slot=aspect.slot, cardinality="single")


def _slot_on_scale(object_key: str) -> str:
    """Return the slot of what is liked one way or the other: "explanation" of "short explanations"; "" for all else."""
    found = scaled(object_key)
    return found.thing if found is not None else ""


def _sort_preferred(predicate: str, object_key: str) -> str:
    """Return the slot of what one of its sort is preferred of: "theme" of "prefers dracula themes"; "" for all else."""
    return base_form(sort_of(object_key)) if predicate == PREFER and sort_of(object_key) else ""


def _simple(predicate: str) -> str:
    """Return a predicate without the "be" of what goes on: "is working for", "works for" and "[stopped] working for" tell one thing."""
    if predicate.partition(" ")[0].endswith("ing"):
        predicate = f"is {predicate}"
    be, _, doing = predicate.partition(" ")
    verb, _, rest = doing.partition(" ")
    if be == "will" and verb == "be":
        return doing  # "the rent will be 900" tells the rent to come
    return f"{verb_of(verb)} {rest}".strip() if be in ("is", "are") and verb.endswith("ing") and verb_of(verb) != verb else predicate


def _one_favorite(predicate: str) -> bool:
    """Return whether a claim tells the one favorite of a kind, and not "one of my favorite films"."""
    return predicate.startswith("favorite ") and not predicate.endswith("s")


def _scope(claim: Claim, project: str, speaker: str) -> str:
    """Return the project in which a claim holds.

    Preferences, and what people tell of themselves, their family and their friends, hold everywhere, and so does what somebody now does in
    the place of something else. Other decisions, and orders to the agent, hold in the project that they were said in; an order that was
    said in no project holds everywhere.
    """
    if claim.kind == "preference":
        return project if claim.subject == AGENT and project != NO_PROJECT else EVERYWHERE
    changed = claim.supersedes and claim.polarity == "+"  # "I switched to Emacs": what took its place was so everywhere
    if not speaker or (claim.kind == "decision" and not changed):
        return project
    at_home = claim.subject == TEAM and predicate_key(claim.predicate) in phrases_of("dwelling")
    owner, _, owned = subject_key(claim.subject).partition("'s ")
    kin = word_class("kin")
    personal = owner == subject_key(speaker) and (not owned or not kin.isdisjoint(owned.replace("'s ", " ").split()))
    personal |= claim.predicate.endswith(" my") and not kin.isdisjoint(folding.key(claim.object).split())  # "Ewa is my wife"
    return EVERYWHERE if at_home or personal else project


def replaced(said: str | None) -> str:
    """Return what a claim says it replaces, folded; `ANYTHING` if it only says that it is so now."""
    if not said:
        return ""
    low = said.lower()
    return ANYTHING if low == ANYTHING or is_cue(low) or low in phrases_of("shifted") else folding.key(said)


def _replaced_by(told: Claim | Fact) -> str:
    """Return what a claim or a fact replaces, folded. Who by now prefers one thing to another does not prefer that any more."""
    said = replaced(told.supersedes if isinstance(told, Claim) else told.replaces)
    return folding.key(told.over) if said == ANYTHING and told.kind == "preference" and told.over and told.subject != AGENT else said


def statement_of(fact: Fact) -> Statement:
    """Return a held fact as one side of a weighing."""
    return Statement(
        key_of(fact),
        fact.object_key,
        fact.kind,
        fact.polarity,
        fact.cardinality,
        fact.confidence,
        fact.origin,
        fact.last_said,
        folding.key(fact.over) if fact.over else "",
        _replaced_by(fact),
    )


def key_of(fact: Fact) -> FactKey:
    """Return the key of a fact, which another must share to collide with it."""
    return FactKey(fact.user, fact.project, fact.subject_key, fact.predicate_key, fact.slot)


def object_key_of(fact: Fact, said: str) -> str:
    """Return the key of an object in the place of that of a held fact. said: the object as it was said."""
    if fact.predicate_key == TASTE:
        return key_of_taste(fact.predicate, said)
    predicate, obj = predicate_key(fact.predicate), folding.key(said)
    if (position := position_told(fact.subject, predicate, said)) is not None:
        return position[1]
    if is_duty(fact.slot) and folding.key(fact.subject) == fact.object_key:
        return fact.object_key  # who does it is the subject
    if fact.slot == "date" and (occasion := occasion_told("", predicate_key(_simple(fact.predicate)), obj)) is not None:
        return occasion.date
    elsewhere = fact.subject_key != subject_key(fact.subject)  # of the thing that is kept
    kept = placed_told(f"{_simple(fact.predicate)} {said}", lambda _: "") if elsewhere else None
    if kept is not None and fact.predicate_key.startswith("be "):
        return kept[1]
    obj = deed_told(predicate, obj)[1]
    often = frequency_in(obj) if fact.slot else None
    return often.told if often is not None and often.slot == fact.slot else obj
