"""Folding: the comparable form of a text, and its words. All comparisons of texts use it, so that they agree."""

from __future__ import annotations

import unicodedata

import regex

from ethos.core.text.memoize import memoized

_TOKENS = regex.compile(r"[\w+#@./'-]*[\w+#]")
_QUOTES = str.maketrans({"\u2018": "'", "\u2019": "'", "\u201c": '"', "\u201d": '"', "\u2032": "'"})
_ARTICLES = ("the ", "a ", "an ")
_CACHED = 2_048  # cached texts: subjects, predicates and objects recur throughout a pass


@memoized(_CACHED)
def key(text: str) -> str:
    """Return the form in which subjects, predicates and objects are compared (X-E18).

    It is NFKC, case-folded, with single spaces and straight quotes, without possessive, edge punctuation or leading article.
    """
    if not text.isascii():
        text = unicodedata.normalize("NFKC", text).translate(_QUOTES)
    folded = " ".join(text.casefold().split()).strip(" .,;:!?\"'`()[]{}*_").removesuffix("'s")
    return folded.partition(" ")[2] if folded.startswith(_ARTICLES) else folded


@memoized(_CACHED)
def tokens(text: str) -> tuple[str, ...]:
    """Return the words of a text in their `key` form; `C++`, `node.js` and `don't` are one word each."""
    return tuple(_TOKENS.findall(key(text)))


def truncate(text: str, length: int) -> str:
    """Return at most `length` characters of the text, followed by `...` if it was cut (so at most `length` + 3)."""
    return text if len(text) <= length else text[:length].rstrip() + "..."
