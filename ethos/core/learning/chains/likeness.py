"""Tell how alike the texts of a day are, without comparing each with each.

Texts are vectors of content terms weighted by inverse document frequency and brought to unit length (Salton and Buckley, 1988); their
likeness is the cosine, put on the common scale of all thresholds by `calibrated`. Earlier texts that are like one are found
through the texts of its terms, not by comparing it with each. One deviation: of the texts that have a term, and of the like ones, only the
latest are looked at, so that the work grows with the day and not with its square; what a term of very many texts would add is lost.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from itertools import chain, filterfalse, pairwise

from ethos.core.recall.ranking import inverse_frequency
from ethos.core.recall.terms import FRAGMENTS, STOP_WORDS, term_of

LATEST = 16  # texts of one term that are looked at, and like texts that are found for one
MOST_TERMS = 200  # of a text that are looked at, and
_RAREST = 12  # those of them that it is known by
_UNTOLD = STOP_WORDS | FRAGMENTS
_FEWEST_TERMS = 4  # a shorter text ("thanks, see you soon") says too little to be like another
# cosine of content terms -> likeness on the common scale. Measured: of pairs of turns from different recorded conversations (LoCoMo)
# 99 in 100 lie below 0.40 and 999 in 1,000 below 0.60; of paraphrases of our own writing (tests/corpus/likeness.jsonl) nine in ten lie
# above 0.85.
_SCALE = ((0.0, 0.0), (0.17, 0.40), (0.30, 0.60), (0.36, 0.65), (0.58, 0.85), (1.0, 1.0))
_STEPS = tuple((*low, *high) for low, high in pairwise(_SCALE))

Vector = Mapping[int, float]  # a term by its place among those of the day, the rarest first -> its weight


def content(spoken: Iterable[str]) -> list[str]:
    """Return the content terms of a text, each once. spoken: its folded words."""
    return list(dict.fromkeys(map(term_of, filterfalse(_UNTOLD.__contains__, spoken))))[:MOST_TERMS]


def calibrated(cosine: float) -> float:
    """Return the likeness, 0..1, that a cosine of content terms means."""
    for low, least, high, most in _STEPS:
        if cosine <= high:
            return least + (most - least) * (max(cosine, low) - low) / (high - low)
    return 1.0


@cache
def cosine_for(likeness: float) -> float:
    """Return the cosine that means this likeness: the inverse of `calibrated`."""
    for (low, least), (high, most) in pairwise(_SCALE):
        if likeness <= most:
            return low + (high - low) * (likeness - least) / (most - least)
    return 1.0


def vector(terms: Iterable[int], idf: Sequence[float]) -> Vector:
    """Return the rarest of the terms, weighted and brought to unit length, the rarest first. idf: of each term."""
    rarest = sorted(terms)[:_RAREST]
    weights = [idf[term] for term in rarest]
    length = math.sqrt(sum([weight * weight for weight in weights])) or 1.0
    return {term: weight / length for term, weight in zip(rarest, weights, strict=True)}


def cosine(one: Vector, other: Vector) -> float:
    """Return the cosine of two vectors of unit length, 0..1."""
    short, long = (one, other) if len(one) <= len(other) else (other, one)
    return sum(weight * long[term] for term, weight in short.items() if term in long)


class Likenesses:
    """The texts of a day in the order of time, and which earlier ones each is like."""

    def __init__(self, texts: Iterable[Sequence[str]], least: float) -> None:
        """Index the texts. texts: the content terms of each. least: the likeness from which on a text counts as like another."""
        self._least = cosine_for(least)
        listed = list(texts)
        having = Counter(chain.from_iterable(listed))
        ranked = sorted([(inverse_frequency(len(listed), count), term) for term, count in having.items()], reverse=True)
        rank = {term: at for at, (_, term) in enumerate(ranked)}  # ordered once: the terms of each text are sorted by numbers
        idf = [weight for weight, _ in ranked]
        self._vectors = [vector([rank[term] for term in terms], idf) if len(terms) >= _FEWEST_TERMS else {} for terms in listed]
        texts_with: list[list[tuple[int, float]]] = [[] for _ in ranked]
        # of each text the terms that earlier ones have: the weight, how many have it, the texts
        self._terms: list[list[tuple[float, int, list[tuple[int, float]]]]] = []
        for at, own in enumerate(self._vectors):
            known = []
            for term, weight in own.items():
                if having_it := texts_with[term]:
                    known.append((weight, len(having_it), having_it))
                having_it.append((at, weight))
            self._terms.append(known)
        self._found: dict[tuple[int, int], Mapping[int, float]] = {}

    def of(self, one: int, other: int) -> float:
        """Return the likeness of two texts by their places, 0..1."""
        return calibrated(cosine(self._vectors[one], self._vectors[other]))

    def earlier(self, place: int, since: int = 0) -> Mapping[int, float]:
        """Return the places of earlier texts that are like this one, each with its likeness, the latest first. since: the first place."""
        found = self._found.get((place, since))
        if found is None:
            found = self._found[place, since] = self._search(place, since)
        return found

    def _search(self, place: int, since: int) -> Mapping[int, float]:
        shared: dict[int, float] = {}
        so_far, least = shared.get, self._least
        for weight, before, having_it in self._terms[place]:
            if having_it[before - 1][0] < since:
                continue
            for other, theirs in reversed(having_it[max(0, before - LATEST) : before]):
                if other < since:
                    break
                shared[other] = so_far(other, 0.0) + weight * theirs
        alike = sorted([other for other, part in shared.items() if part > least], reverse=True)
        return {other: calibrated(shared[other]) for other in alike[:LATEST]}
