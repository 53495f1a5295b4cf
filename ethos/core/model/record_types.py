"""The record types: one descriptor for each, which the store, diff, undo, search, export, import and forgetting loop over.

A type that is added here is stored, read, found by its fields and its words, checksummed, journalled, shown in a diff, taken back by an
undo, exported, imported and forgotten without further code. What the first types need besides (the versions of facts, marks that are
set together) stands beside the loop that it departs from.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, fields
from functools import cache
from typing import Any

from ethos.core.model.lessons import Lesson, LessonEvidence, Playbook
from ethos.core.model.memories import Distilled, Memory, ProjectTrust, Signal, Tally
from ethos.core.model.questions import MemoryQuestion
from ethos.core.model.records import Episode, EpisodeState, Evidence, Fact, Question, Run, Salience, WeakClaim
from ethos.core.model.summaries import Profile, Summary, Telling
from ethos.core.model.traces import Trace


@dataclass(frozen=True, slots=True)
class Indexed:
    """That the texts of a type stand in the full-text index. Its records are `numbered` and have the fields `id`, `user` and `project`.

    at: the field with the time by which a search narrows. ended: the field with the time since which a record no longer holds, or "" if
    there is none; such a record is found only by a search for everything.
    """

    at: str
    ended: str = ""


@dataclass(frozen=True, slots=True)
class RecordType:
    """How the records of one class are kept.

    key: the fields that tell one row from another. order: the order in which all are read (the key, unless given). numbered: the rows
    have a number of their own, `seq`. owned_by: the field that names the record whose user and project the row repeats. journalled: a
    put replaces the row, and the journal keeps what was there before, so that a diff shows it and an undo puts it back; the key is one
    field. forgotten_by: the field with the id by which one is forgotten. goes_with: the fields with an id, or with ids, that it cannot
    stand without: where one of them is forgotten, so is the record; the first is what it belongs to. lookups: other fields that
    `Work.find` and `Work.between` may be asked for; the table has an index for each.

    text: the fields with words, which are what a diff shows of a record and what forgetting looks for. indexed: how these words stand
    in the full-text index, if they do. shown: the fields whose change a diff lists besides; a type with neither is in no diff. counters:
    the fields with numbers that a run raises; an undo takes off what the run added and leaves what others did.

    called: the word for one in exports, counts, diffs and answers of a search (the class in lower case, unless given).

    unsummed: fields that the checksum leaves out. named_by: the fields that name a damaged row (the key, unless given).
    """

    record: type[Any]
    table: str
    key: tuple[str, ...]
    order: tuple[str, ...] = ()
    numbered: bool = False
    owned_by: str = ""
    journalled: bool = False
    exported: bool = True
    forgotten_by: str = ""
    goes_with: tuple[str, ...] = ()
    lookups: tuple[str, ...] = ()
    text: tuple[str, ...] = ()
    indexed: Indexed | None = None
    shown: tuple[str, ...] = ()
    counters: tuple[str, ...] = ()
    unsummed: tuple[str, ...] = ()
    named_by: tuple[str, ...] = ()
    called: str = ""

    def __post_init__(self) -> None:
        """Raise `ValueError` for a descriptor that contradicts itself or the class of records."""
        known = {field.name for field in fields(self.record)}
        named = {*self.key, *self.goes_with, *self.lookups, *self.text, *self.shown, *self.counters, *filter(None, (self.forgotten_by,))}
        if self.indexed is not None:
            named |= {"id", "user", "project", self.indexed.at, *filter(None, (self.indexed.ended,))}
        if missing := named - known:
            raise ValueError(f"{self.record.__name__} has no field {min(missing)}")
        if self.journalled and len(self.key) != 1:
            raise ValueError(f"{self.name} is journalled, so its key is one field")
        if self.indexed is not None and not (self.numbered and self.text):
            raise ValueError(f"{self.name} is indexed, so it is numbered and has text")

    @property
    def name(self) -> str:
        """Return the word for one in exports, counts, diffs and answers of a search."""
        return self.called or self.record.__name__.lower()

    @property
    def lists(self) -> frozenset[str]:
        """Return the fields that hold several ids or words."""
        return _lists(self)

    def may_be_asked_by(self, field: str) -> bool:
        """Return True where records can be looked up by this field."""
        return field in (*self.key, *self.goes_with, *self.lookups, self.forgotten_by)

    def ids_in(self, record: Any, field: str) -> tuple[str, ...]:
        """Return the ids that a field of a record holds, one or several; none where the field is empty."""
        value = getattr(record, field)
        if field in self.lists:
            return tuple(value)
        return (value,) if value else ()

    def rests_on(self, record: Any) -> frozenset[str]:
        """Return the ids that a record cannot stand without; an empty one names nothing."""
        return frozenset(id_ for field in self.goes_with for id_ in self.ids_in(record, field) if id_)

    def words(self, record: Any) -> tuple[str, ...]:
        """Return the texts of a record, none of them empty."""
        return tuple(text for field in self.text for text in self.ids_in(record, field) if text)


@cache
def _lists(kind: RecordType) -> frozenset[str]:
    return frozenset(field.name for field in fields(kind.record) if str(field.type).startswith("tuple["))


_WEAK_CLAIM = ("user", "project", "subject_key", "predicate_key", "slot", "object_key", "polarity", "episode", "run")
_EVIDENCE = ("fact", "episode", "rule", "rule_version", "start", "end", "run")

# in the order of writing: what refers comes after what it refers to
_FIRST = (
    RecordType(
        Episode,
        "episodes",
        ("id",),
        order=("seq",),
        numbered=True,
        forgotten_by="id",
        lookups=("said_at", "session"),
        text=("text",),
        indexed=Indexed("said_at"),
    ),
    RecordType(EpisodeState, "marks", ("episode",), goes_with=("episode",), called="mark"),
    RecordType(
        Fact,
        "facts",
        ("id", "version"),
        numbered=True,
        forgotten_by="id",
        text=("statement", "slot"),
        indexed=Indexed("valid_from"),
        unsummed=("closed_at",),
    ),
    RecordType(Evidence, "evidence", _EVIDENCE, owned_by="fact", goes_with=("fact", "episode"), named_by=("fact", "episode")),
    RecordType(WeakClaim, "suspects", _WEAK_CLAIM, goes_with=("episode",), named_by=("episode", "object_key"), called="suspect"),
    RecordType(Question, "questions", ("id",), order=("opened_at", "id"), journalled=True, forgotten_by="id", text=("note",)),
    RecordType(Salience, "salience", ("record",), owned_by="record", journalled=True, goes_with=("record",)),
    RecordType(Run, "runs", ("id",), order=("started_at", "id")),
)
_ADDED = (  # kept by the descriptor alone
    RecordType(
        Memory,
        "memories",
        ("id",),
        order=("recorded_at", "id"),
        numbered=True,
        journalled=True,
        forgotten_by="id",
        goes_with=("sources",),
        lookups=("project", "consolidation_id"),
        text=("title", "description", "content", "tags"),
        indexed=Indexed("recorded_at", "archived_at"),
        shown=("outcome", "state", "consolidation_id", "confidence"),
        counters=("usage_count",),
    ),
    RecordType(
        Signal, "signals", ("id",), order=("at", "id"), forgotten_by="id", goes_with=("memory",), lookups=("at",), text=("comment",)
    ),
    RecordType(Tally, "tallies", ("memory",), journalled=True, goes_with=("memory",)),
    RecordType(ProjectTrust, "project_trust", ("id",), journalled=True, forgotten_by="id"),
    RecordType(
        MemoryQuestion,
        "memory_questions",
        ("id",),
        order=("opened_at", "id"),
        journalled=True,
        forgotten_by="id",
        goes_with=("memory",),
        text=("note",),
        shown=("memory", "proposal", "action", "resolved_at"),
        called="memory question",
    ),
    RecordType(LessonEvidence, "lesson_evidence", ("id",), journalled=True, forgotten_by="id", goes_with=("episodes",), shown=("lesson",)),
    RecordType(
        Lesson,
        "lessons",
        ("id",),
        order=("found_at", "id"),
        journalled=True,
        forgotten_by="id",
        goes_with=("evidence",),
        text=("title", "body", "note", "about"),
        shown=("good_with", "all_with", "good_without", "all_without", "retired_at"),
    ),
    RecordType(
        Playbook,
        "playbooks",
        ("id",),
        journalled=True,
        forgotten_by="id",
        goes_with=("lesson",),
        text=("title", "body", "trigger"),
        shown=("withdrawn_at",),
    ),
    RecordType(Distilled, "distilled", ("id",), journalled=True, forgotten_by="id", lookups=("session",)),
    RecordType(
        Summary,
        "summaries",
        ("id",),
        order=("began_at", "id"),
        journalled=True,
        forgotten_by="id",
        goes_with=("episodes",),
        lookups=("session", "recorded_at"),
        text=("sentences",),
    ),
    RecordType(Telling, "tellings", ("episode",), journalled=True, goes_with=("episode", "summary")),
    RecordType(Profile, "profiles", ("user",), journalled=True, forgotten_by="id", goes_with=("facts",), shown=("facts",)),
    RecordType(
        Trace,
        "memory_traces",
        ("id",),
        order=("narrative_id", "source", "id"),
        journalled=True,
        goes_with=("source", "target"),
        lookups=("narrative_id",),
        shown=("source", "target", "type", "strength", "narrative_id", "relation"),
    ),
)
_types: tuple[RecordType, ...] = (*_FIRST, *_ADDED)


def record_types() -> tuple[RecordType, ...]:
    """Return every type, in the order of writing."""
    return _types


def exported() -> tuple[RecordType, ...]:
    """Return the types that an export holds, in its order."""
    return tuple(each for each in _types if each.exported)


def by_descriptor() -> tuple[RecordType, ...]:
    """Return the types that need no code of their own, in the order of writing."""
    return tuple(each for each in _types if each not in _FIRST)


def type_of(record: type[Any]) -> RecordType:
    """Return the descriptor of a class of records. Raises `LookupError` where it has none."""
    for each in _types:
        if each.record is record:
            return each
    raise LookupError(f"{record.__name__} is not a type of record")


def name_of(record: type[Any]) -> str:
    """Return the word for a class of records in exports and errors; a class without a descriptor is called by its own name."""
    return next((each.name for each in _types if each.record is record), record.__name__.lower())


@contextmanager
def also(added: RecordType) -> Iterator[None]:
    """Add a type for the block."""
    global _types  # noqa: PLW0603 (the one registry)
    before = _types
    _types = (*before, added)
    try:
        yield
    finally:
        _types = before
