"""Read the dates that a question names, and tell how near a day lies to them.

A question about a day is mostly about what was said on it or soon after: people tell of things afterwards. The shape is our own,
fitted to conversations: full on the day, falling in a straight line for ten days; a month or a year alone says less.
"""

from __future__ import annotations

from collections.abc import Iterable
from datetime import date, timedelta
from typing import NamedTuple

import regex

from ethos.core.text.language.dates import MONTHS, WEEKDAYS

_MAY = r"\b(?:in|of|on|early|late|mid|by|since|during|until|\d{1,2}(?:st|nd|rd|th)?),?\s+May\b|\bMay,?\s+\d"  # and not the verb
_MARCH = r"\bMarch\b"  # and not the verb


def _pattern(month: str) -> regex.Pattern[str]:
    special = {"may": _MAY, "march": _MARCH}.get(month)
    return regex.compile(special or rf"(?i:\b{month}\b|\b{month[:3]}\b\.?\s+\d)")


_NAMED = tuple((number, _pattern(month)) for number, month in enumerate(MONTHS, 1))
_YEAR = regex.compile(r"\b((?:19|20)\d\d)\b")
_DAY = regex.compile(r"(?<!\d)(\d{1,2})(?:st|nd|rd|th)?(?=[,\s]|$|\?)")
_ISO = regex.compile(r"\b((?:19|20)\d\d)-(\d\d)(?:-(\d\d))?\b")

_BACK = regex.compile(
    rf"""\b(?:(?P<yesterday>yesterday|last\ night)|(?P<today>today|tonight|this\ morning)
    |(?P<count>a|an|one|two|three|four|five|six|\d{{1,3}})\ (?P<unit>day|week)s?\ ago
    |(?P<which>last|this)\ (?P<span>week|month)|(?:last|on|this)\ (?P<weekday>{"|".join(WEEKDAYS)}))\b""",
    regex.I | regex.X,
)
_COUNTS = {word: number for number, words in enumerate(("a an one", "two", "three", "four", "five", "six"), 1) for word in words.split()}

_LONGEST_AFTER = 10  # days
_AFTER_MONTH = 7  # days
_FALL_A_DAY = 0.05
_SAME_MONTH = 0.35  # another day of the month that was named, or the week after the month
_WHOLE_MONTH = 0.7
_WHOLE_YEAR = 0.2


class Dates(NamedTuple):
    """What a question names: months, years and days of the month, in any combination."""

    months: tuple[int, ...] = ()
    years: tuple[int, ...] = ()
    days: tuple[int, ...] = ()

    def __bool__(self) -> bool:
        """Tell if anything is named that a day can be near to."""
        return bool(self.months or self.years)


NO_DATES = Dates()


def dates_in(text: str, today: date | None = None) -> Dates:
    """Return the dates that a question names. today: the day from which "yesterday" and "last week" count; None: they name no date."""
    if (iso := _ISO.search(text)) and 1 <= int(iso[2]) <= 12:
        return Dates((int(iso[2]),), (int(iso[1]),), (int(iso[3]),) if iso[3] else ())
    months = tuple(number for number, pattern in _NAMED if pattern.search(text))
    days = tuple(int(day) for day in _DAY.findall(text) if 1 <= int(day) <= 31) if months else ()
    named = Dates(months, tuple(map(int, _YEAR.findall(text))), days)
    back = _BACK.search(text) if today is not None and not named else None
    return named if back is None or today is None else _counted_back(back, today)


def _counted_back(named: regex.Match[str], today: date) -> Dates:
    which, span = named["which"], named["span"]
    if span and span.lower() == "month":
        day = today if which.lower() == "this" else today.replace(day=1) - timedelta(days=1)
        return Dates((day.month,), (day.year,))
    if span:
        monday = today - timedelta(days=today.weekday() + (7 if which.lower() == "last" else 0))
        return _of(day for at in range(7) if (day := monday + timedelta(days=at)) <= today)
    if named["weekday"]:
        back = (today.weekday() - WEEKDAYS.index(named["weekday"].lower()) - 1) % 7 + 1
    elif named["unit"]:
        count = named["count"].lower()
        back = (_COUNTS.get(count) or int(count)) * (7 if named["unit"].lower() == "week" else 1)
    else:
        back = 1 if named["yesterday"] else 0
    return _of([today - timedelta(days=back)])


def _of(days: Iterable[date]) -> Dates:
    """Return days as their months, years and days of the month: where a week lies in two months, these name a few days besides."""
    found = list(days)
    months, years, numbers = ({day.month for day in found}, {day.year for day in found}, {day.day for day in found})
    return Dates(tuple(sorted(months)), tuple(sorted(years)), tuple(sorted(numbers)))


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
        return date(year, month, 1), _month_after(year, month) + timedelta(days=_AFTER_MONTH + 1)
    try:
        named = date(year, month, day)
    except ValueError:  # no such day in that month
        return None
    return named - timedelta(days=1), named + timedelta(days=_LONGEST_AFTER + 1)


def _month_after(year: int, month: int) -> date:
    return (date(year, month, 28) + timedelta(days=4)).replace(day=1)


def nearness(said: date, named: Dates) -> float:
    """Return how near this day lies to the dates named: 1 for the day itself, 0 for far away."""
    if not named.months:
        return _WHOLE_YEAR if said.year in named.years else 0.0
    return max(
        _near_day(said, year, month, day) if day else _near_month(said, year, month)
        for month in named.months
        for year in named.years or (said.year,)
        for day in named.days or (0,)
    )


def _near_month(said: date, year: int, month: int) -> float:
    if (said.year, said.month) == (year, month):
        return _WHOLE_MONTH
    after = said - _month_after(year, month)
    return _SAME_MONTH if 0 <= after.days <= _AFTER_MONTH else 0.0


def _near_day(said: date, year: int, month: int, day: int) -> float:
    try:
        late = (said - date(year, month, day)).days
    except ValueError:  # no such day in that month
        return 0.0
    if -1 <= late <= _LONGEST_AFTER:
        return 1.0 - _FALL_A_DAY * max(late, 0)
    return _SAME_MONTH if (said.year, said.month) == (year, month) else 0.0
