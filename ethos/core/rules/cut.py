"""Cut claims: those whose words were cut out of the text in the wrong place. They are weak, whatever rule made them."""

from __future__ import annotations

import re
from dataclasses import replace
from functools import cache

from ethos.core.model.records import Claim
from ethos.core.text.endings import breaks_off
from ethos.core.text.language.clauses import ordered
from ethos.core.text.language.dates import DATE, WEEKDAY
from ethos.core.text.language.lexicon import pattern_of, word_class
from ethos.core.text.language.register import tells_what_lasts
from ethos.core.text.language.tagging import possible_tags, tag
from ethos.core.text.sentences import fold

_ENDED = re.compile(r"[\s\"'`*_)\]]*(?:[.!?;\n]|\Z)")
_CLIPPED = re.compile(r"['\u2019] ?\w{2}")  # "livin' my dreams"
_NEAR = 80  # characters behind a claim that tell whether its object goes on
_PAIRED = re.compile(r"\b(?:both|either|neither)\b", re.IGNORECASE)
_ADDED = re.compile(r",? (?:as well as|and|or|nor)\b")
_PRONOUN = re.compile(r" (?:that|this|it|them|him|her|us|me|you)\b")
_NOUN_FOLLOWS = re.compile(
    r' "[^"\n]{1,40}" [A-Za-z-]{3,20}|, (?!(?:and|but|so|or|as|if|when|unless|though|because)\b)'
    r"(?P<adjective>[a-z-]{3,20}) (?P<noun>[a-z-]{3,20})\b"
)
_COPULA = re.compile(r"\b(?:is|are|was|were|be|been|gets?|seems?|feels?|looks?|sounds?|stays?|becomes?|goes|makes?|finds?)(?: not)?\Z")
_CLAUSE = re.compile(r"[DmuA#NK']*[NK]R*B")  # a clause in the place of an object: "is reading | the wife is called Greta"
_NO_SUBJECT = re.compile(r"\A[zd]I|T[RX]*[VbHY]|[BOY]|\A[ACTSW]\Z|\A[Ang]+I[iwyhtp]\Z")


def completed(claim: Claim, text: str) -> Claim:
    """Return a claim with the rest of a quotation, or of a noun phrase, that its object ends in: 'questions like "Shall I go on ...?"',
    'regular "clear-head" walks', "the hunt for unique, trendy pieces"; or with the particle of its verb, "leave tables out".
    """
    if not text.endswith(claim.object, 0, claim.end):
        return claim
    rest = text[claim.end : claim.end + _NEAR].partition("\n")[0]
    if behind := _behind(claim.object, rest) or (claim.polarity == "+" and tells_what_lasts(claim.predicate) and _time_behind(rest)):
        return replace(claim, object=claim.object + rest[:behind], end=claim.end + behind)
    if claim.predicate.startswith("should ") and (particle := _particle_behind().match(rest)):
        return replace(claim, object=claim.object + particle[0], end=claim.end + particle.end())
    if '"' not in rest and not rest.startswith(", "):
        return claim
    more = rest.find('"') + 1 if claim.object.count('"') % 2 else _noun_behind(claim, rest)
    if not more:
        return claim
    return replace(claim, object=claim.object + rest[:more], end=claim.end + more)


def without_order(claim: Claim) -> Claim:
    """Return a claim without the order that its object runs into: "judo on Wednesdays | so make the week plan around it"."""
    at = claim.object.lower().find(" so ")
    if at <= 0:
        return claim
    behind = tag(fold(claim.object[at + len(" so ") :]))
    told = ordered(behind.words, behind.tags) or behind.words[:2] in _FORBIDDEN or behind.words[:1] in _ASKED
    if not told or behind.words[0] in _DEGREES:
        return claim
    obj = claim.object[:at].rstrip(" ,")
    return replace(claim, object=obj, end=claim.end - (len(claim.object) - len(obj)))


_FORBIDDEN = (["do", "n't"], ["do", "not"])
_ASKED = (["please"], ["pls"], ["kindly"], ["just"])
_DEGREES = frozenset({"that", "far", "much", "many", "long"})  # "so far so good"


def _behind(obj: str, rest: str) -> int:
    """Return the length of what follows an object that says too little without it: "a few years | ago", "folks | who lost their jobs",
    "a new project | - a thriller set in Oslo"; 0 if nothing does.
    """
    last = obj.rpartition(" ")[2].lower()
    if rest.startswith(" ago") and last.removesuffix("s") in _TIMES:
        return len(" ago")
    kind = "people" if last in word_class("people") else "work" if last in word_class("work-of-a-kind") else ""
    found = _TOLD_APART[kind].match(rest) if kind else None
    return found.end() if found is not None else 0


def _time_behind(rest: str) -> int:
    """Return the length of the time that follows what is so, up to the end of a clause: "is getting married | on June 14", "is on Monday |
    at 2"; 0 if none does.
    """
    found = _DATED_BEHIND.match(rest)
    return found.end() if found is not None else 0


_WHEN = rf"(?:on (?:{DATE}|{WEEKDAY}(?: (?:morning|afternoon|evening)s?)?)(?:,? \d{{4}})?|at \d{{1,2}}(?:[:.]\d\d)?(?: ?[ap]\.?m\b\.?)?)"
_DATED_BEHIND = re.compile(rf"(?: {_WHEN}){{1,2}}(?=[,.;:!?)]|\s*\Z)", re.IGNORECASE)
_TIMES = frozenset({"year", "month", "week", "day", "decade", "hour"})
_TOLD_APART = {
    "people": re.compile(r" who (?!(?:is|are|was|were)\b)[^,;:.!?()\n]{3,50}(?=[,;:.!?)]|\Z)"),
    "work": re.compile(r"(?: ?[-\u2013\u2014]| called| named|:)+ [^,;:.!?()\n]{3,60}(?=[,;:.!?)]|\Z)"),
}


@cache
def _particle_behind() -> re.Pattern[str]:
    return re.compile(rf" (?:{pattern_of('behind-object')})(?=[,.;:!?)]|\Z| (?:and|but|or|of|when|if|unless)\b)")


def _noun_behind(claim: Claim, rest: str) -> int:
    """Return the length of what follows an object that ends with an adjective up to its noun; 0 if there is no such noun."""
    found = _NOUN_FOLLOWS.match(rest)
    if found is None:
        return 0
    words, tags = tag(fold(claim.object))[1:3]
    if not words:
        return 0
    if found["adjective"] is None:
        lone = len(words) == 1 and _COPULA.search(claim.predicate) is None
        return found.end() if "A" in possible_tags(words[-1]) and (lone or tags[-2:-1] in tuple("IDm")) else 0
    adjective, noun = found["adjective"], found["noun"]
    describes = tags[-2:] in ("IA", "DA", "mA") and possible_tags(adjective)[:1] in ("A", "N")
    return found.end() if describes and noun.endswith("s") else 0


def is_cut(claim: Claim, text: str) -> bool:
    """Return whether the object of a claim breaks off in the middle of a sentence ("a prompt if the", "livin' my dreams"), or its subject
    is no noun phrase by itself ("the page to specify", "proud of you").
    """
    at = text.find(claim.object, claim.start, claim.end)
    if breaks_off(claim.object) and not _ENDED.match(text, at + len(claim.object) if at >= 0 else claim.end):
        return True
    if _is_cut_in_phrase(claim, text):
        return True
    if _CLIPPED.match(text, claim.end) and claim.object.endswith("in"):
        return True
    if claim.subject and _CLAUSE.match(tag(fold(claim.object)).tags) and not claim.predicate.startswith("should"):
        return True
    if " " not in claim.subject or "'s " in claim.subject:
        return False
    words, tags = tag(fold(claim.subject))[1:3]
    if "your" in words and claim.kind == "fact":
        return True  # said to somebody: "sounds like your work is going well"
    return "W" not in tags and _NO_SUBJECT.search(tags) is not None


def _is_cut_in_phrase(claim: Claim, text: str) -> bool:
    """Return whether an object ends within a phrase that goes on: a pair ("both A and B"), or a verb before its object."""
    rest = text[claim.end : claim.end + _NEAR]
    if _ADDED.match(rest) and _PAIRED.search(claim.object):
        return True  # "a fan of both A and B, as well as C"
    return _PRONOUN.match(rest) is not None and tag(fold(claim.object)).tags[-1:] == "V"  # "wants to help make | that happen"
