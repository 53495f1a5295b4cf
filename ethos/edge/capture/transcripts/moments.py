"""Moments: the time something was said, in the ways transcripts write it."""

from __future__ import annotations

from datetime import UTC, datetime

_MILLISECONDS_FROM = 1e11  # a larger number of seconds would lie after the year 5000


def moment(value: object) -> tuple[datetime, bool] | None:
    """An aware time in UTC, and whether its zone had to be assumed; None where `value` is no time.

    value: ISO 8601 text (without a zone it is taken as UTC), or seconds or milliseconds since 1970 as a number.
    """
    try:
        if isinstance(value, str):
            time = datetime.fromisoformat(value)
            if time.tzinfo is None:
                return time.replace(tzinfo=UTC), True
            return (time if time.tzinfo is UTC else time.astimezone(UTC)), False
        if isinstance(value, int | float) and not isinstance(value, bool):
            seconds = value / 1000 if value > _MILLISECONDS_FROM else value
            return datetime.fromtimestamp(seconds, UTC), False
    except (ValueError, OverflowError, OSError):
        return None
    return None
