"""Tell if two texts may be merged. Likeness nominates; this decides.

No threshold of cosine separates "the same in other words" from "the opposite in the same words". So two texts are kept apart where
they differ in a number, a name, a negation, a condition or the order of things, where one has the opposite of what the other has, where
they differ in one word only, and where each has matter that the other lacks.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from enum import StrEnum

from ethos.core.learning.bank.reading import Reading
from ethos.core.learning.bank.vocabulary import Vocabulary

_LEEWAY = 12  # words of matter for each one that may have no counterpart


class Difference(StrEnum):
    """Why two texts may not be merged."""

    NUMBERS = "other numbers"
    NAMES = "other names"
    NEGATION = "one denies what the other says"
    CONDITION = "other conditions"
    OPPOSITES = "opposites"
    ORDER = "another order"
    ONE_WORD = "one word differs"
    MATTER = "each is about something that the other is not"


def difference(one: Reading, other: Reading, words: Vocabulary) -> Difference | None:
    """Return what keeps two texts apart; None: nothing does, and they may be merged."""
    if one.numbers != other.numbers:
        return Difference.NUMBERS
    if not (one.names <= other.every and other.names <= one.every):
        return Difference.NAMES
    if one.negations != other.negations:
        return Difference.NEGATION
    if one.conditions != other.conditions:
        return Difference.CONDITION
    if _opposed(one, other, words):
        return Difference.OPPOSITES
    mine, its = Counter(one.matter), Counter(other.matter)
    lacks = [term for term in mine if term not in its and term not in other.every]
    adds = [term for term in its if term not in mine and term not in one.every]
    if len(lacks) + len(adds) == 1 or len(lacks) == len(adds) == 1:
        return Difference.ONE_WORD
    if lacks and adds and min(len(lacks), len(adds)) > min(len(mine), len(its)) // _LEEWAY:
        return Difference.MATTER
    if _reordered(one, other):
        return Difference.ORDER
    return None


def _opposed(one: Reading, other: Reading, words: Vocabulary) -> bool:
    mine, its = one.apart - other.apart, other.apart - one.apart
    if any(words.apart[first] & words.apart[second] for first in mine for second in its):
        return True
    lacks, adds = one.every - other.every, other.every - one.every
    return any(prefix + bare in of for bares, of in ((lacks, adds), (adds, lacks)) for bare in bares for prefix in words.opposite_prefixes)


def _reordered(one: Reading, other: Reading) -> bool:
    """Tell if the things that both name stand in another order, unless a part in front only went behind."""
    mine = [term for term in dict.fromkeys(one.matter) if term in other.matter]
    its = [term for term in dict.fromkeys(other.matter) if term in one.matter]
    if one.flow != other.flow and Counter(one.flow) == Counter(other.flow):
        return _related(one, other) or not _rotated(one.flow, other.flow)
    return mine != its and (_related(one, other) or not _rotated(mine, its))


def _related(one: Reading, other: Reading) -> bool:
    return bool(one.relations or other.relations or one.negations)


def _rotated(one: Sequence[str], other: Sequence[str]) -> bool:
    at = other.index(one[0])
    return [*other[at:], *other[:at]] == [*one]
