"""Phrases: one regular expression for many of them, that is fast to search with."""

from __future__ import annotations

import re
from collections.abc import Iterable


def any_of(phrases: Iterable[str]) -> re.Pattern[str]:
    """Return the pattern of any of these phrases as whole words. Each is a regular expression that begins with a plain sign.

    The phrases stand by their first sign, so that a search skips every place that has none of these signs.
    """
    by_first: dict[str, list[str]] = {}
    for phrase in phrases:
        by_first.setdefault(re.escape(phrase[0]), []).append(phrase[1:])
    branches = (f"{sign}(?<!\\w{sign})(?:{'|'.join(rest)})" for sign, rest in by_first.items())
    return re.compile(rf"(?:{'|'.join(branches)})\b")
