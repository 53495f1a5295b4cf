"""Cues of now: words around a clause that say that it is so from now on: "as of May", "these days", "now", "again", "since the move".

All of them stand in one list, `words/cues.txt`, with the places in which each is one.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from functools import cache

from ethos.core.text.language.dates import MONTH, WEEKDAY
from ethos.core.text.language.lexicon import lines_of, pattern_of, word_class
from ethos.core.text.language.tagging import tag

_PRESENT_BE = frozenset({"is", "are", "'s", "'m", "'re", "s", "m", "re"})
_BEHIND_BE = "back"
_BETWEEN = "..."  # in a cue: words of no matter what
_AHEAD = 6  # words before a clause in which such a phrase may begin


@cache
def _places() -> Mapping[str, frozenset[str]]:
    """Return the places of each cue, in the order of the list."""
    rows = (line.partition(":") for line in lines_of("cues"))
    return {cue: frozenset(places.split()) for cue, _, places in rows}


@cache
def cues(place: str) -> tuple[str, ...]:
    """Return the cues of one place, in the order of the list."""
    return tuple(cue for cue, places in _places().items() if place in places)


@cache
def cue_words(place: str) -> tuple[tuple[str, ...], ...]:
    """Return the words of each cue of one place, in the order of the list."""
    return tuple(tuple(cue.split()) for cue in cues(place))


PhraseTable = Mapping[str, Sequence[tuple[str, ...]]]  # by their first words


def by_first_word(phrases: Iterable[tuple[str, ...]]) -> PhraseTable:
    """Return phrases by their first words, each in its order."""
    found: dict[str, list[tuple[str, ...]]] = {}
    for phrase in phrases:
        found.setdefault(phrase[0], []).append(phrase)
    return found


@cache
def _cues_by_first_word(place: str) -> PhraseTable:
    return by_first_word(cue_words(place))


@cache
def single_cues(place: str) -> frozenset[str]:
    """Return the cues of one place that are one word."""
    return frozenset(cue for cue in cues(place) if " " not in cue)


@cache
def cue_signs() -> frozenset[str]:
    """Return the words of which one stands in most cues."""
    return frozenset(cue.rpartition(" ")[2] for cue in cues("sign"))


def is_cue(phrase: str) -> bool:
    """Return whether a folded phrase is a cue, and nothing else."""
    return phrase in _places()


def without_cue(words: str) -> tuple[str, str]:
    """Return words without the cue of now that they end with, and the cue: "zsh after all" is "zsh"; without a cue it is ""."""
    low = words.lower()
    for cue in _DANGLING:  # what it is since was cut off: "is called Foundations as of | this week"
        if low.endswith(cue):
            return words[: -len(cue)].rstrip(" ,"), "now"
    if not low.endswith(cues("end")):
        return words, ""
    for cue in cues("end"):
        if low.endswith(cue) and low[: -len(cue)].endswith(" ") and (rest := words[: -len(cue)].rstrip(" ,")):
            return rest, cue
    return words, ""


_DANGLING = (" as of", " as from", " since", " effective", " starting")


@cache
def _periods() -> str:
    return "|".join(sorted(word_class("period")))


@cache
def _inner() -> re.Pattern[str]:
    present = "|".join(sorted(word_class("present")))
    when = rf"(?:(?:this|last|the|next|early|late|mid) )*(?:{_periods()}|{MONTH}|{WEEKDAY}|\d{{4}})\b(?: on\b)?"
    return re.compile(
        rf"(?:\A|(?<= ))(?:(?:{present}) (?=\S)|these days\b ?|(?:since|as of|as from|from (?=.* on\b)) {when} ?"
        rf"|(?:this|these) (?:{_periods()})\b ?)",
        re.IGNORECASE,
    )


def without_inner_cue(words: str) -> tuple[str, str]:
    """Return the name of a thing without the cue in it, and the cue: "our current tutor" is "our tutor"; without a cue it is ""."""
    found = _inner().search(words)
    if found is None:
        return words, ""
    rest = (words[: found.start()] + words[found.end() :]).strip()
    return (rest, "now") if rest else (words, "")


@cache
def _announced() -> re.Pattern[str]:
    return re.compile(rf"\bnew (?:\w+ )?(?:{pattern_of('announced')})(?: (?:for|at|in|of|on) [^:,;.!?]{{2,40}})?[:,-] ?\Z")


def is_opened_by_cue(before: str) -> bool:
    """Return whether a folded sentence before a claim ends with a phrase of now: "as of May the branch is trunk", "new rule: "."""
    if before.rstrip()[-1:] in tuple(":,-") and _announced().search(before) is not None:
        return True
    tagged = tag(before)
    return _opened([*tagged.words, ""], tagged.tags, len(tagged.words))


@cache
def _following() -> re.Pattern[str]:
    known = sorted(cues("taste"), key=len, reverse=True)
    return re.compile(rf",? (?:{'|'.join(map(re.escape, known))})(?=[,.;:!?)]|\s*\Z)")


def is_followed_by_cue(behind: str) -> bool:
    """Return whether a folded sentence goes on behind a claim with a cue of now, which ends there: "I'd rather walk | these days"."""
    return _following().match(behind) is not None


def _is_reason(tags: str) -> bool:
    """Return whether the words behind "since" say why, and not since when: "since we have two children", not "since we moved"."""
    return "d" not in tags and _STATES.search(tags) is not None


_STATES = re.compile(r"[iwyhtEPN#K][RX]*[VzHBO]")  # a subject, and its verb in the present


def cue_of_now(words: Sequence[str], tags: str, start: int, head: int, low: int, high: int) -> tuple[str, int]:
    """Return the cue in a clause, or "", and where its object ends without it.

    start: the first word of the clause; head: its main verb; words[low:high]: its object.
    """
    for place in range(low, high):
        if words[place] == "since":
            if tags[place] in "IS":
                return "now", place if place > low else high
        elif place > low and _stands_at(words, place, "within"):
            return "now", place
    around = [*words[start:head], *words[head + 1 : low]]
    end = high
    while end < len(words) and tags[end] in "RX":
        around.append(words[end])
        end += 1
    behind = _stands_at(words, end, "end") or (_stands_at(words, end, "within") and words[end] != "since")
    if behind or not single_cues("near").isdisjoint(around):
        return "now", high
    if words[head] in _PRESENT_BE and _BEHIND_BE in around:
        return "now", high
    return ("now", high) if _opened(words, tags, start) else ("", high)


def _stands_at(words: Sequence[str], at: int, place: str) -> bool:
    """Return whether a cue of a place begins at a word."""
    beginning = _cues_by_first_word(place).get(words[at], ()) if at < len(words) else ()
    return any(tuple(words[at : at + len(cue)]) == cue for cue in beginning)


def _opened(words: Sequence[str], tags: str, start: int) -> bool:
    """Return whether a phrase of now stands right before a clause: "as of this Monday the branch is trunk"."""
    if _is_near(words, tags, start - 1):
        return True
    for place in range(start - 1, max(-1, start - 1 - _AHEAD), -1):
        if tags[place] in ";C" or (tags[place] == "," and place < start - 1):
            return False
        if words[place] in ("this", "these") and words[place + 1] in word_class("period"):
            return True
        if words[place] == "after" and not word_class("turning-point").isdisjoint(words[place + 1 : start]):
            return True
        for cue in _cues_by_first_word("before").get(words[place], ()):
            if _BETWEEN in cue:
                if cue[-1] in words[place:start]:
                    return True
            elif tuple(words[place : place + len(cue)]) == cue:
                return words[place] != "since" or (place + 1 < start and not _is_reason(tags[place + 1 : start]))
    return False


def _is_near(words: Sequence[str], tags: str, last: int) -> bool:
    """Return whether the last word before a clause is one of now, "so" passed over, or opens the sentence before a comma: "lately, "."""
    if last > 0 and words[last] == "so":
        last -= 1
    if last > 0 and tags[last] == ",":
        last -= 1
        if last and tags[last - 1] not in ";C":
            return False
    return last >= 0 and words[last] in single_cues("near")


@cache
def _turns() -> re.Pattern[str]:
    return re.compile(rf"\b(?:{'|'.join(map(re.escape, lines_of('turns')))})\b")


def thinks_otherwise(low: str) -> bool:
    """Return whether a folded sentence says that somebody thinks otherwise than before: "who'd have thought", "I changed my mind"."""
    return _turns().search(low) is not None
