"""Choose the clauses that together say most within a number of words.

Source: H. Lin and J. Bilmes, "A class of submodular functions for document summarization", ACL 2011: greedy choice by gain for cost of a
monotone submodular function. Ours is the coverage of weighted terms, where a term counts as much as the best clause that says it; we
deviate by what is held going first, up to a share of the words, and by leaving out the final comparison with the best single clause.
"""

from __future__ import annotations

import heapq
import math
from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from itertools import chain

from ethos.core.learning.summaries.clauses import Clause
from ethos.core.learning.summaries.vocabulary import ROLE_NAMES

_SHARE_OF_HELD = 0.7  # of the words may be taken first for clauses in which a held fact was read
LARGEST = 0.6  # of the words may be taken by one clause
REPETITION = 0.7
SHORT = 12  # words; a clause of so few may be all that is told
COST = 0.7  # exponent: 1 prefers short clauses, 0 long ones


def name_size(speaker: str) -> int:
    """Return how many words a speaker's name has in a summary."""
    return len(ROLE_NAMES.get(speaker, speaker).split())


def weights(told: Iterable[Clause]) -> dict[str, float]:
    """Return what each term is worth: what is said in several clauses counts more."""
    said = Counter(chain.from_iterable(clause.terms for clause in told))
    return {term: 1 + REPETITION * math.log(count) for term, count in said.items()}


def choose(told: Sequence[Clause], worth_of: Mapping[str, float], words: int, known: Collection[str] = ()) -> list[Clause]:
    """Return the chosen clauses in the order in which they were said: with a name and an "and" for each speaker at most `words` words.

    Decisions are chosen first, then other facts that are held, then the rest. known: terms that an earlier summary has told already; they
    count for half.
    """
    choice = _Choice(worth_of, words, dict.fromkeys(known, 0.5))
    waiting = [clause for clause in told if clause.decided or clause.size <= max(SHORT, LARGEST * words)]
    for first in ([each for each in waiting if each.decided], [each for each in waiting if each.held and not each.decided]):
        choice.take(first, words * (1 - _SHARE_OF_HELD))
    taken = {(clause.place, clause.start) for clause in choice.chosen}
    choice.take([clause for clause in waiting if (clause.place, clause.start) not in taken], 0)
    return sorted(choice.chosen, key=lambda clause: (clause.place, clause.start))


class _Choice:
    """What was chosen so far, and the words that are left."""

    def __init__(self, worth_of: Mapping[str, float], words: int, covered: dict[str, float]) -> None:
        self.chosen: list[Clause] = []
        self._worth_of = worth_of
        self._left = float(words)
        self._covered = covered
        self._speakers: set[str] = set()

    def take(self, candidates: Sequence[Clause], keep: float) -> None:
        """Choose from these until no other fits, or adds anything; `keep` words stay.

        What a clause adds only falls as others are chosen, so it is computed anew only for the one that comes first (lazy greedy: Minoux,
        1978). One that does not fit may fit once its speaker is named anyway.
        """
        sizes = [clause.size for clause in candidates]
        costs = [float(size**COST) for size in sizes]
        waiting = [(-self._gain(clause, costs[place]), place) for place, clause in enumerate(candidates)]
        heapq.heapify(waiting)
        too_long: defaultdict[str, list[int]] = defaultdict(list)
        while waiting:
            before, place = heapq.heappop(waiting)
            best = candidates[place]
            if self._left - sizes[place] - self._naming(best) < keep:
                if best.speaker not in self._speakers:
                    too_long[best.speaker].append(place)
                continue
            gain = self._gain(best, costs[place])
            if -gain > before:
                heapq.heappush(waiting, (-gain, place))
                continue
            if gain <= 0:
                return
            self._choose(best)
            for again in too_long.pop(best.speaker, ()):
                heapq.heappush(waiting, (-self._gain(candidates[again], costs[again]), again))

    def _choose(self, clause: Clause) -> None:
        self._left -= clause.size + self._naming(clause)
        self._speakers.add(clause.speaker)
        self.chosen.append(clause)
        for term in clause.terms:
            self._covered[term] = max(self._covered.get(term, 0.0), clause.value)

    def _naming(self, clause: Clause) -> int:
        return 0 if clause.speaker in self._speakers else name_size(clause.speaker) + 1

    def _gain(self, clause: Clause, cost: float) -> float:
        worth_of, covered, value = self._worth_of, self._covered, clause.value
        gain = 0.0
        for term in clause.terms:
            known = covered.get(term, 0.0)
            if value > known:
                gain += worth_of.get(term, 1.0) * (value - known)
        return gain / cost
