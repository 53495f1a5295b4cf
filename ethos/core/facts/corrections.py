"""Corrections of the turn before: "redis is on port 6380", then "sorry, 6390".

Such a turn says a value and not what it is of. The claims of the turn before say that; so the claim with a value of the same kind is made
again, with the new value in the place of the old one, which it replaces. What the turn says by itself is taken as a correction, too.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from ethos.core.model.records import Claim
from ethos.core.text.language.correction import values_of
from ethos.core.text.sentences import all_sentences, fold, mask

_SENTENCES = 3  # in which the right value stands
_CUE = "actually"  # what a claim says that only says that it is so in place of what was said before


def corrected(text: str, own: Sequence[Claim], before: Sequence[Claim]) -> tuple[Claim, ...]:
    """Return the claims of a turn that corrects the one before it. own: what it claims by itself; before: what the turn before claims."""
    held = [claim for claim in own if claim.grade == "held"]
    if held:
        return tuple(replace(claim, supersedes=_CUE) if claim in held and not claim.supersedes else claim for claim in own)
    low = mask(fold(text))
    said = [
        (kind, place.start + start, place.start + end)
        for place in list(all_sentences(low))[:_SENTENCES]
        if not place.question
        for kind, start, end in values_of(low[place.start : place.end])
        if not low[place.start : place.start + start].rstrip().endswith((" not", "instead of"))
        and low[place.start : place.start + start] != "not "
    ]
    for kind, start, end in said:
        for claim in reversed(before):
            there = [each for each in values_of(claim.object.lower()) if each[0] == kind]
            if not there or claim.polarity == "-":
                continue
            _, begin, after = there[0]
            old, new = claim.object[begin:after], text[start:end]
            if old.lower() == new.lower():
                continue
            return (
                *own,
                replace(
                    claim, object=claim.object[:begin] + new + claim.object[after:], supersedes=old, start=start, end=end, grade="held"
                ),
            )
    return tuple(own)
