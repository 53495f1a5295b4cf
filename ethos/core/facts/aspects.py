"""Aspects: the one thing of its kind that a thing has, under one key whatever verb tells it.

"Prod sits in Frankfurt" and "prod lives in Lisbon now" say where prod is; "book club meets on Tuesdays" and "book club is on Thursdays"
say its day. The key is the thing, without what only points at it ("our", "in this repo"), and the kind of value: a day, a time, a date,
a number, a path, a class, or a name with its preposition. A thing has one of each, unless its words say several.
"""

from __future__ import annotations

import re
from typing import NamedTuple

from ethos.core.model.keys import ClassOf
from ethos.core.text import folding
from ethos.core.text.language.lexicon import word_class
from ethos.core.text.memoize import memoized

_DAY = r"(?:every )?(?:mon|tues|wednes|thurs|fri|satur|sun)days?(?: (?:morning|afternoon|evening|night)s?)?"
_MONTH = r"(?:january|february|march|april|may|june|july|august|september|october|november|december)"
_KINDS = (
    ("date", re.compile(rf"(?:the )?\d{{1,2}}(?:st|nd|rd|th)?(?: of)? {_MONTH}|{_MONTH} (?:the )?\d{{1,2}}(?:st|nd|rd|th)?")),
    ("day", re.compile(_DAY)),
    ("time", re.compile(r"(?:at )?\d{1,2}(?:[:.]\d\d)?(?: ?[ap]\.?m\.?)|\d{1,2}:\d\d")),
    ("place", re.compile(r"\S*/\S+|[\w-]+\.[a-z]{1,4}")),
    ("value", re.compile(r"[$€£]?v?\d[\w.:,%-]*(?: [a-z%]+)?")),
)
_POINTING = re.compile(
    r" (?:(?:in|of|for|on|over|around|out) )?(?:here|there|(?:this|that) [\w-]+(?: [\w-]+)?)$|^(?:this|that|these|all|all the|all our) "
)
_DETERMINER = re.compile(r"\b(?:the|our|my|an?) ")
_AT = frozenset({"in", "on", "at", "with", "by", "under", "through", "to", "for", "as", "from", "after"})


class Aspect(NamedTuple):
    """The thing, the relation and the kind of value: the key under which one value stands."""

    thing: str
    relation: str
    slot: str


def aspect_of(subject: str, predicate: str, obj: str, class_of: ClassOf) -> Aspect | None:
    """Return the aspect that a claim about a thing gives a value to, or None if it may have several such.

    subject: a thing (`thing_of`); predicate, obj: folded. Without a number, day, path or class, only a state with a preposition, and a
    name of up to three words, is an aspect: "is hosted on Netlify", "belongs to team Osprey".
    """
    verb, *rest = predicate.split() or [""]
    words = obj.split()
    if verb == "be" and not rest and len(words) > 2 and words[1] in _AT and _is_participle(words[0]):
        rest, words = words[:2], words[2:]  # "is" "hosted on Netlify"
    what = folding.key(" ".join(words))
    if verb != "be" and (verb.endswith("ed") or not rest or rest[-1] not in _AT):
        return None
    slot = kind_of(what)
    if slot:
        return Aspect(subject, "be", slot)
    at = rest[-1] if rest and rest[-1] in _AT else ""
    if known := class_of(what):
        return Aspect(subject, "be", known)
    if not at or verb not in word_class("stative") or not 1 <= len(words) <= 3:
        return None
    if verb == "belong":
        return Aspect(subject, "be owned by", "name")
    done = next((word for word in rest if _is_participle(word) and word not in word_class("placed")), "")
    return Aspect(subject, " ".join(filter(None, ("be", done, at))), "name")


def _is_participle(word: str) -> bool:
    return word.endswith(("ed", "en", "ept", "ilt")) or word in word_class("placed")


@memoized(1_024)
def kind_of(what: str) -> str:
    """Return the kind of a value: "date", "day", "time", "place", "value"; "" for anything else."""
    return next((kind for kind, form in _KINDS if form.fullmatch(what)), "")


def thing_of(subject: str, speaker: str = "") -> str:
    """Return a subject without the words that only point at it: "primary branch in this old repo" is the primary branch.

    speaker: folded; what is the speaker's is told as "my goal" and as "the goal", and is one thing.
    """
    told = subject.removeprefix(f"{speaker}'s ") if speaker else subject
    while (shorter := _POINTING.sub("", told)) != told and shorter.strip():
        told = shorter
    return folding.key(_DETERMINER.sub("", told))
