"""Night: the day that a run of `sleep` is about, and which days are still to be slept on (L-01, X-8).

A day is a date of the configured zone. Its night is due at a set hour of the next day, so that the day is over.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta, tzinfo

from ethos.core.model.records import Episode

_DAY = timedelta(days=1)

REAL, SHADOW = "sleep", "shadow"  # names of runs, whose reason is the date; one in shadow changed nothing


@dataclass(frozen=True, slots=True)
class Night:
    """A date and its span, `start <= t < end`, aware and in UTC; 23 or 25 hours where the clocks change.

    earlier: the runs of `sleep` for the same date that are in force, oldest first. What they left for this date is replaced, and
    nothing else (X-L8, X-L12).
    """

    date: date
    start: datetime
    end: datetime
    earlier: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Said:
    """What was said in the span of a night, by whomever, oldest first: what a stage that has read it leaves to the next (`Carried`)."""

    episodes: Sequence[Episode]


def night_of(day: date, zone: tzinfo | None, earlier: tuple[str, ...] = ()) -> Night:
    """Return the night about this date. zone: None is the machine's own."""
    return Night(day, _moment(day, time.min, zone), _moment(day + _DAY, time.min, zone), earlier)


def last_over(now: datetime, hour: time, zone: tzinfo | None) -> date:
    """Return the last date whose night is due: yesterday, from `hour` on."""
    local = now.astimezone(zone)
    return local.date() - (_DAY if local.time() >= hour else 2 * _DAY)


def due(now: datetime, begun: datetime, done: Collection[date], hour: time, zone: tzinfo | None, most: int) -> tuple[date, ...]:
    """Return the dates that are to be slept on, oldest first: those of the last `most` whose night is due and not done.

    begun: when the memory began; a night that was due before then is left out.
    """
    last = last_over(now, hour, zone)
    dates = (last - back * _DAY for back in reversed(range(most)))
    return tuple(day for day in dates if day not in done and _moment(day + _DAY, hour, zone) > begun)


def clock(at: datetime, start: datetime) -> str:
    """Return the time of the day that began at `start`, as 09:30; on the day of a change of clocks, by the clock of the morning."""
    minutes = round((at - start) / timedelta(minutes=1))
    return f"{minutes // 60:02}:{minutes % 60:02}"


def _moment(day: date, at: time, zone: tzinfo | None) -> datetime:
    return datetime.combine(day, at, zone).astimezone(UTC)
