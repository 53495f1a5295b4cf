"""Select: which episodes of the unit are worth reading, and why (E-07 to E-13, X-E8).

The rules select: an episode counts as keyword-flagged when a literal of any enabled rule stands in its text; the runbook's keyword
lists are literals of the core rules. Importance and retrieval select as well. What is not selected is marked as scanned under these
rules, so that it is looked at again only when the rules change, and nothing starves behind the cap.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import NamedTuple

from ethos.core.facts.extraction import Candidate
from ethos.core.model.events import Criterion
from ethos.core.model.records import Origin, Utterance
from ethos.core.passes.context import Context


class Selection(NamedTuple):
    """The candidates in the order in which things were said, and the ids of the other episodes."""

    candidates: tuple[Candidate, ...]
    silent: tuple[str, ...]


def select(unit: Iterable[Utterance], ctx: Context, before: Mapping[str, str]) -> Selection:
    """Divide the unit into candidates and episodes that no rule would read. before: the turns that some of them correct."""
    settings = ctx.settings.consolidation
    important, often, trusted = settings.importance_threshold, settings.retrieval_threshold, int(Origin.USER)
    rules = ctx.rules
    named = rules.roles - {"user"}  # those below the user that some rule reads: they can only ask (`core.facts.quarantine`)
    silent: list[str] = []
    chosen: list[Candidate] = []
    for utterance in unit:
        hits = rules.hits(utterance.text) if utterance.origin >= trusted or utterance.role in named else None
        if hits is not None or utterance.id in before:
            chosen.append(Candidate(utterance, Criterion.KEYWORD, hits, before.get(utterance.id, "")))
        elif utterance.importance >= important:
            chosen.append(Candidate(utterance, Criterion.IMPORTANCE))
        elif utterance.retrievals >= often:
            chosen.append(Candidate(utterance, Criterion.RETRIEVAL))
        else:
            silent.append(utterance.id)
    chosen.sort(key=lambda candidate: candidate.utterance.place)
    return Selection(tuple(chosen), tuple(silent))
