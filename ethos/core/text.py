"""Text: folding and words. Everything that compares two texts goes through here, so that it compares them one way."""

from __future__ import annotations

import unicodedata
from functools import lru_cache

import regex

_SPACES = regex.compile(r"\s+")
_TOKENS = regex.compile(r"[\w+#@./'-]*[\w+#]")
_POSSESSIVE = regex.compile(r"['\u2019]s$")
_QUOTES = str.maketrans({"\u2018": "'", "\u2019": "'", "\u201c": '"', "\u201d": '"', "\u2032": "'"})
_ARTICLES = regex.compile(r"^(?:the|a|an) ")
_REMEMBERED = 2_048  # texts whose key is kept: subjects, predicates and objects come again and again in a pass


@lru_cache(_REMEMBERED)
def key(text: str) -> str:
    """The form under which subjects, predicates and objects are compared (X-E18): NFKC, case-folded, one space, straight quotes,
    no possessive, no edge punctuation, no article in front.
    """
    folded = unicodedata.normalize("NFKC", text).translate(_QUOTES).casefold()
    folded = _SPACES.sub(" ", folded).strip(" .,;:!?\"'`()[]{}*_")
    return _ARTICLES.sub("", _POSSESSIVE.sub("", folded))


@lru_cache(_REMEMBERED)
def tokens(text: str) -> tuple[str, ...]:
    """The words of a text in their `key` form; `C++`, `node.js` and `don't` are one word each."""
    return tuple(_TOKENS.findall(key(text)))


def truncate(text: str, length: int) -> str:
    """At most `length` characters of the text, and `...` where something was cut (so at most `length` + 3)."""
    return text if len(text) <= length else text[:length].rstrip() + "..."
