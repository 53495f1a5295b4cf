"""Explain: what led to a record, what a run changed, and which record somebody means by the beginning of its id.

Read only. Everything is told from the records: nothing is stored for the sake of being explained.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from itertools import chain
from typing import TYPE_CHECKING

from ethos.app.first_use import at_first_use
from ethos.app.track_record import track_records
from ethos.core.facts.evidence import AFFIRMING, first_readings
from ethos.core.history.diff import Diff, differences
from ethos.core.model.errors import refuse
from ethos.core.model.memories import Memory, Signal
from ethos.core.model.questions import MemoryQuestion
from ethos.core.model.record_types import type_of
from ethos.core.model.records import RETIRING, Episode, EpisodeState, Evidence, Fact, Question, Record, Run, Verdict
from ethos.core.model.settings import ConsolidationSettings
from ethos.core.model.summaries import Summary
from ethos.core.model.traces import Trace
from ethos.core.ports.store import Work

if TYPE_CHECKING:
    from ethos.core.facts import holding
    from ethos.core.rules import worth as judging
else:  # only the reason for a fact tells what it was worth, and only that of a weak claim how often it has to be said
    holding = at_first_use("ethos.core.facts.holding")
    judging = at_first_use("ethos.core.rules.worth")

_WEIGHS = frozenset({"promote", "standing"})  # these change how far a rule is trusted, and nothing that is held
REVERSIBLE = frozenset({"consolidate", "sleep", "memory", "profile", "answer", *RETIRING, "undo"}) | _WEIGHS
_INSTEAD: Mapping[str, str] = {
    "import": "put back a backup from before it (`ethos backup --list`, ethos restore FILE), or erase what came in: ethos forget ID",
    "shadow": "it changed nothing",
    "restore": "what was there before is kept beside the store: ethos restore FILE",
}
_SHOWN = 5  # ids told of where a beginning fits several
_WHERE: Mapping[type[Record], str] = {
    Fact: "`ethos facts`",
    Question: "`ethos inbox`",
    Run: "`ethos status --runs`",
    Episode: "`ethos recall`",
    Memory: "`ethos memory search`",
    Summary: "`ethos report`",
}


@dataclass(frozen=True, slots=True)
class Weighing:
    """What a piece of evidence was weighed against when it was read, in the versions of then; and whether it still counts.

    read_by: the earlier run whose reading of the same turn counts in its place. worth: that of its words, from 0 to 1, and the signs that
    it comes of, with their weights (`core.rules.worth`).
    """

    against: tuple[Fact, ...] = ()
    undone_by: str | None = None
    read_by: str | None = None
    worth: float = 0.0
    signs: Mapping[str, float] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Unheld:
    """A claim of an episode that is weak: kept with its words, held once as many episodes as are needed say so. said: how many did."""

    rule: str
    start: int
    end: int
    confidence: float
    said: int
    needed: int


@dataclass(frozen=True, slots=True)
class Why:
    """Everything that led to a fact, a summary, a trace or a memory, or came of an episode or a question.

    weighed: for each piece of evidence. episodes: also those that a summary tells, that a trace joins, or that a memory was distilled
    from. signals: of the memory, those that are not rolled up; proved: its outcomes and the words on it, as `worked` of `tried` and
    `helped` of `judged`.
    """

    id: str
    type: str  # "fact", "episode", "question", "summary", "trace", "memory"
    versions: tuple[Fact, ...] = ()
    evidence: tuple[Evidence, ...] = ()
    weighed: tuple[Weighing, ...] = ()
    episodes: Mapping[str, Episode] = field(default_factory=dict)
    questions: tuple[Question, ...] = ()
    related: Mapping[str, Fact] = field(default_factory=dict)  # facts that these replaced, contradict, or rest on the episode
    mark: EpisodeState | None = None
    salience: float | None = None
    summary: Summary | None = None
    trace: Trace | None = None
    memory: Memory | None = None
    signals: tuple[Signal, ...] = ()
    proved: Mapping[str, int] = field(default_factory=dict)
    proposals: tuple[MemoryQuestion, ...] = ()  # what a person was asked about the memory
    weak: tuple[Unheld, ...] = ()  # claims of the episode that are not held

    def texts(self) -> Iterator[str]:
        """Yield the texts that are shown to whoever asks."""
        yield from (fact.statement for fact in self.versions)
        yield from (episode.text for episode in self.episodes.values())
        if self.memory is not None:
            yield from (self.memory.title, self.memory.content)


def meant(work: Work, asked: str, *kinds: type[Record]) -> str:
    """Return the one id of these kinds that begins like this. Raises Refused where there is none, or several."""
    found = work.beginning_with(asked, kinds, limit=_SHOWN + 1) if asked else ()
    if asked in found or len(found) == 1:
        return found[0]
    if not found:
        called = {type_of(kind).name.split()[-1] for kind in kinds}  # a question is one, whatever it is about
        nothing = f"no {called.pop()}" if len(called) == 1 else "nothing"
        hint = "find ids in " + ", ".join(dict.fromkeys(_WHERE[kind] for kind in kinds if kind in _WHERE))
        if asked.startswith("r-") and Run not in kinds:
            hint = f"what a run did: ethos diff {asked}"
        elif asked.startswith("m-") and Memory not in kinds:
            hint = f"the record of a memory: ethos memory show {asked}"
        elif asked.startswith("l-"):
            hint = f"the evidence of a lesson: ethos lessons {asked}"
        elif asked.startswith("f-") and Question in kinds and Fact not in kinds:
            hint = f"this is a fact, not a question; to erase a misread fact: ethos forget {asked} --misread --dry-run"
        raise refuse("not-found", f"{nothing} has the id {asked}", hint=hint)
    more = " ..." if len(found) > _SHOWN else ""
    raise refuse("usage", f"{asked} is the beginning of several ids", hint="one of " + ", ".join(found[:_SHOWN]) + more)


def diff(work: Work, asked: str | None, now: datetime | None = None) -> Diff:
    """Return the changes of a run; without an id, those of the last run that changed something. Raises Refused.

    now: runs of a time to come, by a clock that was set back since, are not the last.
    """
    if asked is None:
        for run in chain.from_iterable(work.runs(limit=200, until=until) for until in (now, None)):
            if found := differences(work.changes(run.id)):
                return Diff(run, found)
        raise refuse("not-found", "no run has changed anything yet", hint="ethos capture PATH, then ethos consolidate")
    run = one_run(work, asked)
    return Diff(run, differences(work.changes(run.id)))


def one_run(work: Work, asked: str) -> Run:
    """Return the run that is meant. Raises Refused."""
    run = work.run(meant(work, asked, Run))
    assert run is not None  # noqa: S101 (its id was found)
    return run


def may_be_undone(work: Work, run: Run) -> None:
    """Refuse to undo a run if that would change nothing, or would make a run count that another undo has taken back."""
    if run.undone_by:
        raise refuse("usage", f"{run.id} is undone already", hint=f"to take that back: ethos undo {run.undone_by}")
    if run.name not in REVERSIBLE:
        what = f"{run.id} is a run of {run.name}, which cannot be undone"
        raise refuse("usage", what, hint=_INSTEAD.get(run.name, f"runs that can be undone: {', '.join(sorted(REVERSIBLE))}"))
    if run.name != "undo":
        if not (run.name in _WEIGHS or work.changes(run.id) or run.counts.get("episodes_scanned")):
            raise refuse("usage", f"{run.id} changed nothing", hint="`ethos diff`, without an id, shows the last run that did")
        return
    undone = work.run(run.reason)
    again = work.run(undone.reason) if undone is not None and undone.name == "undo" else None
    if again is not None and again.undone_by:
        raise refuse("usage", f"{again.id} is undone already, by {again.undone_by}", hint=f"first: ethos undo {again.undone_by}")


def why(work: Work, asked: str, settings: ConsolidationSettings) -> Why:
    """Return everything that led to a fact, a summary, a trace or a memory, or came of an episode or a question. Raises Refused."""
    of = meant(work, asked, Fact, Question, Episode, Summary, Trace, Memory, MemoryQuestion)
    about = next((each.memory for each in work.find(MemoryQuestion, "id", [of])), of)
    for memory in work.find(Memory, "id", [about]):
        return _memory(work, of, memory)
    for summary in work.find(Summary, "id", [of]):
        return Why(of, "summary", episodes=dict(work.episodes(summary.episodes)), summary=summary)
    for trace in work.find(Trace, "id", [of]):
        return Why(of, "trace", episodes=dict(work.episodes([trace.source, trace.target])), trace=trace)
    if versions := tuple(work.fact(of)):
        return _facts(work, of, "fact", {of: versions})
    if questions := tuple(work.questions(ids=[of])):
        sides = {side: tuple(work.fact(side)) for side in (questions[0].existing, questions[0].new) if side}
        return _facts(work, of, "question", sides)
    sides = {piece.fact: tuple(work.fact(piece.fact)) for piece in work.evidence_in([of])}
    found = _facts(work, of, "episode", sides)
    return replace(found, episodes={**found.episodes, **work.episodes([of])}, mark=work.marks([of]).get(of), weak=_weak(work, of, settings))


def _weak(work: Work, episode: str, settings: ConsolidationSettings) -> tuple[Unheld, ...]:
    """Return the weak claims of an episode that too few episodes say to be held."""
    found = work.weak_claims_in([episode])
    alike = work.weak_claims({claim.key for claim in found}) if found else {}
    told = []
    for claim in found:
        said = len({other.episode for other in alike.get(claim.key, ())} | {episode})
        needed = holding.repetitions_needed(claim.confidence, settings)
        if said < needed:
            told.append(Unheld(claim.rule, claim.start, claim.end, claim.confidence, said, needed))
    return tuple(sorted(told, key=lambda each: (each.start, each.rule)))


def _memory(work: Work, asked: str, memory: Memory) -> Why:
    (track_record,) = track_records(work, [memory])
    return Why(
        asked,
        "memory" if asked == memory.id else "question",
        episodes=dict(work.episodes(memory.sources)),
        memory=memory,
        signals=tuple(work.find(Signal, "memory", [memory.id])),
        proved={name: getattr(track_record, name) for name in ("worked", "tried", "helped", "judged")},
        proposals=tuple(work.find(MemoryQuestion, "memory", [memory.id])),
    )


def _facts(work: Work, asked: str, kind: str, facts: Mapping[str, tuple[Fact, ...]]) -> Why:
    versions = tuple(version for each in facts.values() for version in each)
    questions = tuple(work.questions(facts=facts.keys())) if facts else ()
    others = {v.superseded_by for v in versions if v.superseded_by} | {s for q in questions for s in (q.existing, q.new) if s}
    related = dict(work.current(others - facts.keys()))
    related |= {fact.id: fact for fact in work.replaced(facts.keys()) if fact.id not in facts}
    evidence = tuple(work.evidence(facts.keys())) if facts else ()
    weighed = _counted(work, evidence, [_weighing(work, piece, facts, questions) for piece in evidence])
    episodes = dict(work.episodes({p.episode for p in evidence}))
    worthy = (_worth(weighing, piece, facts, episodes) for weighing, piece in zip(weighed, evidence, strict=True))
    return Why(asked, kind, versions, evidence, tuple(worthy), episodes, questions, related)


def _worth(weighing: Weighing, piece: Evidence, facts: Mapping[str, tuple[Fact, ...]], episodes: Mapping[str, Episode]) -> Weighing:
    """Return a weighing with the worth of its words; unchanged where they are no longer there."""
    fact, episode = facts[piece.fact][-1], episodes.get(piece.episode)
    if episode is None:
        return weighing
    told = judging.ClaimParts(
        fact.kind,
        fact.subject,
        fact.predicate,
        piece.object,
        fact.polarity,
        fact.tense,
        piece.rule,
        piece.modifiers,
        piece.start,
        piece.end,
    )
    found = judging.worth(told, episode.text, episode.speaker)
    return replace(weighing, worth=found.value, signs=found.signs)


def _weighing(work: Work, piece: Evidence, facts: Mapping[str, tuple[Fact, ...]], questions: tuple[Question, ...]) -> Weighing:
    """Return the weighing of a piece of evidence, from the versions of its fact around its run."""
    run = work.run(piece.run)
    undone_by = run.undone_by if run else None
    history = facts.get(piece.fact, ())
    if piece.verdict in AFFIRMING:
        return Weighing((_before(history, run),) if history else (), undone_by)
    made = next((version for version in history if version.run == piece.run), None)
    rivals: list[str] = []
    if piece.verdict == Verdict.CONTRADICTS:
        rivals = [q.existing for q in questions if q.new == piece.fact and q.existing]
    elif made is not None and made.superseded_by:
        rivals = [made.superseded_by]
    elif piece.verdict == Verdict.SUPERSEDES:
        rivals = [old.id for old in work.replaced([piece.fact])]
    return Weighing(tuple(_before(work.fact(rival), run) for rival in rivals), undone_by)


def _counted(work: Work, evidence: Sequence[Evidence], weighed: Sequence[Weighing]) -> tuple[Weighing, ...]:
    """Return the weighings, each of words that an earlier run had read with that run."""
    began = {name: run.started_at for name in {piece.run for piece in evidence} if (run := work.run(name))}
    readings: dict[str, list[tuple[Evidence, datetime]]] = defaultdict(list)
    for piece, weighing in zip(evidence, weighed, strict=True):
        if not weighing.undone_by:
            readings[piece.fact].append((piece, began.get(piece.run, piece.said_at)))
    first = {fact: first_readings(each) for fact, each in readings.items()}
    told = []
    for piece, weighing in zip(evidence, weighed, strict=True):
        counting = piece.run if weighing.undone_by else first[piece.fact][piece.episode]
        told.append(weighing if counting == piece.run else replace(weighing, read_by=counting))
    return tuple(told)


def _before(history: Sequence[Fact], run: Run | None) -> Fact:
    """Return the version that a run found: the one before its own first, else the one that was current when it began."""
    if run is None:
        return history[0]
    own = next((at for at, version in enumerate(history) if version.run == run.id), None)
    if own is None:
        own = next((at for at, version in enumerate(history) if version.recorded_at > run.started_at), len(history))
    return history[max(0, own - 1)]
