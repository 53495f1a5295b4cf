"""Extents: how far the clause around some of its words reaches, by the tags of its words (`tagging`).

A clause ends at a mark, at "but", at a conjunction with a subject of its own behind it, and at a comma, unless a participle follows
("started doing seminars, helping people with their sports"). Reasons, times and relative clauses belong to it. So does what stands before
it and says when: "last week I visited home".
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from functools import cache
from typing import NamedTuple

from ethos.core.text.language.dates import MONTHS, WEEKDAYS
from ethos.core.text.language.lexicon import word_class
from ethos.core.text.language.tagging import Tagged

_MOST_BEFORE = 3  # words of a clause that may stand before the words it was found by
_MOST_IN_OCCASION = 8
_MARKS = frozenset(";UE")
_NOUN_PHRASE = re.compile(r"[DmuA#NKRg']*[NKg#](?:[IC][DmuA#NK']*[NK])?")
_FRONTED = re.compile(r"I[DA#N]*N,?(?=[imw])")
_BESIDE = re.compile(r"(?:\A|(?<=[,;SWU]))[DmuA#NK']*[NK](?:I[DmuA#NK']*[NK])?C\Z")  # "some friends from church and" | "I"
_APPOSED = re.compile(r"D[A#N]*N(?:W[zVOBHd]|I)")
_VERB = re.compile(r"[RX]*[BzdYHO]")
_OF_OTHER_CLAUSE = frozenset("VzdnBbHYOitIw")  # tags before the words a clause was found by with which they begin it
_UNFINISHED = {True: frozenset("CSDmuTIW"), False: frozenset("CSDmu")}  # tags of a last word, by whether more words follow


class Extent(NamedTuple):
    """The words of a clause: from `first` up to `last`, and from `front` on with the occasion before it."""

    front: int
    first: int
    last: int


def extent(sentence: Tagged, start: int, end: int, *, cut: bool) -> Extent | None:
    """Return the extent of the clause around sentence[start:end]; None if it breaks off. cut: the text goes on behind the sentence."""
    spans, tags = sentence.spans(), sentence.tags
    at = bisect_right([high for _, high in spans], start)
    while tags[at : at + 1] in (",", ";", "C", "S", "U"):  # the match of a rule may begin with the mark before the clause
        at += 1
    if sentence.words[at : at + 1] in (["when"], ["whenever"]):  # or with the occasion
        at = tags.find(",", at) + 1 or at
    elif (fronted := _FRONTED.match(tags, at)) is not None:  # "from May my rate is 65"
        at = fronted.end()
    first = _first(tags, at)
    last = _last(sentence, bisect_left([low for low, _ in spans], end))
    if last == len(spans) and cut:
        last = len(tags[:last].rstrip("C,SR"))
    if last <= first or tags[last - 1] in _UNFINISHED[cut or last < len(spans)]:
        return None
    return Extent(_front(sentence, first), first, last)


def _first(tags: str, at: int) -> int:
    """Return where the clause begins whose words were found from `at` on."""
    if tags[at : at + 1] in ("i", "w"):
        beside = _BESIDE.search(tags, 0, at)
        return beside.start() if beside is not None else at
    first = at
    while first and tags[first - 1] not in ",;CSWUE":
        first -= 1
    return at if at - first > _MOST_BEFORE or not _OF_OTHER_CLAUSE.isdisjoint(tags[first:at]) else first


def _last(sentence: Tagged, at: int) -> int:
    """Return the word behind the clause whose words were found up to `at`."""
    words, tags = sentence.words, sentence.tags
    while at < len(tags) and not _ends(words, tags, at):
        at += 1
    return at


def _ends(words: list[str], tags: str, at: int) -> bool:
    """Return whether a clause ends before this word."""
    each, behind = tags[at], tags[at + 1 : at + 2]
    if each in _MARKS:
        return words[at] != '"'  # "we watch "Elf" on Sundays"
    if each == ",":
        if _APPOSED.match(tags, at + 1) is not None and "C" not in tags[at:]:
            return False  # "Tark, an app that shows tides"
        return behind != "g" and word_class("going-on").isdisjoint(words[at + 1 : at + 2])
    if words[at] in word_class("apart-from-clause"):
        describes = words[at] == "so" and (behind in ("A", "R") or words[at + 1 : at + 2] == ["much"])  # "so much joy"
        noun = words[at] == "cause" and tags[at - 1 : at] in ("A", "D", "m")  # "a good cause"
        return not describes and not noun
    return each == "C" and _begins_clause(tags, at + 1)


def _begins_clause(tags: str, at: int) -> bool:
    """Return whether a clause with a subject of its own, or an order, begins at a word behind a conjunction."""
    while tags[at : at + 1] in ("R", "S"):
        at += 1
    if tags[at : at + 1] in ("i", "w", "y", "h", "t"):
        return True
    if tags[at : at + 1] == "V":
        return "V" not in tags[:at]  # else it is the second verb of the same clause: "helps me focus and relax"
    noun = _NOUN_PHRASE.match(tags, at)
    return noun is not None and _VERB.match(tags, noun.end()) is not None


def _front(sentence: Tagged, first: int) -> int:
    """Return where the occasion before a clause begins ("last year", "on Fridays,", "when I am tired,"); `first` if there is none."""
    words, tags = sentence.words, sentence.tags
    end = first - 1 if tags[first - 1 : first] == "," else first
    at = end
    while at and end - at <= _MOST_IN_OCCASION and tags[at - 1] not in ",;CUW":
        at -= 1
    if words[at - 1 : at] in (["when"], ["whenever"]):
        at -= 1
    opening = words[at:end]
    if not 0 < len(opening) <= _MOST_IN_OCCASION:
        return first
    timed = opening == ["yesterday"] or (len(opening) == 2 and opening[0] in word_class("which-time") and opening[1] in nouns_of_time())
    placed = len(opening) > 1 and opening[0] in word_class("ahead-of-occasion") and opening[1] not in word_class("no-occasion")
    if opening[0] == "since" and "last" in opening:
        return first  # "since we last spoke"
    condition = end < first and opening[0] in word_class("occasion") | {"if"}
    return at if timed or placed or condition else first


@cache
def nouns_of_time() -> frozenset[str]:
    """Return the nouns that stand behind "last" or "every" and name a time."""
    return word_class("times") | word_class("period") | word_class("duration") | {*WEEKDAYS, *MONTHS}
