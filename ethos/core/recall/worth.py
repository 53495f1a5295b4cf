"""Tell which answers are far below the best one.

Compared is what an answer has of the question: its words, dates and trigrams. Who said it and how it is put say which of two answers
stands first, but a turn that has nothing else of the question is no answer to it.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping

from ethos.core.recall.ranking import RARE

_OF_THE_QUESTION = ("words", "date", "trigrams")  # parts of a score
_FAR_BELOW = 0.25  # of what the best has


def earned(parts: Mapping[str, float]) -> float:
    """Return how much of the question an answer has, by the parts of its score."""
    return sum(parts.get(name, 0.0) for name in _OF_THE_QUESTION)


def least(answers: Collection[Mapping[str, float]], rarest: float) -> float:
    """Return how much of the question an answer has to have not to be far below the best of these.

    rarest: the inverse document frequency of the question's rarest word. Where no word is rare, which in a memory of less than 30 texts
    none can be, no answer is far below another.
    """
    return _FAR_BELOW * max(map(earned, answers), default=0.0) if rarest >= RARE else 0.0
