"""Parse times in the forms that transcripts use."""

from __future__ import annotations

from datetime import UTC, datetime

_MILLISECONDS_FROM = 1e11  # a larger number of seconds would be after the year 5000


def moment(value: object) -> tuple[datetime, bool] | None:
    """Return an aware time in UTC and True if its zone was assumed; None if `value` is no time.

    value: ISO 8601 text (UTC if it has no zone), or seconds or milliseconds since 1970 as a number.
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


def time_in(value: object) -> datetime | None:
    """Return an aware time in UTC, which is assumed if `value` has no zone; None if `value` is no time. For its forms see `moment`."""
    found = moment(value)
    return found[0] if found else None
