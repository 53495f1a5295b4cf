"""Clefts, told as plain clauses: the words of "what we use is Zulip", "Zulip is what we use", "it's Zulip we use" and "the chat we use is
Zulip" in the order of "we use Zulip".

After Huddleston and Pullum (The Cambridge Grammar of the English Language, 2002, chapter 16). Deviation: only the words change their order,
so that all that reads clauses reads these, too. What stands behind the verb besides its preposition is left where it was.
"""

from __future__ import annotations

import re

from ethos.core.text.language.lexicon import word_class
from ethos.core.text.language.tagging import Tagged, verb_of

_THING = r"(?P<thing>[DmuA#NKg']*[NKA#](?:I[Dmu]?[A#N]*N)?)"
_WHO = r"(?P<who>[iw]|m[A#N]*N)"
_LEFT = r"(?:[IT](?![Dmu]?[A#NKg]))?"  # a preposition that has nothing behind it: "the gym I go to"
_DOES = rf"(?P<does>{_WHO}R*(?:[Vzd]|[YH](?!R*X))R*+{_LEFT})"  # not "it's a bond I haven't felt"
_OPENS = r"(?P<opens>[RUC,]*+)"
_ENDS = r"(?=[IRS,;CUX]|\Z)"
_WHAT = re.compile(rf"{_OPENS}(?P<what>W){_DOES}(?:I[Dmu]?[A#N]*[NKg])?B{_THING}{_ENDS}")
_IS_WHAT = re.compile(rf"{_OPENS}{_THING}B(?P<what>W)(?:{_DOES}|(?P<others>[DmA#N]*NR*[Vzd])){_ENDS}")
_DOES_WHAT = re.compile(rf"{_OPENS}{_THING}B(?P<what>W)(?P<does>R*[zd])(?=[RDmuA#NKgIT])")
_IT = re.compile(rf"{_OPENS}(?P<what>t)B{_THING}W?{_DOES}{_ENDS}")
_OF_NOUN = re.compile(rf"{_OPENS}(?P<what>D[A#N]*N)W?(?P<does>{_WHO}R*[Vzd]R*+[IT]?)B{_THING}{_ENDS}")
_REST = re.compile(r"[^,;CSW]*")  # behind the verb of a cleft, "in the end"
_WHATS = frozenset({"what", "it"})


def plainly(sentence: Tagged) -> Tagged:
    """Return a sentence that is a cleft with its words in the order of a plain clause; any other as it is."""
    tags = sentence.tags
    if "B" not in tags or not ("W" in tags or "tB" in tags or "D" in tags[:2]):
        return sentence
    for form in (_WHAT, _IS_WHAT, _IT, _DOES_WHAT, _OF_NOUN):
        found = form.match(tags)
        if found is not None and _is_cleft(sentence, found):
            thing, does = (range(*found.span(part)) for part in ("thing", "others" if found["does"] is None else "does"))
            behind = _REST.match(tags, found.end()) if form in (_IS_WHAT, _IT) else None
            rest = range(behind.end() if behind else found.end(), len(tags))
            first, second = (thing, does) if form is _DOES_WHAT else (does, thing)
            return sentence.in_order([*range(found.end("opens")), *first, *second, *rest])
    return sentence


def _is_cleft(sentence: Tagged, found: re.Match[str]) -> bool:
    """Return whether the words are such as a cleft has: "what", or "it"; or a noun that a name or a value stands for."""
    words, (low, high) = sentence.words, found.span("what")
    if found.re is _OF_NOUN:
        last = found.end("does") - 1
        if sentence.tags[last] not in "IT" and verb_of(words[last]) != "use":
            return False  # "the doctor I see is Dr Amsel" tells of the doctor
        return words[low] == "the" and words[high - 1] not in word_class("vague") and sentence.tags[found.start("thing")] in "NK#"
    return words[low] in _WHATS
