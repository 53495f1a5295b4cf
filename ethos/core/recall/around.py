"""Rank what is to be told around a turn: turns about the same things, by the same person, that say something of their own.

A linear model of our own, fitted on recorded conversations (LoCoMo), each time leaving one out. Its strongest part is a second pass
as in relevance feedback (Rocchio, 1971): the turns most like the one asked about, each taken with its neighbours, say what its subject is,
and what is near to them all is told though it shares no word with that turn. Frequencies are those of the candidates, but for the words
of the turn itself, which all candidates tend to have. What says the same in few words shares little and is alike nevertheless.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import astuple, dataclass
from operator import mul
from typing import NamedTuple

from ethos.core.model.candidates import Noted
from ethos.core.recall.features import Trait
from ethos.core.recall.ranking import inverse_frequency
from ethos.core.recall.terms import FRAGMENTS, STOP_WORDS, TERM_BYTES, mark_of, term_of, words

_FEEDBACK = 40  # turns that say what the subject is
WINDOW = ((-2, 0.3), (-1, 0.5), (0, 1.0), (1, 0.5), (2, 0.3))  # turns beside a turn, and the share that their words have
DAY = 86_400 * 1_000_000  # microseconds
_UNTOLD = frozenset(mark_of(term) for word in STOP_WORDS | FRAGMENTS for term in (word, term_of(word)))
_FIRST_PERSON = frozenset(mark_of(term_of(word)) for word in ("i", "me", "my", "we", "our"))

Vector = Mapping[bytes, float]


@dataclass(frozen=True, slots=True)
class AroundWeights:
    """How much each part counts."""

    shared: float = 0.035  # the sum over the words in common of their inverse document frequency, squared
    alike: float = 2.5  # the cosine of its own words with those of the turn, 0..1
    subject: float = 4.5  # the cosine with the subject, 0..1
    speaker: float = 1.53  # the same person says it
    days: float = -0.1  # times ln(1 + days between)
    asks: float = -0.45  # it ends with a question mark
    reacts: float = -0.48
    time: float = 0.6  # it says when
    names: float = 0.57  # times ln(1 + names)
    person: float = 0.68  # times ln(1 + words of the first person)
    answers: float = 0.64  # the turn before asks something


class Parts(NamedTuple):
    """What a candidate has, in the order of the weights."""

    shared: float
    alike: float
    subject: float
    speaker: float
    days: float
    asks: float
    reacts: float
    time: float
    names: float
    person: float
    answers: float


def ranked(seed: Noted, pool: Sequence[Noted], having: Mapping[bytes, float], weights: AroundWeights) -> list[tuple[int, float]]:
    """Return the rows of the pool but the seed's, each with its score, best first; equals by row.

    pool: the candidates with their neighbours, the seed among them. having: mark of a term of the seed -> its inverse document frequency.
    """
    values = astuple(weights)
    scores = [(row, sum(map(mul, parts, values))) for row, parts in parts_of(seed, pool, having).items()]
    return sorted(scores, key=lambda each: (-each[1], each[0]))


def parts_of(seed: Noted, pool: Sequence[Noted], having: Mapping[bytes, float]) -> dict[int, Parts]:
    """Return the parts of each candidate by its row."""
    turns = {turn.row: turn for turn in pool} | {seed.row: seed}
    marks = {row: _marks(turn) for row, turn in turns.items()}
    untold = _UNTOLD | {mark_of(term_of(word)) for speaker in {turn.speaker for turn in pool} for word in words(speaker)}
    content = {row: found - untold for row, found in marks.items()}
    counted = Counter(mark for found in content.values() for mark in found)
    idf = {mark: inverse_frequency(len(turns), count) for mark, count in counted.items()} | dict(having)
    subject = _Subject(content, idf)
    near = subject.near(seed.row)
    own = content[seed.row]
    own_words = _weighted(own, idf)
    return {
        row: Parts(
            shared=sum(idf[mark] ** 2 for mark in own & content[row]),
            alike=_dot(_weighted(content[row], idf), own_words) if content[row] & own else 0.0,
            subject=near.get(row, 0.0),
            speaker=float(turn.speaker == seed.speaker),
            days=math.log1p(abs(turn.said_at - seed.said_at) / DAY),
            asks=float(bool(turn.traits & Trait.ENDS_ASKING)),
            reacts=float(bool(turn.traits & Trait.REACTS)),
            time=float(bool(turn.traits & Trait.TELLS_TIME)),
            names=math.log1p(turn.names),
            person=math.log1p(len(marks[row] & _FIRST_PERSON)),
            answers=float((before := turns.get(row - 1)) is not None and bool(before.traits & Trait.ASKS)),
        )
        for row, turn in turns.items()
        if row != seed.row
    }


class _Subject:
    """Turns as vectors of their words and those beside them, of unit length."""

    def __init__(self, content: Mapping[int, Iterable[bytes]], idf: Mapping[bytes, float]) -> None:
        self._vectors = {row: _unit(_widened(row, content, idf)) for row in content}

    def near(self, seed: int) -> dict[int, float]:
        """Return the cosine of each turn with what the turns most like the seed are about."""
        likeness = {row: _dot(vector, self._vectors[seed]) for row, vector in self._vectors.items()}
        closest = sorted(likeness, key=lambda row: (-likeness[row], row))[:_FEEDBACK]
        subject: dict[bytes, float] = {}
        for row in closest:
            for mark, weight in self._vectors[row].items():
                subject[mark] = subject.get(mark, 0.0) + likeness[row] * weight
        about = _unit(subject)
        return {row: _dot(vector, about) for row, vector in self._vectors.items()}


def _widened(row: int, content: Mapping[int, Iterable[bytes]], idf: Mapping[bytes, float]) -> dict[bytes, float]:
    vector: dict[bytes, float] = {}
    for step, share in WINDOW:
        for mark in content.get(row + step, ()):
            vector[mark] = vector.get(mark, 0.0) + share * idf[mark]
    return vector


def _weighted(content: Iterable[bytes], idf: Mapping[bytes, float]) -> dict[bytes, float]:
    return _unit({mark: idf[mark] for mark in content})


def _unit(vector: Mapping[bytes, float]) -> dict[bytes, float]:
    length = math.sqrt(sum(weight * weight for weight in vector.values())) or 1.0
    return {mark: weight / length for mark, weight in vector.items()}


def _dot(one: Vector, other: Vector) -> float:
    short, long = (one, other) if len(one) <= len(other) else (other, one)
    return sum(weight * long[mark] for mark, weight in short.items() if mark in long)


def _marks(turn: Noted) -> frozenset[bytes]:
    terms = turn.terms
    return frozenset(terms[at : at + TERM_BYTES] for at in range(0, len(terms), TERM_BYTES))
