"""Frequencies: how often something is done. One does a thing so often at a time, whatever words tell it: "weekly" is "every week"."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Final, NamedTuple

from ethos.core.text.language.lexicon import pattern_of
from ethos.core.text.memoize import memoized

_PERIODS: Final[Mapping[str, str]] = {
    "hourly": "every hour",
    "daily": "every day",
    "nightly": "every night",
    "weekly": "every week",
    "fortnightly": "every two weeks",
    "biweekly": "every two weeks",
    "monthly": "every month",
    "quarterly": "every quarter",
    "yearly": "every year",
    "annually": "every year",
}
_UNITS = "minutes?|hours?|days?|nights?|weeks?|fortnights?|months?|quarters?|years?"
_OFTEN = re.compile(
    rf"\b(?:(?P<period>{'|'.join(_PERIODS)})(?= (?:at|in|on|before|after|with|for|to) |$)"  # and no "nightly build"
    rf"|(?:every|each) (?:(?P<step>other|second|\d+|{pattern_of('number')}) )?(?P<unit>{_UNITS})"
    rf"|(?P<times>once|twice|(?:\d+|{pattern_of('number')}) times) (?:an?|per|every|each) (?P<per>{_UNITS}))(?![\w'-])"
)


class Frequency(NamedTuple):
    """The words of an object without how often, with a mark in its place; and with it in one wording."""

    slot: str
    told: str


@memoized(1_024)
def frequency_in(obj: str) -> Frequency | None:
    """Return how often a folded object says that something is done: "the plants once a week"; None if it does not say so."""
    found = _OFTEN.search(obj)
    if found is None:
        return None
    before, behind = obj[: found.start()], obj[found.end() :]
    return Frequency(f"{before}how often{behind}", f"{before}{_worded(found)}{behind}")


def _worded(found: re.Match[str]) -> str:
    if found["period"]:
        return _PERIODS[found["period"]]
    if found["unit"]:
        step = {"other": "two", "second": "two", None: ""}.get(found["step"], found["step"])
        return f"every {step} {found['unit']}" if step else f"every {found['unit']}"
    return f"every {found['per']}" if found["times"] == "once" else f"{found['times']} every {found['per']}"
