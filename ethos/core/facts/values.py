"""Values: the part of an object that may be another one tomorrow: a number, a date, a day, a time, a path, or else a name."""

from __future__ import annotations

import re
from typing import Final

from ethos.core.facts.aspects import kind_of, value_of
from ethos.core.model.keys import ClassOf
from ethos.core.model.records import Fact
from ethos.core.text import folding
from ethos.core.text.language.lexicon import pattern_of, word_class
from ethos.core.text.language.mentioned import Mention
from ethos.core.text.language.mentions import told_in
from ethos.core.text.language.tagging import possible_tags
from ethos.core.text.memoize import memoized

MEASURED: Final = frozenset({"value", "date", "day", "time", "place"})
_LEAD = "now "  # a word of change, without which nothing is looked for
_PLAIN_NAME = re.compile(r"\w (?:in|on|with|at|via|over|from|by) (?P<name>[A-Za-z][\w-]+)\Z")
_BE = frozenset({"is", "are", "am", "be", "called", "named"})


def kind_of_value(said: str, class_of: ClassOf) -> str:
    """Return the kind of a value: of those measured, a class, or "name"."""
    return value_of(said, class_of) or "name"


def measure_of(words: str) -> str:
    """Return the kind of a measured value."""
    return kind_of(folding.key(words)) or "value"


@memoized(1_024)
def specific_words(obj: str) -> frozenset[str]:
    """Return the words of an object that name something."""
    return frozenset(word for each in specific_in(obj) for word in folding.tokens(each.words))


@memoized(1_024)
def measured_in(obj: str) -> Mention | None:
    """Return the one value in an object that has a kind by itself: a number, a date, a day, a time or a path."""
    values = [each for each in specific_in(obj) if kind_of(folding.key(each.words)) or _is_bare(each.words)]
    return values[0] if len(values) == 1 else None


def value_held(fact: Fact) -> tuple[str, str]:
    """Return the value that a fact has, folded, and its kind; a class of names is no kind here."""
    value = measured_in(fact.object)
    return (value.words, measure_of(value.words)) if value is not None else (fact.object_key, kind_of_value(fact.object_key, no_class))


def no_class(_: str) -> str:
    """Return that an object is of no class."""
    return ""


def value_words(obj: str) -> str:
    """Return the words of an object that are its value: the measured one, or else those that name something."""
    value = measured_in(obj)
    return value.words if value is not None else " ".join(sorted(specific_words(obj)))


def place_of(obj: str, *, measured: bool) -> tuple[int, int] | None:
    """Return the span of the value in an object, or None. measured: the one that takes its place has a number, a day or the like."""
    value = measured_in(obj) or next((each for each in specific_in(obj) if not measured or any(map(str.isdigit, each.words))), None)
    return (value.start - len(_LEAD), value.end - len(_LEAD)) if value is not None else None


_VERSION_BEHIND = rf" v?\d[\d.]*(?=\Z|[,;)]| (?:{pattern_of('relation')}|and|or)\b)"
_CAPITALS_BEHIND = re.compile(rf"(?: (?:(?:of|and|the|&) )?[A-Z][\w'-]*)*(?:{_VERSION_BEHIND})?")
_CAPITALS_BEFORE = re.compile(r"(?:[A-Z][\w'-]* (?:(?:of|and|the|&) )?)*\Z")


def whole_name(text: str, start: int, end: int) -> tuple[int, int]:
    """Return the span of the words with capitals around a part of a name, and of its version: "The Daily Grind" around "Grind"."""
    before, behind = _CAPITALS_BEFORE.search(text, 0, start), _CAPITALS_BEHIND.match(text, end)
    return before.start() if before is not None else start, behind.end() if behind is not None else end


def is_placed(fact: Fact) -> bool:
    """Return whether a fact ties something to a name: by "is" or a preposition, as in "is the Sea Biscuit", "has an account at Lloyds"."""
    verb, _, rest = fact.predicate.lower().partition(" ")
    named = next(iter(specific_in(fact.object)), None)
    if named is None or (verb in _BE and rest.partition(" ")[0].endswith("ing")):
        return False
    before = f"{fact.predicate} {fact.object[: named.start - len(_LEAD)]}".lower().split()
    last = next((word for word in reversed(before) if word not in word_class("determiner")), "")
    return last in _BE or last in word_class("relation")


def may_replace(kind: str, held: str, mention: Mention, class_of: ClassOf) -> bool:
    """Return whether a mention may stand where a value of this kind does: both measured in one unit, or none of them measured."""
    words = folding.key(mention.words)
    other = "value" if _is_bare(words) else kind_of_value(words, class_of)
    if kind not in MEASURED and other not in MEASURED:
        return True
    if _is_bare(held) or _is_bare(words):
        return {kind, other} <= {"value", "time"}
    return kind == other and (kind != "value" or _unit(held) in ("", _unit(words)) or not _unit(words))


def likeness_of_kind(kind: str, mention: Mention, class_of: ClassOf) -> tuple[bool, bool, bool]:
    """Return how well a mention stands for a value of this kind."""
    return kind_of_value(folding.key(mention.words), class_of) == kind, mention.taken_up, mention.governed


def is_of_kind(kind: str, mention: Mention, class_of: ClassOf) -> bool:
    """Return whether a mention is of this kind, or the kind of one of the two is open: a name, or a bare number for a time."""
    other = kind_of_value(folding.key(mention.words), class_of)
    return "name" in (kind, other) or kind == other or {kind, other} == {"value", "time"}


def specific_in(obj: str) -> tuple[Mention, ...]:
    """Return the mentions in an object that name something; else the plain noun that it ends with, where one stands for a name.

    "The podcast in audacity" and "coffee at work" end with one.
    """
    told = told_in(_LEAD + obj)
    named = tuple(each for each in told.mentions if each.specific) if told is not None else ()
    if named or (plain := _PLAIN_NAME.search(obj)) is None or possible_tags(plain["name"].lower())[:1] != "N":
        return named
    start, end = (at + len(_LEAD) for at in plain.span("name"))
    name = Mention(
        words=plain["name"].lower(),
        start=start,
        end=end,
        sentence=0,
        segment=0,
        supposed=False,
        linked=True,
        taken_up=False,
        governed=True,
        specific=True,
        measured=False,
    )
    return (name,)


def _is_bare(words: str) -> bool:
    """Return whether a value is a number and nothing else."""
    return words.isdigit() or (words.isalpha() and possible_tags(words)[:1] == "#")


def _unit(words: str) -> str:
    return next((word for word in words.split() if word.isalpha()), "")
