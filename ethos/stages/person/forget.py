"""Forget: take out episodes and all that rests on them alone (docs/threats.md, promise 5).

A fact that keeps other evidence is written anew from what is left: its object, its words and its confidence, in every version, as
though the others had never spoken. A fact whose successor is gone takes that one's successor, or comes back and is weighed against
what is held. A fact that was only believed because it was said often enough goes when it was not. Questions about what is gone go
with it, and what a turn said that only corrected a forgotten one.

A fact that is named itself goes with the episodes it rests on: what stands in them would give it again.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace

from ethos.core.facts.admission import readmit
from ethos.core.facts.holding import repetitions_needed
from ethos.core.facts.ledger import Ledger
from ethos.core.facts.statement import key_of
from ethos.core.facts.told_again import RULES
from ethos.core.history.erasure import ErasedRecords, ErasureRequest
from ethos.core.learning.bank.recording import restored
from ethos.core.model.errors import refuse
from ethos.core.model.events import Admission
from ethos.core.model.keys import FactKey, WeakClaimKey
from ethos.core.model.memories import Memory
from ethos.core.model.plan import ChangeSet, Plan
from ethos.core.model.records import Episode, EpisodeState, Evidence, Fact, Question, Record, Run, WeakClaim
from ethos.core.passes.context import Context
from ethos.core.ports.store import Work
from ethos.core.text.language.correction import corrects
from ethos.stages.person import dependents
from ethos.stages.person.around import questions_around, sides_of
from ethos.stages.person.dependents import Dependent, going
from ethos.stages.person.redacted import redacted_question, redacted_run
from ethos.stages.person.remaining_facts import put_aside, rescored, reworded, said, succeeded


@dataclass(frozen=True, slots=True)
class Needs:
    """Hold the records that are to go, and every record that rests on them. facts: every version, oldest first."""

    wanted: ErasureRequest
    episodes: Mapping[str, Episode] = field(default_factory=dict)
    named: frozenset[str] = frozenset()  # facts that go whatever else they rest on
    facts: Mapping[str, tuple[Fact, ...]] = field(default_factory=dict)
    evidence: Sequence[Evidence] = ()
    in_force: frozenset[Evidence] = frozenset()  # under any of the facts, whose run is not undone
    kept: Mapping[str, Episode] = field(default_factory=dict)  # other episodes that these facts rest on
    marks: Mapping[str, EpisodeState] = field(default_factory=dict)  # of those
    questions: Sequence[Question] = ()
    weak_claims: Mapping[WeakClaimKey, Sequence[WeakClaim]] = field(default_factory=dict)
    runs: Sequence[Run] = ()  # that may speak of it
    readers: Mapping[str, Run] = field(default_factory=dict)  # the runs that read the evidence
    dependents: Sequence[Dependent] = ()  # records of other types that rest on any of this
    taken_in: Sequence[Memory] = ()  # memories that one of these was made of


def gather(wanted: ErasureRequest, work: Work, ctx: Context) -> Needs:  # noqa: ARG001 (every stage's gather ends in this form)
    """Read what is to go and everything that rests on it. Raises `Refused` for an id that no record has.

    Reads every record where words, a session or a source are asked for.
    """
    episodes = dict(work.episodes(wanted.ids))
    named = {id_ for id_ in wanted.ids if id_ not in episodes and work.fact(id_)}
    others = {id_ for id_ in wanted.ids if id_ not in episodes and id_ not in named}
    if missing := others and others - dependents.ids_among(work, others):
        raise refuse("not-found", f"no episode and no fact has the id {min(missing)}", hint="find ids in `ethos recall` and `ethos facts`")
    if wanted.session is not None or wanted.source is not None or wanted.matching:
        episodes |= {each.id: each for each in work.records(Episode) if wanted.holds(each)}
    speaking = {each.id for each in work.records(Fact) if wanted.speaks_of(*said(each), each.subject)} if wanted.matching else set()
    resting = {piece.fact for piece in work.evidence(speaking) if piece.episode in episodes}
    named |= speaking - resting  # what no turn says in these words, we say of it
    episodes |= work.episodes({piece.episode for piece in work.evidence(named)} - episodes.keys())
    met = work.weak_claims_in(episodes.keys())
    weak_claims = work.weak_claims({weak_claim.key for weak_claim in met})
    touched = named | {piece.fact for piece in work.evidence_in(episodes.keys())}
    touched |= {fact.id for fact in work.active_facts({FactKey(*key[:5]) for key in weak_claims}) if _weak_key_of(fact) in weak_claims}
    corrections = _corrections(work, touched, episodes)
    named |= corrections
    touched |= corrections
    evidence = work.evidence(touched)
    others = {piece.episode for piece in evidence} - episodes.keys()
    questions, around = questions_around(work, touched | work.referring(touched), rounds=3)
    versions = _by_id(work.versions(around))
    rivals = work.active_facts(
        {FactKey(f.user, f.project, f.subject_key, f.predicate_key, f.slot) for each in versions.values() for f in each[-1:]}
    )
    versions |= _by_id(work.versions({fact.id for fact in rivals} - around))
    ids = episodes.keys() | versions.keys() | questions.keys()
    others_resting = dependents.gather(work, wanted, ids)
    return Needs(
        wanted,
        episodes,
        frozenset(named),
        versions,
        evidence,
        frozenset(work.evidence(around, in_force=True)),
        dict(work.episodes(others)),
        dict(work.marks(others)),
        tuple(questions.values()),
        weak_claims,
        tuple(run for run in work.records(Run) if redacted_run(run, ids, wanted) != run),
        {name: run for name in {piece.run for piece in evidence} if (run := work.run(name))},
        others_resting,
        work.find(Memory, "consolidation_id", [each.id for each in others_resting if each.id]),
    )


def _corrections(work: Work, facts: Collection[str], episodes: Mapping[str, Episode]) -> set[str]:
    """Return the facts that a turn gave which only corrects, or changes, what one of these episodes says: of what, stands in that one."""
    lost = work.current(facts).values()
    heirs = {fact.superseded_by for fact in lost if fact.superseded_by} - set(facts)
    around = work.facts_around({(fact.user, fact.subject_key) for fact in lost})
    heirs |= {fact.id for fact in around if fact.rule in RULES and key_of(fact) in {key_of(each) for each in lost}} - set(facts)
    pieces = work.evidence(heirs) if heirs else ()
    turns = work.episodes({piece.episode for piece in pieces} - episodes.keys())
    before = work.preceding([id_ for id_, turn in turns.items() if corrects(turn.text)])
    held = work.current(heirs)
    return {
        piece.fact
        for piece in pieces
        if (piece.rule in RULES or before.get(piece.episode) in episodes)
        and held[piece.fact].subject.lower() not in turns[piece.episode].text.lower()
    }


@dataclass(frozen=True, slots=True)
class Forgetting:
    """Hold the plan that forgets, and what it takes out. rescored: facts that stay on other evidence; revived: facts held again, and how;
    others: records of other types that are taken out with what they rest on.
    """

    plan: Plan
    gone: ErasedRecords
    others: tuple[Dependent, ...] = ()
    rescored: tuple[str, ...] = ()
    revived: Mapping[str, Admission] = field(default_factory=dict)


def decide(needs: Needs, ctx: Context) -> Forgetting:
    """Decide one group, all or nothing: what is forgotten, and the facts that are written anew."""
    left = _left(needs)
    anew = {
        fact: rescored(needs.facts[fact], pieces, needs.kept, needs.readers)
        for fact, pieces in left.items()
        if pieces and fact not in needs.named
    }
    gone = left.keys() - anew.keys() | needs.named | _no_longer_repeated(needs, ctx)
    gone |= {fact for fact, versions in anew.items() for version in versions if needs.wanted.speaks_of(*said(version))}
    asked = {q.id for q in needs.questions if q.new in gone or (q.existing in gone and not q.of_quarantine)}
    idle = {fact for fact in anew if not needs.in_force.intersection(left[fact])}  # the rest was read by runs that are undone
    anew |= {fact: (*anew[fact][:-1], put_aside(anew[fact][-1], ctx.now)) for fact in idle}
    asked |= {q.id for q in needs.questions if q.resolved_at is None and not idle.isdisjoint((q.existing, q.new)) and not q.of_quarantine}
    changed_words = {fact for fact, versions in anew.items() if any(map(reworded, needs.facts[fact], versions))}
    others = going(needs.dependents, needs.episodes.keys() | gone | asked | changed_words)
    ids = needs.episodes.keys() | gone | asked | {each.id for each in others if each.id}
    rewritten: dict[str, tuple[Fact, ...]] = {}
    for fact, versions in needs.facts.items():
        if fact not in gone:
            after = tuple(succeeded(version, gone, needs.facts) for version in anew.get(fact, versions))
            if after != versions:
                rewritten[fact] = after
    questions = [redacted_question(question, gone, needs.wanted) for question in needs.questions if question.id not in asked]
    staying = [rewritten.get(fact, versions)[-1] for fact, versions in needs.facts.items() if fact not in gone]
    ledger = Ledger(staying, questions, now=ctx.now, run=ctx.run)
    supported = {piece.fact for piece in needs.in_force}
    for side in sorted(sides_of(question for question in needs.questions if question.id in asked)):
        held = ledger.fact(side)
        if held is not None and held.active and side not in supported and not _spoken_for(side, questions):
            ledger.revise(put_aside(held, ctx.now))  # its run is undone, and it stood only for what was asked
        else:
            ledger.clear(side)
    revived: dict[str, Admission] = {}
    for fact, versions in needs.facts.items():
        held = ledger.fact(fact) if fact in supported else None
        if held is not None and versions[-1].superseded_by in gone and held.superseded_by is None and versions[-1].retired_at is None:
            back = ledger.revise(replace(held, retired_at=None, valid_to=None, flagged=False))
            revived[fact] = readmit(back, ledger, ctx.settings.conflict_resolution)
    changed = [
        question
        for question, before in zip(questions, (q for q in needs.questions if q.id not in asked), strict=True)
        if question != before
    ]
    runs = [redacted_run(run, ids, needs.wanted) for run in needs.runs]
    puts: list[Record] = [version for versions in rewritten.values() for version in versions]
    puts += [*changed, *(run for run, before in zip(runs, needs.runs, strict=True) if run != before), *ledger.take()]
    puts += [replace(needs.marks[e], consolidated_at=None) for e in _demoted(needs, gone) if e in needs.marks]
    puts += [restored(memory) for memory in needs.taken_in if memory.consolidation_id in ids and memory.id not in ids]
    again = [put.id for put in puts if isinstance(put, Question | Run)]
    forgets = dict.fromkeys((*sorted(ids), *rewritten, *again))
    plan = Plan((ChangeSet("", tuple(puts), tuple(forgets)),)) if ids or puts else Plan()
    erased = _erased(needs, ids, puts, others)
    return Forgetting(plan, erased, tuple(others), tuple(fact for fact in anew if fact not in gone), revived)


def _erased(needs: Needs, forgotten: Collection[str], puts: Iterable[Record], others: Iterable[Dependent]) -> ErasedRecords:
    """Return these ids, and everything that was said in them."""
    anew: dict[str, set[str]] = defaultdict(set)
    for put in puts:
        if isinstance(put, Fact):
            anew[put.id].update(said(put))
    texts = {episode.text for episode in needs.episodes.values()}
    for fact, versions in needs.facts.items():
        if fact in forgotten or fact in anew:
            texts |= {text for version in versions for text in said(version)} - anew[fact]
    texts |= {question.note for question in needs.questions if question.id in forgotten and question.note}
    texts |= {text for each in others for text in each.words}
    return ErasedRecords(frozenset(needs.episodes), frozenset(forgotten), frozenset(texts), needs.wanted.matching or "")


# -- facts that stay


def _left(needs: Needs) -> dict[str, list[Evidence]]:
    """Return the evidence that is left of each fact that loses some, oldest said first."""
    lost = {piece.fact for piece in needs.evidence if piece.episode in needs.episodes}
    left: dict[str, list[Evidence]] = {fact: [] for fact in sorted(lost)}
    for piece in sorted(needs.evidence, key=lambda each: (each.said_at, each.episode)):
        if piece.fact in lost and piece.episode not in needs.episodes:
            left[piece.fact].append(piece)
    return left


def _spoken_for(fact: str, questions: Iterable[Question]) -> bool:
    """Return True if a person has answered about a fact, or is asked to."""
    return any(fact in (q.existing, q.new) and (q.resolved_at is None or q.action is not None) for q in questions)


# -- what was believed because it was said often


def _no_longer_repeated(needs: Needs, ctx: Context) -> set[str]:
    """Return the facts that a weak claim gave by repetition (X-E1), and that too few episodes now repeat."""
    found = set()
    for fact in {piece.fact for piece in needs.evidence}:
        weak_claims = needs.weak_claims.get(_weak_key_of(needs.facts[fact][-1]), ())
        met = {weak_claim.episode for weak_claim in weak_claims}
        sureness = max((weak_claim.confidence for weak_claim in weak_claims), default=0.0)
        resting = {piece.episode for piece in needs.evidence if piece.fact == fact} - needs.episodes.keys()
        if resting and resting <= met and len(met - needs.episodes.keys()) < repetitions_needed(sureness, ctx.settings.consolidation):
            found.add(fact)
    return found


def _demoted(needs: Needs, gone: set[str]) -> set[str]:
    """Return the episodes that stay and no longer give any fact."""
    gave: dict[str, set[str]] = defaultdict(set)
    for piece in needs.evidence:
        gave[piece.episode].add(piece.fact)
    return {episode for episode, facts in gave.items() if episode in needs.kept and facts <= gone}


def _weak_key_of(fact: Fact) -> WeakClaimKey:
    return WeakClaimKey(*key_of(fact), fact.object_key, fact.polarity)


def _by_id(versions: Sequence[Fact]) -> dict[str, tuple[Fact, ...]]:
    found: dict[str, tuple[Fact, ...]] = {}
    for version in versions:
        found[version.id] = (*found.get(version.id, ()), version)
    return found
