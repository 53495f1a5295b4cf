"""Build the key of a claim: claims that are worded differently and speak of the same thing get one key (docs/requirements.md, Settled).

"The limit should be 50", "set the limit to 80" and "the limit is 90" give one thing a value; "put the fixtures under tests/data" and
"fixtures live in tests/fixtures" a place; "the database should be SQLite" and "use Postgres as the database" choose among one class.
The wording of a claim is kept; only its key is normalised.
"""

from __future__ import annotations

import re
from functools import cache
from typing import NamedTuple

from ethos.core.model.keys import ClassOf
from ethos.core.model.records import Cardinality
from ethos.core.text import folding
from ethos.core.text.language.everyday import is_everyday
from ethos.core.text.language.lexicon import pattern_of, phrases_of, word_class
from ethos.core.text.language.pronouns import AGENT, TEAM
from ethos.core.text.language.tagging import possible_tags, verb_of
from ethos.core.text.memoize import memoized

_NAME_OF = re.compile(r"(?:the )?(?:our )?name of (?:our )?(?:the )?(.*)")
NAMED = "be called"  # the predicate, and the slot, of what a thing is named


class KeyParts(NamedTuple):
    """The parts of a key that come from the claim (not its user and project), and how many values it can have at a time."""

    subject: str
    predicate: str
    slot: str
    cardinality: Cardinality


@cache
def _value() -> re.Pattern[str]:
    """Return the pattern of a value: a number, or a number in words with what it counts."""
    numbers, units = pattern_of("number", "larger-number"), pattern_of("counted", "duration")
    return re.compile(
        rf"[$€£]?v?(?!\d+[a-z]{4})\d[\w.:,%-]*(?: [a-z%]+)?|(?:one|{numbers}|ninety|a hundred|half an?|an?) (?:%|[a-z]{{1,3}}|{units})"
    )


@cache
def _path() -> re.Pattern[str]:
    return re.compile(rf"\S*(?:/\S*|\w\.[a-z]{{1,5}})|(?:\S+ ){{0,4}}(?:{pattern_of('folder')})")


@cache
def _lies() -> re.Pattern[str]:
    return re.compile(rf"(?:{pattern_of('lying')})(?: (?:{pattern_of('filed')}))? (?:{pattern_of('lying-at')})")


@cache
def _called() -> re.Pattern[str]:
    """Return the pattern of what is called by its name alone as well: "the `git pr` command" is `git pr`."""
    return re.compile(rf"(\S.*) (?:{pattern_of('sort-behind-name')})")


@memoized(1_024)
def subject_key(subject: str) -> str:
    """Return the subject folded, without the marks of code and the word for what kind of thing it is."""
    folded = folding.key(subject.replace("`", ""))
    called = _called().fullmatch(folded)
    return called[1] if called else folded


@memoized(1_024)
def normalise_modal(predicate: str) -> str:
    """Return a folded predicate with one modal for every obligation: "must always accept" and "has to accept" are "should accept"."""
    for modal in phrases_of("obliging"):
        if f"{predicate} ".startswith(f"{modal} "):
            rest = predicate[len(modal) :].split()
            while rest and rest[0] in word_class("idle"):
                del rest[0]
            return " ".join(["should", *rest])
    return predicate


def key_for(
    subject: str, predicate: str, obj: str, purpose: str, cardinality: Cardinality, *, decided: bool, denied: bool, class_of: ClassOf
) -> KeyParts:
    """Return the key of a claim; subject, predicate, obj and purpose are folded. decided: a decision. denied: it says what is not so, and
    has no slot in a class: what it denies is found by its name.
    """
    if predicate in phrases_of("also-called"):
        predicate = NAMED
    if predicate in phrases_of("one-each") and " and " not in obj:
        cardinality = "single"
    single = cardinality == "single"
    if single and (predicate in phrases_of("one-each") or predicate.startswith("favorite ")):
        return KeyParts(subject, predicate, predicate, cardinality)
    predicate = normalise_modal(predicate)
    kind = class_of(obj)
    if kind and (predicate == "use" or predicate in phrases_of("changed-to") or (predicate == "should use" and subject == AGENT)):
        whose = TEAM if subject == AGENT or class_of(subject) == kind else subject
        return KeyParts(whose, "use", "" if denied and not single else slot_for(purpose, kind, class_of), cardinality)
    if kind and predicate in phrases_of("in-a-class") and not denied:
        return KeyParts(subject, predicate, slot_for(purpose, kind, class_of), cardinality)
    base = predicate.removeprefix("should ")
    if _lies().fullmatch(base) and _path().fullmatch(obj):
        return KeyParts(subject, "be in", "place", "single")
    if (single or decided) and base in ("be", "be set to"):
        if _value().fullmatch(obj):
            return KeyParts(subject, "be", "value", "single")
        if kind:
            return KeyParts(TEAM, "use", kind, "single") if class_of(subject) == kind else KeyParts(subject, "be", kind, "single")
    return KeyParts(subject, predicate, slot_for(purpose, kind, class_of) if single else "", cardinality)


def deed_told(predicate: str, obj: str) -> tuple[str, str]:
    """Return the predicate and object of what somebody decided or began to do: "decided to | host on Hetzner" has the key of "host on |
    Hetzner", and "has started | eating fish" that of "eat | fish".

    predicate, obj: folded; they are returned as they are if they tell no decision or beginning, or nothing that is done with something.
    """
    begun, _, doing = predicate.rpartition(" ")
    if predicate in phrases_of("deciding-to"):
        verb, _, rest = obj.partition(" ")
        told = "V" in possible_tags(verb)
    elif begun in phrases_of("beginning-to"):  # "started eating | fish"
        verb, rest, told = verb_of(doing), obj, doing.endswith("ing") or obj.startswith("to ")
    elif predicate in phrases_of("beginning-to"):
        said, _, rest = obj.removeprefix("to ").partition(" ")
        verb, told = verb_of(said), said.endswith("ing") or obj.startswith("to ")
    else:
        return predicate, obj
    if not (told and rest):
        return predicate, obj
    relation, _, thing = rest.partition(" ")
    return (f"{verb} {relation}", thing) if thing and relation in word_class("relation") else (verb, rest)


def position_told(subject: str, predicate: str, obj: str) -> tuple[str, str] | None:
    """Return the position and who has it, folded: "Hana is the contact for billing" says who the contact for billing is, and "Hana is
    product owner" who the product owner; None for all else.

    subject, obj: as they were said; predicate: folded.
    """
    article, _, held = obj.partition(" ")
    if predicate != "be" or article.lower() in ("a", "an") or not subject.istitle() or "'s" in subject or is_everyday(subject.lower()):
        return None
    definite = article.lower() in ("the", "our")
    words = folding.key(held if definite else obj).split()
    end = next((at for at, word in enumerate(words) if possible_tags(word)[:1] == "I"), len(words))
    head = words[end - 1] if end else ""
    known = head in word_class("position") or (definite and head in word_class("trade"))
    return (" ".join(words), folding.key(subject)) if known and (head != "person" or end > 1) else None


def name_told(subject: str) -> str:
    """Return whose name a folded subject is, "home wifi" of "the name of our home wifi"; "" for all else."""
    named = _NAME_OF.fullmatch(subject)
    return named[1] if named else ""


def dwelling(predicate: str, obj: str) -> str:
    """Return the slot of the kind of home somebody lives in ("a flat", not "Berlin"), which is no answer to where; empty for all else."""
    return "home" if predicate == "live in" and obj.lower().partition(" ")[0] in word_class("kind-of-home") and " " in obj else ""


# what tells no purpose from another: "indentation in everything you write"
_EVERYWHERE = re.compile(r"(?<=\w) (?:across|for|in|of|on) (?:all|any|anything|each|every|everything|everywhere)\b.*")


def slot_for(purpose: str, kind: str, class_of: ClassOf) -> str:
    """Return the slot: what the thing is for, without its own kind ("the database for billing" is billing), else its class."""
    if not purpose or purpose in word_class("any-purpose"):
        return kind
    first, _, rest = purpose.partition(" ")
    purpose = folding.key(rest) if rest and first in word_class("before-purpose") else purpose
    purpose = _EVERYWHERE.sub("", purpose)
    if known := class_of(purpose):
        return known
    head, joined, rest = purpose.partition(" for ")
    if joined and kind and class_of(head) == kind:
        return folding.key(rest)
    head, _, last = purpose.rpartition(" ")
    if not head or not kind or class_of(last) != kind:
        return purpose
    return kind if head in word_class("determiner") or head == "your" else head
