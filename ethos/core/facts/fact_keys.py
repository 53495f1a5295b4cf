"""Build the key of a claim: claims that are worded differently and speak of the same thing get one key (SPEC, Settled: What collides).

"The limit should be 50", "set the limit to 80" and "the limit is 90" give one thing a value; "put the fixtures under tests/data" and
"fixtures live in tests/fixtures" a place; "the database should be SQLite" and "use Postgres as the database" choose among one class.
The wording of a claim is kept; only its key is normalised.
"""

from __future__ import annotations

import re
from typing import NamedTuple

from ethos.core.model.keys import ClassOf
from ethos.core.model.records import Cardinality
from ethos.core.text import folding
from ethos.core.text.memoize import memoized

_MODALS = (("should",), ("must",), ("shall",), ("have", "to"), ("need", "to"))
_EMPTY = frozenset({"alway", "also", "still", "just", "generally", "now", "currently"})  # base forms: "always" is among them
_NUMBERS = "one|two|three|four|five|six|seven|eight|nine|ten|twelve|fifteen|twenty|thirty|forty|fifty|sixty|ninety|a hundred|half an?|an?"
_UNITS = (
    "%|[a-z]{1,3}|(?:milli)?seconds?|minutes?|hours?|days?|weeks?|months?|years?|times|lines|characters|columns|spaces|rows|items|bytes"
)
_VALUE = re.compile(rf"[$€£]?v?\d[\w.:,%-]*(?: [a-z%]+)?|(?:{_NUMBERS}) (?:{_UNITS})")
_PATH = re.compile(r"\S*(?:/\S*|\w\.[a-z]{1,5})|(?:\S+ ){0,4}(?:folder|directory|dir|package|module)")
_LIES = re.compile(r"(?:be|live|go|belong|sit|stay)(?: (?:stored|kept|put|placed|saved|written|located))? (?:in|under|at|inside|into|on)")
_CHANGED_TO = frozenset({"have moved to", "switch to"})
# What one does with a thing of a class of which one may have several: what is so "now" takes a place in it.
IN_A_CLASS = frozenset(
    {"use", "run on", "run in", "deploy to", "deploy on", "host on", "develop on", "code in", "target", "be hosted on", "be deployed to"}
    | {"be written in", "be built with", "be built on"}
)
# What one may say of many things that have nothing to do with one another: two of them collide only where a class, a purpose or their
# own words ("tea over coffee", "Penpot instead of Figma") say that they are a choice between the same things.
CHOICES = frozenset(
    {
        "use",
        "should use",
        "prefer",
        "plan to",
        "go with",
        "go for",
        "choose",
        "pick",
        "opt for",
        "stick with",
        "stick to",
        "select",
        "want",
    }
)
_SOME = ("a ", "an ", "my ", "our ", "one ", "some ")
# What is called by its name alone as well: "the `git pr` command" is `git pr`.
_CALLED = re.compile(r"(\S.*) (?:command|subcommand|flag|option|setting|parameter|variable|module|script|function|method|file)")
_WHOSE = frozenset({"our", "my", "a", "an", "the", "its", "their", "your"})
NAMED = "be called"  # the predicate, and the slot, of what a thing is named
_ONE_EACH = frozenset({NAMED, "be named", "default to"})  # a thing has one name and one default, of whatever class they are


class KeyParts(NamedTuple):
    """The parts of a key that come from the claim (not its user and project), and how many values it can have at a time."""

    subject: str
    predicate: str
    slot: str
    cardinality: Cardinality


@memoized(1_024)
def subject_key(subject: str) -> str:
    """Return the subject folded, without the marks of code and the word for what kind of thing it is."""
    folded = folding.key(subject.replace("`", ""))
    called = _CALLED.fullmatch(folded)
    return called[1] if called else folded


@memoized(1_024)
def normalise_modal(predicate: str) -> str:
    """Return a folded predicate with one modal for every obligation: "must always accept" and "has to accept" are "should accept"."""
    words = predicate.split()
    for modal in _MODALS:
        if tuple(words[: len(modal)]) == modal:
            rest = words[len(modal) :]
            while rest and rest[0] in _EMPTY:
                del rest[0]
            return " ".join(["should", *rest])
    return predicate


def key_for(
    subject: str, predicate: str, obj: str, purpose: str, cardinality: Cardinality, *, decided: bool, denied: bool, class_of: ClassOf
) -> KeyParts:
    """Return the key of a claim; subject, predicate, obj and purpose are folded. decided: a decision. denied: it says what is not so, and
    has no slot in a class: what it denies is found by its name.
    """
    single = cardinality == "single"
    if single and (predicate in _ONE_EACH or predicate.startswith("favorite ")):
        return KeyParts(subject, predicate, predicate, cardinality)
    predicate = normalise_modal(predicate)
    kind = class_of(obj)
    if kind and (predicate == "use" or predicate in _CHANGED_TO or (predicate == "should use" and subject == "agent")):
        whose = "team" if subject == "agent" else subject
        return KeyParts(whose, "use", "" if denied and not single else slot_for(purpose, kind, class_of), cardinality)
    if kind and predicate in IN_A_CLASS and not denied:
        return KeyParts(subject, predicate, slot_for(purpose, kind, class_of), cardinality)
    base = predicate.removeprefix("should ")
    if _LIES.fullmatch(base) and _PATH.fullmatch(obj):
        return KeyParts(subject, "be in", "place", "single")
    if (single or decided) and base in ("be", "be set to"):
        if _VALUE.fullmatch(obj):
            return KeyParts(subject, "be", "value", "single")
        if kind:
            return KeyParts("team", "use", kind, "single") if class_of(subject) == kind else KeyParts(subject, "be", kind, "single")
    return KeyParts(subject, predicate, slot_for(purpose, kind, class_of) if single else "", cardinality)


def dwelling(predicate: str, obj: str) -> str:
    """Return the slot of the kind of home somebody lives in ("a flat", not "Berlin"), which is no answer to where; empty for all else."""
    return "home" if predicate == "live in" and obj.lower().startswith(_SOME) else ""


def slot_for(purpose: str, kind: str, class_of: ClassOf) -> str:
    """Return the slot: what the thing is for, without its own kind ("the database for billing" is billing), else its class."""
    if not purpose:
        return kind
    if known := class_of(purpose):
        return known
    head, joined, rest = purpose.partition(" for ")
    if joined and kind and class_of(head) == kind:
        return folding.key(rest)
    head, _, last = purpose.rpartition(" ")
    if not head or not kind or class_of(last) != kind:
        return purpose
    return kind if head in _WHOSE else head
