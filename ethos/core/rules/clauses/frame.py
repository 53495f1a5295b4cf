"""Frames: what a clause must be for a rule to read it. A frame is data: kinds of subject, classes of verbs, forms, what stands behind."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal, get_args

from ethos.core.rules.clauses.parts import OCCASION, PARTS

SubjectKind = Literal["i", "we", "you", "kin", "mine", "thing", "it", "they", "unsaid", "order", "anyone", "which", "there"]
Tense = Literal["present", "past", "order"]
Modal = Literal["none", "will", "would", "must", "can", "may"]
Aspect = Literal["simple", "perfect", "progressive"]
Voice = Literal["active", "passive"]
ObjectKind = Literal["noun", "preposition", "adjective", "to", "ing", "preposition-ing", "clause", "nothing"]
Take = Literal["object", "verb", "subject"]
Denial = Literal["any", "only", "never"]
Telling = Literal["clause", "taste", "turned-taste"]

_ANY = "any"


@dataclass(frozen=True, slots=True)
class Words:
    """A set of words: those listed, or (`open`) all others."""

    listed: frozenset[str] = frozenset()
    open: bool = True

    def __contains__(self, word: str) -> bool:
        return (word in self.listed) != self.open

    @property
    def unbound(self) -> bool:
        """Return whether any word will do."""
        return self.open and not self.listed

    def __str__(self) -> str:
        """Return the specification from which `parse_words` makes the same set."""
        listed = sorted(self.listed)
        return " ".join([_ANY, *(f"-{word}" for word in listed)] if self.open else listed)


_EVERY = Words()


def parse_words(specification: str, classes: Mapping[str, frozenset[str]]) -> Words:
    """Return the words of a specification: `love like`, `@like -prefer`, `any -@light go`. What stands later wins.

    A specification that begins with a minus sign takes words away from all. Raise KeyError for a class that is not known.
    """
    listed: set[str] = set()
    among = not specification or specification.startswith((_ANY, "-"))
    for each in specification.split():
        if each == _ANY:
            continue
        name = each.removeprefix("-")
        words = classes[name[1:]] if name.startswith("@") else {name}
        if each.startswith("-") == among:
            listed |= words
        else:
            listed -= words
    return Words(frozenset(listed), among)


@dataclass(frozen=True, slots=True)
class Frame:
    """One frame. Every field must fit; within a field any of its values will do."""

    subject: tuple[SubjectKind, ...]
    verb: Words
    object: tuple[ObjectKind, ...] = ("noun",)
    tense: tuple[Tense, ...] = ("present", "past")
    modal: tuple[Modal, ...] = ("none",)
    aspect: tuple[Aspect, ...] = get_args(Aspect)
    voice: tuple[Voice, ...] = ("active",)
    preposition: Words = _EVERY  # of an object behind one
    head: Words = _EVERY  # the noun that the object is about
    inner: Words = _EVERY  # the verb of an object that is one: "to open a shop"
    adverb: Words | None = None  # one of them stands before the verb or at the end
    topic: Words | None = None  # one of them stands in the subject
    opener: Words = _EVERY  # what opens the clause; "" where nothing does
    against: Words | None = None  # verbs whose claims are negative by themselves
    denied: Denial = "any"
    take: Take = "object"
    has: tuple[str, ...] = ()  # parts that must stand behind the verb (`clauses.parts`): "noun", or a preposition
    value: str = ""  # the part, or "object", that must be a number, a date, a day, a time or a path
    tells: Telling = "clause"  # "taste": a taste of the speaker, however told (`clauses.tastes`); "turned-taste": one that is new
    naming: str = ""  # the part, or "object" or "subject", that must name something (`language.specific`)


_PLACES = ("object", "subject", *PARTS)
CHOICES: Mapping[str, tuple[str, ...]] = {
    "has": (*PARTS, OCCASION),
    "subject": get_args(SubjectKind),
    "object": get_args(ObjectKind),
    "tense": get_args(Tense),
    "modal": get_args(Modal),
    "aspect": get_args(Aspect),
    "voice": get_args(Voice),
}
WORDS = ("verb", "preposition", "head", "inner", "adverb", "topic", "opener", "against")
SINGLE: Mapping[str, tuple[str, ...]] = {
    "denied": get_args(Denial),
    "take": get_args(Take),
    "tells": get_args(Telling),
    "naming": _PLACES,
    "value": _PLACES,
}
