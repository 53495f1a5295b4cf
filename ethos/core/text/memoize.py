"""A cache for functions of a text, for texts that recur."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache, wraps
from typing import TypeVar

Given = TypeVar("Given")

LONGEST = 100  # characters of a cached text: subjects of claims are shorter, and thousands of long texts from callers would add up


def memoized(most: int, longest: int = LONGEST) -> Callable[[Callable[[str], Given]], Callable[[str], Given]]:
    """Cache the results for the `most` most recently used texts of at most `longest` characters."""

    def decorate(function: Callable[[str], Given]) -> Callable[[str], Given]:
        kept = lru_cache(most)(function)

        @wraps(function)
        def wrapper(text: str) -> Given:
            return kept(text) if len(text) <= longest else function(text)

        return wrapper

    return decorate
