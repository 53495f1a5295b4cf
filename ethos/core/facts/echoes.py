"""Echoes: what Ethos had shown is recognised when a transcript brings it back, and is not learned again (threats.md, 2).

Without it a memory that is put into a prompt comes back as if the person had said it once more, and grows surer of itself with every
turn. Of each sentence that is shown, and of each clause of it, a keyed hash is kept, so that nothing can be read from it. A claim is an
echo where the words that it was read in are one of these and were shown before they were said. Other words for the same are not known
again: that would forbid the person to say anything that Ethos ever showed.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import islice

import regex

from ethos.core.model.keys import Mac

LENGTH = 16  # hexadecimal digits of it that are kept
FEWEST = 2  # words that say something
MOST = 500  # sentences of one text

_SENTENCE = regex.compile(r"[.!?\u2026]+(?=[\s\"')\]*_]|\Z)|[\n\r\u2028\u2029]+")
_CLAUSE = regex.compile(r"[.!?\u2026:;]+(?=[\s\"')\]*_]|\Z)|[\n\r\u2028\u2029]+|\s[-\u2013\u2014\u00b7|]\s")
_WORDS = regex.compile(r"[^\W_]+(?:['\u2019][^\W_]+)*")
_NUMBER = regex.compile(r"[0-9]+\Z")  # of a hit in a list


def fingerprints(texts: Iterable[str], seal: Mac) -> frozenset[str]:
    """Return the fingerprints of everything that is said in these texts."""
    said = (piece for text in texts for piece in islice(_said(text), MOST))
    return frozenset(fingerprint for piece in said if (fingerprint := _fingerprint(piece, seal)))


def fingerprint_of(text: str, start: int, end: int, seal: Mac) -> str:
    """Return the fingerprint of the clauses that a span of the text stands in, taken together; "" where they say nothing."""
    low = text.rfind("\n", 0, start) + 1
    high = text.find("\n", end)
    line = text[low : high if high >= 0 else len(text)]
    around = [(first, last) for first, last in _pieces(line, _CLAUSE) if first < end - low and start - low < last]
    return _fingerprint(line[around[0][0] : around[-1][1]], seal) if around else ""


def _said(text: str) -> Iterator[str]:
    """Yield each sentence, and each clause of it where it has several."""
    for start, end in _pieces(text, _SENTENCE):
        sentence = text[start:end]
        yield sentence
        clauses = list(_pieces(sentence, _CLAUSE))
        if len(clauses) > 1:
            yield from (sentence[first:last] for first, last in clauses)


def _pieces(text: str, ends: regex.Pattern[str]) -> Iterator[tuple[int, int]]:
    start = 0
    for found in ends.finditer(text):
        yield start, found.start()
        start = found.end()
    yield start, len(text)


def _fingerprint(piece: str, seal: Mac) -> str:
    """Return the fingerprint of the words alone, without case, signs and a number in front; "" where too few say something."""
    words = _WORDS.findall(piece.casefold().replace("\u2019", "'"))
    while words and _NUMBER.match(words[0]):
        del words[0]
    return seal(" ".join(words))[:LENGTH] if len(words) >= FEWEST else ""
