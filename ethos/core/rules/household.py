"""Households: a "we" that lives together is told as the speaker, not as a team."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import replace
from itertools import pairwise

from ethos.core.model.records import Claim
from ethos.core.text.language.lexicon import word_class
from ethos.core.text.language.pronouns import TEAM
from ethos.core.text.language.tagging import words_of
from ethos.core.text.sentences import MAX_SENTENCE, fold

_MEMBERS = re.compile(r"\b(?:each other|one another|together|both|all of|of us|family of|couple|parents)\b")
_COUNTED = re.compile(r"(?:an?|the|\d+|two|three|four|five|six)\b")
_OWNERS = frozenset({"my", "our", "the"})
_OF_ONE = {"are": "is", "were": "was", "have": "has", "do": "does"}


def told_of_home(claim: Claim, text: str, speaker: str) -> Claim:
    """Return a claim of "team" as the speaker's where its "we" are the people of one home; any other claim as it is."""
    if claim.subject != TEAM or not _is_of_home(claim, text):
        return claim
    verb, blank, rest = claim.predicate.partition(" ")
    return replace(claim, subject=speaker, predicate=f"{_OF_ONE.get(verb, verb)}{blank}{rest}")


def _is_of_home(claim: Claim, text: str) -> bool:
    """Return whether the "we" of a claim are the people of one home: "we bought a house", "we took the kids to Faro".

    The object names a thing of the home, or what was matched one of the family. A word of work in the line leaves the claim to the team,
    and so does an object that tells who the members are ("a family of five"). No other line counts: a claim is told alike in any company.
    """
    told = fold(claim.object)
    if _MEMBERS.search(told) or (claim.predicate in ("are", "is") and _COUNTED.match(told)):
        return False
    words = words_of(fold(text[claim.start : claim.end]))
    family = any(word in word_class("of-family") and owner in _OWNERS for owner, word in pairwise(words))
    at_home = family or any(_are_among(name, words_of(told)) for name in ("of-home", "of-leisure"))
    return at_home and not _are_among("of-work", words_of(_line(text, claim)))


def _line(text: str, claim: Claim) -> str:
    """Return the folded line of a claim; a long one is cut, so that a claim never costs the whole text."""
    first, last = max(0, claim.start - MAX_SENTENCE), min(len(text), claim.end + MAX_SENTENCE)
    low, high = text.rfind("\n", first, claim.start), text.find("\n", claim.end, last)
    return fold(text[max(low + 1, first) : last if high < 0 else high])


def _are_among(name: str, words: Iterable[str]) -> bool:
    """Return whether one of the words, or its singular, is of a class."""
    known = word_class(name)
    return any(word in known or word.removesuffix("s") in known for word in words)
