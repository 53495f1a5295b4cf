"""Read the dates that a question names, and tell how near a day lies to them.

A question about a day is mostly about what was said on it or soon after: people tell of things afterwards. The shape is our own,
fitted to conversations: full on the day, falling in a straight line for ten days; a month or a year alone says less.
"""

from __future__ import annotations

from datetime import date, timedelta
from typing import NamedTuple

import regex

from ethos.core.text.language.dates import MONTHS

_MAY = r"\b(?:in|of|on|early|late|mid|by|since|during|until|\d{1,2}(?:st|nd|rd|th)?),?\s+May\b|\bMay,?\s+\d"  # and not the verb
_MARCH = r"\bMarch\b"  # and not the verb


def _pattern(month: str) -> regex.Pattern[str]:
    special = {"may": _MAY, "march": _MARCH}.get(month)
    return regex.compile(special or rf"(?i:\b{month}\b|\b{month[:3]}\b\.?\s+\d)")


_NAMED = tuple((number, _pattern(month)) for number, month in enumerate(MONTHS, 1))
_YEAR = regex.compile(r"\b((?:19|20)\d\d)\b")
_DAY = regex.compile(r"(?<!\d)(\d{1,2})(?:st|nd|rd|th)?(?=[,\s]|$|\?)")
_ISO = regex.compile(r"\b((?:19|20)\d\d)-(\d\d)(?:-(\d\d))?\b")

LONGEST_AFTER = 10  # days
AFTER_MONTH = 7  # days
FALL_A_DAY = 0.05
SAME_MONTH = 0.35  # another day of the month that was named, or the week after the month
WHOLE_MONTH = 0.7
WHOLE_YEAR = 0.2


class Dates(NamedTuple):
    """What a question names: months, years and days of the month, in any combination."""

    months: tuple[int, ...] = ()
    years: tuple[int, ...] = ()
    days: tuple[int, ...] = ()

    def __bool__(self) -> bool:
        """Tell if anything is named that a day can be near to."""
        return bool(self.months or self.years)


NO_DATES = Dates()


def dates_in(text: str) -> Dates:
    """Return the dates that a question names."""
    if (iso := _ISO.search(text)) and 1 <= int(iso[2]) <= 12:
        return Dates((int(iso[2]),), (int(iso[1]),), (int(iso[3]),) if iso[3] else ())
    months = tuple(number for number, pattern in _NAMED if pattern.search(text))
    days = tuple(int(day) for day in _DAY.findall(text) if 1 <= int(day) <= 31) if months else ()
    return Dates(months, tuple(map(int, _YEAR.findall(text))), days)


def spans(named: Dates) -> tuple[tuple[date, date], ...]:
    """Return the spans of days in which it is likely that something was said about the dates named; none where no year or no month is.

    The second day of a span is the first that no longer belongs to it.
    """
    return tuple(
        span
        for year in named.years
        for month in named.months
        for day in named.days or (0,)
        if (span := _span(year, month, day)) is not None
    )


def _span(year: int, month: int, day: int) -> tuple[date, date] | None:
    if not day:
        return date(year, month, 1), _month_after(year, month) + timedelta(days=AFTER_MONTH + 1)
    try:
        named = date(year, month, day)
    except ValueError:  # no such day in that month
        return None
    return named - timedelta(days=1), named + timedelta(days=LONGEST_AFTER + 1)


def _month_after(year: int, month: int) -> date:
    return (date(year, month, 28) + timedelta(days=4)).replace(day=1)


def nearness(said: date, named: Dates) -> float:
    """Return how near this day lies to the dates named: 1 for the day itself, 0 for far away."""
    if not named.months:
        return WHOLE_YEAR if said.year in named.years else 0.0
    return max(
        _near_day(said, year, month, day) if day else _near_month(said, year, month)
        for month in named.months
        for year in named.years or (said.year,)
        for day in named.days or (0,)
    )


def _near_month(said: date, year: int, month: int) -> float:
    if (said.year, said.month) == (year, month):
        return WHOLE_MONTH
    after = said - _month_after(year, month)
    return SAME_MONTH if 0 <= after.days <= AFTER_MONTH else 0.0


def _near_day(said: date, year: int, month: int, day: int) -> float:
    try:
        late = (said - date(year, month, day)).days
    except ValueError:  # no such day in that month
        return 0.0
    if -1 <= late <= LONGEST_AFTER:
        return 1.0 - FALL_A_DAY * max(late, 0)
    return SAME_MONTH if (said.year, said.month) == (year, month) else 0.0
