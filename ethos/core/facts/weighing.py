"""Weighing: what the later of two claims does to the earlier (E-20 to E-25; docs/requirements.md, Settled).

The order is the runbook's table (X-E3): identical or compatible, then decision, then confidence, then a person is asked. We deviate
from the runbook in what collides at all: it compares everything with the same subject and predicate; we also want the same slot
(what the thing is for, or the class it belongs to), so that Postgres and Rust do not retire each other. `literal` gives the runbook.

Weighing goes by the time things were said, not by the time they arrived: a claim that is older than what is held is weighed as
the earlier of the two, so the verdict is the same in either order of arrival.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import datetime

from ethos.core.facts.aspects import aspect_of, count_of, part_of, thing_of, trade_of
from ethos.core.facts.containment import compatible, sort_of, without_part
from ethos.core.facts.fact_keys import NAMED, deed_decided, dwelling, key_for, subject_key
from ethos.core.facts.frequencies import frequency_in
from ethos.core.model.keys import ClassOf, FactKey
from ethos.core.model.records import Cardinality, Claim, Fact, Kind, Polarity
from ethos.core.model.settings import ConflictSettings
from ethos.core.model.value import value
from ethos.core.text import folding
from ethos.core.text.language.cues import is_cue
from ethos.core.text.language.inflection import base_form, predicate_key
from ethos.core.text.language.lexicon import phrases_of, word_class
from ethos.core.text.language.pronouns import AGENT, TEAM
from ethos.core.text.language.scales import opposed, scaled
from ethos.core.text.language.tagging import verb_of
from ethos.core.text.language.tastes import key_of_taste, taste_of

EVERYWHERE = ""  # the project of what is true of the user in all of them
NO_PROJECT = "default"  # the project of what was said where no project is named
ANYTHING = "*"  # wildcard of a claim that says "now" or "moved to": it replaces whatever holds the slot
CORROBORATION = 0.05  # what another episode that says the same adds to confidence (X-E4)
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


@value
class Fresh:
    """Nothing held collides with it."""


@value
class Confirms:
    """It says again what `held` says, or less of it."""

    held: Fact


@value
class Refines:
    """It says what `held` says, and more."""

    held: Fact


@value
class Supersedes:
    """It takes the place of all of `held`; or, when `late`, the newest of them had taken its place before it arrived."""

    held: tuple[Fact, ...]
    late: bool = False


@value
class Contradicts:
    """It and `held` cannot both be so, and neither weighs enough: a person is asked."""

    held: Fact


Relation = Fresh | Confirms | Refines | Supersedes | Contradicts


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
        whose = subject_key(speaker)
        thing = subject not in (*_PEOPLE, whose)
        if thing:
            subject = thing_of(subject, whose) if claim.kind == "fact" or predicate == NAMED else subject
        if _one_favorite(claim.predicate):
            cardinality = "single"
        predicate, object_key = deed_decided(predicate, object_key)
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
            and slot in ("", "value", class_of(object_key))
        ):
            aspect = aspect_of(subject, predicate, object_key, class_of, proper=claim.object[:1].isupper())
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
    at_home = claim.subject == TEAM and predicate_key(claim.predicate) in phrases_of("dwelling")
    owner, _, owned = subject_key(claim.subject).partition("'s ")
    kin = word_class("kin")
    personal = owner == subject_key(speaker) and (not owned or not kin.isdisjoint(owned.split()))
    personal |= claim.predicate.endswith(" my") and not kin.isdisjoint(folding.key(claim.object).split())  # "Ewa is my wife"
    changed = claim.supersedes and claim.polarity == "+"  # "I switched to Emacs": what took its place was so everywhere
    of_oneself = (claim.kind != "decision" or changed) and speaker and (at_home or personal)
    return EVERYWHERE if of_oneself else project


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
        folding.key(fact.over or ""),
        _replaced_by(fact),
    )


def key_of(fact: Fact) -> FactKey:
    """Return the key of a fact, which another must share to collide with it."""
    return FactKey(fact.user, fact.project, fact.subject_key, fact.predicate_key, fact.slot)


def object_key_of(fact: Fact, said: str) -> str:
    """Return the key of an object in the place of that of a held fact. said: the object as it was said."""
    if fact.predicate_key == TASTE:
        return key_of_taste(fact.predicate, said)
    obj = deed_decided(predicate_key(fact.predicate), folding.key(said))[1]
    often = frequency_in(obj) if fact.slot else None
    return often.told if often is not None and often.slot == fact.slot else obj


def exceeds(new: float, old: float, delta: float) -> bool:
    """Return whether `new` is more than `delta` above `old`, on values rounded to a millionth: exactly 0.15 is not (X-E5)."""
    return round(new * 1e6) - round(old * 1e6) > round(delta * 1e6)


def weigh(new: Statement, held: Sequence[Fact], settings: ConflictSettings) -> Relation:
    """Return the verdict on a claim against the active facts under its key. Total: any claim and any facts give exactly one verdict."""
    near, agreed = _near(new, held, settings)
    if agreed is not None:
        return agreed
    if _exclusive(new, settings):
        reached = _ranked(held)
    else:  # what was said later may name this as replaced, though it has no words in common with it
        reached = near + _ranked(fact for fact in held if fact.replaces and fact.last_said > new.said_at and fact not in near)
    rivals = [fact for fact in reached if _collide(new, statement_of(fact), settings)]
    if not rivals:
        return Fresh()
    later = [fact for fact in rivals if fact.last_said > new.said_at]
    if any(_replaces(statement_of(fact), new, settings) for fact in later):
        return Supersedes((max(later, key=lambda f: (f.last_said, f.valid_from, f.object_key)),), late=True)
    if not later and all(_replaces(new, statement_of(fact), settings) for fact in rivals):
        return Supersedes(tuple(rivals))
    return Contradicts(rivals[0])


def weigh_latest(new: Statement, sharing: Sequence[Fact], held: Iterable[Fact], settings: ConflictSettings) -> Relation:
    """Return `weigh`'s verdict for a claim newer than all facts; stop at the first contradiction.

    sharing: the facts that have a word in common with the claim. held: all facts that the claim could collide with, by rank.
    """
    near, agreed = _near(new, sharing, settings)
    if agreed is not None:
        return agreed
    rivals: list[Fact] = []
    for fact in held if _exclusive(new, settings) else near:
        if _collide(new, statement_of(fact), settings):
            rivals.append(fact)
            if not _replaces(new, statement_of(fact), settings):
                return Contradicts(rivals[0])
    return Supersedes(tuple(rivals)) if rivals else Fresh()


def _near(new: Statement, facts: Iterable[Fact], settings: ConflictSettings) -> tuple[list[Fact], Relation | None]:
    """Return the facts whose object is compatible with the claim's, by rank, and the verdict if one of them has its polarity."""
    near = _ranked(fact for fact in facts if compatible(new.object_key, fact.object_key, settings.containment))
    for fact in near:
        if fact.polarity == new.polarity:
            return near, _agree(new, fact)
    return near, None


def alone(new: Statement, settings: ConflictSettings) -> bool:
    """Return whether a claim can collide only with what shares a word with it, or with its own words about what it takes the place of."""
    naming = new.replaces_key not in ("", ANYTHING) and new.polarity == "+"
    return not settings.literal and not new.key.slot and (naming or new.key.predicate in phrases_of("choosing"))


def takes_any_place(new: Statement, settings: ConflictSettings) -> bool:
    """Return whether a claim can collide with something that has no word in common with it, whatever that says."""
    if settings.literal:
        return True
    return in_one_place(new) and (new.replaces_key == ANYTHING or (new.cardinality == "single" and bool(new.key.slot)))


def needs_no_word(fact: Fact) -> bool:
    """Return whether a held fact can collide with a claim that has no word in common with it, although that does not take any place."""
    return fact.polarity == "+" and (fact.cardinality == "single" or replaced(fact.replaces) == ANYTHING)


def rank(fact: Fact) -> tuple[object, ...]:
    """Return a sort key: the surest first, then the newest (X-E16), then by what they say. Ids are left out: they differ by arrival."""
    return -fact.confidence, -fact.last_said.timestamp(), -fact.valid_from.timestamp(), fact.object_key, fact.polarity


def _ranked(facts: Iterable[Fact]) -> list[Fact]:
    return sorted(facts, key=rank)


def _exclusive(new: Statement, settings: ConflictSettings) -> bool:
    """Return whether a claim could collide with something it has no words in common with. If not, only what is near needs a look."""
    return settings.literal or ((new.cardinality == "single" or in_one_place(new)) and new.polarity == "+")


def in_one_place(one: Statement) -> bool:
    """Return whether a statement says which thing of a class is used: of several, but a new choice, or what is so now, takes its place.

    So it is with where, or with whom, one does something: "I cook at the Copper Pot" ends with "I cook at Fennel & Rye since Tuesday".
    """
    if one.key.slot:
        return one.key.predicate == TASTE or one.key.predicate in phrases_of("in-a-class")
    verb, _, rest = one.key.predicate.partition(" ")
    placed = rest.rpartition(" ")[2] in word_class("relation") or (not rest and verb in word_class("one-at-a-time"))
    return placed and one.kind in ("fact", "decision")


def _agree(new: Statement, fact: Fact) -> Confirms | Refines:
    more = new.object_key != fact.object_key and len(folding.tokens(new.object_key)) > len(folding.tokens(fact.object_key))
    return Refines(fact) if more and new.origin >= fact.origin else Confirms(fact)


def _collide(one: Statement, other: Statement, settings: ConflictSettings) -> bool:
    """Return whether two statements under one key, not in agreement, can not both stand."""
    if settings.literal:
        return True
    naming = [(speaks, of) for speaks, of in ((one, other), (other, one)) if speaks.replaces_key not in ("", ANYTHING)]
    naming = [(speaks, of) for speaks, of in naming if not speaks.key.slot]  # each says itself what it takes the place of
    if any(of.polarity == "+" and compatible(speaks.replaces_key, of.object_key, settings.containment) for speaks, of in naming):
        return True
    if naming and one.polarity == other.polarity == "+":
        return False
    same = compatible(one.object_key, other.object_key, settings.containment)
    if one.key.predicate == TASTE and one.polarity == other.polarity:
        now, chosen = ANYTHING in (one.replaces_key, other.replaces_key), (one.cardinality, other.cardinality).count("single")
        if opposed(one.object_key, other.object_key):
            return now or chosen > 0  # who just likes short walks may like long ones, too
        return now and chosen == 2 and sort_of(one.object_key) == sort_of(other.object_key) != ""
    if one.key.predicate == TASTE and one.object_key != other.object_key and ANYTHING not in (one.replaces_key, other.replaces_key):
        return False  # who loves coffee may hate instant coffee
    one_place = in_one_place(one) and (
        ("single" in (one.cardinality, other.cardinality) and bool(one.key.slot)) or ANYTHING in (one.replaces_key, other.replaces_key)
    )
    if "-" in (one.polarity, other.polarity) or ("multi" in (one.cardinality, other.cardinality) and not one_place):
        return same and one.polarity != other.polarity and not (_leaves_some(one, other) or _leaves_some(other, one))
    if not one.key.slot and (one.key.predicate in phrases_of("choosing") or (one.over_key and other.over_key)):
        # "tea over coffee" and "tabs over spaces" choose among different things; "coffee over tea", or "coffee", chooses the other way
        return not {one.object_key, one.over_key or one.object_key}.isdisjoint({other.object_key, other.over_key or other.object_key})
    return True


def _leaves_some(denied: Statement, held: Statement) -> bool:
    """Return whether what is denied is one of several things: without Redis, Postgres is used still (`core.facts.changes`)."""
    return denied.polarity == "-" and without_part(held.object_key, denied.object_key) != ""


def _replaces(later: Statement, earlier: Statement, settings: ConflictSettings) -> bool:
    """Return whether what was said later takes the place of what was said earlier, with no need to ask."""
    if later.origin < earlier.origin:
        return False
    if later.replaces_key == ANYTHING:
        return True
    if later.replaces_key and compatible(later.replaces_key, earlier.object_key, settings.containment):
        return True
    if later.kind == "negation":
        return True
    if later.kind == "decision" and (later.key.slot or settings.literal or "-" in (later.polarity, earlier.polarity)):
        return True
    return exceeds(later.confidence, earlier.confidence, settings.auto_supersede_confidence_delta)
