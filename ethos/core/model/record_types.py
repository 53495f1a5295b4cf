"""The record types: one descriptor for each, which the store, export, import and forgetting loop over.

A type that is added here is stored, read, checksummed, exported, imported and forgotten without further code. What a type needs besides
(the versions of facts, marks that are set together) stands beside the loop that it departs from.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

from ethos.core.model.records import Episode, Evidence, Fact, Mark, Question, Run, Salience, Suspect


@dataclass(frozen=True, slots=True)
class RecordType:
    """How the records of one class are kept.

    key: the fields that tell one row from another. order: the order in which all are read (the key, unless given). numbered: the rows
    have a number of their own, `seq`. owned_by: the field that names the record whose user and project the row repeats. journalled: a
    put replaces the row, and the journal keeps what another run had set. forgotten_by: the field with the id by which one is forgotten.
    goes_with: the fields that name what it cannot stand without; the first is what it belongs to. unsummed: fields that the checksum
    leaves out. named_by: the fields that name a damaged row (the key, unless given).
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
    unsummed: tuple[str, ...] = ()
    named_by: tuple[str, ...] = ()

    @property
    def name(self) -> str:
        """Return the word for one in exports and counts."""
        return self.record.__name__.lower()


_SUSPECT = ("user", "project", "subject_key", "predicate_key", "slot", "object_key", "polarity", "episode", "run")
_EVIDENCE = ("fact", "episode", "rule", "rule_version", "start", "end", "run")

# in the order of writing: what refers comes after what it refers to
_types: tuple[RecordType, ...] = (
    RecordType(Episode, "episodes", ("id",), order=("seq",), numbered=True, forgotten_by="id"),
    RecordType(Mark, "marks", ("episode",), goes_with=("episode",)),
    RecordType(Fact, "facts", ("id", "version"), numbered=True, forgotten_by="id", unsummed=("closed_at",)),
    RecordType(Evidence, "evidence", _EVIDENCE, owned_by="fact", goes_with=("fact", "episode"), named_by=("fact", "episode")),
    RecordType(Suspect, "suspects", _SUSPECT, goes_with=("episode",), named_by=("episode", "object_key")),
    RecordType(Question, "questions", ("id",), order=("opened_at", "id"), journalled=True, forgotten_by="id"),
    RecordType(Salience, "salience", ("record",), owned_by="record", journalled=True, goes_with=("record",)),
    RecordType(Run, "runs", ("id",), order=("started_at", "id")),
)


def record_types() -> tuple[RecordType, ...]:
    """Return every type, in the order of writing."""
    return _types


def exported() -> tuple[RecordType, ...]:
    """Return the types that an export holds, in its order."""
    return tuple(each for each in _types if each.exported)


def type_of(record: type[Any]) -> RecordType:
    """Return the descriptor of a class of records. Raises `LookupError` where it has none."""
    for each in _types:
        if each.record is record:
            return each
    raise LookupError(f"{record.__name__} is not a type of record")


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
