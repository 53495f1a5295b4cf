"""The port of the review file: the open questions as a person reads and answers them in Markdown (X-E11)."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import NamedTuple, Protocol

from ethos.core.model.memories import Outcome
from ethos.core.model.origin import Origin
from ethos.core.model.questions import MemoryQuestion
from ethos.core.model.records import Action, Fact, Question


@dataclass(frozen=True, slots=True)
class QuestionedMemory:
    """A memory in a question. worked, tried: outcomes, good ones and all; helped, judged: words on it, good ones and all."""

    id: str
    title: str
    description: str
    content: str
    outcome: Outcome
    origin: Origin
    confidence: float
    usage_count: int
    worked: int
    tried: int
    helped: int
    judged: int


@dataclass(frozen=True, slots=True)
class Entry:
    """A question about claims as the review file shows it: the claims, the words they rest on, and when they were said.

    used: how often its facts were recalled. folded: it stands below those that are shown first. likely: the likely answer, if there is
    one, and because of what (`core.review.first`).
    """

    question: Question
    existing: Fact | None  # None: a question about one claim alone (`core.review.kinds`)
    new: Fact
    existing_said_at: datetime | None
    new_said_at: datetime
    episode: str  # source episode of the new claim
    quote: str  # what was said there; hostile until defused by `core.review`
    used: int = 0
    folded: bool = False
    likely: Action | None = None
    because: str = ""


@dataclass(frozen=True, slots=True)
class MemoryEntry:
    """A question about a memory as the review file shows it."""

    question: MemoryQuestion
    memory: QuestionedMemory
    episode: str  # what it was distilled from, or ""

    @property
    def quote(self) -> str:
        """Return the steps of the memory; hostile until defused by `core.review`."""
        return self.memory.content


AnyEntry = Entry | MemoryEntry


class Decision(NamedTuple):
    """What a person ticked: an action for a question, with their free text."""

    question: str
    action: Action
    note: str = ""


@dataclass(frozen=True, slots=True)
class Reading:
    """What the review file says. `hints`: question id -> why its ticks could not be taken ("two choices: keep one")."""

    decisions: tuple[Decision, ...] = ()
    hints: Mapping[str, str] = field(default_factory=dict)
    claims: Mapping[str, tuple[str, ...]] = field(default_factory=dict)  # question id -> the lines of its claims, as they stand there
    problems: tuple[str, ...] = ()  # about the file as a whole


@dataclass(frozen=True, slots=True)
class Written:
    """What became of writing the review file. Nobody's words are ever written over; what was not written comes with the next write."""

    done: bool = True  # the file shows what it should
    read_again: bool = False  # somebody saved it since it was read: there may be new decisions
    problem: str = ""  # why it was not written, or what else is wrong with it, and what to do


class ReviewFile(Protocol):
    """The Markdown inbox: a projection of the open questions that a person edits (X-E11)."""

    def read(self, *, only_look: bool = False) -> Reading:
        """Return what a person has decided since the file was last written. A missing file decides nothing.

        only_look: nothing will come of it (a rehearsal), so that a save stays due.
        """
        ...

    def listed(self) -> Collection[str]:
        """Return the ids of the questions that stand in it now."""
        ...

    def write(self, entries: Sequence[AnyEntry], hints: Mapping[str, str], *, in_shadow: bool = False) -> Written:
        """Show these questions: every open one, the last that were resolved, and those that stand there. What a person wrote stays.

        in_shadow: ask whether nights may change something, too.
        """
        ...

    def due(self) -> bool:
        """Return whether something to read has settled, or something to write had to wait. Cheap when nothing happened."""
        ...
