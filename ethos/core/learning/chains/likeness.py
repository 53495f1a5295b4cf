"""Tell how alike the texts of a day are, without comparing each with each.

Texts are vectors of content terms weighted by inverse document frequency and brought to unit length (Salton and Buckley, 1988); their
likeness is the cosine, put on the common scale of all thresholds by `calibrated`. Earlier texts that are like one are found
through the texts of its terms, not by comparing it with each. One deviation: of the texts that have a term, and of the like ones, only the
latest are looked at, so that the work grows with the day and not with its square; what a term of very many texts would add is lost.
"""

from __future__ import annotations

import math
from bisect import bisect_left
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from itertools import islice, pairwise

from ethos.core.recall.ranking import inverse_frequency
from ethos.core.recall.terms import FRAGMENTS, STOP_WORDS, term_of, words

LATEST = 16  # texts of one term that are looked at, and like texts that are found for one
MOST_TERMS = 200  # of a text that are looked at, and
RAREST = 12  # those of them that it is known by
_UNTOLD = STOP_WORDS | FRAGMENTS
FEWEST_TERMS = 4  # a shorter text ("thanks, see you soon") says too little to be like another
# cosine of content terms -> likeness on the common scale. Measured: of pairs of turns from different recorded conversations (LoCoMo)
# 99 in 100 lie below 0.40 and 999 in 1,000 below 0.60; of paraphrases of our own writing (tests/corpus/likeness.jsonl) nine in ten lie
# above 0.85.
_SCALE = ((0.0, 0.0), (0.17, 0.40), (0.30, 0.60), (0.36, 0.65), (0.58, 0.85), (1.0, 1.0))

Vector = Mapping[str, float]


def content(text: str) -> list[str]:
    """Return the content terms of a text, each once."""
    return list(dict.fromkeys(term_of(word) for word in words(text) if word not in _UNTOLD))[:MOST_TERMS]


def calibrated(cosine: float) -> float:
    """Return the likeness, 0..1, that a cosine of content terms means."""
    for (low, least), (high, most) in pairwise(_SCALE):
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


def vector(terms: Sequence[str], idf: Mapping[str, float]) -> Vector:
    """Return the rarest of the terms, weighted and brought to unit length, the rarest first."""
    weights = sorted(((idf[term], term) for term in terms), reverse=True)[:RAREST]
    length = math.sqrt(sum(weight * weight for weight, _ in weights)) or 1.0
    return {term: weight / length for weight, term in weights}


def cosine(one: Vector, other: Vector) -> float:
    """Return the cosine of two vectors of unit length, 0..1."""
    short, long = (one, other) if len(one) <= len(other) else (other, one)
    return sum(weight * long[term] for term, weight in short.items() if term in long)


class Likenesses:
    """The texts of a day in the order of time, and which earlier ones each is like."""

    def __init__(self, texts: Sequence[str], least: float) -> None:
        """`least`: the likeness from which on a text counts as like another."""
        self._least = cosine_for(least)
        having: Counter[str] = Counter()
        listed = [content(text) for text in texts]
        for terms in listed:
            having.update(terms)
        idf = {term: inverse_frequency(len(texts), count) for term, count in having.items()}
        self._vectors = [vector(terms, idf) if len(terms) >= FEWEST_TERMS else {} for terms in listed]
        self._texts_with: dict[str, tuple[list[int], list[float]]] = defaultdict(lambda: ([], []))
        for at, own in enumerate(self._vectors):
            for term, weight in own.items():
                places, weights = self._texts_with[term]
                places.append(at)
                weights.append(weight)
        self._found: dict[int, Mapping[int, float]] = {}

    def of(self, one: int, other: int) -> float:
        """Return the likeness of two texts by their places, 0..1."""
        return calibrated(cosine(self._vectors[one], self._vectors[other]))

    def earlier(self, place: int) -> Mapping[int, float]:
        """Return the places of earlier texts that are like this one, each with its likeness, the latest first."""
        if place not in self._found:
            self._found[place] = dict(islice(self._search(place), LATEST))
        return self._found[place]

    def _search(self, place: int) -> Iterator[tuple[int, float]]:
        shared: dict[int, float] = {}
        for term, weight in self._vectors[place].items():
            places, weights = self._texts_with[term]
            end = bisect_left(places, place)
            start = max(0, end - LATEST)
            for other, theirs in zip(places[start:end], weights[start:end], strict=True):
                shared[other] = shared.get(other, 0.0) + weight * theirs
        least = self._least
        for other in sorted((other for other, part in shared.items() if part > least), reverse=True):
            yield other, calibrated(shared[other])
