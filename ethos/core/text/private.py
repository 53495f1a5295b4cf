"""Private parts: text between `<private>` and `</private>`, which is left out of memory. All code that looks for one uses this module."""

from __future__ import annotations

import regex

NAME = "private"
_OPENING = rf"<[ \t]{{0,3}}{NAME}(?=[\s/>])[^<>\n]{{0,200}}>"
_CLOSING = rf"<[ \t]{{0,3}}/[ \t]{{0,3}}{NAME}[ \t]{{0,3}}>"
PART = rf"{_OPENING}(?s:.)*?(?:{_CLOSING}|\Z)"  # in any case; one that is never closed reaches to the end
_PART = regex.compile(PART, regex.IGNORECASE)
_OPEN = regex.compile(_OPENING, regex.IGNORECASE)


def public(text: str) -> str:
    """Return the text without its private parts."""
    return _PART.sub(" ", text) if "<" in text else text


def opens_private(text: str) -> bool:
    """Return whether a private part begins in the text."""
    return "<" in text and _OPEN.search(text) is not None


def without_private(text: str, sign: str = "\n") -> str:
    """Return the text with a sign in place of each character of its private parts: of the same length.

    With line breaks, no sentence continues across a private part. With another sign, the line that it stands in stays one line.
    """
    return _PART.sub(lambda found: sign * len(found[0]), text) if "<" in text else text
