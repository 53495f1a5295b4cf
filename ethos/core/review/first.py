"""Which questions are shown first, and which answer to one is likely. Pure."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import replace
from datetime import UTC, date, timedelta
from typing import NamedTuple

from ethos.core.model.records import Action, Fact
from ethos.core.ports.review_file import Entry
from ethos.core.text.plurals import plural

_UNITS = (("year", 365 * 2, 365), ("month", 60, 30), ("week", 14, 7), ("day", 1, 1))  # its name, from how many days on, and its days


class Likely(NamedTuple):
    """The likely answer to a question, and why."""

    action: Action
    because: str


def folded(entries: Iterable[Entry], new_a_day: int) -> tuple[Entry, ...]:
    """Return these entries in their order, with those marked that stand folded.

    Of the open questions that were opened on one day (in UTC) the `new_a_day` about the most used facts are shown, the oldest first where
    facts are used alike; 0 shows all. As they are answered the next are shown.
    """
    told = tuple(entries)
    opened: dict[date, list[Entry]] = defaultdict(list)
    for entry in told:
        if entry.question.resolved_at is None:
            opened[entry.question.opened_at.astimezone(UTC).date()].append(entry)
    more: set[str] = set()
    for of_a_day in opened.values():
        ranked = sorted(of_a_day, key=lambda entry: (-entry.used, entry.question.opened_at, entry.question.id))
        more |= {entry.question.id for entry in ranked[new_a_day:]} if new_a_day else set()
    return tuple(replace(entry, folded=entry.question.id in more) for entry in told)


def likely(existing: Fact | None, new: Fact) -> Likely | None:
    """Return the answer to a conflict by what was said last; None where both were said at one time, or only one claim is asked about."""
    if existing is None or new.last_said == existing.last_said:
        return None
    apart = new.last_said - existing.last_said
    return Likely("keep-new" if apart > timedelta() else "keep-old", f"said {_told(abs(apart))} later")


def _told(apart: timedelta) -> str:
    for unit, least, days in _UNITS:
        if apart.days >= least:
            return plural(apart.days // days, unit)
    hours = apart.seconds // 3600
    return plural(hours, "hour") if hours else plural(max(1, apart.seconds // 60), "minute")
