"""Text: folding and words. Everything that compares two texts goes through here, so that it compares them one way."""

from __future__ import annotations

import unicodedata

import regex

from ethos.core.text.memoize import remembered

_TOKENS = regex.compile(r"[\w+#@./'-]*[\w+#]")
_QUOTES = str.maketrans({"\u2018": "'", "\u2019": "'", "\u201c": '"', "\u201d": '"', "\u2032": "'"})
_ARTICLES = ("the ", "a ", "an ")
_REMEMBERED = 2_048  # texts whose key is kept: subjects, predicates and objects come again and again in a pass


@remembered(_REMEMBERED)
def key(text: str) -> str:
    """The form under which subjects, predicates and objects are compared (X-E18): NFKC, case-folded, one space, straight quotes,
    no possessive, no edge punctuation, no article in front.
    """
    if not text.isascii():
        text = unicodedata.normalize("NFKC", text).translate(_QUOTES)
    folded = " ".join(text.casefold().split()).strip(" .,;:!?\"'`()[]{}*_").removesuffix("'s")
    return folded.partition(" ")[2] if folded.startswith(_ARTICLES) else folded


@remembered(_REMEMBERED)
def tokens(text: str) -> tuple[str, ...]:
    """The words of a text in their `key` form; `C++`, `node.js` and `don't` are one word each."""
    return tuple(_TOKENS.findall(key(text)))


def truncate(text: str, length: int) -> str:
    """At most `length` characters of the text, and `...` where something was cut (so at most `length` + 3)."""
    return text if len(text) <= length else text[:length].rstrip() + "..."
