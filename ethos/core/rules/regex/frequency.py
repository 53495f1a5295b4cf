"""Estimated frequency of a string in English chat: the cost of searching for a literal."""

from __future__ import annotations

from functools import lru_cache
from math import prod

from ethos.core.text.sentences import MASKED

START = "\x02"  # in a string: the start of the sentence

# Estimated frequency of each character in English chat. A rare character makes a literal cheap.
_LETTERS = {
    " ": 0.19, "e": 0.1, "t": 0.075, "o": 0.068, "a": 0.065, "i": 0.062, "n": 0.056, "s": 0.052, "h": 0.046, "r": 0.046, "l": 0.034,
    "d": 0.031, "u": 0.026, "y": 0.022, "m": 0.022, "g": 0.02, "w": 0.02, "c": 0.02, "f": 0.017, "p": 0.015, "b": 0.013, "k": 0.01,
    "v": 0.009, "'": 0.009, ",": 0.01, "j": 0.002, "x": 0.0015, "q": 0.001, "z": 0.001,
}  # fmt: skip
_RARE_LETTER = 0.002
_TOGETHER = 8.0  # two adjacent words of a literal are this much more frequent than independence predicts
_CODE = 2e-3  # estimated frequency of the start of masked text

# Estimated frequency of common words of chat, per thousand words: letter frequencies alone would make "i'm " rare.
_WORDS = {
    word: times / 5_000
    for times, words in {
        40: "i the to and a",
        20: "you it of that is for in",
        10: "my on it's so be with we have this i'm was me but are your at",
        5: "just not like do all what if can about from or as they there get when out up know how he she them our use make an am",
        2: "really love great will been would good had one some more time i've don't has her his got go new think want did should too "
        "i'll we're were let's now see here him us no always never also need by who then take keep work thing things day help much "
        "still even way feel doing going back into thanks hey could any over made which team people best",
    }.items()
    for word in words.split()
}  # fmt: skip


@lru_cache(16_384)
def frequency_of(literal: str) -> float:
    """Return the estimated probability that a literal starts at a given position of a chat text."""
    if literal in MASKED:
        return _CODE
    words = literal.strip(START).split(" ")
    torn = (literal[:1] != " ") + (literal[-1:] != " ")  # ends that may be inside a longer word
    met = [_WORDS.get(word) or prod(_LETTERS.get(char, _RARE_LETTER) for char in word) for word in words if word]
    return 2.0**torn * prod(met) * _TOGETHER ** max(0, len(met) - 1)
