"""Context: everything a decision may know besides what it gathered. The clock and the dice come in here, and only here."""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import TYPE_CHECKING

from ethos.core.model.keys import Mac
from ethos.core.model.lessons import Analysis
from ethos.core.model.memories import SessionReading
from ethos.core.model.records import Utterance
from ethos.core.model.settings import Settings
from ethos.core.passes.carried import Carried
from ethos.core.passes.night import Night
from ethos.core.text.readings import Readings

if TYPE_CHECKING:
    from ethos.core.rules.matcher import Rules


@dataclass(frozen=True, slots=True)
class Context:
    """One run: the clock was read once (`now`), chance is seeded, settings and rules do not change in it."""

    now: datetime
    settings: Settings
    rules: Rules
    run: str  # the id of the run
    session: str | None = None
    seed: int = 0
    night: Night | None = None  # the day that a run of `sleep` is about; None in other runs
    analyses: tuple[Analysis, ...] = ()  # what a language model said of groups of episodes before this night, if the user named one
    session_readings: tuple[SessionReading, ...] = ()  # and what it found in new sessions, if it may read them
    unit: tuple[Utterance, ...] = ()  # the episodes this unit of work is about
    seal: Mac | None = None  # a keyed hash, by which what was shown is known again; None: nothing is
    weighed_until: datetime | None = None  # when the latest of what was known before this unit was said; None: nothing was
    weighed_last: tuple[datetime, str, int] | None = None  # its place, where that is known: it was weighed in this pass
    readings: Readings = field(default_factory=Readings)  # what was read of the texts, shared by the stages of a pass
    carried: Carried = field(default_factory=Carried)  # what one unit of a pass leaves to the next
    rule_weights: Mapping[str, float] = field(default_factory=dict)  # rule -> what its claims' confidence is multiplied by, where below 1

    @property
    def tonight(self) -> Night:
        """Return the night that this run is. Raises LookupError in a run that is none."""
        if self.night is None:
            raise LookupError("this stage belongs to a night")
        return self.night

    def is_late(self, utterance: Utterance) -> bool:
        """Return whether something that is known was said after an utterance, or may have been."""
        if self.weighed_until is None or utterance.said_at > self.weighed_until:
            return False
        return self.weighed_last is None or utterance.place <= self.weighed_last

    def after(self, unit: Sequence[Utterance]) -> Context:
        """Return the context of the unit that follows this one, which is not empty."""
        last = max(utterance.place for utterance in unit)
        if self.weighed_until is None or last[0] > self.weighed_until:
            return replace(self, weighed_until=last[0], weighed_last=last)
        return self if self.weighed_last is None else replace(self, weighed_last=max(last, self.weighed_last))

    def chance(self, name: str) -> random.Random:
        """Return a random generator for this name alone, so that one more draw here changes nothing there."""
        return random.Random(f"{self.seed}:{name}")  # noqa: S311 (chance, not secrecy)
