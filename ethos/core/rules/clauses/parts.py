"""Parts of what stands behind a verb: the noun, and what each preposition brings.

"Moved the docs from Confluence over to Outline" has the noun "the docs", from "Confluence" and to "Outline". What begins with "of"
belongs to the noun before it; "out of" is told as "from".
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

NOUN = "noun"  # what stands before the first preposition
_PREPOSITIONS = ("to", "from", "for", "with", "by", "as", "into", "onto", "on", "in", "at", "over", "under", "of")
PARTS = (NOUN, *_PREPOSITIONS)
OCCASION = "occasion"  # what says when an order holds, before or behind it: "when I send a photo"
_LOOSE = "RXUC,;"  # what no part begins or ends with


def parts_of(words: Sequence[str], tags: str, low: int, high: int) -> Mapping[str, tuple[int, int]]:
    """Return the parts of words[low:high] by name, as half-open spans of words; the first of a name counts. Empty parts are left out."""
    found: dict[str, tuple[int, int]] = {}
    name, start = NOUN, low
    for place in range(low, high):
        if place > low and words[place - 1 : place + 1] == ["out", "of"]:
            _put(found, name, tags, start, place - 1)
            name, start = "from", place + 1
        elif tags[place] in "IT" and words[place] in _PREPOSITIONS and (words[place] != "of" or place == low):
            _put(found, name, tags, start, place)
            name, start = words[place], place + 1
    _put(found, name, tags, start, high)
    return found


def _put(found: dict[str, tuple[int, int]], name: str, tags: str, start: int, end: int) -> None:
    while start < end and tags[start] in _LOOSE:
        start += 1
    while start < end and tags[end - 1] in _LOOSE:
        end -= 1
    if start < end:
        found.setdefault(name, (start, end))
