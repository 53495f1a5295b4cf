"""Tell how likely a clause says something lasting, from traits of its form: a logistic model with few, rounded weights.

The weights were found by coordinate search on half of a set of conversations whose lasting statements people had noted, and rounded.
"""

from __future__ import annotations

import math
import re

import regex

from ethos.core.text.language.dates import DAYS_AND_MONTHS
from ethos.core.text.phrases import any_of

LONG = 14  # words from which on a clause is long

_FIRST = any_of(["i", "my", "me", "mine", "myself", "we", "our", "us"])
_POSSESSION = re.compile(r"(?:my|our)\b", re.IGNORECASE)
_NAME = regex.compile(r"(?<!^)(?<![.!?:]\s)\b\p{Lu}\p{Ll}+")
_NUMBER = re.compile(r"\d")
_WHILE = "(?:week|month|year|night|weekend|summer|fall|autumn|winter|spring|morning|\\w+day)"
_MOMENTS = "yesterday today tonight tomorrow ago since recently soon"
_WHEN = [f"{which} {_WHILE}" for which in ("last", "next", "this", "past")]
_TIME = any_of([*_MOMENTS.split(), *DAYS_AND_MONTHS, "the other day", *_WHEN])
_KIND_WORDS = """glad happy thrilled excited grateful proud hope wish agree sounds awesome amazing great nice cool lovely wonderful
    fantastic beautiful sweet inspiring adorable cute gorgeous stunning incredible impressive special keep support best important worth"""
COURTEOUS = frozenset(_KIND_WORDS.split())
_COURTEOUS_PHRASES = ("can't wait", "cannot wait", "good luck", "take care", "can (?:imagine|relate|understand)", "gets? how")
_COURTESY = any_of([*_KIND_WORDS.split(), *_COURTEOUS_PHRASES])
_MOST = 2  # of names or courtesies that count


def worth(said: str, told: str, *, leads: bool, held: bool) -> float:
    """Return a number in 0..1. said: the clause as it was said; told: in the third person; leads: its subject is the speaker;
    held: a fact that is held was read in it.
    """
    low, size = told.lower(), len(told.split())
    score = (
        0.6 * leads
        + 0.3 * bool(_FIRST.search(said.lower()))
        + 1.0 * bool(_POSSESSION.match(said))
        + 0.5 * held
        + 0.3 * min(_MOST, len(_NAME.findall(said)) if said[1:].lower() != said[1:] else 0)
        + 0.2 * bool(_NUMBER.search(told))
        + 0.6 * bool(_TIME.search(low))
        + 0.2 * told.startswith("they ")
        - 0.5 * min(_MOST, len(_COURTESY.findall(low)))
        - 0.3 * (size < 5)
        - 0.03 * max(0, size - LONG)
    )
    return 1.0 / (1.0 + math.exp(-score))
