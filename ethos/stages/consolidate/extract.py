"""Extract: the rules read each candidate that was selected (E-14)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from ethos.core.facts.extraction import Candidate, Proposal, read_claims
from ethos.core.passes.context import Context


class Extraction(NamedTuple):
    """What was read. silent: ids of episodes without claims; deferred: ids of episodes left unread for the next cycle."""

    proposals: tuple[Proposal, ...]
    silent: tuple[str, ...]
    deferred: tuple[str, ...]


def extract(candidates: Sequence[Candidate], ctx: Context) -> Extraction:
    """Read the candidates in order. Once the rules have spent the time of the cycle, defer the rest."""
    proposals: list[Proposal] = []
    silent: list[str] = []
    for candidate in candidates:
        claims = read_claims(candidate.utterance, ctx, candidate.hits, candidate.before)
        if ctx.rules.spent and (proposals or silent):  # the first counts whatever time it took, so that each cycle makes progress
            break
        if claims:
            proposals.append(Proposal(candidate.utterance, claims, candidate.criterion))
        else:
            silent.append(candidate.utterance.id)
    rest = candidates[len(proposals) + len(silent) :]
    return Extraction(tuple(proposals), tuple(silent), tuple(candidate.utterance.id for candidate in rest))
