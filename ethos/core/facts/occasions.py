"""Occasions: what somebody does on a date, under the key of the noun that the date is of.

"We go live on May 12" and "the launch is on June 2" give one thing a date. The occasions stand in `words/occasions.txt`.
"""

from __future__ import annotations

from typing import NamedTuple

from ethos.core.facts.aspects import kind_of
from ethos.core.text.language.lexicon import heads_of

_OCCASIONS = "occasions"  # the list of them
_DATE = "date"
_MOST = 3  # words that tell an occasion


class Occasion(NamedTuple):
    """What has a date, folded, and the date."""

    thing: str
    predicate: str
    slot: str
    date: str


def occasion_told(subject: str, predicate: str, obj: str) -> Occasion | None:
    """Return the occasion that a claim gives a date, or None where it tells none.

    subject: folded; "" where the occasion is the speaker's or the team's; predicate, obj: folded, each verb in its base form.
    """
    words = f"{predicate} {obj}".split()
    for end in range(1, _MOST + 1):
        noun, date = heads_of(_OCCASIONS).by_phrase.get(" ".join(words[:end])), " ".join(words[end:]).removeprefix("on ")
        if noun is not None and kind_of(date) == _DATE:
            return Occasion(f"{subject} {noun}".strip(), "be", _DATE, date)
    return None


def occasion_named(subject: str) -> str:
    """Return a folded subject with the noun of an occasion by which that is known: "launch" of "go-live"."""
    whose, blank, noun = subject.rpartition(" ")
    return f"{whose}{blank}{heads_of(_OCCASIONS).by_noun.get(noun, noun)}"
