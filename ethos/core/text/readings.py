"""Readings: texts folded, masked and cut into sentences, each once for all stages of a pass that read it."""

from __future__ import annotations

from typing import NamedTuple

from ethos.core.text.sentences import Sentence, all_sentences, fold, mask

MOST = 8_000_000  # characters that are kept; further texts are read anew each time


class Reading(NamedTuple):
    """A text folded and without foreign text, character by character at its place, and its sentences."""

    plain: str
    sentences: tuple[Sentence, ...]


class Readings:
    """Keeps what was read, up to a number of characters. Made for one pass and gone with it."""

    def __init__(self, most: int = MOST) -> None:
        self._kept: dict[str, tuple[str, Reading]] = {}
        self._left = most

    def of(self, text: str) -> Reading:
        """Return a text as it is read."""
        return self.with_folded(text)[1]

    def with_folded(self, text: str) -> tuple[str, Reading]:
        """Return a text folded, with the foreign text in it, and as it is read."""
        known = self._kept.get(text)
        if known is None:
            low = fold(text)
            plain = mask(low)
            known = low, Reading(plain, tuple(all_sentences(plain)))
            if len(text) <= self._left:
                self._left -= len(text)
                self._kept[text] = known
        return known
