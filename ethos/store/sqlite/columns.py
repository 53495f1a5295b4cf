"""Encode values of columns: how a time is written, and which episode states are pending.

Times are whole microseconds since 1970 in UTC, as integers: exact, ordered, free of zones and spellings, and a quarter of the
space of ISO text in rows and indexes. For reading by eye: `datetime(said_at / 1e6, 'unixepoch')`.
"""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
ACTIVE = "closed_at IS NULL AND superseded_by IS NULL AND retired_at IS NULL"  # a version of a fact that is held now
PENDING = "consolidated_at IS NULL AND set_aside IS NULL AND pruned = 0"  # a mark that a pass may still choose
SET_APART = "(retired_at IS NOT NULL AND valid_to IS valid_from)"  # `Fact.quarantined`: proposed and never held


def micros(moment: datetime) -> int:
    """Return the microseconds since 1970 of an aware time. Raises `ValueError` for a naive one."""
    if moment.tzinfo is None:
        raise ValueError(f"a time without a zone: {moment.isoformat()}")
    since = moment - EPOCH
    return (since.days * 86_400 + since.seconds) * 1_000_000 + since.microseconds


def moment(count: int) -> datetime:
    """Return the aware UTC time of microseconds since 1970."""
    return EPOCH + timedelta(0, 0, count)
