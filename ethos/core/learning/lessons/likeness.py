"""Tell if two lessons in words are the same one (H-25). Likeness nominates; the guards of the reasoning bank decide.

The numbers of a lesson grow with its episodes, so "4 of 5" and "6 of 7" are left out of the comparison; every other number counts.
"""

from __future__ import annotations

import re

from ethos.core.learning.bank.guards import difference
from ethos.core.learning.bank.likeness import cosine, likeness, vectors
from ethos.core.learning.bank.reading import read
from ethos.core.learning.bank.vocabulary import Vocabulary, vocabulary

_COUNTS = re.compile(r"\b\d+\s*(?:/|(?:out )?of)\s*\d+\b|\b\d+(?:[.,]\d+)?\s*(?:%|percent\b)", re.IGNORECASE)


def lesson_likeness(one: str, other: str, words: Vocabulary | None = None) -> float:
    """Return how like two lessons are, 0..1; 0 where they differ in what makes two claims of them."""
    words = words or vocabulary()
    first, second = (read(_COUNTS.sub(" ", text), words) for text in (one, other))
    if first == second:
        return 1.0
    if difference(first, second, words) is not None:
        return 0.0
    return likeness(cosine(*vectors([first.matter, second.matter])))
