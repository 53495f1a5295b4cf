"""Elided subjects: who does what a verb group says that has no subject of its own: "always runs", "have a nap", "and drinks tea"."""

from __future__ import annotations

import re
from collections.abc import Sequence

from ethos.core.text.language.clause import Clause, Form, Who
from ethos.core.text.language.interruptions import interrupted
from ethos.core.text.language.lexicon import word_class
from ethos.core.text.language.noun_phrases import SUBJECT
from ethos.core.text.language.subjects import who_is
from ethos.core.text.language.tagging import possible_tags, verb_of

_REACH = 24  # words: so far back a subject or an opener is looked for
_ASKED = re.compile(r"[YOB]X?[DmuiwyhtE]")  # "does the tent do"
PERSONS = Who.I | Who.WE | Who.YOU | Who.THEY
MODALS = Form.MUST | Form.CAN | Form.WILL | Form.WOULD | Form.MAY
_LEADING = Form.BARE | MODALS  # what a base form can follow: "must answer and be quick"
_OBJECTS = frozenset("Dmu#p")  # behind a verb in its base form, and behind no noun: "I live in Faro and run a hotel"
_RELATIVES = frozenset({"who", "which", "that"})
_INFINITIVE = re.compile(r"T(?![Dmup#])")
_ADDING = (["also"], ["still"], ["mostly"], ["usually"])


def doer(
    words: Sequence[str], tags: str, first: int, before: int, form: int, found: Sequence[Clause]
) -> tuple[int, tuple[int, int], str | None] | None:
    """Return who does what a verb group without a subject says: kind, place, and what opens it if that is another's; None if nobody can.

    first: where the group begins; before: the same with its adverbs.
    """
    nowhere = (first, first)
    ahead = tags[before - 1] if before else ""
    if ahead == "W" and words[before - 1] in _RELATIVES:
        noun = SUBJECT.search(tags, max(0, before - _REACH), before - 1 - (tags[before - 2 : before - 1] == ","))
        if noun and tags[before - 2] == "," and noun.start() and tags[noun.start() - 1] not in ",;CS":
            noun = None  # a comma, and several nouns that it could be about
        return Who.WHICH, noun.span() if noun else nowhere, None
    if ahead and tags[first] in "YOB" and ahead != "C" and _ASKED.match(tags, first):
        return None
    if (
        ahead in (",", ";")
        and (noun_phrase := interrupted(tags, before)) is not None
        and (not form & Form.BARE or words[noun_phrase[1] - 1].endswith("s"))
    ):
        return who_is(words, tags, *noun_phrase), noun_phrase, ""
    if (
        ahead
        and ahead in "C,"
        and (main := main_clause(found)) is not None
        and (
            not form & Form.BARE
            or main.form & _LEADING
            or ((main.who & PERSONS or tags[main.group] == "V") and ahead == "C" and _goes_on(words, tags, main.head, first))
            or (main.who & (Who.I | Who.WE) and ahead == "," and _tells_on(words, tags, main, first))
        )
    ):
        if main.who != Who.WHICH:
            return main.who, main.subject, main.opener
        return (who_is(words, tags, *main.subject), main.subject, "") if main.subject[0] < main.subject[1] else None
    if not form & Form.BARE and (resumed := _resumed(words, tags, found, first)) is not None:
        return who_is(words, tags, *resumed), resumed, ""
    if tags[:before].strip("UR,;C#") and ahead not in ";,CU":
        return None  # "help me write it"
    if form & Form.BARE and (tags[first] == "V" or words[first] == "do"):
        own = not tags[:before].strip("UR") and words[first - 1 : first] in _ADDING and words[first] in word_class("of-oneself")
        return (Who.UNSAID if own else Who.ORDER), nowhere, None  # "also speak Frisian"
    if tags[first] == "g" and (form & Form.NEGATED or _is_subject(words, tags, first)):
        return None
    unable = tags[first : first + 2] == "OX"  # "can't stand coriander"
    return (Who.UNSAID, nowhere, None) if tags[first] in "dng" or unable else None  # else a question: "does it work"


def _goes_on(words: Sequence[str], tags: str, head: int, first: int) -> bool:
    """Return whether a base form behind "and" is a verb of the clause before it: "and run a hotel", "and prefer spaces".

    It is none where it may be a noun ("and milk tea"), or goes on with an infinitive ("I want to help people and inspire others"). head:
    the verb of the clause before.
    """
    behind = tags[first + 1 : first + 2]
    if behind in _OBJECTS:
        return True
    return behind != "" and behind in "NKA" and possible_tags(words[first]) == "V" and _INFINITIVE.search(tags, head, first) is None


def _tells_on(words: Sequence[str], tags: str, main: Clause, first: int) -> bool:
    """Return whether a base form behind a comma tells more of who speaks: "I'm a beekeeper, live on a boat"; not "..., play it again"."""
    state = bool(main.form & Form.PRESENT) and not main.form & Form.NEGATED
    lasting = words[first] in word_class("of-oneself") & word_class("stative")
    return state and lasting and tags[first + 1 : first + 2] in ("I", "R")


def _is_subject(words: Sequence[str], tags: str, place: int) -> bool:
    """Return whether an "-ing" that opens a sentence is not about the speaker: "watching them is calming"."""
    telling = tags[place + 1 : place + 2] == "N" and "z" in possible_tags(words[place + 1])  # "painting helps me", "biking sounds fun"
    if telling and (tags[place + 2 : place + 3] in _OBJECTS or verb_of(words[place + 1]) in word_class("of-deeds")):
        return True
    return _TOLD_OF.match(tags, place) is not None


_TOLD_OF = re.compile(r"g(?:[^,;]*[BHYOz]|.*y)")


def _resumed(words: Sequence[str], tags: str, found: Sequence[Clause], before: int) -> tuple[int, int] | None:
    """Return the noun that a relative clause in between was about: "the kiln that I bought has cracks". before: where its verb begins."""
    last = found[-1] if found else None
    if last is None or not (last.relative or (last.who & PERSONS and last.start and tags[last.start - 1] in "NKP")):
        return None
    if last.who == Who.WHICH:
        return last.subject if last.subject[0] < last.subject[1] else None
    end = last.start - (tags[last.start - 1] == "W")
    noun = SUBJECT.search(tags, max(0, end - _REACH), end)
    if noun is None or (noun.start() and tags[noun.start() - 1] not in ",;CSRU"):
        return None
    last.relative = True
    if words[last.head + 1 : last.head + 2] == ["for"] and last.who & Who.WE:
        return noun.start(), before  # "the profile we use for PETG"
    if word_class("telling-apart").isdisjoint(words[max(0, noun.start() - 1) : noun.end()]):
        return noun.span()
    return max(0, noun.start() - 2), before  # "the only language I know well"


def main_clause(found: Sequence[Clause]) -> Clause | None:
    """Return the clause that one without a subject goes on with: the last that is in no other, or the last that "which" opens."""
    for clause in reversed(found):
        if not clause.relative or clause.who == Who.WHICH:
            return clause
    return None
