"""How the facts of a rule are told: a predicate that is known as a noun alone makes another sentence than its author may mean."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Final

import regex

from ethos.core.text.language.phrasing import phrase

_SUBJECT: Final = regex.compile(r"\(\?P<subject>([^()]*)\)")
_DOERS: Final = frozenset({"i", "we"})  # a verb follows these, and a noun "my"


def told_of_a_noun(emit: Mapping[str, str], patterns: Iterable[str]) -> str:
    """Return the beginning of the sentence if what the speaker does is told as what they have: "Ada's hawks are"; else ""."""
    predicate = emit.get("predicate", "")
    first = predicate.partition(" ")[0]
    if "{" in predicate or not first.endswith("s") or not any(_says_who_does_it(each) for each in patterns):
        return ""
    told = phrase("Ada", predicate, "...", "+")
    return told.removesuffix(" ...") if told.startswith("Ada's ") else ""


def _says_who_does_it(pattern: str) -> bool:
    """Return whether the subject of a pattern is "i" or "we"."""
    return any(not _DOERS.isdisjoint(found[1].split("|")) for found in _SUBJECT.finditer(pattern))
