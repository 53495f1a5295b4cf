"""Interruptions: what stands between two commas, brackets or dashes behind a noun, before its verb: "our shop (a bakery) opens at six"."""

from __future__ import annotations

import re

NOUN = r"[Dmu]{0,2}[A#NK']*[NK]"  # what such a comma stands behind: a plain noun phrase, as tags
_WITHIN = r"R?[Dmu]*[A#NKgnd'I]++(?:C[A#NK]++)?"
_INTERRUPTED = re.compile(rf"(?:\A|(?<=[;,CSU]))(?P<noun>{NOUN}(?:I[Dmu]?[A#NK]+)?)(?:,(?:{_WITHIN}|W[^,;]*+),|;{_WITHIN};)")
_REACH = 24  # words: so far back the noun is looked for


def interrupted(tags: str, before: int) -> tuple[int, int] | None:
    """Return the noun phrase that goes on at a word, behind an apposition or a relative clause between commas; None if there is none."""
    for found in _INTERRUPTED.finditer(tags, max(0, before - _REACH), before):
        if found.end() == before:
            return found.span("noun")
    return None
