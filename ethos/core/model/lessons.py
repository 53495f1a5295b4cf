"""Lessons: what many episodes teach, the episodes that a lesson rests on, and the playbook that a strong one becomes (H-27, H-39)."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum

from ethos.core.model.value import value


class FoundBy(StrEnum):
    """Who found a lesson."""

    STATISTICS = "statistics"
    MODEL = "model"  # the language model that the user named


@dataclass(frozen=True, slots=True)
class Analysis:
    """What came of one call to a language model. title, body: None where there is no pattern; problem: why there is no answer (H-32)."""

    about: str
    episodes: tuple[str, ...]
    title: str | None = None
    body: str | None = None
    problem: str = ""
    prompt_tokens: int = 0
    completion_tokens: int = 0


@value
class LessonEvidence:
    """The episodes that one night added to a lesson."""

    id: str
    user: str
    project: str
    lesson: str
    episodes: tuple[str, ...]
    added_at: datetime
    run: str


@value
class Lesson:
    """A claim with its denominators: how often it went well where the condition held, and where it did not.

    One of a model's making has no condition and no shares. `against`: see `core.learning.lessons.holding`.
    """

    id: str
    user: str
    project: str
    about: str  # what its episodes are about, as shown: "BTC", "tool pytest", "_general"
    title: str
    body: str
    summary: str  # the beginning of a long body; empty where the body is short
    found_by: FoundBy
    found_at: datetime
    first_at: datetime  # of the episodes that it rests on the earliest, and the latest
    last_at: datetime
    run: str
    evidence: tuple[str, ...]  # ids of LessonEvidence, oldest first
    related: tuple[str, ...] = ()  # lessons that it is like
    grounds: str = ""  # how it was found, as the body tells it
    condition: str = ""  # JSON: [field, operator, value]
    better: bool = True  # with the condition it goes well more often; False: less often
    good_with: int = 0
    all_with: int = 0
    good_without: int = 0
    all_without: int = 0
    low: float = 0.0  # interval of the difference of the two shares, 95 %
    high: float = 0.0
    p: float = 1.0  # of the later episodes alone, when it was found
    tried: int = 0  # conditions that were tried in that night
    against: float = 0.0
    recent_good: float = 0.0  # share of successes without the condition, as it is lately
    recent_so: float = 0.0  # share of the last episodes in which the condition holds
    retired_at: datetime | None = None
    note: str = ""  # why it was retired, or holds again

    @property
    def type(self) -> str:
        """Return the type of node that it is in the design."""
        return "concept"

    @property
    def subtype(self) -> str:
        """Return the subtype of node that it is in the design."""
        return "custom:lesson"

    @property
    def event_source(self) -> str:
        """Return where it came from, in the words of the design."""
        return "consolidation"

    @property
    def held(self) -> bool:
        """Return whether it holds now."""
        return self.retired_at is None


@value
class Playbook:
    """What to do when something is so: a strong lesson with a structured trigger (H-39)."""

    id: str
    user: str
    project: str
    lesson: str
    title: str
    body: str
    trigger: str  # JSON: {"about": ..., "when": [[field, operator, value]], "expect": "success" or "failure"}
    made_at: datetime
    run: str
    withdrawn_at: datetime | None = None

    @property
    def subtype(self) -> str:
        """Return the subtype of node that it is in the design."""
        return "custom:playbook"


LessonRecord = Lesson | LessonEvidence | Playbook
