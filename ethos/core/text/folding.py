"""Folding: the comparable form of a text, and its words. All comparisons of texts use it, so that they agree."""

from __future__ import annotations

import unicodedata
from typing import Literal

import regex

from ethos.core.text.memoize import memoized

_TOKENS = regex.compile(r"[\w+#@./'-]*[\w+#]")
_QUOTES = str.maketrans({"\u2018": "'", "\u2019": "'", "\u201c": '"', "\u201d": '"', "\u2032": "'"})
_ARTICLES = ("the ", "a ", "an ")
_TOO_MANY_MARKS = regex.compile(r"(\p{M}{30})(?=\p{M})")
_JOINER = "\u034f"  # parts marks, and is not seen (UAX #15, stream-safe text)
_CACHED = 2_048  # cached texts: subjects, predicates and objects recur throughout a pass


def normalized(form: Literal["NFC", "NFD", "NFKC"], text: str) -> str:
    """Return the text in a normal form of Unicode, in a time in proportion to its length.

    The marks on one letter are brought into an order, which costs their square. So after each thirty of them they are parted.
    """
    return text if text.isascii() else unicodedata.normalize(form, _TOO_MANY_MARKS.sub(rf"\1{_JOINER}", text))


@memoized(_CACHED)
def key(text: str) -> str:
    """Return the form in which subjects, predicates and objects are compared (X-E18).

    It is NFKC, case-folded, with single spaces and straight quotes, without possessive, edge punctuation or leading article.
    """
    if not text.isascii():
        text = normalized("NFKC", text).translate(_QUOTES)
    folded = " ".join(text.casefold().split()).strip(" .,;:!?\"'`()[]{}*_").removesuffix("'s")
    return folded.partition(" ")[2] if folded.startswith(_ARTICLES) else folded


@memoized(_CACHED)
def tokens(text: str) -> tuple[str, ...]:
    """Return the words of a text in their `key` form; `C++`, `node.js` and `don't` are one word each."""
    return tuple(_TOKENS.findall(key(text)))


def truncate(text: str, length: int) -> str:
    """Return at most `length` characters of the text, followed by `...` if it was cut (so at most `length` + 3)."""
    return text if len(text) <= length else text[:length].rstrip() + "..."
