"""Statements: a claim, or a fact that is held, as one side of a weighing, with the key under which it can collide (E-20, E-21).

The key is whom it is about, what is told of them, and the slot: what the thing is for, or the class it belongs to. It does not hang on
the wording (`core.facts.fact_keys`, `core.facts.aspects`).
"""

from __future__ import annotations

from datetime import datetime

from ethos.core.facts.aspects import aspect_of, count_of, part_of, thing_of, trade_of
from ethos.core.facts.containment import sort_of
from ethos.core.facts.fact_keys import NAMED, deed_told, dwelling, key_for, name_told, position_told, subject_key
from ethos.core.facts.frequencies import frequency_in
from ethos.core.model.keys import ClassOf, FactKey
from ethos.core.model.records import Cardinality, Claim, Fact, Kind, Polarity
from ethos.core.model.value import value
from ethos.core.text import folding
from ethos.core.text.language.cues import is_cue
from ethos.core.text.language.inflection import base_form, predicate_key
from ethos.core.text.language.lexicon import phrases_of, word_class
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


def statement_for(
    claim: Claim, *, user: str, project: str, origin: int, said_at: datetime, class_of: ClassOf, literal: bool, speaker: str = ""
) -> Statement:
    """Return the claim with its key: of the user everywhere or of the project (`_scope`); the slot is the purpose, else the class."""
    predicate = predicate_key(_simple(claim.predicate))
    object_key = folding.key(claim.object)
    polarity = claim.polarity
    subject, slot, cardinality = subject_key(claim.subject), "", claim.cardinality
    if literal:
        cardinality = "single"
    elif (told := taste_of(predicate, object_key)) is not None:
        polarity = told.polarity if claim.polarity == "+" else "-"
        predicate, object_key = TASTE, told.thing
        slot = _slot_on_scale(object_key)
        subject = subject_key(speaker) if subject == TEAM and speaker else subject  # who says what "we" love loves it
    elif claim.kind == "preference" and subject != AGENT and (sort := _slot_on_scale(object_key) or _sort_preferred(predicate, object_key)):
        predicate, slot, cardinality = TASTE, sort, "single"
    else:
        position = position_told(claim.subject, predicate, claim.object)
        subject, object_key = position or (subject, object_key)
        if predicate == "be" and (named := name_told(subject)):
            subject, predicate = named, NAMED
        whose = subject_key(speaker)
        thing = subject not in (*_PEOPLE, whose)
        if thing:
            subject = thing_of(subject, whose) if claim.kind == "fact" or predicate == NAMED else subject
        if _one_favorite(claim.predicate):
            cardinality = "single"
        predicate, object_key = deed_told(predicate, object_key)
        purpose, decided = folding.key(claim.purpose or ""), claim.kind == "decision"
        denied = claim.polarity == "-"
        where = key_for(subject, predicate, object_key, purpose, cardinality, decided=decided, denied=denied, class_of=class_of)
        subject, predicate, slot, cardinality = where
        if subject == TEAM and predicate in phrases_of("dwelling") and speaker:
            subject = subject_key(speaker)  # who says where "we" live says where they live
        slot = slot or dwelling(predicate, claim.object)
        many = predicate == "be" and subject.rpartition(" ")[2] in word_class("of-many")
        if (
            thing
            and not many
            and subject not in _PEOPLE
            and not denied
            and claim.tense == "present"
            and not trade_of(predicate, object_key)
            and slot in ("", "value", class_of(object_key))
        ):
            aspect = aspect_of(subject, predicate, object_key, class_of, proper=position is not None or claim.object[:1].isupper())
            if aspect is not None:
                (subject, predicate, slot), cardinality = aspect, "single"
        if (
            cardinality == "multi"
            and not (slot or denied)
            and (claim.kind, claim.tense) == ("fact", "present")
            and predicate not in phrases_of("choosing")
        ):
            slot, object_key = frequency_in(object_key) or (slot, object_key)
            slot = slot or count_of(predicate, object_key) or part_of(predicate, claim.object) or trade_of(predicate, object_key)
            cardinality = "single" if slot else "multi"
    scope = _scope(claim, project, speaker)
    if speaker and claim.kind == "fact" and subject in word_class("belonging") and claim.predicate in _IS:
        scope, subject, predicate, slot, cardinality = EVERYWHERE, subject_key(speaker), subject, "", "single"
    return Statement(
        FactKey(user, scope, subject, predicate, slot),
        object_key,
        claim.kind,
        polarity,
        cardinality,
        claim.confidence,
        origin,
        said_at,
        folding.key(claim.over or ""),
        _replaced_by(claim),
    )


def _slot_on_scale(object_key: str) -> str:
    """Return the slot of what is liked one way or the other: "explanation" of "short explanations"; "" for all else."""
    found = scaled(object_key)
    return found.thing if found is not None else ""


def _sort_preferred(predicate: str, object_key: str) -> str:
    """Return the slot of what one of its sort is preferred of: "theme" of "prefers dracula themes"; "" for all else."""
    return base_form(sort_of(object_key)) if predicate == PREFER and sort_of(object_key) else ""


def _simple(predicate: str) -> str:
    """Return a predicate without the "be" of what goes on: "is working for" and "works for" tell one thing."""
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
    personal = owner == subject_key(speaker) and (not owned or not kin.isdisjoint(owned.split()))
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
    obj = deed_told(predicate, obj)[1]
    often = frequency_in(obj) if fact.slot else None
    return often.told if often is not None and often.slot == fact.slot else obj
