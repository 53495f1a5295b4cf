"""Inflection: the base form of a word, and the form of a verb that is told of somebody."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache

from ethos.core.text import folding
from ethos.core.text.language.lexicon import lines_of, word_class
from ethos.core.text.memoize import memoized

_VOWELS = "aeiou"


@memoized(1_024)
def predicate_key(predicate: str) -> str:
    """Return the predicate folded, each word in its base form: `use`, `uses` and `using` are one."""
    return " ".join(base_form(word) for word in folding.key(predicate).split())


def base_form(word: str) -> str:
    """Return the word as a dictionary has it, where it is known: "uses" -> "use"."""
    if (known := _bases().get(word)) is not None:
        return known
    if word.endswith("ies") and len(word) > 4:
        return word[:-3] + "y"
    if word.endswith(("ches", "shes", "sses", "xes", "zes")):
        return word[:-2]
    if has_plural_ending(word) and len(word) > 3:
        return word[:-1]
    if word.endswith("ing"):
        stem, plain = word[:-3], word_class("plain")
        return next((base for base in (stem, stem + "e", stem[:-1]) if base in plain), word)
    return word


def has_plural_ending(word: str) -> bool:
    """Return whether a word ends as a plural does, or a verb in the third person: "logs", not "status", "class" or "basis"."""
    return word.endswith("s") and not word.endswith(("ss", "us", "is"))


@cache
def _bases() -> Mapping[str, str]:
    """Return the base form of each form that its ending does not tell, or tells wrongly."""
    rows = (line.split() for line in lines_of("bases"))
    return {form: base for base, *forms in rows for form in forms}


def third_person_form(verb: str) -> str:
    """Return the verb of one person, from its base form: "carry" -> "carries"."""
    if verb == "have":
        return "has"
    if verb.endswith("y") and verb[-2:-1] not in _VOWELS:
        return verb[:-1] + "ies"
    return verb + ("es" if verb.endswith(("ch", "sh", "s", "x", "z", "o")) else "s")
