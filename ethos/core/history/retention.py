"""Retention of backups: the newest of each of the last days and weeks that have one is kept."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime


def outdated(taken: Iterable[datetime], *, daily: int, weekly: int) -> list[datetime]:
    """Return the backups to delete, oldest first: those not the newest of one of the last `daily` days or `weekly` ISO weeks.

    Days and weeks are in the time zone of the times, and only those with a backup count: after a month off nothing is deleted.
    """
    days: dict[object, datetime] = {}
    weeks: dict[object, datetime] = {}
    newest_first = sorted(taken, reverse=True)
    for moment in newest_first:
        days.setdefault(moment.date(), moment)
        weeks.setdefault(moment.isocalendar()[:2], moment)
    kept = {*list(days.values())[:daily], *list(weeks.values())[:weekly]}
    return [moment for moment in reversed(newest_first) if moment not in kept]
