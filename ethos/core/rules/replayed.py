"""The differences between the readings of two rule sets over the same episodes."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

from ethos.core.model.records import Fact


class Changed(NamedTuple):
    """A fact that rests on the same words and has another content or state."""

    before: Fact
    after: Fact


@dataclass(frozen=True, slots=True)
class Replayed:
    """The difference between two rule sets over the same episodes."""

    episodes: int
    gained: tuple[Fact, ...]
    lost: tuple[Fact, ...]
    changed: tuple[Changed, ...]
