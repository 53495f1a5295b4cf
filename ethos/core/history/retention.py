"""Retention: which backups to let go of. Of each of the last days that have one the newest stays, and of each of the last weeks."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime


def outdated(taken: Iterable[datetime], *, daily: int, weekly: int) -> list[datetime]:
    """Those that are neither the newest of one of the `daily` last days nor of one of the `weekly` last ISO weeks, oldest first.

    Days and weeks are those of the times' own zone, and only such that have a backup count: after a month off nothing is let go.
    """
    days: dict[object, datetime] = {}
    weeks: dict[object, datetime] = {}
    newest_first = sorted(taken, reverse=True)
    for moment in newest_first:
        days.setdefault(moment.date(), moment)
        weeks.setdefault(moment.isocalendar()[:2], moment)
    kept = {*list(days.values())[:daily], *list(weeks.values())[:weekly]}
    return [moment for moment in reversed(newest_first) if moment not in kept]
