"""Reduce English words to stems, so that "running" and "run" are one term.

Source: M. F. Porter, "An algorithm for suffix stripping", Program 14 (3), 1980, with the two later changes of its author ("bli" and
"logi"). SQLite's FTS5 stems its index with the same algorithm; a test compares both.
"""

from __future__ import annotations

from itertools import pairwise

from ethos.core.text.memoize import cached_by_word

LONGEST = 64  # longer words are left as they are, as FTS5 leaves them
SHORTEST = 3
_VOWELS = frozenset("aeiou")

_STEP_2 = {
    "ational": "ate",
    "tional": "tion",
    "enci": "ence",
    "anci": "ance",
    "izer": "ize",
    "logi": "log",
    "bli": "ble",
    "alli": "al",
    "entli": "ent",
    "eli": "e",
    "ousli": "ous",
    "ization": "ize",
    "ation": "ate",
    "ator": "ate",
    "alism": "al",
    "iveness": "ive",
    "fulness": "ful",
    "ousness": "ous",
    "aliti": "al",
    "iviti": "ive",
    "biliti": "ble",
}
_STEP_3 = {"icate": "ic", "ative": "", "alize": "al", "iciti": "ic", "ical": "ic", "ful": "", "ness": ""}
_STEP_4 = (
    *("al", "ance", "ence", "er", "ic", "able", "ible", "ant", "ement", "ment", "ent"),
    *("sion", "tion", "ou", "ism", "ate", "iti", "ous", "ive", "ize"),
)


@cached_by_word
def stem(word: str) -> str:
    """Return the stem of a folded word."""
    if not SHORTEST <= len(word.encode()) <= LONGEST:
        return word
    word = _plural(word)
    word = _past(word)
    if word.endswith("y") and _has_vowel(word[:-1]):
        word = word[:-1] + "i"
    word = _replaced(word, _STEP_2)
    word = _replaced(word, _STEP_3)
    word = _stripped(word)
    return _tidy(word)


def _consonants(word: str) -> list[bool]:
    """Tell of each letter if it is a consonant; a "y" is one unless it follows one."""
    found: list[bool] = []
    for letter in word:
        found.append(letter not in _VOWELS and not (letter == "y" and bool(found) and found[-1]))
    return found


def _measure(word: str) -> int:
    """Count the runs of vowels that a consonant follows (Porter's m)."""
    letters = _consonants(word)
    return sum(after and not before for before, after in pairwise(letters))


def _has_vowel(word: str) -> bool:
    return not all(_consonants(word))


def _ends_short(word: str) -> bool:
    """Tell if the word ends consonant, vowel, consonant, and the last is none of w, x, y (Porter's *o)."""
    return len(word) >= 3 and _consonants(word)[-3:] == [True, False, True] and word[-1] not in "wxy"


def _plural(word: str) -> str:
    if word.endswith("sses") or (word.endswith("ies") and len(word) > 3):
        return word[:-2]
    return word[:-1] if word.endswith("s") and not word.endswith("ss") else word


def _past(word: str) -> str:
    if word.endswith("eed"):
        return word[:-1] if _measure(word[:-3]) > 0 else word
    for ending in ("ed", "ing"):
        root = word.removesuffix(ending)
        if root != word:
            return _mended(root) if _has_vowel(root) else word
    return word


def _mended(root: str) -> str:
    """Return the root of a past or a present participle as its verb ends."""
    if root.endswith(("at", "bl", "iz")):
        return root + "e"
    if len(root) > 1 and root[-1] == root[-2] and root[-1] not in "lsz" and _consonants(root)[-1]:
        return root[:-1]
    return root + "e" if _measure(root) == 1 and _ends_short(root) else root


def _replaced(word: str, endings: dict[str, str]) -> str:
    for size in range(7, 2, -1):
        if (ending := word[-size:]) in endings:
            root = word[: len(word) - len(ending)]
            return root + endings[ending] if _measure(root) > 0 else word
    return word


def _stripped(word: str) -> str:
    for ending in sorted(_STEP_4, key=len, reverse=True):
        if word.endswith(ending):
            root = word[: len(word) - (3 if ending in {"sion", "tion"} else len(ending))]
            return root if _measure(root) > 1 else word
    return word


def _tidy(word: str) -> str:
    if word.endswith("e"):
        root = word[:-1]
        size = _measure(root)
        if size > 1 or (size == 1 and not _ends_short(root)):
            word = root
    return word[:-1] if word.endswith("ll") and _measure(word[:-1]) > 1 else word
