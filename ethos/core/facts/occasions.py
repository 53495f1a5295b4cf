"""Occasions: what somebody does on a date, under the key of the noun that the date is of.

"We go live on May 12" and "the launch is on June 2" give one thing a date. The occasions stand in `words/occasions.txt`.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import NamedTuple

from ethos.core.facts.aspects import kind_of
from ethos.core.text.language.lexicon import lines_of

_DATE = "date"
_MOST = 3  # words that tell an occasion


class Occasion(NamedTuple):
    """What has a date, folded, and the date."""

    thing: str
    predicate: str
    slot: str
    date: str


@cache
def _occasions() -> tuple[Mapping[str, str], Mapping[str, str]]:
    """Return the occasion by each phrase that tells it, and by each other noun for it."""
    told: dict[str, str] = {}
    nouns: dict[str, str] = {}
    for line in lines_of("occasions"):
        noun, _, rest = line.partition(": ")
        phrases, _, others = rest.partition("|")
        told |= dict.fromkeys((each.strip() for each in phrases.split(";")), noun)
        nouns |= dict.fromkeys(others.split(), noun)
    return told, nouns


def occasion_told(subject: str, predicate: str, obj: str) -> Occasion | None:
    """Return the occasion that a claim gives a date, or None where it tells none.

    subject: folded; "" where the occasion is the speaker's or the team's; predicate, obj: folded, each verb in its base form.
    """
    words = f"{predicate} {obj}".split()
    for end in range(1, _MOST + 1):
        noun, date = _occasions()[0].get(" ".join(words[:end])), " ".join(words[end:]).removeprefix("on ")
        if noun is not None and kind_of(date) == _DATE:
            return Occasion(f"{subject} {noun}".strip(), "be", _DATE, date)
    return None


def occasion_named(subject: str) -> str:
    """Return a folded subject with the noun of an occasion by which that is known: "launch" of "go-live"."""
    whose, blank, noun = subject.rpartition(" ")
    return f"{whose}{blank}{_occasions()[1].get(noun, noun)}"
