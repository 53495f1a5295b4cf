"""Aspects: the one thing of its kind that a thing has, under one key whatever words tell it.

"Prod sits in Frankfurt" and "prod lives in Lisbon now" say where prod is; "the backup of the shop db starts at 2:00" and "the shop db
backup starts at 4:30" its time. The key is the thing, as a noun with what tells it apart before it, and the kind of value: a day, a
time, a date, a number, a path, a class, or a name with its preposition. A thing has one of each, unless its words say several.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cache
from typing import NamedTuple

from ethos.core.model.keys import ClassOf
from ethos.core.text import folding
from ethos.core.text.language.dates import DATE, MONTH, WEEKDAY
from ethos.core.text.language.everyday import is_everyday
from ethos.core.text.language.lexicon import pattern_of, with_one_noun, word_class
from ethos.core.text.language.tagging import verb_of
from ethos.core.text.memoize import memoized

_KINDS = (
    ("date", re.compile(rf"{DATE}|(?:end of )?{MONTH}")),
    ("day", re.compile(rf"(?:every )?{WEEKDAY}(?: (?:morning|afternoon|evening|night)s?)?")),
    ("time", re.compile(r"(?:at )?\d{1,2}(?:[:.]\d\d)?(?: ?[ap]\.?m\b\.?)|\d{1,2}:\d\d")),
    ("place", re.compile(r"\S*/\S+|[\w-]+(?:\.[\w-]+)*\.[a-z]{1,4}")),
    ("value", re.compile(r"[$€£]?v?(?!\d+[a-z]{4})\d[\w.:,%-]*(?: [a-z%€]+)?")),
)
_POINTING = re.compile(
    r" (?:(?:in|of|for|on|over|around|out) )?(?:here|there|ours|(?:this|that) [\w-]+(?: [\w-]+)?)$"
    r"|^(?:this|that|these|all|all the|all our) "
)
_DETERMINER = re.compile(rf"\b(?:{pattern_of('determiner')}) ")
_INVERTED = re.compile(rf"(\S.*?) (?:{pattern_of('apart-behind')}) (\S.*)")
_AT = word_class("relation")
_WHEN = frozenset({"date", "day", "time"})
_OF_TIME = frozenset({*_WHEN, "appointment", "booking"})  # "the dentist appointment" is when the dentist is
_MOST = 3  # words of a name
_COUNT = re.compile(rf"(?<![\w.'-])(?:[$€£]?\d[\d.,:]*(?:st|nd|rd|th|k|m\d*|%|h\d*)?|{pattern_of('number')})(?![\w'-])")
_OWNED = re.compile(r"(?:an?|the) (?P<what>[a-z-]{2,20}(?: [a-z-]{2,20}){0,2}?) of (?P<value>.+)")  # "has a capacity of 40 people"
_DATED = re.compile(rf"\b(?:{DATE})\b")


class Aspect(NamedTuple):
    """The thing, the relation and the kind of value: the key under which one value stands."""

    thing: str
    relation: str
    slot: str


def aspect_of(subject: str, predicate: str, obj: str, class_of: ClassOf, *, proper: bool = False) -> Aspect | None:
    """Return the aspect that a claim about a thing gives a value to, or None if it may have several such.

    subject: a thing (`thing_of`); predicate, obj: folded; proper: the object begins with a capital. Without a number, day, path or class,
    only a state is an aspect: "is hosted on Netlify", "the runner is vitest".
    """
    return _aspect_of_part(subject, predicate, obj, class_of) or _own_aspect(subject, predicate, obj, class_of, proper=proper)


def placed_told(said: str, class_of: ClassOf) -> tuple[Aspect, str] | None:
    """Return the aspect of the one thing that somebody keeps somewhere, and the place: "store passwords in LastPass" tells where these are;
    None where nothing is told to be kept. said: the predicate and the object, as they were said.
    """
    verb, *words = said.split()
    done = _kept().get(verb_of(verb.lower()), "")
    at = next((at for at, word in enumerate(words) if at and word.lower() in _AT), 0) if done else 0
    if not at or len(words) == at + 1 or words[0].lower() in ("a", "an") or "and" in words or at > _MOST:
        return None
    thing, place = thing_of(folding.key(" ".join(words[:at]))), folding.key(" ".join(words[at + 1 :]))
    aspect = _own_aspect(thing, f"be {done} {words[at].lower()}", place, class_of, proper=words[at + 1][0].isupper())
    return (aspect, place) if aspect is not None and aspect.slot not in _WHEN else None


@cache
def _kept() -> Mapping[str, str]:
    """Return the participle of each verb, in its base form, that says where a thing is kept: "stored" of "store"."""
    return {verb_of(word): word for word in word_class("placed")}


def _own_aspect(subject: str, predicate: str, obj: str, class_of: ClassOf, *, proper: bool) -> Aspect | None:
    """Return the aspect of a claim that gives a value to the thing itself; None if it may have several such."""
    words = predicate.split()
    if len(words) > 1 and words[0] == "have":
        del words[0]  # "has been on"
    if len(words) > 1 and words[0] == "be" and words[1] in word_class("placed"):
        del words[0]  # "is set to"
    verb, *rest = words or [""]
    if verb in word_class("placed"):
        verb, rest = "be", [verb, *rest]
    if verb in word_class("becoming"):
        verb = "be"
    words = obj.split()
    if verb == "be" and not rest and len(words) > 2 and words[1] in _AT and _is_participle(words[0]):
        rest, words = words[:2], words[2:]  # "is" "hosted on Netlify"
    elif verb == "be" and len(rest) == 1 and _is_participle(rest[0]) and len(words) > 1 and words[0] in _AT:
        rest, words = [*rest, words[0]], words[1:]
    what = folding.key(" ".join(words))
    if verb == "be" and not rest and words[:1] in (["on"], ["at"]) and (when := " ".join(words[1:])) and kind_of(when) in _WHEN:
        what = when  # "is" "on July 15"
    at = rest[-1] if rest and rest[-1] in _AT else ""
    stative = verb in word_class("stative")
    if verb != "be" and (verb.endswith("ed") or not (at or stative)):
        return None
    done = next((word for word in rest if _is_participle(word) and word not in word_class("placed")), "")
    if slot := value_of(what, class_of):
        timed = slot in ("date", "time") and verb in word_class("limits")
        return Aspect(_dated_thing(subject) if slot in _WHEN else subject, verb if timed else "be", slot)
    if not stative or not 1 <= len(words) <= _MOST:
        return None
    if not at:
        return Aspect(subject, "be", "name") if verb == "be" and not done and (proper or not all(map(is_everyday, words))) else None
    if done:
        return Aspect(subject, f"be {done}", "name")
    return Aspect(subject, "be in" if at in word_class("inside") else f"be {at}", "name")


def _dated_thing(subject: str) -> str:
    """Return what is dated: "the exam date" is when the exam is."""
    thing, _, last = subject.rpartition(" ")
    return thing if last in _OF_TIME and thing else subject


def _aspect_of_part(subject: str, predicate: str, obj: str, class_of: ClassOf) -> Aspect | None:
    """Return the aspect of what a thing has: "the hall has a capacity of 40" says what the hall's capacity is; None if it tells of none."""
    found = _OWNED.fullmatch(obj) if predicate == "have" else None
    slot = value_of(found["value"], class_of) if found is not None else ""
    return Aspect(f"{subject} {found['what']}", "be", slot) if found is not None and slot else None


def count_of(predicate: str, obj: str) -> str:
    """Return the slot of what has a number: its words with "#" in the place of the first one; "" where it has none.

    "Returns 50 items per page" and "returns 200 items per page" give one thing two numbers, and so do "is 1m78 tall" and "is 1m87 tall".
    A number behind a name tells a version, of which a thing may have several: "supports Python 3.12". predicate, obj: folded.
    """
    dated = _DATED.search(obj)
    found = dated or _COUNT.search(obj)
    if found is None:
        return ""
    if not dated and found.start() and found.end() == len(obj) and predicate.partition(" ")[0] != "be":
        return ""
    return f"{obj[: found.start()]}{'date' if dated else '#'}{obj[found.end() :]}"


def trade_of(predicate: str, obj: str) -> str:
    """Return the slot of what somebody is by trade, "a vet in Lund"; "" for all else, and for who is more: "a vet and a singer"."""
    said = obj.removeprefix("a ").removeprefix("an ").split()
    words = said[: next((at for at, word in enumerate(said) if word in _AT), len(said))]
    alone = predicate == "be" and len(words) < _MOST and word_class("aside").isdisjoint(said)
    return "trade" if alone and words and words[-1] in word_class("trade") else ""


def part_of(predicate: str, obj: str) -> str:
    """Return the slot of a part that only one can be: "on the Basic plan of X" is the plan of X that somebody is on; "" for all else.

    The article says that there is one at a time, and the words before the noun say which. predicate: folded; obj: as it was said.
    """
    verb, _, at = predicate.partition(" ")
    words = obj.lower().split()
    if verb not in word_class("staying") or at not in _AT or words[:1] != ["the"]:
        return ""
    end = next((at for at, word in enumerate(words) if word in word_class("behind-a-part") or words[at - 1].endswith(",")), len(words))
    phrase = [word.strip(",.;") for word in words[1:end]]
    return " ".join(["the", phrase[-1], *words[end:]]) if len(phrase) > 1 else ""


def _is_participle(word: str) -> bool:
    return word.endswith(("ed", "en", "ept", "ilt", "one")) or word in word_class("placed")


@memoized(1_024)
def kind_of(what: str) -> str:
    """Return the kind of a value: "date", "day", "time", "place", "value"; "" for anything else."""
    return next((kind for kind, form in _KINDS if form.fullmatch(what)), "")


def value_of(what: str, class_of: ClassOf) -> str:
    """Return the kind of the value that a phrase begins with, or else the class of the first name in it; "" if there is neither.

    "60 requests a minute" is a value, "31 march 2027" a date, "an Angular app" names a front-end library.
    """
    if kind := kind_of(what):
        return kind
    begins = [
        (found.end(), name) for name, form in _KINDS if (found := form.match(what)) and what[found.end() : found.end() + 1] in ("", " ")
    ]
    if begins:
        return max(begins)[1]
    words = what.split()[:6]
    for length in (3, 2, 1):
        for start in range(len(words) - length + 1):
            if known := class_of(" ".join(words[start : start + length])):
                return known
    return ""


@memoized(1_024)
def _told(subject: str) -> str:
    told = subject
    while (shorter := _POINTING.sub("", told)) != told and shorter.strip():
        told = shorter
    told = _DETERMINER.sub("", told).replace("'s ", " ")
    while (inverted := _INVERTED.fullmatch(told)) is not None:
        told = f"{inverted[2]} {inverted[1]}"
    return with_one_noun(folding.key(told))


def thing_of(subject: str, speaker: str = "") -> str:
    """Return a subject without the words that only point at it, and what tells it apart before it.

    "Primary branch in this old repo" is the primary branch, "the backup of the warehouse db" the warehouse db backup. speaker: folded; what
    is the speaker's is told as "my goal" and as "the goal", and is one thing.
    """
    return _told(subject.removeprefix(f"{speaker}'s ") if speaker else subject)
