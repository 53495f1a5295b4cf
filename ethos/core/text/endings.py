"""Tell whether a text breaks off: within a quotation, a bracket or code, or at a word that leads on to another."""

from __future__ import annotations

import re

_PAIRS = (("(", ")"), ("[", "]"), ("{", "}"), ("\u201c", "\u201d"))
_ODD = ('"', "`")
_OPENS = re.compile(r"(?<![^\s(\[{])['\u2018](?=\w)(?!(?:cause|til|em|tis|twas|round|bout|n|\d0s)\b)", re.IGNORECASE)
_CLOSES = re.compile(r"(?<=[\w.,!?)\]}`])['\u2019](?!\w)")
_LEADING = frozenset("a an the of with for to from into and or than as my our your their just such about at because if".split())  # noqa: SIM905 (read as words)


def is_open(text: str) -> bool:
    """Return whether a quotation, a bracket or code begins in a text and does not end in it."""
    if any(text.count(opening) > text.count(closing) for opening, closing in _PAIRS) or any(text.count(sign) % 2 for sign in _ODD):
        return True
    return ("'" in text or "\u2018" in text) and len(_OPENS.findall(text)) > len(_CLOSES.findall(text))


def breaks_off(phrase: str) -> bool:
    """Return whether a phrase goes on where it was taken from: 'a piece called "Finding', "a teen just"."""
    return phrase.rpartition(" ")[2].lower() in _LEADING or is_open(phrase)
