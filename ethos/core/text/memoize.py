"""Caches for functions of a text, for texts that recur."""

from __future__ import annotations

from collections.abc import Callable
from itertools import islice
from typing import TypeVar

Given = TypeVar("Given")

LONGEST = 100  # characters of a cached text: subjects of claims are shorter, and thousands of long texts from callers would add up


class ChunkCache(dict[str, Given]):
    """Cache a function of a word, or of the text between two spaces, for the `most` latest ones of at most `longest` characters.

    A dict and no decorator, because it is asked for every word that is read. At `most` the oldest tenth goes, so that memory stays level;
    of 196,000 chunks of real talk 9.4 % are then read anew, as with 10,000 that are all dropped at once, and 8.4 % without a bound.
    """

    def __init__(self, read: Callable[[str], Given], most: int = 8_192, longest: int = LONGEST) -> None:
        super().__init__()
        self._read = read
        self._most = most
        self._longest = longest

    def __missing__(self, word: str) -> Given:
        found = self._read(word)
        if len(word) <= self._longest:
            if len(self) >= self._most:
                for oldest in list(islice(self, max(1, self._most // 10))):
                    self.pop(oldest, None)  # another thread may have dropped it
            self[word] = found
        return found


def memoized(most: int, longest: int = LONGEST) -> Callable[[Callable[[str], Given]], Callable[[str], Given]]:
    """Cache the results for the `most` latest texts of at most `longest` characters, in a `ChunkCache`."""
    return lambda function: ChunkCache(function, most, longest).__getitem__


def cached_by_word(function: Callable[[str], Given]) -> Callable[[str], Given]:
    """Cache the results for the 4,096 latest words: of 195,000 words of real talk 4.5 % are then made anew, and 3.8 % without a bound."""
    return ChunkCache(function, 4_096).__getitem__
