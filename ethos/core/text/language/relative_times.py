"""Relative times: "last month" and "two weeks ago" in the sentence of a fact, with the date that they meant when it was said.

A fact is read long after it was said, and an agent that reads "joined a choir last month" takes it for the month before. So the date
stands behind the words, which stay: "joined a choir last month (May 2023)", "moved a few weeks ago (before 3 May 2023)". "Next Friday" may
be one of two days, and gets none.
"""

from __future__ import annotations

import re
from datetime import date, timedelta
from typing import Final

from ethos.core.text.language.dates import MONTHS, WEEKDAYS

_ONE: Final = {"yesterday": -1, "last night": -1, "today": 0, "tonight": 0, "this morning": 0, "tomorrow": 1}  # days from when it was said
_NUMBERS: Final = ("one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve")
_COUNT: Final = rf"an?|{'|'.join(_NUMBERS)}|\d{{1,2}}"
_SOME: Final = "a few|a couple of|some|several"
_VAGUE: Final = "recently|the other (?:day|night|week)"
_WORDS: Final = (
    rf"(?<![\w'-])(?:(?P<one>{'|'.join(_ONE)})|(?P<which>last|next|this past|this) (?P<span>week|weekend|month|year)"
    rf"|(?P<near>last|this) (?P<weekday>{'|'.join(WEEKDAYS)}|mon|tues?|wed|thurs?|fri)"
    rf"|(?P<vague>{_VAGUE}|(?:{_SOME}) (?:day|week|month)s ago)|(?P<count>{_COUNT}) (?P<unit>day|week|month|year)s? ago)"
)
_PASSED: Final = re.compile(
    rf"(?<=\w),? (?:yesterday|{_VAGUE}"
    rf"|(?:last|this past) (?:night|week|weekend|month|quarter|year|spring|summer|autumn|fall|winter|{'|'.join((*MONTHS, *WEEKDAYS))})"
    rf"|(?:{_COUNT}|{_SOME}) (?:day|week|month|year)s? ago)\Z",
    re.IGNORECASE,
)
_STEPS: Final = {"last": -1, "this past": -1, "this": 0, "next": 1}
_MONTH: Final = "|".join(month.title() for month in MONTHS)
_UNDATED: Final = re.compile(rf"{_WORDS}(?![\w'-]| \()", re.IGNORECASE)
_DATED: Final = re.compile(rf"{_WORDS}(?P<date> \((?:(?:week of |before )?\d{{1,2}} )?(?:(?:{_MONTH}) )?\d{{4}}\))", re.IGNORECASE)


def dated(sentence: str, said: date) -> str:
    """Return the sentence of a fact with the date behind its first relative time. said: the day, or the time, when it was said."""
    found = _UNDATED.search(sentence)
    return sentence if found is None else f"{sentence[: found.end()]} ({_meant(found, said)}){sentence[found.end() :]}"


def without_past_time(words: str) -> str:
    """Return words without the time at their end that has passed: "Zulip last month" of what somebody has used since then is "Zulip"."""
    return words[: -len(found[0])] if (found := _PASSED.search(words)) is not None else words


def undated(sentence: str) -> str:
    """Return the sentence as `dated` was given it."""
    found = _DATED.search(sentence)
    return sentence if found is None else sentence[: found.start("date")] + sentence[found.end("date") :]


def _meant(found: re.Match[str], said: date) -> str:
    """Return the date that a relative time means, as it is written."""
    if one := found["one"]:
        return _day(said + timedelta(days=_ONE[one.lower()]))
    if found["vague"]:
        return f"before {_day(said)}"
    if weekday := found["weekday"]:
        day = next(at for at, name in enumerate(WEEKDAYS) if name.startswith(weekday.lower()[:3]))
        ahead = (day - said.weekday()) % 7
        return _day(said + timedelta(days=ahead - 7 if found["near"].lower() == "last" else ahead))
    if which := found["which"]:
        return _moved(said, _STEPS[which.lower()], found["span"].lower())
    count = found["count"].lower()
    number = int(count) if count.isdigit() else _NUMBERS.index(count) + 1 if count in _NUMBERS else 1
    return _moved(said, -number, found["unit"].lower())


def _moved(said: date, by: int, unit: str) -> str:
    """Return the day, week, month or year that lies so many further on."""
    if unit == "day":
        return _day(said + timedelta(days=by))
    if unit in ("week", "weekend"):
        return f"week of {_day(said + timedelta(days=7 * by - said.weekday()))}"
    if unit == "year":
        return str(said.year + by)
    year, month = divmod(said.year * 12 + said.month - 1 + by, 12)
    return f"{MONTHS[month].title()} {year}"


def _day(day: date) -> str:
    return f"{day.day} {MONTHS[day.month - 1].title()} {day.year}"
