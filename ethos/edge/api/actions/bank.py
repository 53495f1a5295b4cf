"""Actions of the reasoning bank: memory_search, record, feedback, outcome, consolidate, list, show, archive."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Annotated

from ethos.app.bank import Answer
from ethos.app.track_record import TrackRecord
from ethos.core.model.errors import refuse
from ethos.core.model.memories import Maker, Memory, MemoryState, Outcome, Scope, SignalKind
from ethos.core.model.origin import Origin
from ethos.edge.api.actions.entrance import Entrance
from ethos.edge.api.actions.service import Service
from ethos.edge.api.choices import OutcomeAsked, OutcomeGiven, ScopeAsked
from ethos.edge.capture.masking import masked
from ethos.edge.capture.transcripts.projects import project_of
from ethos.edge.jsonio.shapes import Json, plain


@dataclass(frozen=True, slots=True)
class Search:
    """Find memories that help with a task, best first."""

    query: Annotated[str, "words, or the task"]
    scope: Annotated[ScopeAsked, "only memories with this scope"] = "all"
    outcome: Annotated[OutcomeAsked, "only successes, or only failures"] = "all"
    limit: Annotated[int | None, "the largest number of results, 1 to 20 (default 5)"] = None
    min_confidence: Annotated[float | None, "leave out memories with a lower belief (default 0.5)"] = None
    project: Annotated[str | None, "the project"] = None
    cwd: Annotated[str | None, "or the project's folder, absolute"] = None
    everywhere: Annotated[bool, "memories of all projects"] = False
    session: Annotated[str | None, "the session that asks; a use counts once a session, or once a day without one"] = None
    count: Annotated[bool, "false: do not count this as a use"] = True


@dataclass(frozen=True, slots=True)
class Record:
    """Record a memory: something that worked, or failed."""

    title: Annotated[str, "a title of at most 50 characters"]
    description: Annotated[str, "when it helps, in at most 200 characters"]
    content: Annotated[str, "the steps, or why it failed"]
    outcome: Annotated[OutcomeGiven, "the outcome"]
    tags: tuple[str, ...] = ()
    scope: Annotated[Scope, "who the memory is for"] = Scope.PROJECT
    project: Annotated[str | None, "the project it was learned in"] = None
    cwd: Annotated[str | None, "or the project's folder, absolute"] = None
    session: Annotated[str, "the session it was learned in"] = ""
    by_user: Annotated[bool, "true: these are the user's own words"] = False


@dataclass(frozen=True, slots=True)
class Feedback:
    """Record whether a memory helped."""

    memory_id: str
    helpful: bool
    comment: str = ""
    session_id: str = ""


@dataclass(frozen=True, slots=True)
class OutcomeOf:
    """Record whether following a memory worked."""

    memory_id: str
    succeeded: bool
    session_id: Annotated[str, "the session; each outcome counts once a session"] = ""


@dataclass(frozen=True, slots=True)
class Consolidate:
    """Merge memories that say the same. The sources are archived, and `undo` restores them."""

    project_id: Annotated[str | None, "the project"] = None
    cwd: Annotated[str | None, "or the project's folder, absolute"] = None
    similarity_threshold: Annotated[float | None, "the similarity needed, 0 to 1 (default 0.8)"] = None
    dry_run: Annotated[bool, "show what would change; change nothing"] = False
    max_clusters: Annotated[int, "the largest number of clusters; 0 means no limit"] = 0
    force: Annotated[bool, "run even if the last consolidation was recent"] = False


@dataclass(frozen=True, slots=True)
class List:
    """List memories, latest first."""

    project: Annotated[str | None, "of this one; without it, and without a folder, of all"] = None
    cwd: Annotated[str | None, "or the project's folder, absolute"] = None
    archived: Annotated[bool, "include archived memories"] = False


@dataclass(frozen=True, slots=True)
class Show:
    """Show everything about a memory."""

    memory: Annotated[str, "its id, or the beginning of it"]


@dataclass(frozen=True, slots=True)
class Archive:
    """Archive a memory. `undo` restores it."""

    memory: Annotated[str, "its id, or the beginning of it"]


@dataclass(frozen=True, slots=True)
class Accept:
    """Accept a memory from quarantine, for a person. `undo` takes it back."""

    memory: Annotated[str, "its id, or the beginning of it"]
    yes: Annotated[bool, "a person confirmed it; required"] = False


@dataclass(frozen=True, slots=True)
class MemoryData:
    """A memory as answers have it. worked, tried: outcomes, good ones and all; helped, judged: words on it, good ones and all; last: when
    the latest outcome or word came.
    """

    id: str
    project: str
    title: str
    description: str
    content: str
    outcome: Outcome
    scope: Scope
    tags: tuple[str, ...]
    state: MemoryState
    origin: Origin
    maker: Maker
    confidence: float
    initial_confidence: float
    usage_count: int
    worked: int
    tried: int
    helped: int
    judged: int
    last: datetime | None
    recorded_at: datetime
    session: str
    sources: tuple[str, ...]
    consolidation_id: str | None


@dataclass(frozen=True, slots=True)
class FoundMemory:
    """A memory that a search found (R-02)."""

    id: str
    project: str
    title: str
    description: str
    content: str
    outcome: Outcome
    confidence: float
    usage_count: int
    relevance: float
    scope: Scope
    origin: Origin
    worked: int
    tried: int
    helped: int
    judged: int
    last: datetime | None


@dataclass(frozen=True, slots=True)
class SignalData:
    """A signal of a memory."""

    kind: SignalKind
    positive: bool
    at: datetime
    session: str
    comment: str


def search(service: Service, asked: Search) -> Json:
    """Return what helps, and count it as used."""
    found = service.ethos.bank.search(
        asked.query,
        project=None if asked.everywhere else _project(asked.project, asked.cwd),
        scope=None if asked.scope == "all" else Scope(asked.scope),
        outcome=None if asked.outcome == "all" else Outcome(asked.outcome),
        limit=asked.limit,
        min_confidence=asked.min_confidence,
        session=(asked.session or "") if asked.count else None,
    )
    memories = [plain(_found(each)) for each in found.memories]
    return {"memories": memories, "total_found": found.total_found, "tokens_used": found.tokens_used}


def _found(answer: Answer) -> FoundMemory:
    memory, track_record = answer.memory, answer.track_record
    return FoundMemory(
        memory.id,
        memory.project,
        memory.title,
        memory.description,
        memory.content,
        memory.outcome,
        round(memory.confidence, 4),
        memory.usage_count,
        round(answer.relevance, 4),
        memory.scope,
        memory.origin,
        track_record.worked,
        track_record.tried,
        track_record.helped,
        track_record.judged,
        track_record.last,
    )


def record(service: Service, asked: Record) -> Json:
    """Keep it. Raises Refused where a text is missing."""
    made = service.ethos.bank.record(
        masked(asked.title, service.ethos.settings),
        masked(asked.description, service.ethos.settings),
        masked(asked.content, service.ethos.settings),
        Outcome(asked.outcome),
        project=_project(asked.project, asked.cwd),
        origin=Origin.USER if asked.by_user else Origin.ASSISTANT,
        scope=asked.scope,
        tags=tuple(masked(tag, service.ethos.settings) for tag in asked.tags),
        session=asked.session,
    )
    return {"id": made.id, "message": "Memory recorded successfully", "initial_confidence": made.initial_confidence}


def feedback(service: Service, asked: Feedback) -> Json:
    """Take the word. Raises Refused."""
    memory = service.ethos.bank.feedback(
        asked.memory_id, helpful=asked.helpful, comment=masked(asked.comment, service.ethos.settings), session=asked.session_id
    )
    return {"success": True, "memory_id": memory.id, "new_confidence": round(memory.confidence, 4), "message": "Feedback recorded"}


def outcome(service: Service, asked: OutcomeOf) -> Json:
    """Note the outcome. Raises Refused."""
    memory = service.ethos.bank.outcome(asked.memory_id, succeeded=asked.succeeded, session=asked.session_id)
    return {"recorded": True, "memory_id": memory.id, "new_confidence": round(memory.confidence, 4), "message": "Outcome recorded"}


def consolidate(service: Service, asked: Consolidate) -> Json:
    """Consolidate a project. Raises Refused."""
    project = _project(asked.project_id, asked.cwd)
    done = service.runs.alone(
        lambda: service.ethos.bank.consolidate(
            project,
            threshold=asked.similarity_threshold,
            dry_run=asked.dry_run,
            max_clusters=asked.max_clusters,
            force=asked.force,
        )
    )
    return {
        "created_memories": list(done.created),
        "archived_memories": list(done.archived),
        "skipped_count": done.skipped,
        "total_processed": done.evaluated,
        "duration_seconds": round(done.seconds, 3),
        "project": done.project,
        "run": done.run,
        "dry_run": done.dry_run,
        "skipped_reason": done.skipped_reason,
        "kept_apart": [plain(each._asdict()) for each in done.kept_apart],
        "failures": [why for _, why in done.failures],
    }


def listed(service: Service, asked: List) -> Json:
    """Return the memories."""
    project = _project(asked.project, asked.cwd) if asked.project or asked.cwd else None
    return {"memories": [plain(_data(each)) for each in service.ethos.bank.memories(project=project, archived=asked.archived)]}


def show(service: Service, asked: Show) -> Json:
    """Return everything about it. Raises Refused."""
    told = service.ethos.bank.show(asked.memory)
    signals = [SignalData(each.kind, each.positive, each.at, each.session, each.comment) for each in told.signals]
    into = told.into and {"id": told.into.id, "title": told.into.title}
    return {
        "memory": plain(_data(told.track_record)),
        "signals": [plain(each) for each in signals],
        "sources": [{"id": each.id, "title": each.title} for each in told.sources],
        "into": into,
    }


def archive(service: Service, asked: Archive) -> Json:
    """Put it out of use. Raises Refused."""
    done = service.runs.alone(lambda: service.ethos.bank.archive(asked.memory))
    return {"id": done.memory.id, "run": done.run}


def accept(service: Service, asked: Accept) -> Json:
    """Let it be used. Raises Refused."""
    if not asked.yes:
        raise refuse("needs-person", "only a person can accept a memory", hint="ethos memory accept ID, typed by a person")
    done = service.runs.alone(lambda: service.ethos.bank.accept(asked.memory))
    return {"id": done.memory.id, "run": done.run}


def _data(track_record: TrackRecord) -> MemoryData:
    memory: Memory = track_record.memory
    return MemoryData(
        memory.id,
        memory.project,
        memory.title,
        memory.description,
        memory.content,
        memory.outcome,
        memory.scope,
        memory.tags,
        memory.state,
        memory.origin,
        memory.maker,
        round(memory.confidence, 4),
        memory.initial_confidence,
        memory.usage_count,
        track_record.worked,
        track_record.tried,
        track_record.helped,
        track_record.judged,
        track_record.last,
        memory.recorded_at,
        memory.session,
        memory.sources,
        memory.consolidation_id,
    )


def _project(project: str | None, cwd: str | None) -> str:
    """Return the project that is named, or that of the folder."""
    return project if project is not None else project_of(cwd) if cwd else "default"


ACTIONS: Mapping[str, Entrance] = {
    "memory_search": Entrance(Search, search, question=True),
    "memory_record": Entrance(Record, record),
    "memory_feedback": Entrance(Feedback, feedback),
    "memory_outcome": Entrance(OutcomeOf, outcome),
    "memory_consolidate": Entrance(Consolidate, consolidate),
    "memory_list": Entrance(List, listed, question=True, list_name="memories"),
    "memory_show": Entrance(Show, show, question=True),
    "memory_accept": Entrance(Accept, accept),
    "memory_archive": Entrance(Archive, archive),
}
