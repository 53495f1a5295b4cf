"""Nearby: what to ask the store for, so that all statements are loaded that may be related to known ones (`core.facts.related`).

A subject may have thousands of facts. Two statements about it are kin where they have a word in common that says something, or stand under
one key; so only those are asked for. It errs to the side of `related`: it may ask for too much, and never for too little.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from typing import NamedTuple

from ethos.core.facts.doers import duties_met
from ethos.core.facts.related import has_one_value, names_given, phrases, subjects_around
from ethos.core.facts.replacement import TOGETHER, named_by, retires
from ethos.core.facts.statement import Statement
from ethos.core.facts.weighing import in_one_place
from ethos.core.model.keys import FactKey
from ethos.core.model.settings import ConflictSettings
from ethos.core.ports.queries import Sharing
from ethos.core.text import folding
from ethos.core.text.language.inflection import base_form
from ethos.core.text.language.tagging import forms_of, possible_tags
from ethos.core.text.memoize import memoized

_LITTLE = frozenset("IDCTtmuBbSWUXR")  # tags of prepositions, determiners, pronouns, auxiliaries and the like
_STEPS, _MOST_WORDS = 8, 200  # after which all about the subjects is asked for: each step and word is a look at all of it
Subjects = frozenset[tuple[str, str]]
Words = frozenset[str]


class Step(NamedTuple):
    """What is asked for next. around: subjects, each with what a fact about them has to share, or None for all of them."""

    around: tuple[tuple[Subjects, Sharing | None], ...]
    named: frozenset[tuple[str, str]]  # users, and phrases that stand in a subject or an object
    words: Words  # one of which stands in what names what it replaces, and in turns
    everything: bool = False  # whatever names what it replaces, and all about these subjects


class Nearby:
    """Widens the circle round some statements, and asks for nothing twice."""

    def __init__(self, settings: ConflictSettings) -> None:
        self._steps = _STEPS if settings.literal or settings.containment == "substring" else 0  # where any two may be kin, at once
        self._all = False
        self._subjects: Subjects = frozenset()
        self._named: frozenset[tuple[str, str]] = frozenset()
        self._sharing = Sharing()
        self._movers: set[FactKey] = set()
        self._slots: set[str] = set()

    def widened(self, told: Collection[Statement]) -> Step:
        """Return what is to be asked for since these statements are known."""
        subjects = frozenset(subjects_around(told)) - self._subjects
        named = frozenset(_named(told)) - self._named
        said = frozenset(" ".join(phrase) for one in told for phrase in phrases(one))
        words = frozenset(word for phrase in said for word in sought(phrase))
        whose = frozenset(word for one in told if one.key.subject not in TOGETHER for word in sought(one.key.subject))
        texts = frozenset(text for one in told for text in (one.object_key, one.over_key, one.replaces_key) if text)
        before, now = self._sharing, Sharing(words, texts | said, self._keys(told))
        new = Sharing(now.words - before.words, now.texts - before.texts, now.keys - before.keys)
        old, self._subjects, self._named = self._subjects, self._subjects | subjects, self._named | named
        self._sharing = Sharing(before.words | new.words, before.texts | new.texts, before.keys | new.keys)
        self._steps += 1
        if not self._all and (self._steps > _STEPS or len(self._sharing.words) > _MOST_WORDS):
            self._all = True
            return Step(((self._subjects, None),), named, new.words | whose, everything=True)
        if self._all:
            return Step(((subjects, None),) if subjects else (), named, new.words | whose)
        around = ((subjects, self._sharing), (old, new))
        return Step(tuple((whom, sharing) for whom, sharing in around if whom and any(sharing)), named, new.words | whose)

    def _keys(self, told: Collection[Statement]) -> frozenset[FactKey]:
        """Return the keys under which all is kin; what takes a thing's place is of every place where that could stand."""
        self._movers.update(one.key for one in told if not one.key.slot and retires(one))
        self._slots.update(one.key.slot for one in told if one.key.slot)
        of_one = frozenset(one.key for one in told if has_one_value(one) or in_one_place(one))
        duties = (key for one in told for key in duties_met(one.key))
        return of_one.union(duties, (key._replace(slot=slot) for key in self._movers for slot in self._slots))


def _named(told: Collection[Statement]) -> Iterator[tuple[str, str]]:
    for one in told:
        if phrase := named_by(one):
            yield one.key.user, phrase
        for name in names_given(one):
            yield one.key.user, name


@memoized(2_048)
def sought(phrase: str) -> Words:
    """Return the words of a phrase that say something, in each form in which they may stand; all of its words if none does."""
    words = folding.tokens(phrase) or (phrase,)
    telling = [word for word in words if not _LITTLE.issuperset(possible_tags(word))] or words
    return frozenset(form for word in telling for form in (word, base_form(word), *forms_of(base_form(word))) if form)
