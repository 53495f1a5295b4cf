"""Ways: what is done with a thing, and how: "keep | passport | in the safe". Who does the same in another way now has given up the old way.

A claim keeps these words in its predicate or its object, as the rule had it that read them; so they are put together first.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from typing import NamedTuple

from ethos.core.text import folding
from ethos.core.text.language.lexicon import word_class

_PLACES = frozenset({"at", "in", "on", "under"})  # one way, in whichever words: "on the shelf", "in the box"
_LONGEST_THING = 3  # words


class Practice(NamedTuple):
    """A verb in its base form, the thing it is done with, and the ways by the words that open them."""

    verb: str
    thing: tuple[str, ...]
    ways: Mapping[str, tuple[str, ...]]


@lru_cache(2_048)
def practice(predicate: str, obj: str) -> Practice | None:
    """Return the parts of what is done, from a folded predicate and object; None if it names no thing, or no way."""
    verb, *rest = (*folding.tokens(predicate), *folding.tokens(obj))
    thing: list[str] = []
    ways: dict[str, list[str]] = {}
    part = thing
    for word in rest:
        if word in word_class("relation"):
            part = ways.setdefault("in" if word in _PLACES else word, [])
        elif word not in word_class("determiner"):
            part.append(word)
    named = 0 < len(thing) <= _LONGEST_THING and all(ways.values())
    return Practice(verb, tuple(thing), {how: tuple(words) for how, words in ways.items()}) if named and ways else None


def is_other_way(old: Practice, new: Practice) -> bool:
    """Return whether the same is done with the same thing in another way: one way differs, and none else."""
    if (old.verb, old.thing) != (new.verb, new.thing):
        return False
    differing = [how for how in old.ways.keys() & new.ways.keys() if set(old.ways[how]).isdisjoint(new.ways[how])]
    alike = all(old.ways[how] == new.ways[how] for how in old.ways.keys() & new.ways.keys() if how not in differing)
    return len(differing) == 1 and alike
