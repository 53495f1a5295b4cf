"""Readings: texts folded and masked, each once for all stages of a pass that read it."""

from __future__ import annotations

from ethos.core.text.sentences import fold, mask

MOST = 8_000_000  # characters that are kept; further texts are read anew each time


class Readings:
    """Keeps what was read, up to a number of characters. Made for one pass and gone with it."""

    def __init__(self, most: int = MOST) -> None:
        self._kept: dict[str, str] = {}
        self._left = most

    def plain(self, text: str) -> str:
        """Return the text folded and without foreign text, character by character at its place."""
        known = self._kept.get(text)
        if known is None:
            known = mask(fold(text))
            if len(text) <= self._left:
                self._left -= len(text)
                self._kept[text] = known
        return known
