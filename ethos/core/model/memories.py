"""The records of the reasoning bank: what was learned while working, how it turned out since, and what a project listens to.

A *memory* is a way that worked, or one that did not. Its belief is a Beta distribution (`core.learning.bank.belief`): it begins at
the initial confidence, and each signal moves it by the weight that the project has learned for such signals (`core.learning.bank.weights`).
"""

from __future__ import annotations

from datetime import datetime
from enum import StrEnum
from typing import NamedTuple

from ethos.core.model.origin import Origin
from ethos.core.model.value import value


class Outcome(StrEnum):
    """How it went when a memory was made."""

    SUCCESS = "success"
    FAILURE = "failure"
    OTHER = "other"


class Scope(StrEnum):
    """For whom a memory holds."""

    PROJECT = "project"
    TEAM = "team"
    ORG = "org"


class SignalKind(StrEnum):
    """How a memory proved itself: somebody said so, it was returned by a search, or what was done with it succeeded or failed."""

    EXPLICIT = "explicit"
    USAGE = "usage"
    OUTCOME = "outcome"


class MemoryState(StrEnum):
    """Where a memory stands."""

    ACTIVE = "active"
    QUARANTINED = "quarantined"  # not returned by a search until a person accepts it
    ARCHIVED = "archived"  # kept, and not returned


class Maker(StrEnum):
    """Who wrote a memory."""

    AGENT = "agent"  # recorded by a call
    RULES = "rules"  # distilled, or put together out of others, without a model
    MODEL = "model"  # by the language model that the user named


@value
class Memory:
    """What was learned while working, in one version; a put replaces the one before, which the journal keeps."""

    id: str
    user: str
    project: str
    title: str
    description: str
    content: str
    outcome: Outcome
    scope: Scope
    origin: Origin  # of a consolidated memory the least trusted of its sources
    maker: Maker
    initial_confidence: float  # the mean of the belief's prior
    confidence: float  # the belief as last computed
    recorded_at: datetime
    run: str
    session: str = ""  # where it was recorded, or distilled from
    tags: tuple[str, ...] = ()
    state: MemoryState = MemoryState.ACTIVE
    usage_count: int = 0  # how often it was returned, once a session
    consolidation_id: str | None = None  # the memory that took it in; it is archived then
    sources: tuple[str, ...] = ()  # of a consolidated memory those it was made of; of a distilled one its episodes
    consensus_bonus: float = 0.0  # part of the initial confidence of a consolidated memory
    archived_at: datetime | None = None

    @property
    def consolidated(self) -> bool:
        """Return whether it was made of other memories."""
        return any(source.startswith("m-") for source in self.sources)


@value
class Signal:
    """That a memory proved itself, or did not. Kept for thirty days, then counted in the memory's `Tally`."""

    id: str
    user: str
    project: str
    memory: str
    kind: SignalKind
    positive: bool
    at: datetime
    session: str = ""
    comment: str = ""


class SignalCount(NamedTuple):
    """How many signals of one kind and sign a memory has that are not rolled up, and when the latest came."""

    memory: str
    kind: SignalKind
    positive: bool
    signals: int
    latest: datetime


@value
class Tally:
    """The signals of a memory that are older than the window, counted (R-14)."""

    memory: str
    rolled_up_at: datetime
    explicit_positive: int = 0
    explicit_negative: int = 0
    usage_positive: int = 0
    usage_negative: int = 0
    outcome_positive: int = 0
    outcome_negative: int = 0


@value
class ProjectTrust:
    """How well each kind of signal foretold what people said of the memories of a project: Beta parameters (R-15)."""

    id: str
    user: str
    project: str
    explicit_alpha: float = 7.0
    explicit_beta: float = 3.0
    usage_alpha: float = 5.0
    usage_beta: float = 5.0
    outcome_alpha: float = 5.0
    outcome_beta: float = 5.0


@value
class Distilled:
    """That a session was looked through for memories, up to a turn."""

    id: str
    user: str
    project: str
    session: str
    until: datetime  # when the last turn was said that was looked at
    at: datetime
    memories: int
    maker: Maker
    attempts: int = 0
    problem: str = ""  # why it failed, if it did


@value
class Learned:
    """A memory as distilled. origin: the least trusted of who told it; episodes: ids of the turns it rests on."""

    title: str
    description: str
    content: str
    outcome: Outcome
    origin: Origin
    tags: tuple[str, ...]
    episodes: tuple[str, ...]


@value
class SessionReading:
    """What came of asking a language model about a session. problem: why it found nothing; attempts: calls, failed ones and all."""

    project: str
    session: str
    found: tuple[Learned, ...] = ()
    problem: str = ""
    attempts: int = 0
    prompt_tokens: int = 0
    completion_tokens: int = 0
    answered: bool = True  # False: no call got an answer, and the rules distil the session


BankRecord = Memory | Signal | Tally | ProjectTrust | Distilled
