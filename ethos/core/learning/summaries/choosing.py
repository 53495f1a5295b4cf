"""Choose the clauses that together say most within a number of words.

Source: H. Lin and J. Bilmes, "A class of submodular functions for document summarization", ACL 2011: greedy choice by gain for cost of a
monotone submodular function. Ours is the coverage of weighted terms, where a term counts as much as the best clause that says it; we
deviate by what is held going first, up to a share of the words, and by leaving out the final comparison with the best single clause.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence

from ethos.core.learning.summaries.clauses import Clause
from ethos.core.learning.summaries.vocabulary import ROLE_NAMES

SHARE_OF_HELD = 0.7  # of the words may be taken first for clauses in which a held fact was read
LARGEST = 0.6  # of the words may be taken by one clause
REPETITION = 0.7
SHORT = 12  # words; a clause of so few may be all that is told
COST = 0.7  # exponent: 1 prefers short clauses, 0 long ones


def name_size(speaker: str) -> int:
    """Return how many words a speaker's name has in a summary."""
    return len(ROLE_NAMES.get(speaker, speaker).split())


def weights(told: Iterable[Clause]) -> dict[str, float]:
    """Return what each term is worth: what is said in several clauses counts more."""
    said = Counter(term for clause in told for term in clause.terms)
    return {term: 1 + REPETITION * math.log(count) for term, count in said.items()}


def choose(told: Sequence[Clause], worth_of: Mapping[str, float], words: int, known: Collection[str] = ()) -> list[Clause]:
    """Return the chosen clauses in the order in which they were said: with a name and an "and" for each speaker at most `words` words.

    known: terms that an earlier summary has told already; they count for half.
    """
    choice = _Choice(worth_of, words, dict.fromkeys(known, 0.5))
    waiting = [clause for clause in told if clause.size <= max(SHORT, LARGEST * words)]
    choice.take([clause for clause in waiting if clause.held], words * (1 - SHARE_OF_HELD))
    choice.take([clause for clause in waiting if clause not in choice.chosen], 0)
    return sorted(choice.chosen, key=lambda clause: (clause.place, clause.start))


class _Choice:
    """What was chosen so far, and the words that are left."""

    def __init__(self, worth_of: Mapping[str, float], words: int, covered: dict[str, float]) -> None:
        self.chosen: list[Clause] = []
        self._worth_of = worth_of
        self._left = float(words)
        self._covered = covered
        self._speakers: set[str] = set()

    def take(self, candidates: list[Clause], keep: float) -> None:
        """Choose from these until no other fits, or adds anything; `keep` words stay."""
        while True:
            fitting = [clause for clause in candidates if self._left - self._cost(clause) >= keep]
            gain, best = max(((self._gain(clause), clause) for clause in fitting), key=lambda each: each[0], default=(0.0, None))
            if best is None or gain <= 0:
                return
            candidates.remove(best)
            self._left -= self._cost(best)
            self._speakers.add(best.speaker)
            self.chosen.append(best)
            for term in best.terms:
                self._covered[term] = max(self._covered.get(term, 0.0), best.value)

    def _cost(self, clause: Clause) -> int:
        return clause.size + (0 if clause.speaker in self._speakers else name_size(clause.speaker) + 1)

    def _gain(self, clause: Clause) -> float:
        new = (self._worth_of.get(term, 1.0) * max(0.0, clause.value - self._covered.get(term, 0.0)) for term in clause.terms)
        return sum(new) / float(clause.size**COST)
