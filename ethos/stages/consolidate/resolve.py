"""Resolve: weigh what the rules claim against what is held (E-20 to E-26, X-E1, X-E2 to X-E5, X-E16 to X-E18, X-E25).

For each claim: give it its key and slot, promote or shelve it if it is weak, weigh it in `core.facts.weighing`, and write the
consequence into the ledger. An episode's mark goes into the same group as its facts, so that both commit or neither does.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import chain
from typing import NamedTuple

from ethos.core.facts.active_facts import ActiveFacts
from ethos.core.facts.changes import NO_TURNS, ReadTurn, changes_told
from ethos.core.facts.evidence import WeightedEvidence, with_origin
from ethos.core.facts.extraction import Proposal
from ethos.core.facts.holding import Resolution, evidence_of, is_weak, new_fact, resolve, sentence_of, weak_claim_key
from ethos.core.facts.keyed_claims import KeyedClaim, Proposals, drop_echoes, key_claims
from ethos.core.facts.ledger import Ledger, Place
from ethos.core.facts.quarantine import question_about, says_no_more
from ethos.core.facts.replacement import about, named_by, other_keys, retired_by, retires, scopes_of
from ethos.core.facts.rereading import Reading, reading_of, reading_under
from ethos.core.facts.reweighing import Retold, retell
from ethos.core.facts.statement import key_of
from ethos.core.facts.timeline import NOTHING_LATE, Late, late_histories
from ethos.core.facts.told_again import RULES
from ethos.core.facts.weighing import Confirms, Contradicts, Fresh, Refines, Relation, Supersedes, weigh
from ethos.core.model.events import Criterion, Event, Promoted, Quarantined
from ethos.core.model.keys import FactKey, WeakClaimKey
from ethos.core.model.plan import ChangeSet, Plan, scanned
from ethos.core.model.records import EpisodeState, Evidence, Fact, Origin, Question, Record, Utterance, Verdict, WeakClaim
from ethos.core.passes.context import Context
from ethos.core.ports.store import Work
from ethos.core.text import folding


class Corrected(NamedTuple):
    """A correction that was read before and is read again, since a turn of the unit stands before it.

    claims: all of it as it is read now. known: what evidence tells of it.
    """

    turn: Utterance  # of the unit
    correction: Utterance
    claims: tuple[KeyedClaim, ...]
    known: frozenset[Reading]

    @property
    def new(self) -> Iterator[KeyedClaim]:
        """Yield what is not known yet."""
        return (keyed for keyed in self.claims if reading_of(keyed) not in self.known)


@dataclass(frozen=True, slots=True)
class Needs:
    """The unit's claims and everything they could collide with."""

    proposals: Proposals
    criteria: Mapping[str, Criterion]
    kept: Ledger  # of the unit before, or empty; a decision uses it up
    gathered: frozenset[Place]  # of which all that is active is in it, or among the facts
    facts: Sequence[Fact]
    questions: Sequence[Question]
    weak_claims: Mapping[WeakClaimKey, Sequence[WeakClaim]]
    resting: Mapping[str, Sequence[WeightedEvidence]]  # fact -> what it rests on, of those that a turn which is read anew gave before
    late: Late = NOTHING_LATE  # matters in which a claim of the unit was said before something that is known already
    turns: Mapping[str, ReadTurn] = field(default_factory=dict)  # of the unit that may say that something held has changed
    corrected: Mapping[str, Corrected] = field(default_factory=dict)  # by the turn of the unit that stands before it


def gather(
    read: Sequence[Proposal],
    work: Work,
    ctx: Context,
    turns: Mapping[str, ReadTurn] = NO_TURNS,
    again: Sequence[tuple[Utterance, Proposal]] = (),
) -> Needs:
    """Return the active facts under the claims' keys, facts about their subjects where a claim names what it replaces, and open questions.

    turns: those that may say that something held has changed. again: turns of the unit, each with a correction after it that was read
    before it came in, as it is read now.
    """
    proposals = _claiming(read, work, ctx)
    anew = _claiming([proposal for _, proposal in again], work, ctx)
    keyed = [claim for _, claims in (*proposals, *anew) for claim in claims]
    kept = ctx.carried.take(Ledger) or Ledger((), (), now=ctx.now, run=ctx.run)
    facts, gathered = _around(keyed, set().union(*(turn.naming() for turn in turns.values())), kept, work, ctx)
    if changing := _possible(turns, proposals, facts.values(), ctx):
        beside, places = _around(changing, set(), kept, work, ctx)
        facts, gathered = facts | beside, gathered | places
    facts = {id_: fact for id_, fact in facts.items() if not kept.has_all(key_of(fact))}
    questions = list(work.questions(facts=facts.keys())) if facts else []
    asked = {question_about(p.statement) for p in keyed if p.apart}
    if asked:
        known = {question.id for question in questions}
        questions += [question for question in work.questions(ids=asked) if question.id not in known]
    if questions:
        facts |= work.current({side for q in questions for side in (q.existing, q.new)} - facts.keys())
    least = ctx.settings.consolidation.min_confidence
    weak = {weak_claim_key(p.statement) for p in keyed if is_weak(p.claim, least) and not p.apart}
    criteria = {p.utterance.id: p.criterion for p in read}
    return Needs(
        proposals,
        criteria,
        kept,
        gathered,
        tuple(facts.values()),
        questions,
        work.weak_claims(weak) if weak else {},
        _resting(work, proposals),
        late_histories(work, ctx, [p for _, claims in proposals for p in claims if not p.apart], turns, anew),
        turns,
        _corrected(work, [turn for turn, _ in again], anew),
    )


def _around(
    keyed: Sequence[KeyedClaim], naming: set[tuple[str, str, str]], kept: Ledger, work: Work, ctx: Context
) -> tuple[dict[str, Fact], frozenset[Place]]:
    """Return the active facts that claims could collide with or retire, without those that were kept; and the places where all were read.

    naming: the (user, project, phrase) of other facts.
    """
    keys = {key for p in keyed for key in (p.statement.key, *other_keys(p, ctx))}
    replacing = {whom for p in keyed if retires(p.statement) for whom in about(p)}
    gathered: frozenset[Place] = frozenset((*keys, *replacing))
    keys = {key for key in keys if not kept.has_all(key)}
    replacing = {whom for whom in replacing if not kept.has_all(whom)}
    facts = {fact.id: fact for fact in work.active_facts(keys)} if keys else {}
    if replacing:
        facts |= {fact.id: fact for fact in work.active_facts_about(replacing)}
    naming = naming | {(p.statement.key.user, scope, phrase) for p in keyed if (phrase := named_by(p.statement)) for scope in scopes_of(p)}
    if naming:
        facts |= {fact.id: fact for fact in work.active_facts_naming(naming)}
    return facts, gathered


def _possible(turns: Mapping[str, ReadTurn], proposals: Proposals, facts: Iterable[Fact], ctx: Context) -> list[KeyedClaim]:
    """Return what the turns of the unit may say of facts that are held, or that its claims may give: it is weighed like a claim.

    Those that come in late are weighed in their histories.
    """
    telling = [turn for turn in turns.values() if not ctx.is_late(turn.utterance)]
    if not telling:
        return []
    claims = {utterance.id: claims for utterance, claims in proposals}
    words = frozenset().union(*(turn.first_words for turn in telling))
    held = (fact for fact in facts if _has_word(words, fact.object_key, key_of(fact)))
    given = (new_fact(p, ctx) for each in claims.values() for p in each if _has_word(words, p.statement.object_key, p.statement.key))
    known = {fact.id: fact for fact in chain(held, given)}
    found = ActiveFacts(known.__getitem__)
    for fact in known.values():
        found.put(fact)
    possible: list[KeyedClaim] = []
    for turn in telling:
        named = {fact.id: fact for each in turn.naming() for fact in found.naming(*each)}
        possible += turn.possible(claims.get(turn.utterance.id, ()), named.values(), ctx.rules.class_of)
    return possible


def _has_word(words: frozenset[str], object_key: str, key: FactKey) -> bool:
    """Return whether a fact under this key has one of the words in its object, its subject or its predicate."""
    return any(not words.isdisjoint(folding.tokens(each)) for each in (object_key, key.subject, key.predicate))


def _claiming(read: Sequence[Proposal], work: Work, ctx: Context) -> Proposals:
    return drop_echoes(work, ctx, tuple((p.utterance, key_claims(p, ctx)) for p in read))


def _corrected(work: Work, turns: Sequence[Utterance], anew: Proposals) -> Mapping[str, Corrected]:
    """Return the corrections by the turns before them."""
    pieces = work.evidence_in([correction.id for correction, _ in anew]) if anew else ()
    facts = work.current({piece.fact for piece in pieces}) if pieces else {}
    known = frozenset(reading_under(facts[piece.fact], piece) for piece in pieces)
    return {turn.id: Corrected(turn, *read, known) for turn, read in zip(turns, anew, strict=True)}


def _resting(work: Work, proposals: Proposals) -> Mapping[str, Sequence[WeightedEvidence]]:
    """Return, by fact, the evidence still in force for facts that these turns gave before."""
    telling = [utterance.id for utterance, claims in proposals if claims]
    given = {piece.fact for piece in work.evidence_in(telling)} if telling else set()
    in_force = work.evidence(given, in_force=True) if given else ()
    runs = {name: run for name in {piece.run for piece in in_force} if (run := work.run(name))}
    resting: dict[str, list[WeightedEvidence]] = {}
    for piece in with_origin(in_force, work.episodes({piece.episode for piece in in_force}), runs) if in_force else ():
        resting.setdefault(piece.evidence.fact, []).append(piece)
    return resting


def decide(needs: Needs, ctx: Context) -> Plan:
    """Decide one group an episode: the ledger's changes, the evidence, and the episode's mark."""
    ledger = needs.kept
    ledger.resume(needs.facts, needs.questions, needs.resting)
    weak_claims = {key: list(met) for key, met in needs.weak_claims.items()}
    carried = _retold(needs, ledger, ctx)
    for put in (put for each in carried.values() for one in each for put in one.puts if isinstance(put, WeakClaim)):
        weak_claims.setdefault(put.key, []).append(put)  # what is said on time comes after it, and may say it again
    retold = {reading for each in carried.values() for one in each for reading in one.fresh}
    held = {reading for each in carried.values() for one in each for reading in one.holding}
    changing = {reading.episode for reading in held if reading.rule in RULES}
    speaking = needs.turns.keys() | needs.corrected.keys()
    silent = (utterance.id for utterance, claims in needs.proposals if not claims and utterance.id not in speaking)
    groups = list(scanned(silent, ctx.now, ctx.rules.hash))
    for utterance, claims in _in_order(needs):
        if not claims and utterance.id not in speaking:
            continue
        puts: list[Record] = []
        events: list[Event] = []
        for told in carried.get(utterance.id, ()):
            puts += told.puts
            events += told.events
        corrected = needs.corrected.get(utterance.id)
        for keyed in (*claims, *(corrected.new if corrected else ())):
            if (retold or needs.late.retired) and not keyed.apart and reading_of(keyed) in retold | needs.late.retired:
                continue
            resolution = _quarantined(keyed, ledger, ctx) if keyed.apart else resolve(keyed, weak_claims, ledger, ctx)
            puts += resolution.puts
            events += resolution.events
        if (turn := needs.turns.get(utterance.id)) is not None and not ctx.is_late(utterance):
            for change in changes_told(turn, claims, ledger, ctx.rules.class_of):
                resolution = resolve(change, weak_claims, ledger, ctx)
                puts += resolution.puts
                events += resolution.events
        if not claims and not puts and utterance.id not in changing:
            continue
        verdicts = {put.verdict for put in puts if isinstance(put, Evidence) and put.episode == utterance.id}
        kept = utterance.id in changing or (bool(held) and any(reading_of(keyed) in held for keyed in claims))
        puts.append(EpisodeState(utterance.id, ctx.now, ctx.rules.hash, ctx.now if verdicts or kept else None, utterance.attempts))
        if kept or verdicts - {Verdict.SET_APART}:
            events.append(Promoted(utterance.id, needs.criteria.get(utterance.id, Criterion.KEYWORD)))
        groups.append(ChangeSet(utterance.id, tuple(puts), (), tuple(events)))
    if ledger.keep(needs.gathered):
        ctx.carried.offer(ledger)
    return Plan(tuple(groups))


def _in_order(needs: Needs) -> Proposals:
    """Return the turns of the unit with their claims, in the order in which they were said; those that only tell a change, or stand
    before a correction, too.
    """
    if not needs.turns and not needs.corrected:
        return needs.proposals
    speaking = {id_: turn.utterance for id_, turn in needs.turns.items()} | {id_: each.turn for id_, each in needs.corrected.items()}
    claiming = {utterance.id for utterance, _ in needs.proposals}
    others = tuple((utterance, ()) for id_, utterance in speaking.items() if id_ not in claiming)
    return tuple(sorted((*needs.proposals, *others), key=lambda each: each[0].place))


def _retold(needs: Needs, ledger: Ledger, ctx: Context) -> Mapping[str, Sequence[Retold]]:
    """Return the matters that are weighed anew, by the first episode of the unit that speaks in them."""
    before = {each.correction.id: turn for turn, each in needs.corrected.items()}
    unit = {reading_of(keyed) for _, claims in needs.proposals for keyed in claims if not keyed.apart}
    carried: dict[str, list[Retold]] = {}
    for history in needs.late.histories:
        held = {reading for pieces in history.pieces.values() for reading in pieces}
        said = [reading_of(keyed) for keyed in history.told]
        fresh = [each for each in said if each in unit or (each.episode in before and each not in held)]
        told = retell(history, ctx, fresh, needs.turns.keys())
        ledger.adopt(told.facts, told.questions)
        episodes = chain(
            (reading.episode for reading in fresh),
            (turn.utterance.id for turn, _ in history.turns if turn.utterance.id in needs.turns),
            (reading.episode for reading in (*said, *held) if reading.episode in before),
        )
        first = next(episodes)
        carried.setdefault(before.get(first, first), []).append(told)
    return carried


def _quarantined(keyed: KeyedClaim, ledger: Ledger, ctx: Context) -> Resolution:
    """Ask one question for each claim that can only ask, however often it comes. What is too weak to be held is too weak to be asked about,
    and what is held already, or was decided, is not asked again.
    """
    new = keyed.statement
    held = ledger.active(new.key)
    if is_weak(keyed.claim, ctx.settings.consolidation.min_confidence) or says_no_more(new, held):
        return Resolution()
    question = ledger.question(question_about(new))
    events: tuple[Event, ...] = ()
    if question is None or (question.resolved_at is not None and question.action is None):  # the latter: its run was undone
        fact = new_fact(keyed, ctx)
        believed = replace(keyed, statement=replace(new, origin=Origin.OPERATOR))  # what it would do if it were
        named = retired_by(believed, ledger, ctx)
        rival = named[0].id if named else _rival(weigh(new, held, ctx.settings.conflict_resolution))
        ledger.quarantine(fact, question_about(new), rival)
        events = (Quarantined(fact.id),)
    elif question.resolved_at is None and (waiting := ledger.fact(question.new)) is not None:
        fact = waiting if waiting.origin <= new.origin else ledger.revise(replace(waiting, origin=Origin(new.origin)))
        ledger.repeat(question)
    else:
        return Resolution()
    return Resolution((*ledger.take(), evidence_of(fact, keyed, ctx, Verdict.SET_APART, sentence_of(keyed, ctx))), events)


def _rival(relation: Relation) -> str:
    """Return the id of the fact that does not go with the claim, or ""."""
    match relation:
        case Supersedes(held):
            return held[0].id
        case Confirms(held) | Refines(held) | Contradicts(held):
            return held.id
        case Fresh():
            return ""
