"""Certainty: the share of claims like this one that are right, by labelled talk. The confidence of a rule only orders claims."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache

from ethos.core.model.records import Grade
from ethos.core.text.language.lexicon import lines_of


@cache
def _steps() -> Mapping[str, Sequence[tuple[float, float]]]:
    """Return, by grade, the least confidence of each step and its share, in order."""
    found: dict[str, list[tuple[float, float]]] = {}
    for line in lines_of("certainty"):
        grade, least, share = line.split()
        found.setdefault(grade, []).append((float(least), float(share)))
    return {grade: sorted(steps) for grade, steps in found.items()}


def certainty(grade: Grade, confidence: float) -> float:
    """Return the share of claims of this grade and confidence that are right. It never falls as the confidence rises."""
    return max(share for least, share in _steps()[grade] if confidence >= least)
