"""Corrections of the turn before: "redis is on port 6380", then "sorry, 6390".

Such a turn says a value and not what it is of. The claims of the turn before say that; so the claim with a value of the same kind is made
again, with the new value in the place of the old one, which it replaces. What the turn says by itself is taken as a correction, too.

What comes of it hangs on the turn before; so it is read again where another turn comes in between (`extraction.corrected_anew`).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import islice
from typing import Final

from ethos.core.model.records import Claim
from ethos.core.text.language.correction import Value, values_of
from ethos.core.text.sentences import all_sentences, fold, mask

PUT_RIGHT: Final = "corrections/put-right"
_VERSION, _PACK = 1, "1.0.0"
_CONFIDENCE = 0.85  # who corrects is sure, however the turn before was said
_SENTENCES = 3  # in which the right value stands
_DENIALS = (" not", "instead of")  # what stands before the wrong one
_CUE = "actually"  # what a claim says that only says that it is so in place of what was said before


def corrected(text: str, own: Sequence[Claim], before: Sequence[Claim]) -> tuple[Claim, ...]:
    """Return the claims of a turn that corrects the one before it. own: what it claims by itself; before: what the turn before claims."""
    if any(claim.grade == "held" for claim in own):
        return tuple(replace(claim, supersedes=claim.supersedes or _CUE) if claim.grade == "held" else claim for claim in own)
    told = [claim for claim in reversed(before) if claim.polarity == "+"]
    put_right = (_put_right(claim, value, text) for value in _said(text) for claim in told)
    right = next((claim for claim in put_right if claim is not None), None)
    return tuple(own) if right is None else (*own, right)


def _said(text: str) -> Iterator[Value]:
    """Yield the values that the first sentences of a turn state, with their spans in it."""
    low = mask(fold(text))
    for place in islice(all_sentences(low), _SENTENCES):
        sentence = low[place.start : place.end]
        for kind, start, end in () if place.question else values_of(sentence):
            if not f" {sentence[:start]}".rstrip().endswith(_DENIALS):
                yield Value(kind, place.start + start, place.start + end)


def _put_right(claim: Claim, value: Value, text: str) -> Claim | None:
    """Return a claim with this value of the text in the place of its first one of that kind; None if it has no other such value."""
    old = next((each for each in values_of(fold(claim.object)) if each.kind == value.kind), None)
    if old is None:
        return None
    wrong, right = claim.object[old.start : old.end], text[value.start : value.end]
    if wrong.lower() == right.lower():
        return None
    told = claim.object[: old.start] + right + claim.object[old.end :]
    return replace(
        claim,
        object=told,
        supersedes=wrong,
        confidence=_CONFIDENCE,
        rule=PUT_RIGHT,
        rule_version=_VERSION,
        pack_version=_PACK,
        start=value.start,
        end=value.end,
        grade="held",
    )
