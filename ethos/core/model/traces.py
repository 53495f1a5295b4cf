"""Traces: what a night's replay keeps of a chain of episodes (L-22)."""

from __future__ import annotations

from datetime import datetime
from enum import StrEnum
from typing import NamedTuple

from ethos.core.model.value import value


class TraceType(StrEnum):
    """Where in its chain a step stands (L-25)."""

    INITIATOR = "initiator"
    PROGRESSION = "progression"
    CONCLUSION = "conclusion"


class Relation(StrEnum):
    """Why an episode belongs to a chain."""

    SESSION = "session"  # it is of the breakthrough's session
    WORDS = "words"  # it is like the breakthrough in its words
    TAGS = "tags"  # it has tags in common with the breakthrough
    TOPIC = "topic"  # it comes shortly before the next of the chain, and on its topic


@value
class Trace:
    """A step of a chain: the source led to the target."""

    id: str
    user: str
    project: str
    source: str  # episode
    target: str  # episode
    type: TraceType
    strength: float  # 0..1
    created_at: datetime
    narrative_id: str  # the chain: chain_YYYYMMDD_n
    relation: Relation  # why the source belongs to the chain


class OldMemory(NamedTuple):
    """An episode that an earlier night made salient, and the session it belongs to."""

    id: str
    session: str
