"""The clock. No other module reads the time of day."""

from __future__ import annotations

from datetime import UTC, datetime


class SystemClock:
    """The system clock."""

    def now(self) -> datetime:
        """Return the current time, aware, in UTC."""
        return datetime.now(UTC)  # noqa: TID251 (this is the clock)
