"""Doers and objects of a clause: whether the subject is one that the verb goes with, and whether the object stands elsewhere."""

from __future__ import annotations

import re
from collections.abc import Sequence

from ethos.core.text.language.clause import After, Clause, Form, Who
from ethos.core.text.language.dates import CALENDAR
from ethos.core.text.language.everyday import is_everyday
from ethos.core.text.language.lexicon import word_class
from ethos.core.text.language.noun_phrases import head_noun
from ethos.core.text.language.tagging import in_lexicon, possible_tags


def doer_stands(clause: Clause, words: Sequence[str], tags: str, *, known: bool = False) -> bool:
    """Return whether the subject is one that the verb goes with: "the changelog keep" is no clause, and "their dog" is not known.

    known: somebody was named before whom its pronoun stands for, as in "her dog".

    Where a noun is taken for a verb ("school lunches for $20"), its subject is a bare noun, or does not agree with it.
    """
    low, high = clause.subject
    if low >= high:
        return clause.who != Who.WHICH
    if not clause.who & (Who.THING | Who.WHICH):
        return True
    if (tags[low] == "u" and not known) or not set(tags[low:high]) & _NOUNS:
        return False
    verb = tags[clause.group]
    if clause.group != clause.head or verb not in "Vz":
        return True
    nouns = {words[high - 1], head_noun(words, tags, low, high)}
    several = "C" in tags[low:high] or "#" in tags[low:high] or any(noun.endswith("s") or noun in _PLURALS for noun in nouns)
    if verb == "V":
        return several or words[low] in _PLURALS
    return high - low > 1 or "N" not in possible_tags(words[clause.head]) or not in_lexicon(words[low])


def states_nothing(clause: Clause, words: Sequence[str], tags: str) -> bool:
    """Return whether a clause only says that something else is so, too, or denies no more than that it is all: "but so does having a
    garden", "it isn't just a business"; or is a commonplace or a courtesy; or whether its verb is no English one: the hour, or the
    German "am".
    """
    if _is_commonplace(clause, words, tags) or _is_courtesy(clause, words):
        return True
    if tags[clause.head] == "Y" and words[clause.head - 1] in ("so", "neither", "nor"):
        return True
    merely = clause.form & Form.NEGATED and clause.verb == "be"
    if merely and not _MERELY.isdisjoint(words[clause.head + 1 : clause.object[0] + 1]):
        return True
    return "am" in words[clause.group : clause.head + 1] and not clause.who & (Who.I | Who.WE | Who.UNSAID)


def _is_commonplace(clause: Clause, words: Sequence[str], tags: str) -> bool:
    """Return whether a clause tells what it is like to do something, without a number and of nobody's own: "teaching takes courage"."""
    low, high = clause.subject
    if low >= high or tags[low] != "g" or clause.verb not in word_class("told-of-doing") or not clause.who & Who.THING:
        return False
    told = [*range(low, high), *range(*clause.object)]
    return all(tags[at] not in "muiwP#" and is_everyday(words[at]) for at in told)


def _is_courtesy(clause: Clause, words: Sequence[str]) -> bool:
    """Return whether a clause says how somebody is doing."""
    return clause.verb == "do" and clause.head + 1 < len(words) and words[clause.head + 1] in word_class("how-one-does")


def lacks_object(clause: Clause, words: Sequence[str], tags: str) -> bool:
    """Return whether the object of a clause is the noun before it: "the pic I took during a walk", "800, which I pay back at 40 a week".

    A time is none: "last week I went to Faro".
    """
    if clause.opener in _GAPPED and tags[clause.start - 1] == "W" and clause.after & After.PREPOSITION:
        return clause.who != Who.WHICH
    if not clause.who & _PERSONS or clause.opener or (noun := _OWNED_NOUN.search(tags, max(0, clause.start - 8), clause.start)) is None:
        return False
    return not _is_time(words[clause.start - 1]) and _FRONTED.search(tags, 0, noun.start() + 1) is None


def _is_time(word: str) -> bool:
    return word in CALENDAR or word in word_class("duration") or word in word_class("times")


_MERELY = frozenset({"just", "merely", "simply"})
_GAPPED = frozenset({"which", "that", "who"})
_PERSONS = Who.I | Who.WE | Who.THEY
_OWNED_NOUN = re.compile(r"[Dmu][RA#NKg']*[NK]\Z")
_FRONTED = re.compile(r"(?:\A|[;,CSU])R*I[Dmu]?\Z")  # "for the backend we use Go"
_NOUNS = frozenset("NKgA")
_PLURALS = frozenset({"people", "men", "women", "children", "folks", "police", "all", "both", "most", "many"})
