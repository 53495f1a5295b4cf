"""Tell how like two summaries are: the share of their terms that both have (Dice's coefficient, L. R. Dice, Ecology 26, 1945)."""

from __future__ import annotations

from ethos.core.learning.summaries.clauses import content


def likeness(one: str, other: str) -> float:
    """Return a number in 0..1; 1 where both have the same terms. Texts without terms are like nothing."""
    left, right = frozenset(content(one)), frozenset(content(other))
    return 2 * len(left & right) / (len(left) + len(right)) if left and right else 0.0
