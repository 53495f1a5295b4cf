"""Moment: an episode as replay weighs it, with its feelings as told or estimated."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import NamedTuple

HOUR = 3_600.0  # seconds


class Feelings(NamedTuple):
    """What was felt: four emotions, each 0..1 with 0.5 for none told, and the valence, -1..1."""

    joy: float = 0.5
    trust: float = 0.5
    anticipation: float = 0.5
    surprise: float = 0.5
    valence: float = 0.0


NEUTRAL = Feelings()


class Moment(NamedTuple):
    """One episode of a day. salience and importance: 0..1, before this night; text: for the report alone; terms: for likeness; place: the
    order of those of one session that were said at one time, as their source has them.
    """

    id: str
    user: str
    project: str
    session: str
    at: datetime
    salience: float = 0.5
    importance: float = 0.5
    feelings: Feelings = NEUTRAL
    tags: frozenset[str] = frozenset()
    text: str = ""
    role: str = "user"
    terms: Sequence[str] = ()
    place: int = 0

    @property
    def order(self) -> tuple[datetime, int, str]:
        """Return the order of time; of one time, that of the source."""
        return self.at, self.place, self.id

    def before(self, other: Moment) -> bool:
        """Return whether this is earlier. Of two said at one time that is known within a session alone."""
        return self.at < other.at or (self.at == other.at and self.session == other.session and self.place < other.place)


def hours(earlier: datetime, later: datetime) -> float:
    """Return the hours between two times."""
    return (later - earlier).total_seconds() / HOUR
