"""Remembering what a function of a text gave, for texts that come again and again."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache, wraps
from typing import TypeVar

Given = TypeVar("Given")

LONGEST = 100  # characters of a text that is remembered: what claims are about is shorter, and of what callers send thousands add up


def remembered(most: int, longest: int = LONGEST) -> Callable[[Callable[[str], Given]], Callable[[str], Given]]:
    """Keep what the function gave for the `most` texts that came last; it is asked anew for every one of over `longest` characters."""

    def keeping(function: Callable[[str], Given]) -> Callable[[str], Given]:
        kept = lru_cache(most)(function)

        @wraps(function)
        def asked(text: str) -> Given:
            return kept(text) if len(text) <= longest else function(text)

        return asked

    return keeping
