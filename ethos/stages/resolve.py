"""Resolve: weigh what the rules claim against what is held (E-20 to E-26, X-E1, X-E2 to X-E5, X-E16 to X-E18, X-E25).

For each claim: place it (key and slot), promote or shelve it if it is weak, weigh it in `core.claim`, and write the consequence into
the ledger. An episode's mark goes into the same group as its facts, so that both commit or neither does.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from ethos.core.claim import (
    CORROBORATION,
    Confirms,
    Contradicts,
    Fresh,
    Refines,
    Statement,
    Supersedes,
    Verdict,
    contains,
    weigh,
)
from ethos.core.context import Context
from ethos.core.ids import fact_id
from ethos.core.ledger import Ledger
from ethos.core.plan import Group, Note, Plan, Proposal, scanned
from ethos.core.ports import SuspectKey, Work
from ethos.core.proposed import Placed, Proposals, placed_claims, without_echoes
from ethos.core.quarantine import SET_APART, question_about, says_no_more
from ethos.core.records import Evidence, Fact, Mark, Origin, Question, Record, Suspect
from ethos.core.resting import Piece, laid
from ethos.core.salience import fresh
from ethos.core.stage import Stage
from ethos.core.succession import about, elsewhere, gone_before, retired_by, retires
from ethos.core.telling import phrase, retold

_SCANNED = (Note("scanned"),)

REPEATED = 0.75  # confidence of a weak claim met often enough, plus 0.05 for each further episode, up to five (X-E1)


@dataclass(frozen=True, slots=True)
class Needs:
    """The unit's claims and everything they could collide with."""

    proposals: Proposals
    criteria: Mapping[str, str]
    facts: Sequence[Fact]
    questions: Sequence[Question]
    suspects: Mapping[SuspectKey, Sequence[Suspect]]
    resting: Mapping[str, Sequence[Piece]]  # fact -> what it rests on, of those that a turn which is read anew gave before


def gather(work: Work, ctx: Context) -> Needs:
    """Active facts under the claims' keys, facts about their subjects where a claim names what it replaces, and open questions."""
    proposals = without_echoes(work, ctx, tuple((p.heard, placed_claims(p, ctx)) for p in ctx.handed if isinstance(p, Proposal)))
    placed = [claim for _, claims in proposals for claim in claims]
    keys = {key for p in placed for key in (p.statement.key, *elsewhere(p, ctx))}
    facts = {fact.id: fact for fact in work.active_facts(keys)} if keys else {}
    replacing = {whom for p in placed if retires(p.statement) for whom in about(p)}
    if replacing:
        facts |= {fact.id: fact for fact in work.active_facts_about(replacing)}
    questions = list(work.questions(facts=facts.keys())) if facts else []
    asked = {question_about(p.statement) for p in placed if p.apart}
    if asked:
        known = {question.id for question in questions}
        questions += [question for question in work.questions(ids=asked) if question.id not in known]
    if questions:
        facts |= work.current({side for q in questions for side in (q.existing, q.new)} - facts.keys())
    least = ctx.settings.consolidation.min_confidence
    weak = {_suspect_key(p.statement) for p in placed if p.claim.confidence < least and not p.apart}
    criteria = {p.heard.id: p.criterion for p in ctx.handed if isinstance(p, Proposal)}
    return Needs(proposals, criteria, tuple(facts.values()), questions, work.suspects(weak) if weak else {}, _resting(work, proposals))


def _resting(work: Work, proposals: Proposals) -> Mapping[str, Sequence[Piece]]:
    """A turn is read anew once the run that read it is undone; others that said the same may count still."""
    telling = [heard.id for heard, claims in proposals if claims]
    given = {piece.fact for piece in work.evidence_in(telling)} if telling else set()
    standing = work.evidence(given, standing=True) if given else ()
    runs = {name: run for name in {piece.run for piece in standing} if (run := work.run(name))}
    resting: dict[str, list[Piece]] = {}
    for piece in laid(standing, work.episodes({piece.episode for piece in standing}), runs) if standing else ():
        resting.setdefault(piece.evidence.fact, []).append(piece)
    return resting


def decide(needs: Needs, ctx: Context) -> Plan:
    """One group an episode: the ledger's changes, the evidence, and the episode's mark."""
    ledger = Ledger(needs.facts, needs.questions, now=ctx.now, run=ctx.run, resting=needs.resting)
    suspects = {key: list(met) for key, met in needs.suspects.items()}
    groups = list(scanned((heard.id for heard, claims in needs.proposals if not claims), ctx.now, ctx.rules.hash))
    for heard, claims in needs.proposals:
        if not claims:
            continue
        puts: list[Record] = []
        notes: list[Note] = []
        for placed in claims:
            if placed.apart:
                _set_apart(placed, ledger, ctx, puts, notes)
                continue
            strong = _strong_enough(placed, suspects, ctx, puts, notes)
            if strong is not None:
                _resolve(strong, ledger, ctx, puts, notes)
        verdicts = {put.verdict for put in puts if isinstance(put, Evidence)}
        puts.append(Mark(heard.id, ctx.now, ctx.rules.hash, ctx.now if verdicts else None, heard.attempts))
        notes += _SCANNED
        if verdicts - {SET_APART}:
            notes += (Note("promoted", heard.id), Note(f"criterion {needs.criteria[heard.id]}"))
        groups.append(Group(heard.id, tuple(puts), (), tuple(notes)))
    return Plan(tuple(groups))


RESOLVE = Stage("resolve", gather, decide)


def _suspect_key(statement: Statement) -> SuspectKey:
    return SuspectKey(*statement.key, statement.object_key, statement.polarity)


def _strong_enough(
    placed: Placed, suspects: dict[SuspectKey, list[Suspect]], ctx: Context, puts: list[Record], notes: list[Note]
) -> Placed | None:
    """The claim, if it may be held. A weak one is shelved, and promoted when it was met in enough distinct episodes (X-E1)."""
    settings = ctx.settings.consolidation
    if placed.claim.confidence >= settings.min_confidence:
        return placed
    heard, claim, key = placed.heard, placed.claim, _suspect_key(placed.statement)
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


def _set_apart(placed: Placed, ledger: Ledger, ctx: Context, puts: list[Record], notes: list[Note]) -> None:
    """What can only ask: one question for each claim, however often it comes. What is too weak to be held is too weak to be asked about,
    and what is held already, or was decided, is not asked again.
    """
    new = placed.statement
    held = ledger.active(new.key)
    if placed.claim.confidence < ctx.settings.consolidation.min_confidence or says_no_more(new, held):
        return
    question = ledger.question(question_about(new))
    if question is None or (question.resolved_at is not None and question.action is None):  # the latter: its run was undone
        fact = _new_fact(placed, ctx)
        believed = replace(placed, statement=replace(new, origin=Origin.OPERATOR))  # what it would do if it were
        named = retired_by(believed, ledger, ctx)
        rival = named[0].id if named else _rival(weigh(new, held, ctx.settings.conflict_resolution))
        ledger.set_apart(fact, question_about(new), rival)
        notes.append(Note("set apart", fact.id))
    elif question.resolved_at is None and (waiting := ledger.fact(question.new)) is not None:
        fact = waiting if waiting.origin <= new.origin else ledger.revise(replace(waiting, origin=Origin(new.origin)))
        ledger.repeat(question)
    else:
        return
    puts.extend(ledger.take())
    puts.append(_evidence(fact, placed, ctx, SET_APART))


def _rival(verdict: Verdict) -> str:
    """What is held and does not go with the claim."""
    match verdict:
        case Supersedes(held):
            return held[0].id
        case Confirms(held) | Refines(held) | Contradicts(held):
            return held.id
        case Fresh():
            return ""


def _resolve(placed: Placed, ledger: Ledger, ctx: Context, puts: list[Record], notes: list[Note]) -> None:
    """One claim to its end: verdict, consequences, evidence, count."""
    settings = ctx.settings.conflict_resolution
    named = retired_by(placed, ledger, ctx)
    if named and not placed.statement.key.slot:  # what takes a thing's place stands where it stood
        statement = placed.statement
        placed = replace(placed, statement=replace(statement, key=statement.key._replace(slot=named[0].slot)))
    new = placed.statement
    held = [fact for fact in ledger.active(new.key) if fact not in named]
    rejected = _rejected_before(new, held, ledger)
    if rejected is not None:
        _affirm(rejected, placed, ledger, ctx, puts, verdict="rejected before")
        notes.append(Note("updated", rejected.id))
        return
    verdict = gone_before(placed, ledger, ctx) or weigh(new, held, settings)
    match verdict:
        case Confirms(fact) if new.origin < fact.origin:
            return  # what is trusted more does not rest on what is trusted less
        case Confirms(fact) | Refines(fact) if new.origin > fact.origin:
            # what a person accepted from somebody else, they now say themselves: their word stands, and on nothing but their word
            said_less = not contains(new.object_key, fact.object_key)
            named += () if said_less else (fact,)
            fact = _new_fact(placed, ctx)
            _create(fact, placed, ledger, ctx, puts, "fresh" if said_less else "supersedes")
            outcome = "created" if said_less else "superseded"
        case Confirms(fact):
            _affirm(fact, placed, ledger, ctx, puts, verdict="confirms")
            outcome = "updated"
        case Refines(fact):
            _affirm(fact, placed, ledger, ctx, puts, verdict="refines")
            outcome = "updated"
        case Fresh():
            fact = _new_fact(placed, ctx)
            _create(fact, placed, ledger, ctx, puts, "supersedes" if named else "fresh")
            outcome = "superseded" if named else "created"
        case Supersedes(retired, late=True):
            fact = replace(_new_fact(placed, ctx), superseded_by=retired[0].id, valid_to=max(retired[0].valid_from, new.said_at))
            _create(fact, placed, ledger, ctx, puts, "superseded on arrival")
            outcome = "superseded"
        case Supersedes(retired):
            fact = _new_fact(placed, ctx)
            named += retired
            _create(fact, placed, ledger, ctx, puts, "supersedes")
            outcome = "superseded"
        case Contradicts(existing):
            fact = replace(_new_fact(placed, ctx), flagged=True)
            _create(fact, placed, ledger, ctx, puts, "contradicts")
            notes.append(Note("asked", ledger.contradict(existing, fact).id))
            outcome = "flagged"
    for old in named:
        ledger.supersede(old, fact.id, new.said_at)
    notes.append(Note(outcome, fact.id))
    puts.extend(ledger.take())


def _rejected_before(new: Statement, held: Sequence[Fact], ledger: Ledger) -> Fact | None:
    """The fact a person already turned down for one that still stands: it does not come back by being said again."""
    if new.kind == "decision" or new.replaces_key:
        return None
    return next((found for fact in held if (found := ledger.rejected(fact, new.object_key))), None)


def _new_fact(placed: Placed, ctx: Context) -> Fact:
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
    piece = _evidence(fact, placed, ctx, verdict)
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
    puts.append(_evidence(fact, placed, ctx, verdict))


def _evidence(fact: Fact, placed: Placed, ctx: Context, verdict: str) -> Evidence:
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
