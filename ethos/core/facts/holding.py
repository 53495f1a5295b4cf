"""Holding: weigh one claim to its end: verdict, what follows for the facts and questions, evidence, count.

A weak claim is shelved until enough episodes have said it (X-E1). A strong one is weighed against the active facts in the ledger, and the
consequence is written there. The claims are expected in the order in which they were said.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import NamedTuple

from ethos.core.facts.containment import contains
from ethos.core.facts.evidence import WeightedEvidence
from ethos.core.facts.keyed_claims import KeyedClaim
from ethos.core.facts.ledger import Ledger
from ethos.core.facts.replacement import already_replaced_by, retired_by
from ethos.core.facts.statement import Statement
from ethos.core.facts.weighing import CORROBORATION, Confirms, Contradicts, Fresh, Refines, Supersedes
from ethos.core.history.salience import initial_salience
from ethos.core.model.events import Asked, ClaimResolved, Event, FactOutcome, Repeated
from ethos.core.model.ids import fact_id
from ethos.core.model.keys import WeakClaimKey
from ethos.core.model.records import Claim, Evidence, Fact, Origin, Record, Verdict, WeakClaim
from ethos.core.model.settings import ConsolidationSettings
from ethos.core.passes.context import Context
from ethos.core.text import folding
from ethos.core.text.language.phrasing import phrase
from ethos.core.text.language.relative_times import dated

_REPEATED = 0.75  # confidence of a weak claim met often enough, plus 0.05 for each further episode, up to five (X-E1)


def weak_claim_key(statement: Statement) -> WeakClaimKey:
    """Return the key under which a weak claim is counted."""
    return WeakClaimKey(*statement.key, statement.object_key, statement.polarity)


class Resolution(NamedTuple):
    """What claims came to: the records to put, and what happened."""

    puts: tuple[Record, ...] = ()
    events: tuple[Event, ...] = ()

    def __or__(self, later: Resolution) -> Resolution:
        """Return both, this one first."""
        return Resolution(self.puts + later.puts, self.events + later.events)


def is_weak(claim: Claim, least: float) -> bool:
    """Return whether a claim waits for another episode that says the same: too unsure, or read by one reader alone."""
    return claim.confidence < least or claim.grade == "weak"


def repetitions_needed(confidence: float, settings: ConsolidationSettings) -> int:
    """Return how many episodes make a fact of a weak claim: fewer where it is sure enough, and one of two readers missed it."""
    return settings.agreement_threshold if confidence >= settings.min_confidence else settings.repetition_threshold


def resolve(keyed: KeyedClaim, weak_claims: dict[WeakClaimKey, list[WeakClaim]], ledger: Ledger, ctx: Context) -> Resolution:
    """Weigh one claim to its end. A weak one is added to `weak_claims`, and held once enough distinct episodes have said it (X-E1)."""
    settings = ctx.settings.consolidation
    if not is_weak(keyed.claim, settings.min_confidence):
        return _hold(keyed, ledger, ctx)
    weak_claim = _weak_claim(keyed, ctx)
    met = weak_claims.setdefault(weak_claim_key(keyed.statement), [])
    met.append(weak_claim)
    repeats = len({earlier.episode for earlier in met}) - repetitions_needed(keyed.claim.confidence, settings)
    if repeats < 0:
        return Resolution((weak_claim,))
    confidence = min(1.0, _REPEATED + 0.05 * min(repeats, 5))
    utterance, claim, statement = keyed.utterance, keyed.claim, keyed.statement
    strong = KeyedClaim(utterance, replace(claim, confidence=confidence), replace(statement, confidence=confidence))
    return Resolution((weak_claim,), (Repeated(utterance.id),)) | _hold(strong, ledger, ctx)


def _weak_claim(keyed: KeyedClaim, ctx: Context) -> WeakClaim:
    utterance, claim = keyed.utterance, keyed.claim
    return WeakClaim(
        *weak_claim_key(keyed.statement)[:6],
        keyed.statement.polarity,
        utterance.id,
        claim.rule,
        claim.rule_version,
        claim.start,
        claim.end,
        claim.object,
        claim.confidence,
        utterance.said_at,
        ctx.run,
    )


def _hold(keyed: KeyedClaim, ledger: Ledger, ctx: Context) -> Resolution:
    """Weigh a strong claim against what is held; return the facts, questions and evidence that follow."""
    settings = ctx.settings.conflict_resolution
    named = retired_by(keyed, ledger, ctx)
    if named and not keyed.statement.key.slot:  # what takes a thing's place stands where it stood
        statement = keyed.statement
        keyed = replace(keyed, statement=replace(statement, key=statement.key._replace(slot=named[0].slot)))
    new = keyed.statement
    rejected = _rejected_before(new, named, ledger)
    if rejected is not None:
        puts = _affirm(rejected, keyed, ledger, ctx, Verdict.REJECTED_BEFORE)
        return Resolution(puts, (ClaimResolved(rejected.id, FactOutcome.UPDATED),))
    asked: tuple[Event, ...] = ()
    match already_replaced_by(keyed, ledger, ctx) or ledger.weigh(new, named, settings):
        case Confirms(fact) if new.origin < fact.origin:
            return Resolution()  # what is trusted more does not rest on what is trusted less
        case Confirms(fact) | Refines(fact) if new.origin > fact.origin:
            # what a person accepted from somebody else, they now say themselves: their word stands, and on nothing but their word
            said_less = not contains(new.object_key, fact.object_key)
            named += () if said_less else (fact,)
            fact = new_fact(keyed, ctx)
            puts = _create(fact, keyed, ledger, ctx, Verdict.FRESH if said_less else Verdict.SUPERSEDES)
            outcome = FactOutcome.CREATED if said_less else FactOutcome.SUPERSEDED
        case Confirms(fact):
            puts = _affirm(fact, keyed, ledger, ctx, Verdict.CONFIRMS)
            outcome = FactOutcome.UPDATED
        case Refines(fact):
            puts = _affirm(fact, keyed, ledger, ctx, Verdict.REFINES)
            outcome = FactOutcome.UPDATED
        case Fresh():
            fact = new_fact(keyed, ctx)
            puts = _create(fact, keyed, ledger, ctx, Verdict.SUPERSEDES if named else Verdict.FRESH)
            outcome = FactOutcome.SUPERSEDED if named else FactOutcome.CREATED
        case Supersedes(retired, late=True):
            fact = replace(new_fact(keyed, ctx), superseded_by=retired[0].id, valid_to=max(retired[0].valid_from, new.said_at))
            puts = _create(fact, keyed, ledger, ctx, Verdict.SUPERSEDED_ON_ARRIVAL)
            outcome = FactOutcome.SUPERSEDED
        case Supersedes(retired):
            fact = new_fact(keyed, ctx)
            named += retired
            puts = _create(fact, keyed, ledger, ctx, Verdict.SUPERSEDES)
            outcome = FactOutcome.SUPERSEDED
        case Contradicts(existing):
            fact = replace(new_fact(keyed, ctx), flagged=True)
            puts = _create(fact, keyed, ledger, ctx, Verdict.CONTRADICTS)
            asked = (Asked(ledger.contradict(existing, fact).id),)
            outcome = FactOutcome.FLAGGED
    for old in named:
        ledger.supersede(old, fact.id, new.said_at)
    return Resolution((*puts, *ledger.take()), (*asked, ClaimResolved(fact.id, outcome)))


def _rejected_before(new: Statement, named: Sequence[Fact], ledger: Ledger) -> Fact | None:
    """Return the fact a person already turned down for one that still stands: it does not come back by being said again."""
    if new.kind == "decision" or new.replaces_key or not ledger.turned_down:
        return None
    return next((found for fact in ledger.active(new.key) if fact not in named and (found := ledger.rejected(fact, new.object_key))), None)


def new_fact(keyed: KeyedClaim, ctx: Context) -> Fact:
    """Make the first version of the fact that a claim gives."""
    utterance, claim, statement = keyed.utterance, keyed.claim, keyed.statement
    key = statement.key
    return Fact(
        id=fact_id(*key, statement.object_key, statement.polarity, utterance.id),
        version=1,
        user=key.user,
        project=key.project,
        kind=claim.kind,
        subject=claim.subject,
        predicate=claim.predicate,
        object=claim.object,
        polarity=statement.polarity,
        cardinality=statement.cardinality,
        subject_key=key.subject,
        predicate_key=key.predicate,
        slot=key.slot,
        object_key=statement.object_key,
        statement=sentence_of(keyed, ctx),
        confidence=claim.confidence,
        origin=Origin(statement.origin),
        rule=claim.rule,
        rule_version=claim.rule_version,
        pack_version=claim.pack_version,
        valid_from=utterance.said_at,
        recorded_at=ctx.now,
        run=ctx.run,
        tense=claim.tense,
        over=claim.over,
        replaces=claim.supersedes,
    )


def sentence_of(keyed: KeyedClaim, ctx: Context) -> str:
    """Return the sentence that tells a claim: its own clause where that says more, else subject, predicate and object."""
    utterance, claim = keyed.utterance, keyed.claim
    told = claim.told or phrase(claim.subject, claim.predicate, claim.object, claim.polarity, utterance.speaker, _purpose(claim, ctx))
    return dated(told, utterance.said_at)


def _purpose(claim: Claim, ctx: Context) -> str:
    """Return what a thing is used for, as its fact tells it; "" where that is its own kind: "use Postgres as our database"."""
    first, _, rest = (claim.purpose or "").partition(" ")
    if sort := rest.partition(" ")[2] if first == "as" else rest:
        kind = ctx.rules.class_of(folding.key(claim.object))
        if kind and kind == ctx.rules.class_of(folding.key(sort)):
            return ""
    return claim.purpose or ""


def _create(fact: Fact, keyed: KeyedClaim, ledger: Ledger, ctx: Context, verdict: Verdict) -> tuple[Record, ...]:
    """Put a new fact into the ledger; return the records of it."""
    piece = evidence_of(fact, keyed, ctx, verdict, fact.statement)
    ledger.create(fact, WeightedEvidence(piece, keyed.statement.origin, ctx.now))
    return (*ledger.take(), piece, initial_salience(fact.id, fact.kind, fact.confidence, ctx.now, ctx.settings.decay))


def _affirm(fact: Fact, keyed: KeyedClaim, ledger: Ledger, ctx: Context, verdict: Verdict) -> tuple[Record, ...]:
    """Revise a fact that another episode says: more sure by a little, longer if it says more (X-E4). Its open questions are repeated."""
    new = keyed.statement
    surer = fact.active and new.origin >= fact.origin
    confidence = min(1.0, round(fact.confidence + CORROBORATION, 6)) if surer else fact.confidence
    change = replace(fact, affirmed_at=max(fact.last_said, new.said_at), confidence=confidence)
    told = sentence_of(keyed, ctx)
    if verdict is Verdict.REFINES:
        change = replace(change, object=keyed.claim.object, object_key=new.object_key, statement=told)
    ledger.revise(change)
    for question in ledger.open_questions(fact.id):
        ledger.repeat(question)
    return (*ledger.take(), evidence_of(fact, keyed, ctx, verdict, told))


def evidence_of(fact: Fact, keyed: KeyedClaim, ctx: Context, verdict: Verdict, told: str) -> Evidence:
    """Make the evidence that ties a fact to the claim. told: the sentence of the claim."""
    utterance, claim = keyed.utterance, keyed.claim
    return Evidence(
        fact.id,
        utterance.id,
        claim.rule,
        claim.rule_version,
        claim.start,
        claim.end,
        claim.object,
        claim.confidence,
        utterance.said_at,
        ctx.run,
        claim.modifiers,
        verdict,
        told,
    )
