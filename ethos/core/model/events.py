"""Events: what a decision did, as typed values that the counts, the invariants and the callers read. No event is ever written."""

from __future__ import annotations

from enum import StrEnum
from typing import NamedTuple

from ethos.core.model.sections import Section


class Criterion(StrEnum):
    """Why an episode was promoted."""

    KEYWORD = "keyword"
    IMPORTANCE = "importance"
    RETRIEVAL = "retrieval"
    REPETITION = "repetition"


class FactOutcome(StrEnum):
    """What a claim came to."""

    CREATED = "created"  # a new fact
    UPDATED = "updated"  # a held fact was confirmed or refined
    SUPERSEDED = "superseded"  # a new fact that takes the place of another, or has its own successor already
    FLAGGED = "flagged"  # a new fact that contradicts a held one


class AnswerOutcome(StrEnum):
    """What an answer of a person came to."""

    APPLIED = "applied"
    AGAIN = "again"  # the same answer was given before
    MOOT = "moot"  # the question was closed without an answer
    OTHER = "other"  # another answer was given before
    UNKNOWN = "unknown"  # there is no such question
    UNFIT = "unfit"  # the question cannot be answered so


class Admission(StrEnum):
    """What became of a fact that took its place among those that are held."""

    STANDS = "stands"
    ASKED = "asked"
    SUPERSEDED = "superseded"


class ClaimResolved(NamedTuple):
    """A claim was weighed to its end, and this fact is what it made or changed."""

    fact: str
    outcome: FactOutcome


class Quarantined(NamedTuple):
    """A claim became a new fact that is not held until a person accepts it."""

    fact: str


class Promoted(NamedTuple):
    """An episode gave facts, and was selected for this reason."""

    episode: str
    criterion: Criterion


class Repeated(NamedTuple):
    """A weak claim of this episode is held, because enough episodes said the same (X-E1)."""

    episode: str


class Deferred(NamedTuple):
    """An episode was left unread for the next cycle, because the rules had spent their time."""

    episode: str


class Asked(NamedTuple):
    """A question to a person was opened, or said again."""

    question: str


class Answered(NamedTuple):
    """A person's answer was taken. text: what it came to, for that person."""

    question: str
    outcome: AnswerOutcome
    text: str


class Faded(NamedTuple):
    """A record fell below the threshold of salience."""

    record: str


class MemoryCreated(NamedTuple):
    """A memory was made of others, or distilled from a session."""

    memory: str


class MemoryArchived(NamedTuple):
    """A memory was put out of use."""

    memory: str


class MemoryKeptApart(NamedTuple):
    """Two memories are alike and may not be merged."""

    one: str
    other: str
    likeness: float
    why: str


class ClustersLeft(NamedTuple):
    """The time of a consolidation was over before these clusters were put together; the next one finds them again."""

    clusters: int


MemoryEvent = MemoryCreated | MemoryArchived | MemoryKeptApart | ClustersLeft
Event = ClaimResolved | Quarantined | Promoted | Repeated | Deferred | Asked | Answered | Faded | Section | MemoryEvent
