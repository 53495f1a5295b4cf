"""Weighing: what the later of two claims does to the earlier (E-20 to E-25; docs/requirements.md, Settled).

The order is the runbook's table (X-E3): identical or compatible, then decision, then confidence, then a person is asked. We deviate
from the runbook in what collides at all: it compares everything with the same subject and predicate; we also want the same slot
(what the thing is for, or the class it belongs to), so that Postgres and Rust do not retire each other. `literal` gives the runbook.

Weighing goes by the time things were said, not by the time they arrived: a claim that is older than what is held is weighed as
the earlier of the two, so the verdict is the same in either order of arrival.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import NamedTuple

from ethos.core.facts.containment import compatible, compatible_with, sort_of, without_part
from ethos.core.facts.doers import is_duty
from ethos.core.facts.statement import ANYTHING, TASTE, Statement, replaced, statement_of
from ethos.core.model.records import Fact
from ethos.core.model.settings import ConflictSettings
from ethos.core.model.value import value
from ethos.core.text import folding
from ethos.core.text.language.lexicon import phrases_of, word_class
from ethos.core.text.language.scales import opposed

CORROBORATION = 0.05  # what another episode that says the same adds to confidence (X-E4)


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


class _Weighed(NamedTuple):
    """A claim, and how an object is told to be compatible with its own, and with what it names as replaced."""

    claim: Statement
    is_near: Callable[[str], bool]
    is_replaced: Callable[[str], bool]
    settings: ConflictSettings


def _weighed(new: Statement, settings: ConflictSettings) -> _Weighed:
    by = settings.containment
    return _Weighed(new, compatible_with(new.object_key, by), compatible_with(new.replaces_key, by), settings)


def exceeds(new: float, old: float, delta: float) -> bool:
    """Return whether `new` is more than `delta` above `old`, on values rounded to a millionth: exactly 0.15 is not (X-E5)."""
    return round(new * 1e6) - round(old * 1e6) > round(delta * 1e6)


def weigh(new: Statement, held: Sequence[Fact], settings: ConflictSettings) -> Relation:
    """Return the verdict on a claim against the active facts under its key. Total: any claim and any facts give exactly one verdict."""
    if not held:  # as with most
        return Fresh()
    one = _weighed(new, settings)
    near, agreed = _near(one, held)
    if agreed is not None:
        return agreed
    if _exclusive(new, settings):
        rivals = _ranked(fact for fact in held if _collide(one, statement_of(fact)))
    else:  # what was said later may name this as replaced, though it has no words in common with it
        reached = near + _ranked(fact for fact in held if fact.replaces and fact.last_said > new.said_at and fact not in near)
        rivals = [fact for fact in reached if _collide(one, statement_of(fact))]
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
    one = _weighed(new, settings)
    near, agreed = _near(one, sharing)
    if agreed is not None:
        return agreed
    rivals: list[Fact] = []
    for fact in held if _exclusive(new, settings) else near:
        if _collide(one, statement_of(fact)):
            rivals.append(fact)
            if not _replaces(new, statement_of(fact), settings):
                return Contradicts(rivals[0])
    return Supersedes(tuple(rivals)) if rivals else Fresh()


def _near(new: _Weighed, facts: Iterable[Fact]) -> tuple[list[Fact], Relation | None]:
    """Return the facts whose object is compatible with the claim's, by rank, and the verdict if one of them has its polarity."""
    is_near = new.is_near
    near = _ranked([fact for fact in facts if is_near(fact.object_key)])
    for fact in near:
        if fact.polarity == new.claim.polarity:
            return near, _agree(new.claim, fact)
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
        return one.key.predicate == TASTE or one.key.predicate in phrases_of("in-a-class") or is_duty(one.key.slot)
    verb, _, rest = one.key.predicate.partition(" ")
    placed = rest.rpartition(" ")[2] in word_class("relation") or (not rest and verb in word_class("one-at-a-time"))
    return placed and one.kind in ("fact", "decision")


def _agree(new: Statement, fact: Fact) -> Confirms | Refines:
    more = new.object_key != fact.object_key and len(folding.tokens(new.object_key)) > len(folding.tokens(fact.object_key))
    return Refines(fact) if more and new.origin >= fact.origin else Confirms(fact)


def _collide(new: _Weighed, other: Statement) -> bool:
    """Return whether a claim and a statement under its key, not in agreement, can not both stand."""
    if new.settings.literal:
        return True
    one = new.claim
    names, is_named = _names_old(one), _names_old(other)
    if (names and other.polarity == "+" and new.is_replaced(other.object_key)) or (
        is_named and one.polarity == "+" and new.is_near(other.replaces_key)
    ):
        return True
    if (names or is_named) and one.polarity == other.polarity == "+":
        return False
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
        denied = one.polarity != other.polarity and new.is_near(other.object_key)
        return denied and not (_leaves_some(one, other) or _leaves_some(other, one))
    if not one.key.slot and (one.key.predicate in phrases_of("choosing") or (one.over_key and other.over_key)):
        # "tea over coffee" and "tabs over spaces" choose among different things; "coffee over tea", or "coffee", chooses the other way
        return not {one.object_key, one.over_key or one.object_key}.isdisjoint({other.object_key, other.over_key or other.object_key})
    return True


def _names_old(one: Statement) -> bool:
    """Return whether a statement says itself what it takes the place of."""
    return one.replaces_key not in ("", ANYTHING) and not one.key.slot


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
