"""Corrections of the turn before: "redis is on port 6380", then "sorry, 6390".

Such a turn says a value and not what it is of. The claims of the turn before say that; so the claim with a value of the same kind is made
again, with the new value in the place of the old one, which it replaces. What the turn says by itself is taken as a correction, too.

What comes of it hangs on the turn before; so it is read again where another turn comes in between (`extraction.corrected_anew`).
"""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from dataclasses import replace
from itertools import islice
from typing import Final

from ethos.core.model.records import Claim
from ethos.core.text.language.correction import Value, is_fragment, substituted, unit_of, values_of
from ethos.core.text.language.phrasing import NOBODY
from ethos.core.text.sentences import all_sentences, fold, mask

PUT_RIGHT: Final = "corrections/put-right"
_VERSION, _PACK = 1, "1.0.0"
_CONFIDENCE = 0.85  # who corrects is sure, however the turn before was said
_SENTENCES = 3  # in which the right value stands
_DENIALS = (" not", "instead of")  # what stands before the wrong one
_CUE = "actually"  # what a claim says that only says that it is so in place of what was said before


def corrected(text: str, own: Sequence[Claim], before: Sequence[Claim]) -> tuple[Claim, ...]:
    """Return the claims of a turn that corrects the one before it. own: what it claims by itself; before: what the turn before claims.

    What its first sentences claim in words of their own takes the place of what was claimed of the same thing. If they only name a value,
    a claim of the turn before is made again with it.
    """
    told = [claim for claim in reversed(before) if claim.polarity == "+"]
    if (spans := substituted(text)) is not None:
        return (*own, *_substituted(text, spans, told))
    if not (own or told):
        return ()
    said = _said(text)
    denied = _denied(text)
    for value in said if denied else ():
        for each in told:
            if fold(each.subject) in denied:
                return _of_another(each, value, text)
    right = next((claim for value in said for each in told if (claim := _put_right(each, value, text, denied)) is not None), None)
    own = tuple(_in_place_of(claim, told) for claim in own)
    if right is None:
        return () if is_fragment(text) else own
    own = tuple(claim for claim in own if claim.subject != NOBODY)  # by itself "I meant 60 seconds" says that something is 60 seconds
    return own if _claims_itself(own, right, said[0].end) else (*own, right)


def put_right(claims: Sequence[Claim]) -> tuple[Claim, ...]:
    """Return the claims of a turn that says that something said long before was wrong: they take the place of it."""
    kept = (claim for claim in claims if not _WRONG.search(claim.object))  # "I had the date wrong" says that it was wrong, and no more
    return tuple(_in_place_of(claim, ()) if claim.polarity == "+" and claim.kind != "preference" else claim for claim in kept)


_WRONG = re.compile(r" (?:wrong|wrongly|incorrectly)\Z")


def _substituted(text: str, spans: tuple[tuple[int, int], tuple[int, int]], told: Sequence[Claim]) -> tuple[Claim, ...]:
    """Return the latest claim that has the old words of "s/10/12/", with the new ones; nothing where none has them."""
    old, new = (text[low:high] for low, high in spans)
    claim = next((claim for claim in told if old in claim.object), None)
    return () if claim is None else (_with(claim, claim.object.find(old), old, new, spans[1]),)


def _claims_itself(own: Sequence[Claim], right: Claim, near: int) -> bool:
    """Return whether a turn says in words of its own what it puts right. near: the end of its first value."""
    return any((claim.grade == "held" and claim.start <= near) or claim.object == right.object for claim in own)


def _in_place_of(claim: Claim, told: Sequence[Claim]) -> Claim:
    """Return a claim of a turn that corrects, with what it takes the place of: what was claimed of the same thing, or anything.

    Who corrects is sure, so that one reader is enough.
    """
    if claim.supersedes or (claim.grade == "weak" and claim.modifiers):
        return claim
    same = (
        each.object for each in told if (each.subject, each.predicate) == (claim.subject, claim.predicate) and each.object != claim.object
    )
    return replace(claim, supersedes=next(same, _CUE), grade="held")


def _said(text: str, *, denied: bool = False) -> list[Value]:
    """Return the values that the first sentences of a turn state, with their spans in it; or those that it says "not" before."""
    low, found = mask(fold(text)), list[Value]()
    for place in islice(all_sentences(low), _SENTENCES):
        sentence = low[place.start : place.end]
        for kind, start, end in () if place.question else values_of(sentence):
            if f" {sentence[:start]}".rstrip().endswith(_DENIALS) == denied:
                found.append(Value(kind, place.start + start, place.start + end))
    return found


def _denied(text: str) -> frozenset[str]:
    """Return the values that the first sentences of a turn deny, folded: "signe" of "I mean Jonas, not Signe"."""
    return frozenset(fold(text[each.start : each.end]) for each in _said(text, denied=True))


def _of_another(claim: Claim, value: Value, text: str) -> tuple[Claim, ...]:
    """Return a claim made of somebody else, and denied of whom it was made of: "I mean Jonas, not Signe"."""
    put = _made_again(claim, (value.start, value.end))
    return replace(put, subject=text[value.start : value.end]), replace(put, kind="negation", polarity="-")


def _put_right(claim: Claim, value: Value, text: str, denied: Collection[str]) -> Claim | None:
    """Return a claim with this value of the text in the place of its first one of that kind; None if it has no other such value, or if the
    text denies another one than that.
    """
    low, folded = fold(claim.object), fold(text)
    old = next((each for each in values_of(low) if each.kind == value.kind and _alike(low, each, folded, value)), None)
    if old is None:
        return None
    wrong, right = claim.object[old.start : old.end], text[value.start : value.end]
    if wrong.lower() == right.lower() or (denied and old.kind == "name" and fold(wrong) not in denied):
        return None
    return _with(claim, old.start, wrong, right, (value.start, value.end))


def _with(claim: Claim, at: int, wrong: str, right: str, span: tuple[int, int]) -> Claim:
    """Return a claim with the right words in the place of the wrong ones. at: where those stand in its object; span: of the right ones."""
    told = claim.object[:at] + right + claim.object[at + len(wrong) :]
    sentence = claim.told.replace(wrong, right) if claim.told.count(wrong) == 1 else ""
    return replace(_made_again(claim, span), object=told, supersedes=wrong, told=sentence)


def _made_again(claim: Claim, span: tuple[int, int]) -> Claim:
    """Return a claim of the turn before as this turn makes it, without its sentence. span: of the words that put it right."""
    return replace(
        claim,
        confidence=_CONFIDENCE,
        rule=PUT_RIGHT,
        rule_version=_VERSION,
        pack_version=_PACK,
        start=span[0],
        end=span[1],
        grade="held",
        told="",
    )


def _alike(held: str, old: Value, said: str, new: Value) -> bool:
    """Return whether two values may stand in one place: numbers of two nouns may not. A fragment has to name the noun."""
    if new.kind != "number":
        return True
    before, now = unit_of(held, old), unit_of(said, new)
    return before == now or (not is_fragment(said) and not (before and now and now in held))
