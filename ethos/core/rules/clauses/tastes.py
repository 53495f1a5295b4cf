"""Tastes in a sentence: who likes or cannot stand a thing, by the constructions of the lexicon (`language.tastes`).

"I'm fond of peaty whisky, and very fond of calvados", "opera bores me", "since then I find whisky revolting". They are found by their
words, not by clauses, because many have no verb: "big fan of dark mode".
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from functools import cache
from itertools import chain
from typing import NamedTuple

from ethos.core.rules.clauses.hanging import hangs
from ethos.core.rules.regex.frequency import frequency_of
from ethos.core.text.language.clause import Clause, Form, Who
from ethos.core.text.language.clauses import gives_reason
from ethos.core.text.language.cues import cue_of_now, cue_words, single_cues
from ethos.core.text.language.inflection import third_person_form
from ethos.core.text.language.lexicon import word_class
from ethos.core.text.language.tagging import Tagged, forms_of, possible_tags, verb_of
from ethos.core.text.language.tastes import Construction, constructions, constructions_at, is_state, judged, taste_verbs

_AHEAD = 10  # words before a construction among which who likes it stands
_NP = r"(?:(?:D{1,2}+[mu]?+|[mu])?+(?:[A#NKV]|R(?=[AN])|[ndzg](?=[A#NK])|'(?=[A#NKng]))*[NKV#g])"
_THING = re.compile(rf"(?:g[RX]*+(?=[IDmuA#NKnV]))?(?:I(?={_NP}))?{_NP}(?:I{_NP}){{0,2}}(?:,?C(?![iwyhtPE]){_NP}(?:I{_NP})?)?|g")
_SUBJECT = re.compile(rf"(?<![Dmu'A#NK]){_NP}(?:I{_NP})?(?=[RX]*+\Z)")
_BETWEEN = "RXHBOYbnU"  # tags between who likes and what tells it
_STARTS = ",;CU"
_BEHIND = word_class("behind-tastes")
_SKIPPED = word_class("softeners")
_POINTING = word_class("only-pointing")
_MEANT = word_class("meant")
_REMOTE = word_class("times") | word_class("reasons")  # nouns that are not what is liked: "the day I fell for it"
_UNIQUE = word_class("unique")
_BECOMING = frozenset({"become", "get", "grow", "turn"})


class TastePhrase(NamedTuple):
    """A taste in a sentence. Spans are of words, half-open."""

    liked: bool
    changed: bool  # its words say that it was otherwise before
    verb: str  # how it is told of somebody; "" if by its own words
    words: tuple[int, int]  # that tell it
    liker: int  # the place of "i" or "we"; -1 if that is not said
    thing: tuple[int, int]
    meant: bool = False  # a pronoun stands for what is liked
    rest: tuple[str, ...] = ()  # the words behind the first that the construction is made of


def tastes_in(tagged: Tagged, found: Sequence[Clause]) -> Iterator[TastePhrase]:
    """Yield the tastes that the speaker of a sentence tells of himself."""
    words, tags = tagged.words, tagged.tags
    known = taste_verbs()
    at = 0
    while at < len(words):
        word = words[at]
        told = None
        if word in known or (tags[at] in "VzdngHYBb" and verb_of(word) in known):
            told = _told(tagged, found, at)
        if told is None:
            at += 1
            continue
        told = told._replace(changed=told.changed or _is_new(tagged, found, told))
        if told.changed or not told.meant:
            yield told
        at = max(told.words[1], told.thing[1], at + 1)
        yield from _more(tagged, told)


@cache
def required_taste_words() -> frozenset[str]:
    """Return words of which one stands in each sentence that tells a taste: of each construction the word that is said least."""
    found = set(word_class("pleasant") | word_class("unpleasant"))  # of "find"
    for one in chain.from_iterable(constructions().values()):
        first = one.words[:1] if one.state else forms_of(one.words[0])
        found.update(min((first, *((word,) for word in one.words[1:] if word not in ("me", "my"))), key=_said_often))
    return frozenset(found)


def _said_often(words: Iterable[str]) -> float:
    return sum(frequency_of(f" {word} ") for word in words)


def wording(told: TastePhrase, tagged: Tagged) -> str:
    """Return what somebody's taste is told with: "is a big fan of", "has gone off", "cannot stand"."""
    if told.verb:
        return told.verb
    words, tags = tagged.words, tagged.tags
    rest = told.rest
    (at, end), start = told.words, max(told.liker + 1, told.words[0] - _AHEAD)
    if is_state(words[at]):
        while start < at and (tags[start] in "RXBHbCU,;" or verb_of(words[start]) in _BECOMING | {"be", "have"}):
            start += 1
        first = next((place for place in reversed(range(start, at)) if tags[place] not in "DA"), start - 1) + 1
        return " ".join(["is", *words[first:end]])
    if any(words[place] in ("can", "ca", "could") for place in range(start, at)):
        return " ".join(["cannot", words[at], *rest])
    if tags[at] == "n" and "H" in tags[start:at]:
        return " ".join(["has", words[at], *rest])
    return " ".join([words[at] if tags[at] == "d" else third_person_form(verb_of(words[at])), *rest])


def _is_new(tagged: Tagged, found: Sequence[Clause], told: TastePhrase) -> bool:
    """Return whether a cue around a taste says that it is so from now on: "nowadays", "since May", "after that mess"."""
    words, tags = tagged.words, tagged.tags
    end = max(told.words[1], told.thing[1])
    limit = min((each.start for each in found if each.start >= end), default=len(words))
    limit = next((place for place in range(end, limit) if tags[place] in ",;W"), limit)
    start = min(told.thing[0], told.words[0] if told.liker < 0 else told.liker)
    for place in range(end, limit):
        following = words[place + 1] if place + 1 < len(words) else ""
        if words[place] == "since" and following in ("i", "we") and words[place + 2 : place + 3] in (["was"], ["were"]):
            return False  # "since I was a boy": always
        if words[place] in _CUES or (words[place], following) in _CUES_OF_TWO or (words[place] == "after" and following in _EVENTS):
            return True
    if words[start - 1 : start] == ["since"]:
        return False  # a reason: "since I love fantasy"
    now, _ = cue_of_now(words, tags, start, told.words[0], end, end)
    return bool(now)


_CUES = single_cues("taste")
_CUES_OF_TWO = frozenset(cue for cue in cue_words("taste") if len(cue) > 1)
_EVENTS = word_class("happened")  # behind "after"


def _more(tagged: Tagged, told: TastePhrase) -> Iterator[TastePhrase]:
    """Yield what else stands behind the same preposition, said again: "a fan of dark mode, and of Iosevka"."""
    words, tags = tagged.words, tagged.tags
    last = told.words[1] - 1
    at = told.thing[1]
    at += tags[at : at + 1] == ","
    if tags[last] == "I" and words[at : at + 2] == ["and", words[last]]:
        thing = _thing(tagged, at + 2, definite=True, named=True)
        if thing:
            yield told._replace(thing=thing)


def _told(tagged: Tagged, found: Sequence[Clause], at: int) -> TastePhrase | None:
    """Return the taste that the word at this place begins to tell."""
    words, tags = tagged.words, tagged.tags
    if verb_of(words[at]) == "find":
        return _finds(tagged, found, at)
    for one, end in constructions_at(words, tags, at):
        told = _fronted(tagged, found, one, at, end) if one.fronted else _plain(tagged, found, one, at, end)
        if told is not None:
            return told
    return None


def _plain(tagged: Tagged, found: Sequence[Clause], one: Construction, at: int, end: int) -> TastePhrase | None:
    """Return the taste of a construction with what is liked behind it."""
    words, tags = tagged.words, tagged.tags
    liker = _liker(tagged, found, at, state=one.state, strong=one.strength > 1 or len(one.words) > 1)
    if liker is None:
        return None
    said, start = liker
    before = range(start, at)
    denied = any(tags[place] == "X" for place in before) or "no" in words[start:at]
    modal = next((words[place] for place in before if tags[place] == "O"), "")
    able = modal in ("can", "ca", "could")
    if one.denied:
        if not denied or not able:
            return None
    elif modal and modal not in ("will", "'ll", "can", "ca"):
        return None
    elif able and one.strength == 1 and not one.state:
        return None  # "you can enjoy", "I can't enjoy"
    used = "used" in words[start:at] and tags[at - 1] == "T"
    became = any(verb_of(words[place]) in _BECOMING for place in before)
    past = tags[at] == "d" and not used and not one.changed
    was = one.state and any(words[place] in ("was", "were") for place in before)
    if (past and not one.state) or was or (tags[at] == "z"):
        return None
    if tags[at] == "n" and not one.state and not one.changed and "H" not in tags[start:at]:
        return None
    negated = (denied and not one.denied) or used
    if negated and not one.liked:
        return None  # who does not hate a thing need not like it
    thing = _thing(tagged, end, definite=not one.state and not one.changed and one.liked)
    meant = thing is None
    thing = thing or _meant(tagged, end, start)
    if thing is None:
        return None
    changed = one.changed or used or (one.state and became) or any(words[place] in ("longer", "anymore") for place in before)
    verb = "likes" if used else ""
    return TastePhrase(one.liked != negated, changed, verb, (at, end), said, thing, meant, one.words[1:])


def _fronted(tagged: Tagged, found: Sequence[Clause], one: Construction, at: int, end: int) -> TastePhrase | None:
    """Return the taste of a construction with what is liked before it: "opera bores me"."""
    words, tags = tagged.words, tagged.tags
    clause = next((each for each in found if each.head == at), None)
    if clause is None or clause.question or clause.relative or not clause.form & Form.PLAIN or _supposed(clause):
        return None
    if not clause.who & (Who.THING | Who.MINE) or clause.subject[0] >= clause.subject[1]:
        return None
    if clause.form & Form.PAST and not (one.changed or clause.form & Form.PERFECT):
        return None
    negated = clause.form & Form.NEGATED > 0
    if one.denied and not negated:
        return None
    negated = negated and not one.denied
    if negated and not one.liked:
        return None
    low, high = clause.subject
    if low and tags[low - 1] in _VERBS:
        return None  # "knowing I can make a difference keeps me going": the deed is meant, and not its object
    if words[low] in _POINTING - {"the"} or not set(tags[low:high]) & set("NKgA") or not _MEANT.isdisjoint(words[low:high]):
        return None
    return TastePhrase(one.liked != negated, one.changed, "likes" if one.liked else "dislikes", (at, end), -1, (low, high))


def _finds(tagged: Tagged, found: Sequence[Clause], at: int) -> TastePhrase | None:
    """Return the taste in "finds opera tedious"."""
    words, tags = tagged.words, tagged.tags
    if tags[at] not in "VHn":
        return None
    liker = _liker(tagged, found, at, state=False, strong=True)
    if liker is None or liker[0] < 0 or any(tags[place] in "OX" for place in range(liker[1], at)):
        return None
    end = at + 1
    while end < len(words) and tags[end] not in ";SWCU," and judged(words[end]) is None:
        end += 1
    if end >= len(words) or (liked := judged(words[end])) is None:
        return None
    last = end
    while last > at + 1 and tags[last - 1] in "RTBb":
        last -= 1
    if last <= at + 1 or words[at + 1] in _POINTING or tags[at + 1] in "tphyPE" or tags[end + 1 : end + 2] in ("N", "K"):
        return None
    return TastePhrase(liked == "+", changed=False, verb="finds", words=(at, at + 1), liker=liker[0], thing=(at + 1, end + 1))


def _liker(tagged: Tagged, found: Sequence[Clause], at: int, *, state: bool, strong: bool) -> tuple[int, int] | None:
    """Return the place of "i" or "we", -1 where it is left out, and where the words begin that tell the taste; None if it is another's."""
    words, tags = tagged.words, tagged.tags
    start = at
    while start > max(0, at - _AHEAD) and (
        tags[start - 1] in _BETWEEN
        or (words[start - 1] in ("to", "used") and tags[at] in "VHY")
        or (state and (tags[start - 1] in "DAdnV" or verb_of(words[start - 1]) in _BECOMING))
    ):
        start -= 1
    while start < at and tags[start] == "U":
        start += 1
    clause = _around(found, at)
    if clause is not None and (clause.question or (clause.relative and not _in_front(tags, clause.start)) or _opened(words, tags, start)):
        return None
    number = found.index(clause) if clause is not None else 0
    if number and hangs(found, number, tags):
        return None
    ahead = tags[start - 1] if start else ""
    if ahead in ("i", "w") and ahead:
        asked = start > 1 and tags[start - 2] in "YOBW" and not gives_reason(words, tags, start - 2)
        if start > 1 and tags[start - 2] in "NKP" and words[start - 2] not in _REMOTE and not _in_front(tags, start - 1):
            return None  # "the things I hate"
        stands = not state or any(tags[place] in "Bb" or verb_of(words[place]) in _BECOMING for place in range(start, at))
        return (start - 1, start) if stands and not asked else None
    if ahead and (ahead not in _STARTS or tags[at] == "I"):
        return None
    if state and not _said_of_oneself(tagged, start, at):
        return None
    ordered = not state and tags[at] == "V" and start == at
    earlier = next((each for each in reversed(found) if each.group < start), None)
    if ahead and earlier is not None and ahead in ",C" and words[start - 1] != "but":
        if not earlier.who & (Who.I | Who.WE | Who.UNSAID):
            return None
    elif ordered and not strong:
        return None  # "enjoy the evening"
    if ahead == "C" and earlier is None:
        return None
    return -1, start


def _said_of_oneself(tagged: Tagged, start: int, at: int) -> bool:
    """Return whether words before a state leave "I" out, and are no order or noun phrase: not "make fans of opera happy"."""
    words, tags = tagged.words, tagged.tags
    if "B" in tags[start:at]:
        return True
    if tags[at] == "I" or (tags[start] == "D" and words[start] not in ("a", "an")):
        return False  # "translate into German", "the fans of opera"
    return not any(tags[place] == "V" and verb_of(words[place]) not in _BECOMING for place in range(start, at))


def _around(found: Sequence[Clause], at: int) -> Clause | None:
    """Return the clause that the word at this place tells, if its verb stands there or right before it."""
    return next((each for each in reversed(found) if each.group <= at <= max(each.head, each.object[0]) + 4), None)


def _in_front(tags: str, at: int) -> bool:
    """Return whether the noun before this place belongs to a phrase in front: "since the baby I"."""
    noun = _SUBJECT.search(tags, max(0, at - _AHEAD), at)
    return noun is not None and noun.start() > 0 and tags[noun.start() - 1] in "IS"


def _opened(words: Sequence[str], tags: str, start: int) -> bool:
    """Return whether what opens the words says that they are supposed, or told of another time."""
    at = start - 1
    while at >= 0 and tags[at] in "RUiw":
        at -= 1
    return at >= 0 and words[at] in _SIDE


_SIDE = word_class("side")
_VERBS = frozenset("VzdngbBHYO")


def _supposed(clause: Clause) -> bool:
    return clause.opener in _SIDE


def _meant(tagged: Tagged, at: int, start: int) -> tuple[int, int] | None:
    """Return the noun phrase that "it" or "them" at this place stands for: what the sentence began with. start: of the words about it."""
    words, tags = tagged.words, tagged.tags
    if words[at : at + 1] not in (["it"], ["them"]):
        return None
    first = _TOPIC.match(tags)
    if first is None or first.end(1) >= start:
        return None
    low, high = first.span(1)
    several = words[high - 1].endswith("s") and not words[high - 1].endswith("ss")
    if words[low] in _POINTING or several != (words[at] == "them"):
        return None
    return low, high


_TOPIC = re.compile(rf"[RUC,;D]*({_NP})(?![NK])")
_DESCRIBED = re.compile(r",(?:R?[Ag],?)+[NK]++")


def _thing(tagged: Tagged, at: int, *, definite: bool, named: bool = False) -> tuple[int, int] | None:
    """Return the span of what is liked, which begins at this place; None if that says nothing by itself. definite: "the smell" may do."""
    words, tags = tagged.words, tagged.tags
    while at < len(words) and tags[at] in "RX" and (words[at].endswith("ly") or words[at] in _SKIPPED):
        at += 1
    limit = next((place for place in range(at, len(words)) if words[place] in _BEHIND), len(words))
    match = _THING.match(tags, at, limit)
    if match is None:
        return None
    low, high = match.span()
    if tags[high : high + 1] == "," and possible_tags(words[high - 1]).startswith(("A", "NA")) and tags[high - 2 : high - 1] in ("D", "I"):
        described = _DESCRIBED.match(tags, high, limit)  # "a safe, inviting place"
        high = described.end() if described is not None else high
    first = words[low]
    if first in _POINTING and not (definite and first == "the" and (named or "of" in words[low:high] or words[high - 1] in _UNIQUE)):
        return None
    if words[low : low + 2] == ["all", "the"]:
        return None
    if "y" in tags[low:high] or "your" in words[low:high]:
        return None
    if tags[high - 1] == "g" and tags[high : high + 1] in tuple("tpyhiwPE"):
        return None  # "seeing them in the sun"
    if _hangs_on_more(tagged, low, high):
        return None
    vague = word_class("vague")
    return None if words[high - 1] in vague and high - low < 3 else (low, high)


def _hangs_on_more(tagged: Tagged, low: int, high: int) -> bool:
    """Return whether a phrase, or what goes on behind it, only makes sense with what was said before: "sharing our tools with them"."""
    words, tags = tagged.words, tagged.tags
    if tags[high - 1] == "g" or tags[high : high + 1] == "I":
        high = next((place for place in range(high, len(words)) if tags[place] in ",;C" or words[place] in _BEHIND), len(words))
    return any(words[place] in _MEANT for place in range(low, high))
