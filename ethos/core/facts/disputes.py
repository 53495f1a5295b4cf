"""Disputes: which facts a turn puts in question that tells of accounts that differ (`core.text.language.accounts`)."""

from __future__ import annotations

from collections.abc import Set as AbstractSet
from typing import NamedTuple

from ethos.core.facts.topics import has_enough, topic_of
from ethos.core.facts.values import MEASURED, kind_of_value, may_replace, measured_in, no_class, specific_words, value_held, value_words
from ethos.core.model.records import Fact
from ethos.core.text import folding
from ethos.core.text.language.accounts import Accounts
from ethos.core.text.language.mentioned import Mention, TurnMentions
from ethos.core.text.language.mentions import stem


class Dispute(NamedTuple):
    """What a turn tells of the value of a fact: where, and the other value that some say it has, if the turn tells one."""

    at: Mention
    other: Mention | None


def disputed(fact: Fact, told: TurnMentions, words: AbstractSet[str], speaker: str) -> Dispute | None:
    """Return how a turn puts a fact in question, or None. words: the stems of those of the turn; speaker: folded.

    It names the value of the fact, or has words enough of what that is about, and tells another value of the same kind. Where it says that
    it is open what is right, no other value is needed.
    """
    if told.accounts == Accounts.NONE or not told.mentions or (told.accounts == Accounts.ONE and any(told.now)):
        return None
    value = measured_in(fact.object)
    topic = topic_of(fact, speaker, value_words(fact.object))
    is_about = has_enough(words, topic)
    named = folding.tokens(folding.key(value.words if value is not None else " ".join(specific_words(fact.object))))
    is_named = bool(named) and (all if value is not None else any)(stem(word) in words for word in named)
    if told.accounts == Accounts.ONE and not (is_named and value is not None):
        return None
    if not named or not (is_named or (is_about and fact.cardinality == "single")):
        return None
    held, kind = value_held(fact)
    others = [each for each in told.mentions if each.specific and not each.ending.ends and may_replace(kind, held, each, no_class)]
    others = [each for each in others if not _is_of(fact, each) and (kind in MEASURED or kind_of_value(each.words, no_class) == kind)]
    other = max(others, key=lambda each: (each.governed, -each.start), default=None)
    if other is None and not (told.accounts == Accounts.OPEN and is_about and is_named):
        return None
    return Dispute(other or told.mentions[0], other)


def _is_of(fact: Fact, each: Mention) -> bool:
    """Return whether a fact has all the words of a mention."""
    return set(folding.tokens(folding.key(each.words))) <= set(folding.tokens(f"{fact.subject_key} {fact.predicate_key} {fact.object_key}"))
