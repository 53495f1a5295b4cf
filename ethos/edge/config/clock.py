"""The clock: the only place that reads the time of day."""

from __future__ import annotations

from datetime import UTC, datetime


class SystemClock:
    """The machine's clock."""

    def now(self) -> datetime:
        """Aware, in UTC."""
        return datetime.now(UTC)  # noqa: TID251 (this is the clock)
