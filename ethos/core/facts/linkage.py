"""Linkage: how likely a phrase of a turn is the new value of a fact, where no rule and no plain sign says so.

"We do three week sprints now" gives another value to "sprints are two weeks long", though the two share a noun alone. What speaks for that
and against it is added up, after Fellegi and Sunter, "A theory for record linkage" (1969): each sign that a fact and a phrase have together
has a weight in log odds (`words/linkage.txt`). We deviate in that the signs of one pair need not be independent: the weights come of a
logistic regression on labelled pairs, and not of how often each sign occurs by itself.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache

from ethos.core.facts.changeable import is_valued
from ethos.core.facts.containment import names
from ethos.core.facts.fact_keys import NAMED
from ethos.core.facts.purpose import purpose_of
from ethos.core.facts.topics import is_of_another, shared_with, topic_of
from ethos.core.facts.values import MEASURED, kind_of_value, may_replace, no_class, value_held, value_words
from ethos.core.model.records import Fact
from ethos.core.text import folding
from ethos.core.text.language.lexicon import weights_of, word_class
from ethos.core.text.language.mentioned import Mention, Spoken, TurnMentions
from ethos.core.text.language.mentions import stem


def likely_value(fact: Fact, told: TurnMentions, text: str, speaker: str) -> Mention | None:
    """Return the phrase of a turn that is most likely the new value of a fact, or None where none is likely enough. speaker: folded."""
    known = weights_of("linkage")
    best, most = None, known["least"]
    for mention, signs in linked(fact, told, text, speaker):
        if (odds := known["base"] + sum(known[sign] for sign in signs)) >= most:
            best, most = mention, odds
    return best


def linked(fact: Fact, told: TurnMentions, text: str, speaker: str) -> Iterator[tuple[Mention, tuple[str, ...]]]:
    """Yield the phrases that may be the new value of a fact, each with the signs that it has together with the fact.

    They stand in sentences about the same that have a cue of now. What something is called, or is used for, changes by its own words.
    """
    if fact.slot == NAMED or purpose_of(fact):
        return
    held, kind = value_held(fact)
    topic = topic_of(fact, speaker, value_words(fact.object))
    for number, (spoken, now) in enumerate(zip(told.spoken, told.now, strict=True)):
        if not now or not (shared := shared_with(spoken, topic)) or _is_of_kin(fact, spoken):
            continue
        here = [each for each in told.mentions if each.sentence == number]
        if any(each.given_up and not _has(fact, each) for each in here):
            continue  # that takes the place of something else: "we use Kafka Streams instead of Spark"
        signs = {
            "of-another": is_of_another(spoken, fact, speaker),
            "one-valued": is_valued(fact),
            "told-apart": _is_told_apart(fact, spoken),
            "whole-topic": len(shared) == len(topic),
        }
        for each in here:
            is_new = each.specific and not (each.supposed or each.given_up or _has(fact, each))
            if is_new and may_replace(kind, held, each, no_class):
                yield each, tuple(name for name, has in (signs | _signs(fact, each, text, kind)).items() if has)


def _signs(fact: Fact, each: Mention, text: str, kind: str) -> dict[str, bool]:
    """Return the signs of a phrase. kind: of the value that the fact has."""
    return {
        "both-capitals": text[each.start].isupper() and any(word[0].isupper() for word in fact.object.split()),
        "both-names": kind not in MEASURED and kind_of_value(folding.key(each.words), no_class) == kind,
        "governed": each.governed,
        "taken-up": each.taken_up,
        "unlinked": not each.linked,
    }


def _has(fact: Fact, each: Mention) -> bool:
    words = folding.key(each.words)
    return names(fact.object_key, words) or names(fact.subject_key, words)


def _is_of_kin(fact: Fact, spoken: Spoken) -> bool:
    """Return whether a sentence speaks of somebody's kin, whom a fact does not name: "my daughter upgraded to a Pixel 9"."""
    known = frozenset(map(stem, folding.tokens(f"{fact.subject_key} {fact.object_key}")))
    return any(not each.heads & word_class("kin") <= known for each in spoken.things)


def _is_told_apart(fact: Fact, spoken: Spoken) -> bool:
    """Return whether a sentence and a fact tell two things of one sort apart, "the app team" and "the web team", "chapter 3" and 2."""
    said = frozenset(map(stem, folding.tokens(fact.subject_key.rpartition("'s ")[2]))) - word_class("determiner")
    *_, last = folding.tokens(fact.subject_key) or ("",)
    heads = said if last.isdigit() else {stem(last)}
    alike = [each.words for each in spoken.things if not each.heads.isdisjoint(heads)]
    return any(words - said - _passed_over() and said - words for words in alike) and not any(said <= words for words in alike)


@cache
def _passed_over() -> frozenset[str]:
    """Return words that tell no thing from another of its sort: "the new landlord"."""
    return word_class("measure") | word_class("new") | word_class("evaluative")
