"""Stations: where somebody stands in work, in love, at school; one at a time, and each comes to an end in words of its own.

"I work as a paralegal" and "got laid off on Friday" share no word. What ties them is the station: both speak of the same person's work. The
words by which one tells a station, and its end, stand in `words/stations.txt`.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from itertools import product
from typing import NamedTuple

from ethos.core.text import folding
from ethos.core.text.language.extents import nouns_of_time
from ethos.core.text.language.lexicon import lines_of, word_class
from ethos.core.text.language.tagging import forms_of, verb_of
from ethos.core.text.memoize import cached_by_word

_BLANK, _LONGEST = "_", 3  # words that a blank stands for, at most
_SHORTEST = 5  # letters of a trade by its ending
_AHEAD = 4  # words before an end, among which a negation or a plan takes it back
_UNDONE = frozenset({"not", "n't", "never", "to", "will", "'ll", "would", "could", "might", "may", "should", "can", "must", "if", "unless"})
_SELF = frozenset({"i", "we", "m", "ve"})
_THEIRS = frozenset({"his", "her", "their"})
_PASSIVE = frozenset({"be", "get"})
_SUBJECTS = frozenset("iwyhtPpNK")


class Ended(NamedTuple):
    """The end of a station. whose: "" is the speaker's, else the noun; low, high: its words in the sentence."""

    station: str
    whose: str
    low: int
    high: int


class _End(NamedTuple):
    station: str
    words: tuple[str, ...]
    bare: bool  # without a verb


@cache
def _rows() -> Mapping[str, tuple[str, ...]]:
    found: dict[str, list[str]] = {}
    for line in lines_of("stations"):
        head, _, phrases = line.partition(": ")
        found.setdefault(head, []).extend(phrases.split() if head.endswith(" noun") else phrases.split("; "))
    return {head: tuple(phrases) for head, phrases in found.items()}


@cache
def _told() -> Mapping[str, str]:
    """Return the station by the predicate that tells it."""
    return {phrase: head for head, phrases in _rows().items() if " " not in head for phrase in phrases}


@cache
def _nouns() -> Mapping[str, str]:
    return {noun: head.removesuffix(" noun") for head, nouns in _rows().items() if head.endswith(" noun") for noun in nouns}


@cache
def nouns_of(station: str) -> frozenset[str]:
    """Return the nouns of what one has in a station: "job", "boss"."""
    return frozenset(noun for noun, head in _nouns().items() if head == station)


@cache
def _ends() -> Mapping[str, tuple[_End, ...]]:
    """Return the ends by their first word; verbs in their base form."""
    found: dict[str, list[_End]] = {}
    for head, phrases in _rows().items():
        if not head.endswith(" ends"):
            continue
        for phrase in phrases:
            for words in product(*(word.split("/") for word in phrase.removeprefix("=").split())):
                found.setdefault(words[0], []).append(_End(head.removesuffix(" ends"), words, phrase.startswith("=")))
    return {first: tuple(sorted(each, key=lambda end: -len(end.words))) for first, each in found.items()}


@cache
def signs_of_end() -> frozenset[str]:
    """Return the words of which one stands in whatever tells the end of a station."""
    return frozenset().union(*(words_of_end(head.removesuffix(" ends")) for head in _rows() if head.endswith(" ends")))


@cache
def words_of_end(station: str) -> frozenset[str]:
    """Return the words of which one stands in whatever tells the end of this station."""
    found: set[str] = set()
    for each in (end for ends in _ends().values() for end in ends if end.station == station):
        if each.bare or each.words[0] in _PASSIVE:
            found.add(each.words[1])
        else:
            found |= forms_of(each.words[0])
    return frozenset(found)


@cached_by_word
def _begun_by(word: str) -> tuple[_End, ...]:
    """Return the ends that a word in any form begins."""
    base = verb_of(word)
    return (*_ends().get(base, ()), *(_ends().get(word, ()) if base != word else ()))


def ends_in(words: Sequence[str], tags: str, segments: Sequence[int]) -> Iterator[Ended]:
    """Yield the ends of stations that a sentence tells of as done. words: folded; segments: the number of the clause of each word."""
    taken = 0
    for low, ends in enumerate(map(_begun_by, words)):
        if low < taken:
            continue
        for end in ends:
            if not (high := _stands(end, words, tags, low)):
                continue
            taken = high
            if not _is_undone(words, segments, low) and (end.bare or not _goes_on(end.station, words, tags, high)):
                whose = "" if "me" in words[low:high] else _whose(words, tags, segments, low)
                if whose or _THEIRS.isdisjoint(words[low:high]):
                    yield Ended(end.station, whose, low, high)
            break


def _stands(end: _End, words: Sequence[str], tags: str, low: int) -> int:
    """Return where an end that begins with this word ends; 0 where it does not stand here."""
    if end.bare:
        if words[low] != end.words[0]:
            return 0
    elif end.words[0] not in _PASSIVE and tags[low] not in "dn" and not (words[low] in ("quit", "split") and tags[low] == "V"):
        return 0
    at, skipped = low + 1, None
    for wanted in end.words[1:]:
        if wanted == _BLANK:
            skipped = 0
            continue
        while at < len(words) and words[at] != wanted:
            if skipped is None or skipped == _LONGEST or tags[at] in ",;CS":
                return 0
            at, skipped = at + 1, skipped + 1
        if at == len(words):
            return 0
        at, skipped = at + 1, None
    return at


def _is_undone(words: Sequence[str], segments: Sequence[int], low: int) -> bool:
    return any(words[at] in _UNDONE for at in range(max(0, low - _AHEAD), low) if segments[at] == segments[low])


def _goes_on(station: str, words: Sequence[str], tags: str, high: int) -> bool:
    """Return whether no station was ended, but a thing or nothing: "retired the old server", "quit smoking", "fired up".

    Couples split up at a time, or for good; "at the museum" they part for an hour.
    """
    if high == len(words):
        return False
    word = words[high]
    timed = word in word_class("calendar") or word in word_class("times") or word == "my"
    if word in ("last", "this", "early"):
        timed = any(each in word_class("calendar") or each in nouns_of_time() for each in words[high + 1 : high + 2])
    if station == "love" and tags[high] in "ITR" and word not in ("from", "with"):
        return not any(each in word_class("calendar") or each in word_class("times") for each in words[high : high + 4])
    return word == "up" or (tags[high] in "NKDmugA#Pt" and not timed)


def _whose(words: Sequence[str], tags: str, segments: Sequence[int], low: int) -> str:
    """Return the noun that the nearest subject before a verb names; "" where it is the speaker, or none is said."""
    at = low - 1
    while at >= 0 and tags[at] in "RHBbXY'":
        at -= 1
    if at >= 0 and tags[at] == "C":  # "my brother left the army and lost his job"
        at = next((place for place, kind in enumerate(tags[:at]) if kind in _SUBJECTS), -1)
        while at >= 0 and tags[at] in "NK" and tags[at + 1] in "NK":
            at += 1
    elif at >= 0 and segments[at] != segments[low]:
        return ""
    if at < 0 or words[at] in _SELF or tags[at] not in _SUBJECTS:
        return ""
    if tags[at] not in "NK":
        return words[at]
    start = at
    while start and tags[start - 1] in "NKA'" and segments[start - 1] == segments[at]:
        start -= 1
    return " ".join(words[start : at + 1]).replace(" 's", "'s")


def name_of_kin(whose: str) -> str:
    """Return the name behind the noun of a kin: "elias" for "son elias"; "" where there is none."""
    noun, _, name = whose.rpartition(" ")
    return name if noun in word_class("kin") else ""


def station_of(predicate: str, obj: str, subject: str) -> tuple[str, str]:
    """Return the station that a fact tells, and the folded subject whose it is; "" and the subject where it tells none.

    predicate: its key; obj: as it was said; subject: folded, without the speaker's name ("wife" is the speaker's, and the station's subject
    is ""). "Ada's wife is Ewa" is of Ada's love; "Sam is a bus driver" of Sam's work.
    """
    owner, _, noun = subject.rpartition("'s ")
    if noun in _nouns() and predicate.startswith("be"):
        return _nouns()[noun], owner
    words = folding.key(obj).split()
    if predicate == "be" and words[:1] and f"be {words[0]}" in _PLACED:
        predicate, words = f"be {words[0]}", words[1:]  # "is | in third grade"
    head = _told().get(predicate, "")
    if (
        not head
        and predicate in _WITH_TIMES
        and (relation := next((word for word in words[:_AHEAD] if word in word_class("relation")), ""))
    ):
        head = _told().get(f"{predicate} {relation}", "")  # "work | evenings at the Copper Kettle"
    if head == "school" and predicate in _PLACED:
        return ("school" if any(_nouns().get(word) == "school" for word in words[:4]) else ""), subject
    if predicate == "be" and words[:1] and words[0] in ("engaged", "married"):
        return "love", subject
    if not head and predicate == "be" and obj.lower().startswith(("a ", "an ")) and _is_occupation(words):
        return "work", subject
    return head, subject


_WITH_TIMES = frozenset({"work", "teach", "study"})
_PLACED = frozenset({"be in", "go to", "be at"})  # tell a station only with a noun of one


def _is_occupation(words: Sequence[str]) -> bool:
    """Return whether the first phrase of these words names somebody's trade: "bus driver at the depot"."""
    noun = ""
    for word in words:
        if word in word_class("relation") or not word.isalpha():
            break
        noun = word
    if noun in word_class("trade"):
        return True
    if len(noun) < _SHORTEST or noun in word_class("no-trade") or noun in word_class("kin"):
        return False
    return noun.endswith(("er", "or", "ist", "ian", "man", "woman"))
