"""Undo: take back what one run did, whatever came after it (docs/threats.md, promise 4). Undoing an undo is the same.

What a fact says follows from its evidence, so the evidence of an undone run no longer counts and the fact is rebuilt from the rest;
with none left it is retired. A fact that the run superseded is restored where it still is as the run left it; a later run's word
stays. Where a fact that comes back meets one that came to be held meanwhile, both are held, in question, and a person is asked; the
same where a person has chosen a fact that would go. Records of other types follow `core.history.diff.RecordChange.undone`.

Episodes that an undone run read stay read under the rules it had: they are read again when the rules change, not before. The words of an
undone correction are never read again: they were typed for that fact alone.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from functools import partial

from ethos.core.facts.evidence import WeightedEvidence, counting, with_origin
from ethos.core.facts.retirement import retired_by_person
from ethos.core.facts.statement import key_of
from ethos.core.history.diff import Changes
from ethos.core.history.salience import fades_at
from ethos.core.model.plan import ChangeSet, Plan
from ethos.core.model.records import CORRECT, EpisodeState, Fact, Run, RunReversal, Salience
from ethos.core.passes.context import Context
from ethos.core.passes.stage import Stage
from ethos.core.ports.store import Work
from ethos.stages.person.around import questions_around, sides_of
from ethos.stages.person.reversal import End, Needs, Reversal, end_of


def gather(run: Run, work: Work, ctx: Context) -> Needs:
    """Read the run's changes, the runs that it undid in turn, the evidence that is left, and the facts under the same keys."""
    changes = work.changes(run.id)
    chain = _chain(run, work, ctx)
    read = {undoing.run: work.changes(undoing.run) for undoing in chain}
    read_evidence = [piece for each in read.values() for piece in each.evidence]
    resting = {piece.fact for piece in read_evidence}.union(*(_told_otherwise(each) for each in read.values()))
    touched = resting | {change.after.id for change in changes.facts}
    touched |= sides_of(change.now for change in changes.questions)
    facts = dict(work.current(touched))
    relying = {fact: tuple(old.id for old in work.replaced([fact])) for fact in touched}
    facts |= work.current({old for each in relying.values() for old in each} - facts.keys())
    facts |= {fact.id: fact for fact in work.active_facts({key_of(fact) for fact in facts.values()}) if fact.id not in facts}
    questions, around = questions_around(work, facts.keys(), rounds=2)
    facts |= work.current(around - facts.keys())
    pieces, marks = _left(work, chain, resting, {piece.episode for piece in read_evidence})
    sides = touched | sides_of(questions.values())
    bare = sides - pieces.keys() - {piece.fact for piece in work.evidence(sides, in_force=True)}
    bare |= {fact for fact, left in pieces.items() if not left}
    stood = _stood(work, run, changes, facts)
    last = work.run(chain[-1].run)
    withdrawn = last.reason if last is not None and last.name == "answer" and chain[-1].by is not None else ""
    retired = retired_by_person(work, {undoing.run: undoing.by for undoing in chain})
    versions = {change.after.id: work.fact(change.after.id) for change in changes.facts}
    in_force = _in_force(work, chain, changes, versions)
    ends = {id_: _end(each, in_force) for id_, each in versions.items()}
    successors = {change.before.superseded_by for change in changes.facts if change.before and change.before.superseded_by}
    gone = frozenset(id_ for id_, fact in work.current(successors - touched).items() if fact.retired_at is not None)
    return Needs(
        run, changes, chain, pieces, frozenset(bare), facts, questions, relying, stood, marks, in_force, ends, gone, withdrawn, retired
    )


def _end(versions: Iterable[Fact], in_force: Collection[str]) -> End:
    """Return how a fact ended by the last run in force that changed its end."""
    end = was = End(None, None)
    for version in versions:
        left = end_of(version)
        if left != was and version.run in in_force:
            end = left
        was = left
    return end


def _in_force(work: Work, chain: Sequence[RunReversal], changes: Changes, versions: Mapping[str, Iterable[Fact]]) -> frozenset[str]:
    """Return the runs that wrote one of these records or versions and then count; an undo only restores what others wrote."""
    changed = {undoing.run: undoing.by for undoing in chain}
    names = {name for change in changes.records for name, _ in change.earlier}
    names |= {version.run for each in versions.values() for version in each}
    runs = {name: work.run(name) for name in names}
    return frozenset(name for name, run in runs.items() if run is None or (run.name != "undo" and changed.get(name, run.undone_by) is None))


def _told_otherwise(changes: Changes) -> set[str]:
    """Return the facts that said less or more after the run: what was said again was weighed again, and went to another fact."""
    return {change.after.id for change in changes.facts if change.before is not None and _told(change.before) != _told(change.after)}


def _told(fact: Fact) -> tuple[object, ...]:
    return fact.object_key, fact.confidence, fact.valid_from, fact.affirmed_at


def _stood(work: Work, run: Run, changes: Changes, facts: Mapping[str, Fact]) -> frozenset[str]:
    """Return those of these facts that were active when the run began."""
    before = {change.after.id: change.before for change in changes.facts}
    for id_, fact in facts.items():
        if id_ in before:
            continue
        earlier = [fact] if fact.recorded_at < run.started_at else [v for v in work.fact(id_) if v.recorded_at < run.started_at]
        before[id_] = replace(earlier[-1], closed_at=None) if earlier else None
    return frozenset(id_ for id_, fact in before.items() if fact is not None and fact.active)


def _chain(run: Run, work: Work, ctx: Context) -> tuple[RunReversal, ...]:
    """Return which runs are undone and which count again: this run, what it undid if it was an undo itself, and so on."""
    chain = [RunReversal(run.id, ctx.run)]
    counts = False
    while run.name == "undo" and (undone := work.run(run.reason)) is not None:
        chain.append(RunReversal(undone.id, run.id if counts else None))
        run, counts = undone, not counts
    return tuple(chain)


def _left(
    work: Work, chain: Sequence[RunReversal], facts: set[str], episodes: set[str]
) -> tuple[dict[str, tuple[WeightedEvidence, ...]], tuple[EpisodeState, ...]]:
    """Return the evidence of these facts when the chain is in force, and the marks of these episodes."""
    changed = {undoing.run: undoing.by for undoing in chain}
    found = {*work.evidence(facts), *work.evidence_in(episodes)}
    runs = {name: run for name in {piece.run for piece in found} if (run := work.run(name))}
    undone = {name: changed.get(name, run.undone_by) for name, run in runs.items()}
    pieces: dict[str, list[WeightedEvidence]] = {fact: [] for fact in facts}
    gave: dict[str, datetime] = {}
    counted = [piece for piece in found if undone.get(piece.run) is None]
    for piece in counting(with_origin(counted, work.episodes({piece.episode for piece in counted}), runs)):
        fact, episode = piece.evidence.fact, piece.evidence.episode
        gave[episode] = min(piece.read_at, gave.get(episode, piece.read_at))
        if fact in pieces:
            pieces[fact].append(piece)
    typed = {piece.episode for piece in found if (run := runs.get(piece.run)) and run.name == CORRECT}
    held = [(mark, gave.get(mark.episode)) for mark in work.marks(episodes).values() if mark.episode in gave or mark.episode not in typed]
    marks = tuple(replace(mark, consolidated_at=at) for mark, at in held if at != mark.consolidated_at)
    return {fact: tuple(each) for fact, each in pieces.items()}, marks


def decide(needs: Needs, ctx: Context) -> Plan:
    """Decide one group, so that all of it is written or nothing."""
    others = (undone for change in needs.changes.records if (undone := change.undone(needs.in_force)) is not None)
    puts = (*Reversal(needs, ctx).records(), *_salience_without(needs.changes, ctx), *others)
    done = Run(ctx.run, "undo", needs.run.id, None, ctx.now, ctx.now, rules=ctx.rules.hash, outcome="done")
    return Plan((ChangeSet("", (done, *needs.chain, *puts, *needs.marks)),))


def _salience_without(changes: Changes, ctx: Context) -> Iterator[Salience]:
    """Yield each salience without the run's part in it, where that is other than it is now."""
    for change in changes.salience:
        back = change.undone()
        if back.effective != change.now.effective:
            back = replace(back, fades_at=fades_at(back, ctx.settings.decay))
        if back != change.now:
            yield back


def undo(run: Run) -> Stage[Needs]:
    """Return the stage that takes back what this run did."""
    return Stage("undo", partial(gather, run), decide)
