"""The bank: what agents learned while working. Search, record, feedback, outcome, list, show (R-01 to R-08).

Each verb is a short transaction, so that agents need not wait for a pass. What changes many memories at once, consolidating and archiving,
is a run with a diff and an undo (`app/bank_runs.py`).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from datetime import timedelta

from ethos.app import bank_runs
from ethos.app.bank_runs import Changed, Consolidated, Overall
from ethos.app.dependencies import Dependencies
from ethos.app.explain import meant
from ethos.app.track_record import TrackRecord, track_records
from ethos.core.learning.bank.belief import believed, counted, moved, of_kind, summed
from ethos.core.learning.bank.ranking import asked, ranked, spellings
from ethos.core.learning.bank.recording import recorded, signal, trust_id, untaught
from ethos.core.learning.bank.vocabulary import vocabulary
from ethos.core.learning.bank.weights import learned, weights_of
from ethos.core.model.errors import refuse
from ethos.core.model.memories import Memory, MemoryState, Outcome, ProjectTrust, Scope, Signal, SignalKind
from ethos.core.model.origin import Origin
from ethos.core.model.plan import one
from ethos.core.model.records import Record
from ethos.core.ports.queries import Search
from ethos.core.ports.store import Work
from ethos.stages.sleep.counting import counts_of

CANDIDATES = 50  # hits of the full-text index that are ranked, of the project and of all projects
_CHARACTERS_PER_TOKEN = 4
_NAMELESS = "day of "  # the session of a use that names none: once a day counts


@dataclass(frozen=True, slots=True)
class Answer:
    """A memory that a search found. relevance: how much of the question it meets, 0..1; rank: what it is ordered by."""

    track_record: TrackRecord
    relevance: float
    rank: float

    @property
    def memory(self) -> Memory:
        """Return the memory."""
        return self.track_record.memory


@dataclass(frozen=True, slots=True)
class Found:
    """What a search found: the best, how many there were, and about how many tokens the best take."""

    memories: tuple[Answer, ...]
    total_found: int
    tokens_used: int


@dataclass(frozen=True, slots=True)
class MemoryRecord:
    """Everything about a memory: how it stands, its latest signals, what it was made of, and what it went into."""

    track_record: TrackRecord
    signals: tuple[Signal, ...]
    sources: tuple[Memory, ...]
    into: Memory | None


class Bank:
    """The reasoning bank of one user. Safe to call from several threads."""

    def __init__(self, deps: Dependencies) -> None:
        self._deps = deps

    # -- ask

    def search(
        self,
        query: str,
        *,
        project: str | None,
        scope: Scope | None = None,
        outcome: Outcome | None = None,
        limit: int | None = None,
        min_confidence: float | None = None,
        session: str | None = "",
    ) -> Found:
        """Return the memories that answer best: those of the project, and of others what holds for the team or the organisation.

        project: None: memories of all projects. session: each memory that is returned counts as used once in it; None: nothing is
        counted. Raises Refused.
        """
        settings = self._deps.settings.bank
        limit = settings.limit if limit is None else limit
        if not 1 <= limit <= settings.max_limit:
            raise refuse("usage", f"limit is {limit}", hint=f"a limit lies between 1 and {settings.max_limit}")
        least = settings.min_confidence if min_confidence is None else min_confidence
        terms = asked(query, vocabulary())
        with self._deps.store.begin() as work:
            memories = [
                memory
                for memory in self._candidates(work, terms, query, project)
                if memory.state is MemoryState.ACTIVE
                and memory.confidence >= least
                and (scope is None or memory.scope is scope)
                and (outcome is None or memory.outcome is outcome)
            ]
            served = [memory.id for memory in memories if memory.usage_count > settings.patience]  # the others have not used up anything
            found = ranked(terms, memories, counts_of(work, served), settings, vocabulary())
            told = track_records(work, [each.memory for each in found[:limit]])
        best = tuple(Answer(track_record, each.relevance, each.rank) for track_record, each in zip(told, found, strict=False))
        if session is not None and best:
            self._use([each.memory for each in best], session)
        self._deps.served.show((text for each in best for text in (each.memory.title, each.memory.content)), self._deps.clock.now())
        return Found(best, len(found), sum(map(_tokens, best)))

    def _candidates(self, work: Work, terms: Sequence[str], query: str, project: str | None) -> list[Memory]:
        """Return what may answer: of this project, and what holds beyond one; None: of all."""
        if not (words := spellings(terms, query, vocabulary())):
            return []
        every = Search(self._deps.user, words, None, CANDIDATES, types=(Memory,))
        here = set() if project is None else {hit.id for hit in work.search(replace(every, project=project))}
        there = {hit.id for hit in work.search(every)} - here
        found = work.find(Memory, "id", here | there)
        return [memory for memory in found if project in {None, memory.project} or memory.scope is not Scope.PROJECT]

    def _use(self, memories: Sequence[Memory], session: str) -> None:
        now = self._deps.clock.now()
        session = session or f"{_NAMELESS}{now:%Y-%m-%d}"
        with self._deps.store.begin(write=True) as work:
            uses = {each.id: signal(each, SignalKind.USAGE, now, positive=True, session=session) for each in memories}
            known = {each.id for each in work.find(Signal, "id", [use.id for use in uses.values()])}
            new = [id_ for id_, use in uses.items() if use.id not in known]
            held = {memory.id: memory for memory in work.find(Memory, "id", new)}
            for id_ in new:
                self._signal(work, replace(held[id_], usage_count=held[id_].usage_count + 1), uses[id_], None)
            self._deps.served.write(work)

    def memories(self, *, project: str | None = None, archived: bool = False) -> tuple[TrackRecord, ...]:
        """Return the memories of a project, or of all, the latest first; archived ones only if asked for."""
        with self._deps.store.begin() as work:
            found = work.find(Memory, "project", [project]) if project else list(work.records(Memory))
            kept = [each for each in found if each.user == self._deps.user and (archived or each.state is not MemoryState.ARCHIVED)]
            return tuple(reversed(track_records(work, kept)))

    def show(self, asked_for: str) -> MemoryRecord:
        """Return everything about a memory; its id may be shortened. Raises Refused."""
        with self._deps.store.begin() as work:
            memory = self._meant(work, asked_for)
            (track_record,) = track_records(work, [memory])
            signals = tuple(work.find(Signal, "memory", [memory.id]))
            sources = tuple(work.find(Memory, "id", memory.sources))
            into = next(iter(work.find(Memory, "id", [memory.consolidation_id])), None) if memory.consolidation_id else None
        self._deps.show((memory.title, memory.content))
        return MemoryRecord(track_record, signals, sources, into)

    # -- learn

    def record(
        self,
        title: str,
        description: str,
        content: str,
        outcome: Outcome,
        *,
        project: str,
        origin: Origin = Origin.ASSISTANT,
        scope: Scope = Scope.PROJECT,
        tags: tuple[str, ...] = (),
        session: str = "",
    ) -> Memory:
        """Keep a memory; the same again gives the one that is held. Raises Refused where a text is missing."""
        deps = self._deps
        now = deps.clock.now()
        memory = recorded(
            deps.user,
            project,
            title,
            description,
            content,
            outcome,
            origin,
            now,
            deps.settings.bank,
            session=session,
            scope=scope,
            given_tags=tags,
        )
        with deps.store.begin(write=True) as work:
            if held := work.find(Memory, "id", [memory.id]):
                return held[0]
            work.apply(one("", memory), "")
        return memory

    def feedback(self, memory: str, *, helpful: bool, comment: str = "", session: str = "") -> Memory:
        """Take somebody's word on a memory, learn from it what the project's signals are worth, and return the memory (R-06, R-07)."""
        return self._judge(memory, SignalKind.EXPLICIT, positive=helpful, comment=comment, session=session)

    def outcome(self, memory: str, *, succeeded: bool, session: str = "") -> Memory:
        """Note how it went when a memory was followed, and return the memory (R-08)."""
        return self._judge(memory, SignalKind.OUTCOME, positive=succeeded, session=session)

    def _judge(self, asked_for: str, kind: SignalKind, *, positive: bool, session: str, comment: str = "") -> Memory:
        now = self._deps.clock.now()
        with self._deps.store.begin(write=True) as work:
            memory = _in_force(work, self._meant(work, asked_for))
            new = signal(memory, kind, now, positive=positive, session=session, comment=comment)
            if work.find(Signal, "id", [new.id]):
                return memory
            return self._signal(work, memory, new, positive if kind is SignalKind.EXPLICIT else None)

    def _signal(self, work: Work, memory: Memory, new: Signal, helpful: bool | None) -> Memory:
        """Write a signal, and believe the memory anew. helpful: somebody said so, and the project learns from it."""
        trust = self._trust(work, memory.project)
        puts: list[Record] = [new]
        if helpful is not None:
            since = self._deps.clock.now() - bank_runs.window(self._deps.settings.bank)
            latest = summed(work.signal_counts([memory.id], since))
            taught = learned(trust, {kind: of_kind(latest, kind) for kind in SignalKind}, helpful=helpful)
            puts += [taught] * (taught != trust)
            trust = taught
        counts = counts_of(work, [memory.id])[memory.id] + counted([new])
        after = believed(memory.initial_confidence, counts, weights_of(trust)).mean
        memory = replace(memory, confidence=moved(memory.confidence, after, positive=new.positive))
        work.apply(one("", memory, *puts), "")
        return memory

    def _trust(self, work: Work, project: str) -> ProjectTrust:
        user = self._deps.user
        return next(iter(work.find(ProjectTrust, "id", [trust_id(user, project)])), untaught(user, project))

    def _meant(self, work: Work, asked_for: str) -> Memory:
        """Return the memory with this id. Raises Refused."""
        found = [each for each in work.find(Memory, "id", [meant(work, asked_for, Memory)]) if each.user == self._deps.user]
        if not found:
            raise refuse("not-found", f"no memory has the id {asked_for[:80]}", hint="`ethos memory list` gives ids")
        return found[0]

    # -- runs

    def consolidate(
        self, project: str, *, threshold: float | None = None, dry_run: bool = False, max_clusters: int = 0, force: bool = False
    ) -> Consolidated:
        """Make one memory of those that say the same (R-24 to R-32). See `bank_runs.consolidate`."""
        return bank_runs.consolidate(self._deps, project, threshold, dry_run=dry_run, max_clusters=max_clusters, force=force)

    def archive(self, memory: str) -> Changed:
        """Put a memory out of use; it is kept, and an undo of the run brings it back."""
        return bank_runs.archive(self._deps, self._one(memory))

    def accept(self, memory: str) -> Changed:
        """Take a memory out of quarantine, because a person says so; an undo of the run puts it back."""
        return bank_runs.accept(self._deps, self._one(memory))

    def consolidate_all(self, keep_going: Callable[[], bool]) -> Overall:
        """Consolidate every project that is due. See `bank_runs.consolidate_all`."""
        return bank_runs.consolidate_all(self._deps, keep_going)

    def projects(self) -> tuple[str, ...]:
        """Return the projects that have memories in use."""
        return bank_runs.projects(self._deps)

    def due(self) -> bool:
        """Return whether the interval of the scheduler has passed since a project was consolidated last."""
        last = bank_runs.last_consolidation(self._deps)
        interval = timedelta(hours=self._deps.settings.bank.scheduler_interval_hours)
        return last is None or self._deps.clock.now() - last >= interval

    def _one(self, asked_for: str) -> Memory:
        with self._deps.store.begin() as work:
            return self._meant(work, asked_for)


def _in_force(work: Work, memory: Memory) -> Memory:
    """Return the memory that took this one in, or this one: what is said of a source counts for what was made of it."""
    seen = {memory.id}
    while memory.consolidation_id and memory.consolidation_id not in seen:
        into = work.find(Memory, "id", [memory.consolidation_id])
        if not into:
            break
        memory = into[0]
        seen.add(memory.id)
    return memory


def _tokens(found: Answer) -> int:
    memory = found.memory
    return -(-sum(map(len, (memory.title, memory.description, memory.content))) // _CHARACTERS_PER_TOKEN)
