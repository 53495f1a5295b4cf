"""Note of a text what ranking needs, once, when it is indexed: its terms, what it asks, and a few traits.

The traits were found by ablation on chat between people: who only reacts ("wow, thanks") seldom answers a question, and who names
places or people often does. They say nothing about what a tool printed, so such text gets none.
"""

from __future__ import annotations

from enum import IntFlag
from typing import NamedTuple

import regex

from ethos.core.model.records import Role
from ethos.core.recall.terms import TERM_BYTES, marks_of, term_of, words
from ethos.core.text.language.dates import DAYS_AND_MONTHS

LONGEST = 20_000  # characters that are looked at for traits
MOST_TERMS = 4_000  # of one text; what a longer one holds besides is found through the full-text index alone
_MOST_NAMES = 255
_TALKING: frozenset[Role] = frozenset({"user", "assistant"})


class Trait(IntFlag):
    """A trait of a text that raises or lowers its rank."""

    NONE = 0
    ENDS_ASKING = 1  # it ends with a question mark
    ASKS = 2  # there is a question in it
    REACTS = 4  # it opens with a reaction to what was said before
    TELLS_TIME = 8  # it says when


class Features(NamedTuple):
    """The notes of one text. terms: marks of its terms, those of its questions first; asked: how many bytes those take."""

    terms: bytes
    asked: int
    traits: int
    names: int  # capitalised words that do not open a sentence


_QUESTION = regex.compile(r"[^.!?\n]*+\?")
_REACTION = regex.compile(
    r"""\W*(?:absolutely|amazing|aw+|awesome|bye|congrats|congratulations|cool|definitely|glad|great|haha|nice|no\ worries|oh|same\ here
    |sounds|sure|take\ care|thanks|thank\ you|that's|that\ is|wow|yeah|yes)\b""",
    regex.I | regex.X,
)
_TIME = regex.compile(
    rf"""\b(?:yesterday|today|tonight|tomorrow|ago|since|recently|just|soon|the\ other\ day|(?:19|20)\d\d
    |(?:last|next|this|past)\ (?:week|month|year|night|weekend|summer|fall|autumn|winter|spring|morning|\w+day)
    |{"|".join(DAYS_AND_MONTHS)})\b""",
    regex.I | regex.X,
)
_NAME = regex.compile(r"(?<![.!?]\s)(?<!^)\b\p{Lu}\p{Ll}+")
_PLAIN = Features(b"", 0, 0, 0)


def of_turn(text: str, role: Role) -> Features:
    """Return the notes of what somebody said, or of what a tool printed."""
    found = dict.fromkeys(map(term_of, words(text)))
    if role not in _TALKING:
        return _PLAIN._replace(terms=marks_of(list(found)[:MOST_TERMS]))
    start = text[:LONGEST]
    questions = _QUESTION.findall(start) if "?" in start else []
    asked = {term: None for question in questions for term in map(term_of, words(question)) if term in found}
    kept = list(asked | found)[:MOST_TERMS]
    traits = Trait.NONE
    if questions:
        traits |= Trait.ASKS
    if text.rstrip().endswith("?"):
        traits |= Trait.ENDS_ASKING
    if _REACTION.match(start):
        traits |= Trait.REACTS
    if _TIME.search(start):
        traits |= Trait.TELLS_TIME
    names = min(len(_NAME.findall(start)), _MOST_NAMES)
    return Features(marks_of(kept), min(len(asked), len(kept)) * TERM_BYTES, int(traits), names)


def of_fact(statement: str) -> Features:
    """Return the notes of a fact's statement: its terms. What else there is to say, the turn says that it rests on."""
    found = dict.fromkeys(map(term_of, words(statement)))
    return _PLAIN._replace(terms=marks_of(list(found)[:MOST_TERMS]))
