"""Replacement: which facts a claim says no longer hold, and which known claims say so of one that comes in late.

A successor names the old ("Valkey instead of Redis"), denies it, or gives a thing another name. What it retires may stand under another
key than its own; so where a claim comes in late, its successor is looked for under other keys as well.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence

from ethos.core.facts.containment import compatible, compatible_with, names, names_thing, sort_of, things_in_list, without_part
from ethos.core.facts.doers import TAKEN_OVER, is_duty
from ethos.core.facts.fact_keys import NAMED, subject_key
from ethos.core.facts.keyed_claims import KeyedClaim
from ethos.core.facts.ledger import Ledger
from ethos.core.facts.statement import ANYTHING, EVERYWHERE, PREFER, TASTE, Statement, replaced
from ethos.core.facts.values import MEASURED
from ethos.core.facts.ways import is_other_way, practice
from ethos.core.facts.weighing import Supersedes
from ethos.core.model.keys import FactKey
from ethos.core.model.records import Fact
from ethos.core.passes.context import Context
from ethos.core.text import folding
from ethos.core.text.language.lexicon import pattern_of, word_class
from ethos.core.text.language.pronouns import AGENT, TEAM
from ethos.core.text.language.tastes import thing_liked

TOGETHER = (TEAM, AGENT, "project")  # "always use tabs" is told to the agent, "spaces instead of tabs" decided by the team


def retires(statement: Statement) -> bool:
    """Return whether a statement says itself what does not hold any more: by a successor, a denial, a decision against it, a new name."""
    against = statement.kind == "negation" or (statement.kind == "decision" and statement.polarity == "-")
    return against or statement.replaces_key not in ("", ANYTHING) or _renames(statement)


def _renames(statement: Statement) -> bool:
    """Return whether a statement gives something that has a name another one."""
    return statement.key.predicate == NAMED and statement.polarity == "+" and statement.key.subject not in TOGETHER


def about(keyed: KeyedClaim) -> list[tuple[str, str, str]]:
    """Return the (user, scope, subject) of what a claim may retire: its own subject, or any of those who work together, in any scope."""
    key, scopes = keyed.statement.key, scopes_of(keyed)
    whose = TOGETHER if key.subject in TOGETHER else (key.subject, "project") if _renames(keyed.statement) else (key.subject,)
    return [(key.user, scope, subject) for scope in scopes for subject in whose]


def named_by(statement: Statement) -> str:
    """Return the phrase by which a statement reaches facts about other things, or "": the old value, the ended thing, the old name.

    "Goodbye Slack" is about whatever was told of Slack, and "the upload limit is 100 MB now" about the upload limit of the media service.
    """
    if statement.polarity == "-" and statement.kind != "negation":
        return ""
    if statement.replaces_key not in ("", ANYTHING):
        return statement.replaces_key if statement.kind != "preference" else ""
    if _renames(statement):
        return statement.key.subject
    if phrase := _sort(statement) or _thing_done(statement):
        return phrase
    valued = statement.cardinality == "single" or is_duty(statement.key.slot)
    of_thing = valued and statement.key.predicate.startswith("be") and statement.key.subject not in TOGETHER
    return statement.key.subject if statement.replaces_key and of_thing else ""


def _sort(statement: Statement) -> str:
    """Return the sort of which one is used, or is to be, from now on: "units" for "use imperial units from now on"; "" where none is."""
    told = statement.polarity == "+" and statement.replaces_key == ANYTHING and not statement.key.slot
    return _sort_in(statement.object_key, _verb(statement), statement.key.predicate) if told else ""


def _thing_done(statement: Statement) -> str:
    """Return the thing with which something is done in another way from now on: "passport" for "keeps the passport in the safe now"."""
    told = statement.polarity == "+" and statement.replaces_key == ANYTHING and not statement.key.slot and statement.kind != "preference"
    done = practice(statement.key.predicate, statement.object_key) if told else None
    thing = " ".join(done.thing) if done is not None else ""
    return thing if names(statement.object_key, thing) else ""


def _sort_in(obj: str, verb: str, predicate: str) -> str:
    """Return the sort that an object names one of, or, of an order, what is done in another way: "prices" of "round prices to euros"."""
    first, _, how = verb.partition(" ")
    if verb == "use":
        return sort_of(obj)
    if not predicate.startswith("should "):
        return ""
    takes_one = first in word_class("taking-one-of")
    words = f" {obj}"
    found = _WAY.search(words)
    if found is None:
        alone = how in word_class("relation") and " " not in obj  # "answer in | Dutch"
        return first if alone else sort_of(obj) if takes_one else ""
    thing, way = words[1 : found.start()], words[found.end() :]
    if not thing:
        return first if " " not in way else ""  # "format | with ruff"
    thing = thing.removeprefix("all ").removeprefix("the ")
    if takes_one and (sort := sort_of(thing)):
        return sort  # "book aisle seats for me"
    return thing if thing.count(" ") < _FEW else ""


_WAY = re.compile(rf" (?:{pattern_of('relation')}) ")
_FEW = 3  # words of a thing that is done in some way


def _verb(one: Statement | Fact) -> str:
    """Return the predicate without its obligation: "should use" is "use"."""
    return (one.key.predicate if isinstance(one, Statement) else one.predicate_key).removeprefix("should ")


def scopes_of(keyed: KeyedClaim) -> tuple[str, ...]:
    """Return the projects in which a claim may retire something: its own, that of its episode, and everywhere."""
    return tuple(dict.fromkeys((keyed.statement.key.project, keyed.utterance.project, EVERYWHERE)))


def retired_by(keyed: KeyedClaim, ledger: Ledger, ctx: Context) -> list[Fact]:
    """Return the held facts that a claim itself says it replaces or denies, in whatever slot they stand."""
    new = keyed.statement
    found: dict[str, Fact] = {}
    if retires(new):
        denies = _denial(new, ctx.settings.conflict_resolution.containment)
        found = {old.id: old for whom in about(keyed) for old in ledger.active_about(whom) if denies(old)}
    if phrase := named_by(new):
        own = folding.key(keyed.claim.subject).startswith(f"{folding.key(keyed.utterance.speaker)}'s ")  # "my locker" is not Ben's
        for scope in scopes_of(keyed):
            reached = [old for old in ledger.active_naming(new.key.user, scope, phrase) if _reached(old, new, phrase)]
            reached = [old for old in reached if not (own and _owner_in_key(old) - {*folding.tokens(phrase)})]
            if phrase == new.key.subject and len({old.subject_key for old in reached}) > 1:
                continue  # several things have this name in theirs: it is not said which
            found |= {old.id: old for old in reached}
    held = [old for old in found.values() if not (old.last_said > new.said_at or old.origin > new.origin or old.polarity == "-")]
    return sorted(held, key=lambda old: (-old.last_said.timestamp(), old.project, old.predicate_key, old.slot, old.object_key))


def _denial(new: Statement, containment: str) -> Callable[[Fact], bool]:
    """Return whether a statement that retires something says so of a fact about the same, as a test to hold many facts against."""
    if _renames(new):
        return lambda old: _under_its_old_name(old, new) or _misnamed(old, new)
    by_name = new.replaces_key not in ("", ANYTHING)
    said = new.replaces_key if by_name else new.object_key
    liked = thing_liked(said)
    is_said, is_liked = compatible_with(said, containment), compatible_with(liked, containment)
    chooses = _chooses_taste(new)

    def denies(old: Fact) -> bool:
        if not (old.kind == new.kind if chooses else by_name or old.predicate_key == new.key.predicate):
            return False
        taste = old.predicate_key == TASTE
        if not (is_liked if taste else is_said)(old.object_key):
            return False
        words = liked if taste else said
        if without_part(old.object, words) or _stands_behind(old.object_key, words):  # of a list the rest stays (`facts.changes`)
            return False
        return not (by_name and (_only_describes(old.object_key, words) or _is_left(old.object_key, new.replaces_key, new.object_key)))

    return denies


def _is_left(obj: str, replaced_key: str, new: str) -> bool:
    """Return whether an object says no more than the part of a list that stays: "hens" where "hens and goats" are replaced by "hens"."""
    return bool(things_in_list(replaced_key)) and names(replaced_key, new) and names(new, obj)


def _only_describes(obj: str, said: str) -> bool:
    """Return whether an object only describes what is said to end: "Bergen" of "the Bergen choir", but not "X" of "X account"."""
    held, ended = folding.tokens(obj), folding.tokens(said)
    others = set(ended) - set(held) - word_class("closable") - word_class("determiner")
    return bool(others) and names(said, obj) and held[-1:] != ended[-1:]


def _stands_behind(obj: str, said: str) -> bool:
    """Return whether an object only says where that is which is said to end: "Postgres" of "an index in Postgres"."""
    held, ended = folding.tokens(obj), folding.tokens(said)
    if len(held) >= len(ended) or not names(said, obj):
        return False
    at = next(at for at in range(len(ended)) if ended[at : at + len(held)] == held)
    before = [word for word in ended[:at] if word not in word_class("determiner")]
    return len(before) > 1 and before[-1] in word_class("relation")


def _chooses_taste(new: Statement) -> bool:
    """Return whether a claim says what is liked in the place of something else: who prefers tea by now may drink coffee all the same."""
    return new.kind == "preference" and new.key.predicate in (TASTE, PREFER) and new.polarity == "+"


def _reached(old: Fact, new: Statement, phrase: str) -> bool:
    """Return whether a phrase speaks of a fact about another thing: by its value or name, or by the thing, where its value is new."""
    if (old.kind == "preference" and not old.predicate_key.startswith("should ")) or (
        old.object_key == new.object_key and new.polarity == "+"
    ):
        return False
    if phrase == _sort(new):
        same = old.polarity == "+" and _verb(old).partition(" ")[0] == _verb(new).partition(" ")[0]
        return same and _sort_in(old.object_key, _verb(old), old.predicate_key) == phrase
    if phrase == _thing_done(new):
        one, other = practice(old.predicate_key, old.object_key), practice(new.key.predicate, new.object_key)
        same = old.polarity == "+" and old.tense == "present" and old.subject_key == new.key.subject and names(old.object_key, phrase)
        return same and one is not None and other is not None and is_other_way(one, other)
    if phrase == new.key.subject and not _renames(new):
        return names(old.subject_key, phrase) and _is_same_aspect(old, new.key)
    if _renames(new):
        return old.predicate_key == "be" and old.object_key == phrase
    return names_thing(old.object_key, phrase) and not without_part(old.object, phrase)


def owner_of(subject: str) -> Sequence[str]:
    """Return the last word of whose a folded subject is, in a list: "mother" of "mother's phone number"; an empty one for all else."""
    owner, mark, _ = subject.replace("s' ", "s's ").rpartition("'s ")
    return folding.tokens(owner)[-1:] if mark else ()


def _owner_in_key(old: Fact) -> set[str]:
    """Return the word that says whose a fact's thing is, in a set; an empty one if it is nobody's, or the speaker's own."""
    return {*owner_of(folding.key(old.subject))} & {*folding.tokens(old.subject_key)}


def _is_same_aspect(old: Fact, key: FactKey) -> bool:
    """Return whether a fact gives a thing a value of the kind that a key does.

    One value may be of a known class and the other not: "lessons are on Zoom" and "on Skype" say the same of the lessons.
    """
    if old.slot == key.slot:
        return old.predicate_key == key.predicate or (is_duty(key.slot) and TAKEN_OVER in (old.predicate_key, key.predicate))
    both = {old.slot, key.slot}
    return "name" in both and both.isdisjoint((*MEASURED, "")) and old.predicate_key.startswith("be") and old.cardinality == "single"


def _under_its_old_name(old: Fact, new: Statement) -> bool:
    """Return whether a new name retires a fact: one that gave the old name, or, of a thing that was renamed, asked something of it."""
    if old.predicate_key == NAMED:
        return old.subject_key != new.key.subject and subject_key(old.object_key) == new.key.subject
    return old.kind == "decision" and old.subject_key == new.key.subject == subject_key(new.replaces_key)


def _misnamed(old: Fact, new: Statement) -> bool:
    """Return whether a statement puts right the name that a fact gives a thing: "*Matthijs"."""
    return (
        old.predicate_key == NAMED
        and old.subject_key == new.key.subject
        and new.replaces_key not in ("", ANYTHING)
        and (names(old.object_key, new.replaces_key))
    )


def other_keys(keyed: KeyedClaim, ctx: Context) -> tuple[FactKey, ...]:
    """Return the other keys under which the successor of a claim may stand, if that named it.

    "Redis for sessions" stands in another slot than "Valkey instead of Redis", "always use tabs" is for all projects and "spaces instead of
    tabs" for one, and what has another name now has its old one as subject.
    """
    new, key = keyed.statement, keyed.statement.key
    if new.polarity == "-":
        return ()
    found: list[FactKey] = []
    if key.slot:
        slots = {"", ctx.rules.class_of(new.object_key), key.slot}
        scopes = {key.project, keyed.utterance.project, EVERYWHERE} if key.predicate == "use" else {key.project}
        found = [key._replace(project=scope, slot=slot) for scope in sorted(scopes) for slot in sorted(slots)]
        found.remove(key)
    if new.kind == "decision":
        called = subject_key(new.object_key) if key.predicate == NAMED else key.subject
        if called not in TOGETHER:
            found.append(FactKey(key.user, key.project, called, NAMED, NAMED))
    return tuple(found)


def already_replaced_by(keyed: KeyedClaim, ledger: Ledger, ctx: Context) -> Supersedes | None:
    """Return the verdict on a claim that comes in after its successor, which named it and stands under another key."""
    new = keyed.statement
    for key in other_keys(keyed, ctx):
        for fact in ledger.active(key):
            if fact.last_said <= new.said_at or fact.origin < new.origin:
                continue
            if key.slot == NAMED and new.key.slot == NAMED and key != new.key:
                return Supersedes((fact,), late=True)
            named = replaced(fact.replaces)
            if fact.polarity == "-":  # it was denied, in whatever slot
                named = fact.object_key if fact.kind in ("negation", "decision") else ""
            if key.slot == NAMED and new.key.slot != NAMED:
                if subject_key(named) == new.key.subject:
                    return Supersedes((fact,), late=True)
            elif named in ("", ANYTHING) or _is_left(new.object_key, named, fact.object_key):
                continue
            elif compatible(named, new.object_key, ctx.settings.conflict_resolution.containment):
                return Supersedes((fact,), late=True)
    return None
