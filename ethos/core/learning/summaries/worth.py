"""Tell how likely a clause says something lasting, from traits of its form: a logistic model with few, rounded weights.

The weights were found by coordinate search on half of a set of conversations whose lasting statements people had noted, and rounded.
"""

from __future__ import annotations

import math
import re

import regex

LONG = 14  # words from which on a clause is long

_FIRST = re.compile(r"\b(?:i|i'm|i've|i'd|i'll|my|me|mine|myself|we|we're|we've|we'd|we'll|our|us)\b", re.IGNORECASE)
_POSSESSION = re.compile(r"(?:my|our)\b", re.IGNORECASE)
_NAME = regex.compile(r"(?<!^)(?<![.!?:]\s)\b\p{Lu}\p{Ll}+")
_NUMBER = re.compile(r"\d")
_TIME = re.compile(
    r"""\b(?:yesterday|today|tonight|tomorrow|ago|since|recently|soon|the\ other\ day
    |(?:last|next|this|past)\ (?:week|month|year|night|weekend|summer|fall|autumn|winter|spring|morning|\w+day)
    |(?:mon|tues|wednes|thurs|fri|satur|sun)day
    |january|february|march|april|june|july|august|september|october|november|december)\b""",
    re.IGNORECASE | re.VERBOSE,
)
_COURTESY = re.compile(
    r"""\b(?:glad|happy|thrilled|excited|grateful|proud|can't\ wait|cannot\ wait|good\ luck|take\ care|hope|wish|agree|sounds|awesome
    |amazing|great|nice|cool|lovely|wonderful|fantastic|beautiful|sweet|inspiring|keep|support|best|important|worth)\b""",
    re.IGNORECASE | re.VERBOSE,
)
_MOST = 2  # of names or courtesies that count


def worth(said: str, told: str, *, leads: bool, held: bool) -> float:
    """Return a number in 0..1. said: the clause as it was said; told: in the third person; leads: its subject is the speaker;
    held: a fact that is held was read in it.
    """
    score = (
        0.6 * leads
        + 0.3 * bool(_FIRST.search(said))
        + 1.0 * bool(_POSSESSION.match(said))
        + 0.5 * held
        + 0.3 * min(_MOST, len(_NAME.findall(said)))
        + 0.2 * bool(_NUMBER.search(told))
        + 0.6 * bool(_TIME.search(told))
        + 0.2 * told.startswith("they ")
        - 0.5 * min(_MOST, len(_COURTESY.findall(told)))
        - 0.3 * (len(told.split()) < 5)
        - 0.03 * max(0, len(told.split()) - LONG)
    )
    return 1.0 / (1.0 + math.exp(-score))
