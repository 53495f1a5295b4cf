"""Rank candidates: each term of the question is credited to the turn that answers it.

The model is our own, found by ablation on recorded conversations (LoCoMo): a linear sum in which a term counts once, by its inverse
document frequency (Robertson and Sparck Jones, 1976), with the greatest share that the turn or its neighbours earn. What was asked
in the turn before counts more than the turn's own words, so that an answer outranks its question. How often a term stands in a turn,
and how long the turn is, add nothing and are left out (BM25 without its two parameters).

A fact is ranked with the turn that it rests on: its own terms count in full, those of the turn and around it in part.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import date, timedelta
from functools import lru_cache
from operator import itemgetter

from ethos.core.model.candidates import Noted, Resting
from ethos.core.recall.dates import NO_DATES, Dates, nearness
from ethos.core.recall.features import Trait
from ethos.core.recall.terms import mark_of

_ASKS, _ENDS_ASKING, _REACTS, _TELLS_TIME = map(int, (Trait.ASKS, Trait.ENDS_ASKING, Trait.REACTS, Trait.TELLS_TIME))
_SHARE = itemgetter(1)
RARE = 3.0  # inverse document frequency of a word that one text in 30 has
NEIGHBOURS = 3  # turns to either side that can earn a turn credit
_EPOCH = date(1970, 1, 1)
_DAY = 86_400 * 1_000_000  # microseconds


@dataclass(frozen=True, slots=True)
class Weights:
    """How much each part counts. Fitted on recorded conversations, each time leaving one out."""

    asked: float = 1.2  # a question of the turn before has the term
    about: float = 0.8  # the term stands two turns before, and the turn between asks something
    before: tuple[float, ...] = (0.6, 0.5, 0.3)  # the term stands 1, 2, 3 turns before
    after: tuple[float, ...] = (0.4, 0.3, 0.2)  # or after
    of_kind: float = 1.2  # a fact is about a thing of the kind that the term names: it answers, where a text with the word may only ask
    around_fact: float = 0.6  # of what the turn of a fact has, that the fact has not
    speaker: float = 4.0  # the turn is of the one speaker whose words are meant; plus ln(turns / turns of the speaker)
    date: float = 8.0
    question: float = -0.6  # the turn ends with a question mark
    reaction: float = -1.05
    names: float = 1.1  # times ln(1 + names)
    time: float = 2.2  # asked when, and the turn tells a time
    place: float = 3.0  # asked where, times ln(1 + names)
    trigrams: float = 1.0  # BM25 of the trigrams, for scripts without spaces

    def priors_for(self, rarest: float) -> Weights:
        """Return the weights for a question whose rarest word, of those that were found, has this inverse document frequency.

        What speaks for a turn apart from its words was fitted where some word is rare. In a memory of a few turns none can be, and the
        words would count for nothing beside it: it counts in proportion.
        """
        share = min(1.0, rarest / RARE)
        return replace(
            self, **{name: share * getattr(self, name) for name in ("speaker", "question", "reaction", "names", "time", "place")}
        )

    def around(self) -> list[tuple[int, float]]:
        """Return how far from a turn its words earn how much credit, itself among them."""
        return [*enumerate(self.before, 1), (0, 1.0), *((-back, share) for back, share in enumerate(self.after, 1))]


@dataclass(frozen=True, slots=True)
class Asked:
    """What is ranked for. idf: of each term; speaker: folded, with the share of the turns that are not theirs as ln(turns / theirs)."""

    idf: Mapping[str, float]
    dates: Dates = NO_DATES
    speaker: str | None = None
    rarity: float = 0.0
    asks_when: bool = False
    asks_where: bool = False


@dataclass(frozen=True, slots=True)
class Pool:
    """The candidates: turns with their neighbours, facts, and what the trigram index gave for a row.

    found: rows of turns that are answers though they earn no credit: a word stands in them that is not noted, or their day is named.
    """

    turns: Sequence[Noted] = ()
    facts: Sequence[Resting] = ()
    found: Collection[int] = ()
    trigrams: Mapping[int, float] = field(default_factory=dict)


def inverse_frequency(texts: int, having: int) -> float:
    """Return the weight of a term that `having` of `texts` have."""
    return math.log(1 + (max(texts, having) - having + 0.5) / (having + 0.5))


class Ranking:
    """The candidates of one question, ranked.

    order: the rows that have something of what was asked, best first; equals by row. scores: by row. told_by: row -> the row that says
    the same and stands for both.
    """

    def __init__(self, pool: Pool, asked: Asked, weights: Weights) -> None:
        self._asked, self._trigrams = asked, pool.trigrams
        self._turns = {turn.row: turn for turn in pool.turns}
        self._facts = {resting.fact.row: resting for resting in pool.facts}
        terms = [(turn.row, turn.terms) for turn in pool.turns]
        self._earned = {term: _earned(self._turns, terms, mark_of(term), weights) for term in asked.idf}
        self._weights = weights.priors_for(max((asked.idf[term] for term, credit in self._earned.items() if credit), default=RARE))
        self._meaning: Mapping[int, float] = {}
        self.told_by: dict[int, int] = {}
        self.scores = self._scored(pool)
        self.order = self._ranked(self.scores)

    def look_again(self, meaning: Mapping[int, float]) -> None:
        """Add to the scores of the first rows what their likeness to the question is worth, and rank them anew, before the others."""
        self._meaning = meaning
        for row, worth in meaning.items():
            self.scores[row] += worth
        first = self._ranked(meaning)
        self.order = [*first, *(row for row in self.order if row not in meaning)]

    def keep_matches(self, found: Collection[int]) -> None:
        """Leave out turns that only stand beside one of `found`: where one word is asked for, the turns around it are no answers."""
        self.order = [row for row in self.order if row in found or row in self._facts or row in self._trigrams]

    def turn_behind(self, row: int) -> int:
        """Return the row of the turn that a fact rests on; of a turn its own, and of a fact without a known turn, too."""
        resting = self._facts.get(row)
        return row if resting is None or resting.turn is None else resting.turn

    def parts(self, row: int) -> dict[str, float]:
        """Return what each part gives to the score of a row; they sum to it."""
        resting = self._facts.get(row)
        turn = self._turns.get(row) if resting is None else self._turn_of(resting)
        words = self._words_of_fact(resting) if resting is not None else self._words_of_turn(row)
        turn = turn or (resting.fact if resting else self._turns[row])
        priors = _priors(turn.traits, _names(turn, resting), self._asked, self._weights, meant=turn.speaker == self._asked.speaker)
        parts = {"words": words, **_date(turn, self._asked, self._weights), **priors}
        if row in self._trigrams:
            parts["trigrams"] = self._weights.trigrams * self._trigrams[row]
        if row in self._meaning:
            parts["meaning"] = self._meaning[row]
        return parts

    def _ranked(self, rows: Collection[int]) -> list[int]:
        scores, told_by = self.scores, self.told_by
        return [row for _, _, row in sorted([(-scores[row], row in told_by, row) for row in rows])]

    def _scored(self, pool: Pool) -> dict[int, float]:
        words, prior, speaker = self._words(pool), _Priors(self._asked, self._weights), self._asked.speaker
        scores = {
            row: words[row] + prior[turn.traits, turn.names, turn.speaker == speaker] for row, turn in self._turns.items() if row in words
        }
        for row, resting in self._facts.items():
            turn = self._turn_of(resting) or resting.fact
            scores[row] = self._words_of_fact(resting) + prior[turn.traits, _names(turn, resting), turn.speaker == speaker]
        if self._asked.dates:
            for row in scores:
                turn = self._turns.get(row) or self._turn_of(self._facts[row]) or self._facts[row].fact
                scores[row] += self._weights.date * _near(turn.said_at // _DAY, self._asked.dates)
        for row in pool.trigrams.keys() & scores.keys():
            scores[row] += self._weights.trigrams * pool.trigrams[row]
        for resting in pool.facts:
            self._join(resting, scores)
        return scores

    def _words(self, pool: Pool) -> dict[int, float]:
        words: dict[int, float] = dict.fromkeys(pool.found, 0.0) | dict.fromkeys(pool.trigrams, 0.0)
        so_far = words.get
        for term, credit in self._earned.items():
            idf = self._asked.idf[term]
            words.update([(row, so_far(row, 0.0) + idf * share) for row, share in credit.items()])
        return words

    def _words_of_turn(self, row: int) -> float:
        return sum(self._asked.idf[term] * credit.get(row, 0.0) for term, credit in self._earned.items())

    def _words_of_fact(self, resting: Resting) -> float:
        around = self._weights.around_fact
        turn = -1 if resting.turn is None else resting.turn
        return sum(idf * max(self._own(resting, term), around * self._earned[term].get(turn, 0.0)) for term, idf in self._asked.idf.items())

    def _own(self, resting: Resting, term: str) -> float:
        if term in resting.of_kind:
            return self._weights.of_kind
        return 1.0 if mark_of(term) in resting.fact.terms else 0.0

    def _turn_of(self, resting: Resting) -> Noted | None:
        return None if resting.turn is None else self._turns.get(resting.turn)

    def _join(self, resting: Resting, scores: dict[int, float]) -> None:
        """Make a fact and the turn it rests on one answer.

        It is the fact where that says all that the turn says of the question, or is of the kind that is asked for; else the turn. The
        better score of the two stands for both. Of two facts of one turn, each that does so is an answer of its own, because it tells a
        thing of its own ("Postgres for billing", "Redis for sessions", asked what is used); what does not is told by the turn, and so by
        them.
        """
        turn = self._turn_of(resting)
        if turn is None or turn.row not in scores:
            return
        covers = resting.of_kind or all(_says(resting, term) for term in self._asked.idf if mark_of(term) in turn.terms)
        kept, other = (resting.fact.row, turn.row) if covers else (turn.row, resting.fact.row)
        scores[kept] = max(scores[kept], scores[other])
        self.told_by[other] = kept


def _earned(turns: Mapping[int, Noted], terms: Sequence[tuple[int, bytes]], mark: bytes, weights: Weights) -> dict[int, float]:
    """Return the credit of each row for one term: the greatest share that the turn or a neighbour earns, never their sum.

    Rows beside a session may be among them; no turn stands there.
    """
    having = [row for row, marks in terms if mark in marks]
    given = [(distance, share, having) for distance, share in weights.around()]
    given.append((1, weights.asked, [row for row in having if (turn := turns[row]).asked and mark in turn.terms[: turn.asked]]))
    given.append((2, weights.about, [row for row in having if _asks(turns.get(row + 1))]))
    credit: dict[int, float] = {}
    for distance, share, givers in sorted(given, key=_SHARE):  # the greatest last, so that it stands
        credit.update(dict.fromkeys([row + distance for row in givers], share))
    return credit


def _asks(turn: Noted | None) -> bool:
    return turn is not None and bool(turn.traits & _ASKS)


def _says(resting: Resting, term: str) -> bool:
    return term in resting.of_kind or mark_of(term) in resting.fact.terms


def _names(turn: Noted, resting: Resting | None) -> int:
    """Return how many names a turn or its fact has: a fact about a thing of the kind that is asked for names it, however it is written."""
    return max(turn.names, 1) if resting is not None and resting.of_kind else turn.names


def _date(turn: Noted, asked: Asked, weights: Weights) -> dict[str, float]:
    near = _near(turn.said_at // _DAY, asked.dates) if asked.dates else 0.0
    return {"date": weights.date * near} if near else {}


def _priors(traits: int, names: int, asked: Asked, weights: Weights, *, meant: bool) -> dict[str, float]:
    """Return what speaks for or against a turn apart from its words and its day; parts that give nothing are left out.

    meant: it is of the speaker whose words are asked for.
    """
    parts: dict[str, float] = {}
    if meant:
        parts["speaker"] = weights.speaker + asked.rarity
    if traits & _ENDS_ASKING:
        parts["question"] = weights.question
    if traits & _REACTS:
        parts["reaction"] = weights.reaction
    if names:
        parts["names"] = weights.names * math.log1p(names)
        if asked.asks_where:
            parts["place"] = weights.place * math.log1p(names)
    if asked.asks_when and traits & _TELLS_TIME:
        parts["time"] = weights.time
    return parts


class _Priors(dict[tuple[int, int, bool], float]):
    """The sum of the priors of a turn by its traits, its names, and whether its speaker is meant, which most turns share with others."""

    def __init__(self, asked: Asked, weights: Weights) -> None:
        super().__init__()
        self._asked, self._weights = asked, weights

    def __missing__(self, kind: tuple[int, int, bool]) -> float:
        traits, names, meant = kind
        found = self[kind] = sum(_priors(traits, names, self._asked, self._weights, meant=meant).values())
        return found


@lru_cache(4_096)
def _near(day: int, named: Dates) -> float:
    return nearness(_EPOCH + timedelta(days=day), named)
