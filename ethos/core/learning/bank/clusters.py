"""Cluster the memories that say the same (R-24, R-25, X-R7, X-R8, X-R16).

Greedy and deterministic: the most believed memory that is in no cluster yet opens one, and every later one joins that is alike to each
member and that no guard keeps apart from any. Likeness only nominates; `guards` decide. A failure never joins a success, nor a memory
for the team one for the project.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import NamedTuple

from ethos.core.learning.bank.guards import Difference, difference
from ethos.core.learning.bank.likeness import Vector, centroid, cosine_at, likeness, similar_pairs, vectors
from ethos.core.learning.bank.reading import read
from ethos.core.learning.bank.vocabulary import Vocabulary
from ethos.core.model.errors import refuse
from ethos.core.model.memories import Memory

FEWEST = 2

Pair = frozenset[str]


@dataclass(frozen=True, slots=True)
class Cluster:
    """Memories that say the same, the most believed first. average, least: likeness over all pairs of members."""

    members: tuple[Memory, ...]
    centroid: Vector
    average: float
    least: float


class KeptApart(NamedTuple):
    """Two memories that are alike and may not be merged: where they are opposed, a candidate for a contradiction."""

    one: str
    other: str
    likeness: float
    why: Difference


class Clustering(NamedTuple):
    """The clusters, in order, and what the guards kept apart."""

    clusters: tuple[Cluster, ...]
    kept_apart: tuple[KeptApart, ...]


def comparable(memory: Memory) -> str:
    """Return the text by which a memory is compared (R-11)."""
    return f"{memory.title}. {memory.content}"


def valid_threshold(threshold: float) -> float:
    """Return a threshold of likeness. Raises Refused where it is not in 0..1."""
    if not 0 <= threshold <= 1:
        raise refuse("usage", f"a threshold of likeness lies between 0 and 1, found {threshold:g}", hint="the default is 0.8")
    return threshold


def clustered(memories: Iterable[Memory], threshold: float, words: Vocabulary, apart: Collection[Pair] = ()) -> Clustering:
    """Return the clusters among active memories of one project. threshold: likeness, strict; apart: pairs that a person kept apart."""
    ordered = sorted(memories, key=lambda memory: (-memory.confidence, memory.recorded_at, memory.id))
    clusters: list[Cluster] = []
    stopped: list[KeptApart] = []
    for block in _blocks(ordered):
        found = _clustered(block, valid_threshold(threshold), words, frozenset(apart))
        clusters += found.clusters
        stopped += found.kept_apart
    place = {memory.id: at for at, memory in enumerate(ordered)}
    return Clustering(tuple(sorted(clusters, key=lambda each: place[each.members[0].id])), tuple(stopped))


def _blocks(memories: Iterable[Memory]) -> Iterable[list[Memory]]:
    blocks: defaultdict[tuple[str, ...], list[Memory]] = defaultdict(list)
    for memory in memories:
        blocks[memory.outcome, memory.scope, memory.project, memory.user].append(memory)
    return [block for block in blocks.values() if len(block) >= FEWEST]


def _clustered(block: Sequence[Memory], threshold: float, words: Vocabulary, apart: Collection[Pair]) -> Clustering:
    readings = [read(comparable(memory), words) for memory in block]
    weighed = vectors([reading.matter for reading in readings])
    near: defaultdict[int, dict[int, float]] = defaultdict(dict)
    stopped = []
    for at, place, cosine in similar_pairs(weighed, cosine_at(threshold)):
        if frozenset((block[at].id, block[place].id)) in apart:
            continue
        if why := difference(readings[at], readings[place], words):
            stopped.append(KeptApart(block[place].id, block[at].id, likeness(cosine), why))
        else:
            near[place][at] = near[at][place] = likeness(cosine)
    return Clustering(tuple(_cluster(block, members, near, weighed) for members in _greedy(len(block), near)), tuple(stopped))


def _greedy(size: int, near: Mapping[int, Mapping[int, float]]) -> Iterable[list[int]]:
    taken: set[int] = set()
    for seed in range(size):
        if seed in taken or seed not in near:
            continue
        members = [seed]
        for at in sorted(near[seed]):
            if at not in taken and all(at in near[member] for member in members):
                members.append(at)
        if len(members) >= FEWEST:
            taken.update(members)
            yield members


def _cluster(
    block: Sequence[Memory], members: Sequence[int], near: Mapping[int, Mapping[int, float]], weighed: Sequence[Vector]
) -> Cluster:
    of = [weighed[at] for at in members]
    average, least = spread([near[one][other] for one, other in combinations(members, 2)])
    return Cluster(tuple(block[at] for at in members), centroid(of), average, least)


def spread(pairs: Sequence[float]) -> tuple[float, float]:
    """Return the mean and the least of the likeness of every pair of members, not only of those with the first (X-R7)."""
    return sum(pairs) / len(pairs), min(pairs)
