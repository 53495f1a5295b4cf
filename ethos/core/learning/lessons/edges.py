"""Edges: how a lesson is connected, with the weight by which activation spreads along each edge (H-28, H-29, X-H2).

They are derived and not kept: a lesson's evidence says which night added which episodes. An edge is strengthened once by each later night
that brought new episodes, and by no night that brought none.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from enum import StrEnum

from ethos.core.model.lessons import Lesson, LessonEvidence
from ethos.core.model.settings import LessonsSettings


class EdgeKind(StrEnum):
    """What an edge says."""

    GENERALIZES = "generalizes"  # a lesson, of an episode
    RELATES_TO = "relates_to"  # a lesson, to one that is like it
    CAUSES = "causes"


@dataclass(frozen=True, slots=True)
class Edge:
    """A connection from a lesson. weight: 0..1."""

    source: str
    target: str
    kind: EdgeKind
    weight: float


def weight_of(kind: EdgeKind, settings: LessonsSettings) -> float:
    """Return the weight of a new edge."""
    return {
        EdgeKind.GENERALIZES: settings.generalizes_weight,
        EdgeKind.RELATES_TO: settings.relates_to_weight,
        EdgeKind.CAUSES: settings.causes_weight,
    }[kind]


def edges(lesson: Lesson, evidence: Mapping[str, LessonEvidence], settings: LessonsSettings) -> Iterator[Edge]:
    """Give the edges of a lesson: to each episode that it rests on, then to the lessons that it is like. Missing evidence is skipped."""
    batches = [evidence[id_] for id_ in lesson.evidence if id_ in evidence]
    first = weight_of(EdgeKind.GENERALIZES, settings)
    for later, batch in enumerate(reversed(batches)):
        weight = min(1.0, first + later * settings.strengthen_by)
        yield from (Edge(lesson.id, episode, EdgeKind.GENERALIZES, weight) for episode in batch.episodes)
    like = weight_of(EdgeKind.RELATES_TO, settings)
    yield from (Edge(lesson.id, other, EdgeKind.RELATES_TO, like) for other in lesson.related)
