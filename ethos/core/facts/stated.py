"""Stated: whether the words around a value say that it is that of what a fact is about (`core.facts.changes`)."""

from __future__ import annotations

import re
from collections.abc import Iterable

from ethos.core.facts.containment import names
from ethos.core.facts.purpose import CLAUSE_ENDS, is_served, purpose_of
from ethos.core.model.records import Fact
from ethos.core.text import folding
from ethos.core.text.language.lexicon import word_class
from ethos.core.text.language.mentioned import Mention
from ethos.core.text.language.signs_of_change import NEGATIONS
from ethos.core.text.language.tagging import words_of

_NEAR = 24  # characters around a word that are looked at
_OPENS = re.compile(r"(?:\A|[.!?\n])\s*\Z")  # before the first word of a sentence


def is_told_of(fact: Fact, each: Mention, text: str) -> bool:
    """Return whether a value can be that of what a fact is about: not where this comes later, behind a comma or a mark, and not where
    it is denied: "the client didn't like barnacles".
    """
    purpose, low = purpose_of(fact), text.lower()
    named = folding.tokens(purpose or fact.subject_key)[-1:]
    at = low.find(named[0]) if named else -1
    if purpose and at >= 0 and not is_served(low, at, each.start, purpose):
        return False
    if at >= each.start:
        return CLAUSE_ENDS.search(low, each.end, at) is None
    between = low[max(at, 0) : each.start]
    return at < 0 or CLAUSE_ENDS.search(between) is not None or NEGATIONS.isdisjoint(words_of(between))


def still_names(fact: Fact, mentions: Iterable[Mention], text: str) -> bool:
    """Return whether a sentence of the turn begins with the value of a fact: "Oskar studies law now" gives the friend no other name.

    Where it tells a name, it does.
    """
    for each in mentions:
        if each.given_up or not each.specific or not names(fact.object_key, folding.key(each.words)):
            continue
        named = not word_class("naming-participle").isdisjoint(folding.tokens(text[each.end : each.end + _NEAR]))
        if not named and _OPENS.search(text, max(0, each.start - _NEAR), each.start):
            return True
    return False
