"""Evidence: rebuild a fact from what it rests on, as `core/facts/holding.py` made it step by step, in the order it was said.

Where evidence goes (its run is undone) or comes back, the fact is told anew from what is left, so that neither the order of
undoing nor what came in between makes a difference.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from typing import NamedTuple

from ethos.core.facts.statement import object_key_of
from ethos.core.facts.weighing import CORROBORATION
from ethos.core.model.records import Episode, Evidence, Fact, Run, Verdict
from ethos.core.text import folding
from ethos.core.text.language.phrasing import retold

AFFIRMING = frozenset({Verdict.CONFIRMS, Verdict.REFINES, Verdict.REJECTED_BEFORE})  # verdicts on a claim that made no fact of its own


class WeightedEvidence(NamedTuple):
    """A piece of evidence, how far its episode is trusted, and when the run that read it began."""

    evidence: Evidence
    origin: int
    read_at: datetime


def with_origin(evidence: Iterable[Evidence], episodes: Mapping[str, Episode], runs: Mapping[str, Run]) -> list[WeightedEvidence]:
    """Return these pieces with their episodes and runs; an unknown run (it was imported) counts as of the time of the words."""
    return [
        WeightedEvidence(each, episodes[each.episode].origin, runs[each.run].started_at if each.run in runs else each.said_at)
        for each in evidence
    ]


def counting(pieces: Iterable[WeightedEvidence]) -> list[WeightedEvidence]:
    """Return the pieces less those that count for another fact by now: of several readings of the same words the last one says so."""
    each = list(pieces)
    last: dict[tuple[object, ...], WeightedEvidence] = {}
    for piece in each:
        words = _words(piece.evidence)
        if words not in last or (last[words].read_at, last[words].evidence.run) < (piece.read_at, piece.evidence.run):
            last[words] = piece
    return [piece for piece in each if Verdict.MOVED not in (piece.evidence.verdict, last[_words(piece.evidence)].evidence.verdict)]


def _words(piece: Evidence) -> tuple[object, ...]:
    return piece.fact, piece.episode, piece.rule, piece.start, piece.end


def rebuild_fact(fact: Fact, pieces: Sequence[WeightedEvidence]) -> Fact:
    """Return the fact as these pieces (at least one) make it: object, statement, confidence and times; what became of it stays as it is."""
    pieces = counting(pieces)
    if not pieces:  # all that it rested on counts for another fact
        return fact
    first_read = first_readings((piece.evidence, piece.read_at) for piece in pieces)
    first_pieces = [piece for piece in pieces if piece.evidence.run == first_read[piece.evidence.episode]]
    order = sorted(first_pieces, key=lambda p: (p.evidence.verdict in AFFIRMING, p.evidence.said_at, p.read_at, p.evidence.episode))
    first, *again = order
    confidence, longest, held = first.evidence.confidence, first.evidence, first.evidence
    affirmed: datetime | None = None
    for piece in again:
        if piece.evidence.verdict == Verdict.SET_APART:
            continue  # no more sure for it
        affirmed = max(affirmed or held.said_at, piece.evidence.said_at)
        if piece.origin >= first.origin and piece.evidence.verdict != Verdict.REJECTED_BEFORE:
            confidence = min(1.0, round(confidence + CORROBORATION, 6))
            longest = max(longest, piece.evidence, key=lambda told: len(folding.tokens(told.object)))
    return replace(
        fact,
        object=longest.object,
        object_key=object_key_of(fact, longest.object),
        statement=longest.statement or retold(fact, longest.object, longest.said_at),
        confidence=confidence,
        rule=held.rule,
        rule_version=held.rule_version,
        valid_from=held.said_at,
        affirmed_at=affirmed,
    )


def first_readings(readings: Iterable[tuple[Evidence, datetime]]) -> dict[str, str]:
    """Return, by episode, the run whose reading of it counts: the earliest. readings: what was read, and when its run began.

    An episode is read by two runs that both count where the first was undone, the second read it anew, and the first counts again. It
    was said once all the same.
    """
    first: dict[str, tuple[datetime, str]] = {}
    for piece, read_at in readings:
        first[piece.episode] = min((read_at, piece.run), first.get(piece.episode, (read_at, piece.run)))
    return {episode: run for episode, (_, run) in first.items()}
