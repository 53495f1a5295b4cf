"""Rank memories for a question (R-01 to R-04, R-29, X-R18).

relevance = sum over the question's terms of idf * (where the term stands) / sum of idf, at most 1; a consolidated memory counts 1.2
times. The rank is that, times the weight of the scope, times .5 + .5 belief, times what is left after often having been served for
nothing. A synonym is as good as the word. What is reported is the relevance, at most 1.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import log
from typing import NamedTuple

from ethos.core.learning.bank.belief import Counts, proved
from ethos.core.learning.bank.vocabulary import Vocabulary
from ethos.core.model.memories import Memory, Scope
from ethos.core.model.settings import BankSettings
from ethos.core.recall.terms import FRAGMENTS, STOP_WORDS, words

TITLE, TAG, DESCRIPTION, CONTENT = 1.0, 0.95, 0.9, 0.8
_LEAST_LEFT = 0.25  # of a rank, however often it was served for nothing


class Ranked(NamedTuple):
    """A memory, how much of the question it meets (0..1), and the value it is ordered by."""

    memory: Memory
    relevance: float
    rank: float


def asked(query: str, vocabulary: Vocabulary) -> tuple[str, ...]:
    """Return the terms of a question, each once; those of its stop words only if it has no others."""
    found = [word for word in words(query) if word not in FRAGMENTS]
    telling = [word for word in found if word not in STOP_WORDS]
    return tuple(dict.fromkeys(vocabulary.canonical(telling or found)))


def spellings(terms: Sequence[str], query: str, vocabulary: Vocabulary) -> tuple[str, ...]:
    """Return the words to look up in the index for a question: its own, and those that mean the same."""
    own = [word for word in words(query) if word not in STOP_WORDS and word not in FRAGMENTS]
    return tuple(dict.fromkeys([*own, *(word for term in terms for word in vocabulary.synonyms(term))])) or tuple(words(query))


def _scope_weights(settings: BankSettings) -> Mapping[Scope, float]:
    """Return what a memory counts by its scope."""
    return {Scope.PROJECT: settings.project_weight, Scope.TEAM: settings.team_weight, Scope.ORG: settings.org_weight}


def ranked(
    terms: Sequence[str], memories: Sequence[Memory], counts: Mapping[str, Counts], settings: BankSettings, vocabulary: Vocabulary
) -> tuple[Ranked, ...]:
    """Return the memories that have one of the terms, best first. counts: all signals by memory."""
    term_places = [_term_places(memory, vocabulary) for memory in memories]
    holding = {term: sum(term in each for each in term_places) for term in terms}
    idf = {term: log(1 + (len(memories) - n + 0.5) / (n + 0.5)) for term, n in holding.items()}
    whole = sum(idf.values())
    weights = _scope_weights(settings)
    found = []
    for memory, where in zip(memories, term_places, strict=True):
        met = sum(idf[term] * where[term] for term in terms if term in where) / whole if whole else 0.0
        if met <= 0:
            continue
        boosted = met * (settings.consolidated_boost if memory.consolidated else 1.0)
        left = left_of(memory.usage_count, counts.get(memory.id, Counts()), settings.patience)
        rank = boosted * weights[memory.scope] * (0.5 + 0.5 * memory.confidence) * left
        found.append(Ranked(memory, min(1.0, boosted), rank))
    return tuple(sorted(found, key=lambda each: (-each.rank, -each.memory.confidence, each.memory.id)))


def _term_places(memory: Memory, vocabulary: Vocabulary) -> dict[str, float]:
    """Return the weight of each term of a memory, by the best part that has it."""
    places = ((memory.content, CONTENT), (memory.description, DESCRIPTION), (" ".join(memory.tags), TAG), (memory.title, TITLE))
    return {term: worth for text, worth in places for term in vocabulary.canonical(words(text))}


def left_of(served: int, counts: Counts, patience: int) -> float:
    """Return what often having been served for nothing leaves of a rank; `_LEAST_LEFT`..1.

    A help is a good outcome or a good word; each earns as many servings again as the patience that every memory begins with.
    """
    earned = patience * (1 + proved(counts))
    return max(_LEAST_LEFT, min(1.0, earned / served)) if served else 1.0


def useless(served: int, counts: Counts, patience: int) -> bool:
    """Tell if a memory was served twice as often as patience allows and never helped: a person is asked whether to retire it."""
    return served >= 2 * patience and not proved(counts)
