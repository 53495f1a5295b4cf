"""Purposes: what a thing is used for, as the sentence of a fact tells it: "billing" of "team uses Postgres for billing"."""

from __future__ import annotations

import re
from functools import lru_cache

from ethos.core.model.records import Fact
from ethos.core.text import folding
from ethos.core.text.language.lexicon import word_class
from ethos.core.text.language.signs_of_change import changes
from ethos.core.text.language.tagging import possible_tags, words_of

CLAUSE_ENDS = re.compile(r"[,;.!?\n]")
_VERBS = frozenset("zVdBb")  # tags
_SERVED_BY = frozenset({"to", "on", "onto", "in", "into", "through", "via", "over", "by", "use", "uses", "using", "is", "'s", "are", "be"})
_AHEAD = frozenset({"and", "so", "but", "all", "now"})  # before the subject of a clause
_PURPOSE = re.compile(r" (?:for|(?=as ))(?P<purpose>(?: ?[^ ,;:.!?()]+){1,6})\Z")


def purpose_of(fact: Fact) -> str:
    """Return what a fact says that a thing is used for, folded; "" where it says no such thing."""
    said = purpose_said(fact)
    return folding.key(said.removeprefix("as ")) if said else ""


def purpose_said(fact: Fact) -> str:
    """Return the purpose as it was said: "billing" of "for billing", and "as our shell" with its "as"; "" where none is."""
    return _purpose(fact.statement, fact.object) if fact.predicate_key == "use" and fact.polarity == "+" else ""


def is_served(text: str, at: int, value: int, purpose: str) -> bool:
    """Return whether a value stands in the place of what serves the purpose at text[at:]: "billing runs on MySQL", "moved our billing to
    MySQL", "for billing it's MySQL"; not "billing for Acme is done", "Sara does design at Nordlys".

    text: in small letters; at, value: where the last word of the purpose and the value begin; purpose: folded.
    """
    before = words_of(CLAUSE_ENDS.split(text[:at])[-1])
    while before and (before[-1] in word_class("determiner") or before[-1] in folding.tokens(purpose)):
        del before[-1]
    told = before[-1:] == ["for"] or all(word in _AHEAD for word in before) or any(map(changes, before))
    between = words_of(text[at:value]) if value > at else ["is"]
    while between and between[-1] in word_class("determiner"):
        del between[-1]
    served = bool(between) and between[-1] in _SERVED_BY
    return told and served and any(word == "to" or not _VERBS.isdisjoint(possible_tags(word)[:1]) for word in between)


@lru_cache(1_024)
def _purpose(statement: str, obj: str) -> str:
    found = _PURPOSE.search(statement)
    said = found["purpose"].strip() if found is not None else ""
    return "" if obj.endswith(said) else said
