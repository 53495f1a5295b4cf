"""Tell how alike texts are, without a model: the cosine of TF-IDF vectors over canonical terms.

The vectors are those of the texts that are compared with each other, so no table of frequencies is kept. The cosine is put on the common
scale of likenesses: `_KNOTS` say which cosine counts as how much, found on pairs of sentences that say the same (`benchmarks/bank`).

`alike` finds every pair above a threshold. Source: R. J. Bayardo, Y. Ma, R. Srikant, "Scaling up all pairs similarity search", WWW 2007,
All-Pairs-1: of each vector only the rarest terms are indexed, as many as a pair above the threshold cannot do without. Where a vector is
looked up, its commonest terms bring no new candidates.
"""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import pairwise

Vector = Mapping[str, float]

_KNOTS = ((0.0, 0.0), (0.6, 0.8), (1.0, 1.0))  # cosine -> likeness


def vectors(texts: Sequence[Iterable[str]]) -> list[Vector]:
    """Return the TF-IDF vectors, of length 1, of texts given as terms; an empty text has an empty vector."""
    counts = [Counter(text) for text in texts]
    holding = Counter(term for count in counts for term in count)
    weight = {term: 1 + math.log(len(texts) / n) for term, n in holding.items()}
    return [_unit({term: n * weight[term] for term, n in count.items()}) for count in counts]


def _unit(vector: Vector) -> Vector:
    length = math.sqrt(sum(value * value for value in vector.values()))
    return {term: value / length for term, value in vector.items()} if length else {}


def cosine(one: Vector, other: Vector) -> float:
    """Return the cosine of two vectors, -1..1; 0 where one has no length."""
    lengths = math.sqrt(sum(v * v for v in one.values()) * sum(v * v for v in other.values()))
    if not lengths:
        return 0.0
    if len(other) < len(one):
        one, other = other, one
    return max(-1.0, min(1.0, sum(value * other.get(term, 0.0) for term, value in one.items()) / lengths))


def centroid(of: Sequence[Vector]) -> Vector:
    """Return the mean of vectors."""
    total: defaultdict[str, float] = defaultdict(float)
    for vector in of:
        for term, value in vector.items():
            total[term] += value / len(of)
    return dict(total)


def likeness(cosine: float) -> float:
    """Return a cosine on the common scale; 0..1, the same order."""
    return _interpolated(cosine, _KNOTS)


def cosine_at(likeness: float) -> float:
    """Return the cosine that counts as this likeness."""
    return _interpolated(likeness, [(there, here) for here, there in _KNOTS])


def _interpolated(value: float, knots: Sequence[tuple[float, float]]) -> float:
    for (low, from_), (high, to) in pairwise(knots):
        if value <= high:
            return from_ + (max(value, low) - low) * (to - from_) / (high - low)
    return knots[-1][1]


def similar_pairs(given: Sequence[Vector], threshold: float) -> Iterator[tuple[int, int, float]]:
    """Yield the pairs of vectors of length 1 whose cosine is above a threshold >= 0: two places, the second lower, and the cosine."""
    holding = Counter(term for vector in given for term in vector)
    most: defaultdict[str, float] = defaultdict(float)
    for vector in given:
        for term, value in vector.items():
            most[term] = max(most[term], value)
    index: defaultdict[str, list[tuple[int, float]]] = defaultdict(list)
    left: list[list[tuple[str, float]]] = []  # of each vector what is not indexed: its common terms
    for at, vector in enumerate(given):
        rarest = sorted(vector, key=lambda term: (holding[term], term))
        shared = _shared(vector, rarest, index, most, threshold)
        for place, cosine in shared.items():
            whole = cosine + sum(its * vector[term] for term, its in left[place] if term in vector)
            if whole > threshold:
                yield at, place, min(1.0, whole)
        bound, kept = 0.0, []
        for term in reversed(rarest):
            bound += vector[term] * most[term]
            if bound <= threshold:
                kept.append((term, vector[term]))
            else:
                index[term].append((at, vector[term]))
        left.append(kept)


def _shared(
    vector: Vector, rarest: Sequence[str], index: Mapping[str, list[tuple[int, float]]], most: Mapping[str, float], threshold: float
) -> dict[int, float]:
    """Return what the indexed terms of other vectors add to their cosines with this one."""
    shared: dict[int, float] = {}
    reach = sum(vector[term] * most[term] for term in rarest)  # what the terms that are still to come can add
    for term in rarest:
        value = vector[term]
        for place, its in index.get(term, ()):
            if reach > threshold or place in shared:  # who shares only what is left cannot reach the threshold any more
                shared[place] = shared.get(place, 0.0) + value * its
        reach -= value * most[term]
    return shared
