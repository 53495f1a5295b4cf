"""Topics: what a fact is about, apart from its value, and whether a sentence is about the same.

"Sam takes 20 mg of omeprazole" is about omeprazole, and "she put my omeprazole up to 40 mg" is too, though no rule gives both one key. The
words that the two share decide, and one of them has to head its phrase: "the thesis meeting" is not about the thesis.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from collections.abc import Set as AbstractSet
from functools import cache, lru_cache
from typing import NamedTuple

from ethos.core.facts.purpose import purpose_of
from ethos.core.facts.replacement import TOGETHER, owner_of
from ethos.core.facts.values import value_words
from ethos.core.model.records import Claim, Fact
from ethos.core.text import folding
from ethos.core.text.language.everyday import is_everyday
from ethos.core.text.language.lexicon import word_class
from ethos.core.text.language.measures import PRICE, measure_told
from ethos.core.text.language.mentioned import Spoken, Thing
from ethos.core.text.language.mentions import stem
from ethos.core.text.language.tagging import forms_of, possible_tags, verb_of

_ENOUGH = 0.5  # of the words of a topic, that a sentence about it has


def topic_of(fact: Fact | Claim, speaker: str, value: str = "") -> Mapping[str, float]:
    """Return the stems of the words that say what a fact is about, each with its weight.

    A name weighs twice as much as another word, what stands behind a preposition half. speaker: folded; value: the part of the object
    that is the fact's value.
    """
    if isinstance(fact, Fact) and (purpose := purpose_of(fact)):
        return _topic(fact.subject, "", f"{fact.object} {purpose}", speaker, value)
    return _topic(fact.subject, fact.predicate, fact.object, speaker, value)


@lru_cache(2_048)  # each turn of a late history is held against each fact
def _topic(subject: str, predicate: str, obj: str, speaker: str, value: str) -> Mapping[str, float]:
    subject = folding.key(subject)
    subject = "" if subject in (*TOGETHER, speaker) else subject.removeprefix(f"{speaker}'s ")
    rest = _without(folding.key(obj), value)
    verb, _, behind_verb = folding.key(predicate).partition(" ")
    found = _stems((subject, behind_verb, rest), ("empty", "light"))
    if verb_of(verb) in word_class("pricing"):
        found = dict.fromkeys(found, 1.0)  # "pays 900 for rent" is about the rent
        found.setdefault(PRICE, 0.5)
    elif verb and (verb := verb_of(verb)) not in word_class("light"):
        found.setdefault(verb, 1)
    return found or _stems((subject, value), ("light",))


def _stems(parts: Iterable[str], passed_over: Collection[str]) -> dict[str, float]:
    """Return the stems of folded words, each with its weight. passed_over: classes of words that say nothing."""
    found: dict[str, float] = {}
    for part in parts:
        behind = False
        words = folding.tokens(part)
        for word, behind_word in zip(words, (*words[1:], ""), strict=False):
            tags = possible_tags(word)
            behind |= tags[:1] in ("I", "T")
            each = stem(word) if set("NKAg") & set(tags) else verb_of(word) if set("Vdn") & set(tags) else ""
            each = measure_told(word, behind_word) or each
            if each and not word[0].isdigit() and not any(each in word_class(name) for name in passed_over):
                found[each] = max(_weight(word) * (0.5 if behind else 1), found.get(each, 0))
    return found


def _without(said: str, value: str) -> str:
    """Return a folded text without the words of a value in it."""
    words = set(folding.tokens(value))
    return " ".join(word for word in folding.tokens(said) if word not in words)


def _weight(word: str) -> float:
    return 1 if is_everyday(word) or word in word_class("kin") else 2


def is_about(spoken: Spoken, topic: Mapping[str, float]) -> bool:
    """Return whether a sentence has enough of the words of a topic, one of which heads its phrase."""
    shared = topic.keys() & spoken.stems
    if shared.isdisjoint(spoken.heads) or (shared <= word_class("measure") and len(shared) < len(topic.keys() - {PRICE})):
        return False  # "the row limit" is not about the upload limit
    return has_enough(shared, topic)


def has_enough(words: AbstractSet[str], topic: Mapping[str, float]) -> bool:
    """Return whether stems have enough of the words of a topic to be about it."""
    return sum(topic[word] for word in topic.keys() & words) >= _ENOUGH * sum(topic.values())


def shared_with(spoken: Spoken, topic: Mapping[str, float]) -> frozenset[str]:
    """Return the words of a topic that a sentence has, where they are enough to be about it; else none."""
    shared = topic.keys() & spoken.stems
    return frozenset(shared) if shared and has_enough(shared, topic) else frozenset()


def is_of_another(spoken: Spoken, fact: Fact, speaker: str) -> bool:
    """Return whether a sentence gives a value to another thing than a fact is about: "the parking rent" is not the rent, the office in
    Bruges not the one in Ghent, and what my cat weighs says nothing of my dog. speaker: folded.
    """
    subject = folding.key(fact.subject)
    if subject in (*TOGETHER, speaker):
        return _is_for_another(spoken, fact.object)
    does = fact.predicate_key.partition(" ")[0] != "be"  # "has swimming lessons on Mondays" is about the lessons, too
    whose = subject.removeprefix(f"{speaker}'s ")
    thing, known, owner = _told_of(whose, fact.predicate, fact.object, does=does)
    about = [each for each in spoken.things if not thing.isdisjoint(_heads(each))]
    if not thing or not about:
        return thing.isdisjoint(spoken.heads) and bool(thing)  # "I bank with Revolut now" is about my bank
    return all(not each.words <= known | (word_class("measure") & each.heads) or (each.own and not owner <= each.words) for each in about)


class _Told(NamedTuple):
    """The stems of the thing that a fact is about, of all that may be said of that thing alone, and of whose it is."""

    thing: frozenset[str]
    known: frozenset[str]
    owner: frozenset[str]


@lru_cache(2_048)  # a fact is held against each sentence that may be about it
def _told_of(subject: str, predicate: str, obj: str, *, does: bool) -> _Told:
    """Return what a fact tells of a thing. subject: folded, without the speaker; does: whether its object is a part of the thing."""
    thing = frozenset(_stems((subject, _without(folding.key(obj), value_words(obj)) if does else ""), ("empty", "light")))
    said = _stems((folding.key(f"{predicate} {obj}"),), ())
    known = thing.union(said, word_class("capping"), word_class("evaluative"), word_class("of-any-thing"))
    return _Told(thing, known, frozenset(map(stem, owner_of(subject))))


def _is_for_another(spoken: Spoken, obj: str) -> bool:
    """Return whether a sentence shares no thing with what somebody does, and names another: "pays 40 for internet", "25 for the phone"."""
    about = _things_in(obj)
    if not about or not about.isdisjoint(spoken.stems):
        return False
    return any(not each.words <= naming_nothing() for each in spoken.things)


@lru_cache(2_048)
def _things_in(obj: str) -> frozenset[str]:
    """Return the stems of the things in the object of a deed, without its value."""
    return frozenset(_stems((_without(folding.key(obj), value_words(obj)),), ("empty", "light", "duration"))) - {PRICE}


@cache
def naming_nothing() -> frozenset[str]:
    """Return the stems of words that name no thing: measures, times and the like."""
    classes = ("measure", "duration", "counted", "calendar", "times", "evaluative")
    return frozenset(stem(word) for name in classes for word in word_class(name))


def _heads(thing: Thing) -> frozenset[str]:
    return thing.heads.union(filter(None, map(measure_told, thing.heads)))


def likeness(one: Mapping[str, float], other: Mapping[str, float]) -> float:
    """Return how alike two topics are, from 0 to 1: the weight of what they share by that of all their words."""
    both = {**one, **other}
    return sum(both[word] for word in one.keys() & other.keys()) / sum(both.values()) if both else 0.0


def words_about(fact: Fact, value: str) -> frozenset[str]:
    """Return words of which every sentence about a fact begins one, whoever speaks; as few and as rare as will do. value: of its object."""
    found: set[str] = set()
    for speaker in ("", folding.key(fact.subject), folding.key(fact.subject).partition("'s ")[0]):
        topic = topic_of(fact, speaker, value)
        left = sum(topic.values())
        enough = _ENOUGH * left
        for word in sorted(topic, key=lambda each: (is_everyday(each), -len(each), each)):
            if left < enough:
                break
            found |= {word, *(form for form in forms_of(word) if not form.startswith(word))}
            left -= topic[word]
    return frozenset(found)
