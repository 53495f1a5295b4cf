"""Caches for functions of a text, for texts that recur."""

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


class ChunkCache(dict[str, Given]):
    """What is read in the text between two spaces, once for each such text. At `most` texts it begins anew.

    A dict and no decorator, because it is asked for every word that is read.
    """

    def __init__(self, read: Callable[[str], Given], most: int = 10_000) -> None:
        super().__init__()
        self._read = read
        self._most = most

    def __missing__(self, chunk: str) -> Given:
        if len(self) >= self._most:
            self.clear()
        found = self[chunk] = self._read(chunk)
        return found
