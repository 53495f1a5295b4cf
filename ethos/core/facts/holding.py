"""Weighing one claim to its end: verdict, what follows for the facts and questions, evidence, count.

A weak claim is shelved until enough episodes have said it (X-E1). A strong one is weighed against the active facts in the ledger, and the
consequence is written there. The claims are expected in the order in which they were said.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from ethos.core.facts.evidence import Piece
from ethos.core.facts.keyed_claims import Placed
from ethos.core.facts.ledger import Ledger
from ethos.core.facts.replacement import gone_before, retired_by
from ethos.core.facts.weighing import CORROBORATION, Confirms, Contradicts, Fresh, Refines, Statement, Supersedes, contains
from ethos.core.history.salience import fresh
from ethos.core.language.phrasing import phrase, retold
from ethos.core.model.ids import fact_id
from ethos.core.model.plan import Note
from ethos.core.model.records import Evidence, Fact, Origin, Record, Suspect
from ethos.core.passes.context import Context
from ethos.core.ports.store import SuspectKey

REPEATED = 0.75  # confidence of a weak claim met often enough, plus 0.05 for each further episode, up to five (X-E1)


def suspect_key(statement: Statement) -> SuspectKey:
    """Return the key under which a weak claim is counted."""
    return SuspectKey(*statement.key, statement.object_key, statement.polarity)


def strong_enough(
    placed: Placed, suspects: dict[SuspectKey, list[Suspect]], ctx: Context, puts: list[Record], notes: list[Note]
) -> Placed | None:
    """The claim, if it may be held. A weak one is shelved, and promoted when it was met in enough distinct episodes (X-E1)."""
    settings = ctx.settings.consolidation
    if placed.claim.confidence >= settings.min_confidence:
        return placed
    heard, claim, key = placed.heard, placed.claim, suspect_key(placed.statement)
    suspect = Suspect(
        *key[:6],
        placed.statement.polarity,
        heard.id,
        claim.rule,
        claim.rule_version,
        claim.start,
        claim.end,
        claim.object,
        claim.confidence,
        heard.said_at,
        ctx.run,
    )
    met = suspects.setdefault(key, [])
    met.append(suspect)
    puts.append(suspect)
    episodes = {earlier.episode for earlier in met}
    if len(episodes) < settings.repetition_threshold:
        return None
    confidence = min(1.0, REPEATED + 0.05 * min(len(episodes) - settings.repetition_threshold, 5))
    notes.append(Note("criterion repetition", heard.id))
    return Placed(heard, replace(claim, confidence=confidence), replace(placed.statement, confidence=confidence))


def hold(placed: Placed, ledger: Ledger, ctx: Context, puts: list[Record], notes: list[Note]) -> None:
    """One claim to its end: verdict, consequences, evidence, count."""
    settings = ctx.settings.conflict_resolution
    named = retired_by(placed, ledger, ctx)
    if named and not placed.statement.key.slot:  # what takes a thing's place stands where it stood
        statement = placed.statement
        placed = replace(placed, statement=replace(statement, key=statement.key._replace(slot=named[0].slot)))
    new = placed.statement
    rejected = _rejected_before(new, named, ledger)
    if rejected is not None:
        _affirm(rejected, placed, ledger, ctx, puts, verdict="rejected before")
        notes.append(Note("updated", rejected.id))
        return
    verdict = gone_before(placed, ledger, ctx) or ledger.weigh(new, named, settings)
    match verdict:
        case Confirms(fact) if new.origin < fact.origin:
            return  # what is trusted more does not rest on what is trusted less
        case Confirms(fact) | Refines(fact) if new.origin > fact.origin:
            # what a person accepted from somebody else, they now say themselves: their word stands, and on nothing but their word
            said_less = not contains(new.object_key, fact.object_key)
            named += () if said_less else (fact,)
            fact = new_fact(placed, ctx)
            _create(fact, placed, ledger, ctx, puts, "fresh" if said_less else "supersedes")
            outcome = "created" if said_less else "superseded"
        case Confirms(fact):
            _affirm(fact, placed, ledger, ctx, puts, verdict="confirms")
            outcome = "updated"
        case Refines(fact):
            _affirm(fact, placed, ledger, ctx, puts, verdict="refines")
            outcome = "updated"
        case Fresh():
            fact = new_fact(placed, ctx)
            _create(fact, placed, ledger, ctx, puts, "supersedes" if named else "fresh")
            outcome = "superseded" if named else "created"
        case Supersedes(retired, late=True):
            fact = replace(new_fact(placed, ctx), superseded_by=retired[0].id, valid_to=max(retired[0].valid_from, new.said_at))
            _create(fact, placed, ledger, ctx, puts, "superseded on arrival")
            outcome = "superseded"
        case Supersedes(retired):
            fact = new_fact(placed, ctx)
            named += retired
            _create(fact, placed, ledger, ctx, puts, "supersedes")
            outcome = "superseded"
        case Contradicts(existing):
            fact = replace(new_fact(placed, ctx), flagged=True)
            _create(fact, placed, ledger, ctx, puts, "contradicts")
            notes.append(Note("asked", ledger.contradict(existing, fact).id))
            outcome = "flagged"
    for old in named:
        ledger.supersede(old, fact.id, new.said_at)
    notes.append(Note(outcome, fact.id))
    puts.extend(ledger.take())


def _rejected_before(new: Statement, named: Sequence[Fact], ledger: Ledger) -> Fact | None:
    """The fact a person already turned down for one that still stands: it does not come back by being said again."""
    if new.kind == "decision" or new.replaces_key or not ledger.turned_down:
        return None
    return next((found for fact in ledger.active(new.key) if fact not in named and (found := ledger.rejected(fact, new.object_key))), None)


def new_fact(placed: Placed, ctx: Context) -> Fact:
    """Make the first version of the fact that a claim gives."""
    heard, claim, statement = placed.heard, placed.claim, placed.statement
    key = statement.key
    return Fact(
        id=fact_id(*key, statement.object_key, statement.polarity, heard.id),
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
        statement=phrase(claim.subject, claim.predicate, claim.object, claim.polarity, heard.speaker),
        confidence=claim.confidence,
        origin=Origin(statement.origin),
        rule=claim.rule,
        rule_version=claim.rule_version,
        pack_version=claim.pack_version,
        valid_from=heard.said_at,
        recorded_at=ctx.now,
        run=ctx.run,
        tense=claim.tense,
        over=claim.over,
        replaces=claim.supersedes,
    )


def _create(fact: Fact, placed: Placed, ledger: Ledger, ctx: Context, puts: list[Record], verdict: str) -> None:
    piece = evidence_of(fact, placed, ctx, verdict)
    ledger.create(fact, Piece(piece, placed.statement.origin, ctx.now))
    puts.extend(ledger.take())
    puts.append(piece)
    puts.append(fresh(fact.id, fact.kind, fact.confidence, ctx.now, ctx.settings.decay))


def _affirm(fact: Fact, placed: Placed, ledger: Ledger, ctx: Context, puts: list[Record], verdict: str) -> None:
    """Another episode says so: more sure by a little, and longer if it said more (X-E4). Open questions about it are heard again."""
    new = placed.statement
    surer = fact.active and new.origin >= fact.origin
    confidence = min(1.0, round(fact.confidence + CORROBORATION, 6)) if surer else fact.confidence
    change = replace(fact, affirmed_at=max(fact.last_said, new.said_at), confidence=confidence)
    if verdict == "refines":
        claim = placed.claim
        change = replace(
            change,
            object=claim.object,
            object_key=new.object_key,
            statement=retold(fact, claim.object),
        )
    ledger.revise(change)
    for question in ledger.open_questions(fact.id):
        ledger.repeat(question)
    puts.extend(ledger.take())
    puts.append(evidence_of(fact, placed, ctx, verdict))


def evidence_of(fact: Fact, placed: Placed, ctx: Context, verdict: str) -> Evidence:
    """Make the evidence that ties a fact to the claim."""
    heard, claim = placed.heard, placed.claim
    return Evidence(
        fact.id,
        heard.id,
        claim.rule,
        claim.rule_version,
        claim.start,
        claim.end,
        claim.object,
        claim.confidence,
        heard.said_at,
        ctx.run,
        claim.modifiers,
        verdict,
    )
