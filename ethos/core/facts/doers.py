"""Doers: who does what others count on, under one key whatever words tell it.

"Cleo approves the deploys", "the deploys are approved by Cleo" and "the deploy approver is Cleo" say one thing: who approves them. The key
is the thing with the duty, and the value is who does it. The duties, and the nouns for who has one, stand in `words/duties.txt`.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final, NamedTuple

from ethos.core.facts.aspects import thing_of
from ethos.core.facts.frequencies import frequency_in
from ethos.core.model.keys import FactKey
from ethos.core.text import folding
from ethos.core.text.language.everyday import is_everyday
from ethos.core.text.language.lexicon import heads_of, word_class
from ethos.core.text.language.tagging import possible_tags, verb_of

WHO: Final = "who"  # the slot; behind it stands when or where the thing is done, "who at lunch"
_DUTIES = "duties"  # the list of them
TAKEN_OVER: Final = "be take over by"  # a duty in the place of any other
_MOST, _MOST_NAMES, _FAR = 4, 2, 5  # words of a thing and of a name; words in which a duty is told
_SOME, _JOINING = frozenset({"a", "an", "some", "any"}), frozenset({"and", "or"})
_SINCE = frozenset({"as", "since", "from", "starting", "effective"})  # "as of Monday" tells since when, and nothing apart


class Doer(NamedTuple):
    """Who does what: the thing and the predicate are of the key, as is the slot; who is the value. All folded."""

    thing: str
    predicate: str
    slot: str
    who: str


def doer_told(subject: str, predicate: str, obj: str, speaker: str) -> Doer | None:
    """Return who a claim says does what, or None where it tells no duty.

    subject, obj: as they were said; predicate: folded, with each verb in its base form; speaker: folded.
    """
    verbs = heads_of(_DUTIES).by_phrase
    if predicate == "be" and obj.endswith("'s"):
        return _doer(subject, "own", obj[:-2]) if _may_do(obj[:-2], speaker) else None
    said = f"{predicate} {obj}".split(" ")
    if said[0] == "be" and "by" in said[2:_FAR]:  # "are looked after by"
        by = said.index("by", 2)
        duty = verbs.get(" ".join([verb_of(said[1].lower()), *said[2:by]]))
        who = " ".join(said[by + 1 :])
        return _doer(subject, duty, who) if duty == "own" or (duty and _may_do(who, speaker)) else None
    for end in range(predicate.count(" ") + 1, _FAR):  # "takes | care of the garden"
        if (duty := verbs.get(" ".join(said[:end]))) is not None and said[end:]:
            thing = " ".join(said[end:])
            if predicate == "belong to":
                return _doer(subject, duty, thing)
            own = folding.key(subject) == speaker  # "I teach maths", "I do my shopping at Lidl": it matters what, and not who
            if not _may_do(subject, speaker) or (own and (duty == "do" or said[end].lower() == "my")):
                return None
            return _doer(thing, duty, subject) if _is_anybodys(thing, named=not own and duty != "do") else None
    return None


def duty_named(subject: str, who: str) -> Doer | None:
    """Return who has the duty that a folded thing names, "qa lead"; None for any other thing. who: folded."""
    thing, _, noun = subject.rpartition(" ")
    duty = heads_of(_DUTIES).by_noun.get(noun)
    return Doer(thing, f"be {duty} by", WHO, who) if duty is not None and thing else None


def is_duty(slot: str) -> bool:
    """Return whether a slot is that of who does a thing."""
    return slot.partition(" ")[0] == WHO


def duties_met(key: FactKey) -> Iterator[FactKey]:
    """Yield the other keys of a duty under which stands what has a say about it: who took the thing over does it, whatever it is called."""
    if is_duty(key.slot):
        others = {f"be {duty} by" for duty in heads_of(_DUTIES).by_phrase.values()} if key.predicate == TAKEN_OVER else {TAKEN_OVER}
        yield from (key._replace(predicate=each) for each in sorted(others - {key.predicate}))


def _doer(thing: str, duty: str, who: str) -> Doer | None:
    """Return who does a thing that is one for all: not "a dog", or "dogs and cats"."""
    words = folding.key(thing).split()
    if not words or thing.lower().partition(" ")[0] in _SOME or not _JOINING.isdisjoint(words) or frequency_in(" ".join(words)) is not None:
        return None
    end = next((at for at, word in enumerate(words) if at and (word in word_class("relation") or word in _SINCE)), len(words))
    what, beside = thing_of(" ".join(words[:end])), [] if _SINCE.issuperset(words[end : end + 1]) else words[end:]
    if not what or what[0].isdigit() or what.count(" ") >= _MOST or "N" not in possible_tags(what.rpartition(" ")[2]):
        return None  # "is running late"
    return Doer(what, f"be {duty} by", " ".join([WHO, *beside]), folding.key(who))


def _is_anybodys(thing: str, *, named: bool) -> bool:
    """Return whether words name a thing that others could do it for as well: "the SDK", "deploys", "QA", but not "Debian", which a server
    runs. named: whether a noun alone does.
    """
    first, *rest = thing.split()
    if first.lower() in word_class("determiner") or "'" in first:
        return True
    return named and (first.isupper() or all(map(is_everyday, (first, *rest[:1]))))


def _may_do(who: str, speaker: str) -> bool:
    """Return whether words name somebody or something that does things: the speaker, one of the kin, or a name."""
    folded = folding.key(who)
    own, mark, noun = folded.rpartition("'s ")
    if mark or folded == speaker:
        return folded == speaker or (own == speaker and noun.partition(" ")[0] in word_class("kin"))
    words = folded.split()
    if not 1 <= len(words) <= _MOST_NAMES or not word_class("calendar").isdisjoint(words):
        return False
    return folded.replace(" ", "").isalpha() and (who.istitle() or not any(map(is_everyday, words)))
