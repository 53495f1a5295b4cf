"""Put a cluster into one memory (R-26 to R-28, X-R14): extractive, word for word, with the sources named.

The title is that of the most believed source. The content is its content, and of the others every sentence that adds a word of matter, a
number or a name. Nothing is worded anew, so nothing is said that no source said.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from datetime import datetime

import regex

from ethos.core.learning.bank.clusters import Cluster
from ethos.core.learning.bank.consensus import consensus
from ethos.core.learning.bank.reading import read
from ethos.core.learning.bank.vocabulary import Vocabulary
from ethos.core.model.ids import digest
from ethos.core.model.memories import Maker, Memory, Outcome
from ethos.core.text.plurals import plural

_ATTRIBUTION = "Synthesized from"

_SENTENCE = regex.compile(r"(?<=[.!?])\s+|\n+")


def synthesized(cluster: Cluster, words: Vocabulary, now: datetime, run: str, fewest_agreeing: int = 2) -> Memory:
    """Return the memory that takes the place of a cluster. fewest_agreeing: sources that earn the bonus for agreement."""
    best, *_ = sources = cluster.members
    found = consensus([(source.confidence, source.usage_count) for source in sources], fewest_agreeing)
    return Memory(
        id=consolidated_id(sources),
        user=best.user,
        project=best.project,
        title=best.title,
        description=attributed(best.description, sources),
        content=united(sources, words),
        outcome=majority([source.outcome for source in sources]),
        scope=best.scope,
        origin=min(source.origin for source in sources),
        maker=Maker.RULES,
        initial_confidence=found.total,
        confidence=found.total,
        recorded_at=now,
        run=run,
        tags=tuple(dict.fromkeys(tag for source in sources for tag in source.tags)),
        sources=tuple(source.id for source in sources),
        consensus_bonus=found.bonus,
    )


def consolidated_id(sources: Sequence[Memory]) -> str:
    """Return the id of what these are put into: the same for the same sources."""
    return "m-" + digest("consolidated", *sorted(source.id for source in sources))


def united(sources: Sequence[Memory], words: Vocabulary) -> str:
    """Return the content of the first source, and of the others each sentence that adds something."""
    known_matter: set[str] = set(read(sources[0].title, words).matter)
    known_every: set[str] = set()
    known_numbers: set[str] = set()
    kept: list[str] = []
    for at, source in enumerate(sources):
        for sentence in filter(None, map(str.strip, _SENTENCE.split(source.content))):
            reading = read(sentence, words)
            covered = set(reading.matter) <= known_matter and reading.numbers <= known_numbers and reading.names <= known_every
            if at and covered:
                continue
            kept.append(sentence)
            known_matter.update(reading.matter)
            known_every |= reading.every
            known_numbers |= reading.numbers
    return "\n".join(dict.fromkeys(kept))


def attributed(description: str, sources: Sequence[Memory]) -> str:
    """Return a description with the sources named."""
    used = sum(source.usage_count for source in sources)
    said = description.partition(f" {_ATTRIBUTION} ")[0].strip()
    named = ", ".join(source.id for source in sources)
    return f"{said} {_ATTRIBUTION} {plural(len(sources), 'source memory', 'source memories')} ({named}), combined usage {used}.".strip()


def majority(outcomes: Sequence[Outcome]) -> Outcome:
    """Return the outcome of most; among equals a failure comes first."""
    counts = Counter(outcomes)
    return max(counts, key=lambda outcome: (counts[outcome], outcome is Outcome.FAILURE))
