"""Word what is kept: cut it to length at a word, and take out what would be read as markup."""

from __future__ import annotations

import regex

LONGEST_TITLE = 50
LONGEST_DESCRIPTION = 200
LONGEST_CONTENT = 2_000
_LONGEST_TAG = 40
_MOST_TAGS = 8

_CONTROL = regex.compile(r"[\x00-\x08\x0b-\x1f\x7f\u2028\u2029\u202a-\u202e\u2066-\u2069]")
_FIELD = regex.compile(r"(?m)^(\s*)(TITLE|DESCRIPTION|CONTENT|TAGS|OUTCOME|SOURCE_ATTRIBUTION)(\s*):", regex.I)
_NO_TAG = regex.compile(r"[^\p{L}\p{N} _./+-]")


def sanitized(text: str) -> str:
    """Return a text without control characters, fences, and lines that begin like a field of an answer."""
    plain = _CONTROL.sub("", text.replace("\r\n", "\n")).replace("```", "'''")
    return _FIELD.sub(r"\1\2_USER\3:", plain).strip()


def cut(text: str, longest: int) -> str:
    """Return a text of at most so many characters, cut before a word, with `...` where it was cut."""
    if len(text) <= longest:
        return text
    kept = text[: longest - 2]
    return kept.rpartition(" ")[0].rstrip(" ,;:-") + "..." if " " in kept else text[: longest - 3] + "..."


def tag(text: str) -> str:
    """Return a tag of letters, digits and spaces."""
    return cut(_NO_TAG.sub("", sanitized(text)).strip().casefold(), _LONGEST_TAG)


def tags(given: tuple[str, ...]) -> tuple[str, ...]:
    """Return tags, each once, without empty ones."""
    return tuple(dict.fromkeys(filter(None, map(tag, given))))[:_MOST_TAGS]
