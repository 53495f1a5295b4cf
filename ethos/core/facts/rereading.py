"""Rereading: what the rules read now in episodes that were read before, and what of it stands where evidence was kept.

A claim that the present rules still read is taken from them, as sure as it was held to be then. One that they read no longer is made from
the record that it left, unless it hung on the turn before (`core.facts.corrections`): that turn is another one now.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import replace
from typing import NamedTuple

from ethos.core.facts.corrections import PUT_RIGHT
from ethos.core.facts.evidence import AFFIRMING
from ethos.core.facts.extraction import Proposal, is_correction, preceding, read_claims
from ethos.core.facts.keyed_claims import KeyedClaim, key_claims
from ethos.core.facts.statement import key_of, statement_for
from ethos.core.model.records import Claim, Evidence, Fact, Utterance, WeakClaim
from ethos.core.passes.context import Context
from ethos.core.ports.store import Work


class Reading(NamedTuple):
    """What identifies a claim wherever it is kept: its episode, rule and span, its object as the episode had it, and what it is about."""

    episode: str
    rule: str
    start: int
    end: int
    object: str
    subject: str  # folded, as in the key
    predicate: str


def reading_of(keyed: KeyedClaim) -> Reading:
    """Return the reading that a claim is."""
    claim, key = keyed.claim, keyed.statement.key
    return Reading(keyed.utterance.id, claim.rule, claim.start, claim.end, claim.object, key.subject, key.predicate)


def reading_under(fact: Fact, piece: Evidence) -> Reading:
    """Return the reading that a piece of evidence tells of, under the fact that rests on it."""
    return Reading(piece.episode, piece.rule, piece.start, piece.end, piece.object, fact.subject_key, fact.predicate_key)


def reading_shelved(weak_claim: WeakClaim) -> Reading:
    """Return the reading that a weak claim is."""
    where = weak_claim.episode, weak_claim.rule, weak_claim.start, weak_claim.end
    return Reading(*where, weak_claim.object, weak_claim.subject_key, weak_claim.predicate_key)


class Rereading:
    """Reads episodes again, each once in a pass."""

    def __init__(self, work: Work, ctx: Context) -> None:
        self._work = work
        self._ctx = ctx
        self._claims: dict[str, tuple[KeyedClaim, ...]] = {}
        self._found: dict[Reading, KeyedClaim] = {}
        self._utterances: dict[str, Utterance] = {}

    def resume(self, work: Work) -> Rereading:
        """Go on in the next unit. Corrections are read anew: the turn before one of them may be another now."""
        self._work = work
        for id_ in [id_ for id_, utterance in self._utterances.items() if is_correction(utterance)]:
            del self._utterances[id_]
            for keyed in self._claims.pop(id_):
                self._found.pop(reading_of(keyed), None)
        return self

    @property
    def size(self) -> int:
        """Return how many episodes it keeps."""
        return len(self._utterances)

    def read(self, episodes: Collection[str]) -> bool:
        """Read these episodes, without the trust that each rule has gained since. Return whether the store has all of them."""
        plain = replace(self._ctx, rule_weights={})
        again = self._work.utterances(set(episodes) - self._utterances.keys())
        before = preceding(self._work, again)
        for utterance in again:
            self._utterances[utterance.id] = utterance
            claims = read_claims(utterance, self._ctx, before=before.get(utterance.id, ""))
            self._claims[utterance.id] = key_claims(Proposal(utterance, claims), plain)
            for keyed in self._claims[utterance.id]:
                self._found.setdefault(reading_of(keyed), keyed)
        return self._utterances.keys() >= set(episodes)

    def claims(self, episode: str) -> tuple[KeyedClaim, ...]:
        """Return what an episode that was read claims by itself."""
        return self._claims.get(episode, ())

    def of_evidence(self, piece: Evidence, fact: Fact) -> KeyedClaim | None:
        """Return the claim that a piece of evidence tells of, as the rules read it now; None where they do not."""
        keyed = self._found.get(reading_under(fact, piece))
        return keyed and _as_sure(keyed, piece.confidence)

    def kept(self, piece: Evidence, fact: Fact) -> KeyedClaim | None:
        """Return the claim that a piece of evidence tells of; where the rules have changed since, as the fact has it."""
        keyed = self.of_evidence(piece, fact)
        return keyed if keyed is not None or self._hangs(piece.rule, piece.episode) else self._as_held(piece, fact)

    def _hangs(self, rule: str, episode: str) -> bool:
        """Return whether a claim hung on the turn before: all that a turn says that corrects it does."""
        utterance = self._utterances.get(episode)
        return rule == PUT_RIGHT or (utterance is not None and is_correction(utterance))

    def shelved(self, weak_claim: WeakClaim) -> KeyedClaim | None:
        """Return the claim that was too weak to be held."""
        keyed = self._found.get(reading_shelved(weak_claim))
        if keyed is None and self._hangs(weak_claim.rule, weak_claim.episode):
            return None
        if keyed is None:
            made = self._made(_claim_of_weak(weak_claim), weak_claim.episode)
            keyed = replace(made, statement=replace(made.statement, key=weak_claim.fact_key))
        return _as_sure(keyed, weak_claim.confidence)

    def _as_held(self, piece: Evidence, fact: Fact) -> KeyedClaim:
        made = piece.verdict not in AFFIRMING
        claim = Claim(
            fact.kind,
            fact.subject,
            fact.predicate,
            piece.object,
            fact.polarity,
            fact.cardinality,
            piece.confidence,
            piece.rule,
            piece.rule_version,
            fact.pack_version,
            piece.start,
            piece.end,
            fact.tense,
            fact.over if made else None,
            fact.replaces if made else None,
            modifiers=piece.modifiers,
        )
        keyed = self._made(claim, piece.episode)
        return replace(keyed, statement=replace(keyed.statement, key=key_of(fact), cardinality=fact.cardinality))

    def _made(self, claim: Claim, episode: str) -> KeyedClaim:
        utterance = self._utterances[episode]
        literal = self._ctx.settings.conflict_resolution.literal
        statement = statement_for(
            claim,
            user=utterance.user,
            project=utterance.project,
            origin=utterance.origin,
            said_at=utterance.said_at,
            class_of=self._ctx.rules.class_of,
            literal=literal,
        )
        return KeyedClaim(utterance, claim, statement)


def _as_sure(keyed: KeyedClaim, confidence: float) -> KeyedClaim:
    return KeyedClaim(
        keyed.utterance, replace(keyed.claim, confidence=confidence), replace(keyed.statement, confidence=confidence), keyed.apart
    )


def _claim_of_weak(weak_claim: WeakClaim) -> Claim:
    return Claim(
        "fact",
        weak_claim.subject_key,
        weak_claim.predicate_key,
        weak_claim.object,
        weak_claim.polarity,
        "single",
        weak_claim.confidence,
        weak_claim.rule,
        weak_claim.rule_version,
        "",
        weak_claim.start,
        weak_claim.end,
    )
