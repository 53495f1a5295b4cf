"""Versions: the number behind a name, "Pixel 7", "Django 4.2", "room 204". A turn that gives the name another one changes the fact."""

from __future__ import annotations

import re
from functools import cache

from ethos.core.facts.aspects import kind_of
from ethos.core.facts.topics import naming_nothing
from ethos.core.facts.values import specific_in
from ethos.core.model.records import Fact
from ethos.core.text import folding
from ethos.core.text.language.lexicon import pattern_of, word_class
from ethos.core.text.language.mentioned import Mention, Spoken, TurnMentions
from ethos.core.text.language.mentions import stem
from ethos.core.text.language.signs_of_change import changes
from ethos.core.text.memoize import memoized

_TIMED = frozenset({"early", "last", "late", "next", "this"})
_VERSION = re.compile(r"v?\d[\d.]*")
_VERSIONED = re.compile(rf"(?P<name>[a-z][^\d]*?) (?P<version>{_VERSION.pattern})(?: [a-z]+)?")


def newer_version(fact: Fact, told: TurnMentions, text: str) -> Mention | None:
    """Return the mention of a turn that gives another version of what a fact names: "upgraded to a Pixel 9", "upgraded Django to 5.1"."""
    for name, version in _versions_in(fact.object):
        for each in told.mentions:
            given = each.specific and each.measured and each.linked and not (each.supposed or each.given_up)
            if given and told.now[each.sentence] and _speaks_alone_of(told.spoken[each.sentence], name):
                other = _version_of(_numbered(each, text), name)
                if other not in ("", version):
                    return each
    return None


def _numbered(each: Mention, text: str) -> str:
    """Return the folded words of a mention, with the noun before a bare number: "room 311"."""
    *_, before = folding.tokens(text[: each.start].lower()) or ("",)
    words = folding.key(each.words)
    return f"{before} {words}" if before in word_class("numbered") else words


def _speaks_alone_of(spoken: Spoken, name: str) -> bool:
    """Return whether a sentence speaks of what has this name, and of nothing else that could have the version."""
    named = set(map(stem, folding.tokens(name)))
    others = (word for thing in spoken.things for word in thing.words - named)
    return named <= spoken.stems and all(word in _aside() or changes(word) for word in others)


@cache
def _aside() -> frozenset[str]:
    """Return the stems of words that name nothing with a version of its own: "last week", "the whole project"."""
    return naming_nothing() | _TIMED | frozenset(map(stem, word_class("whole-project")))


@memoized(1_024)
def _versions_in(obj: str) -> tuple[tuple[str, str], ...]:
    """Return the names in an object that have a version behind them, each with it, folded: "django" and "4.2"."""
    told = [*(folding.key(each.words) for each in specific_in(obj)), *(found[0] for found in _numbered_things().finditer(folding.key(obj)))]
    found = filter(None, (_VERSIONED.fullmatch(each) for each in told if not kind_of(each)))
    return tuple((each["name"], each["version"]) for each in found)


@cache
def _numbered_things() -> re.Pattern[str]:
    return re.compile(rf"\b(?:{pattern_of('numbered')}) {_VERSION.pattern}(?![\w-])")


def _version_of(words: str, name: str) -> str:
    """Return the version that folded words give to what has this name, by itself or behind the name; "" where they give none."""
    found = _VERSIONED.fullmatch(words)
    return (found["version"] if found["name"] == name else "") if found is not None else words if _VERSION.fullmatch(words) else ""
