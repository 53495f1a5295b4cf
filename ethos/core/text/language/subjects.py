"""Subjects: what kind of subject a noun phrase is."""

from __future__ import annotations

from collections.abc import Sequence

from ethos.core.text.language.clause import Who
from ethos.core.text.language.lexicon import word_class

_PRONOUNS = {"i": Who.I, "w": Who.WE, "y": Who.YOU, "h": Who.THEY, "t": Who.IT, "P": Who.ANYONE, "E": Who.THERE}


def who_is(words: Sequence[str], tags: str, start: int, end: int) -> int:
    """Return what kind of subject a noun phrase is."""
    if end - start == 1 and (who := _PRONOUNS.get(tags[start])) is not None:
        return who
    if ("i" in tags[start:end] and "C" in tags[start:end]) or (tags[start : start + 2] == "pC" and words[start] == "me"):
        return Who.WE  # "my wife and I", "me and my wife"
    if tags[start] == "m":
        kin = word_class("kin")
        return Who.KIN if any(word in kin for word in words[start : min(end, start + 4)]) else Who.MINE
    if tags[start] == "u" and words[start] in ("your", "ur"):
        return Who.YOU
    return Who.KIN if end - start == 1 and words[start] in word_class("address") else Who.THING
