"""Find the records of any type that are forgotten with what they rest on."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from typing import Any, NamedTuple

from ethos.core.history.erasure import ErasureRequest
from ethos.core.model.record_types import RecordType, by_descriptor
from ethos.core.ports.store import Work


class Dependent(NamedTuple):
    """Describe a record that may be forgotten with others. id: "" where it has none; named: it is forgotten in any case."""

    kind: RecordType
    id: str
    rests_on: frozenset[str]
    words: tuple[str, ...]
    named: bool = False


def ids_among(work: Work, asked: Collection[str]) -> set[str]:
    """Return those of these ids that are of records which are kept by their descriptor."""
    return {
        getattr(record, kind.forgotten_by)
        for kind in by_descriptor()
        if kind.forgotten_by
        for record in work.find(kind.record, kind.forgotten_by, asked)
    }


def gather(work: Work, wanted: ErasureRequest, ids: Collection[str]) -> tuple[Dependent, ...]:
    """Return the records that are named, that have the words, or that rest on one of these ids, on a record that does, and so on."""
    found = dict.fromkeys(_named(work, wanted))
    reach = {*ids, *(each.id for each in found)}
    while reach:
        new = [each for each in _resting(work, reach) if each not in found and each._replace(named=True) not in found]
        found |= dict.fromkeys(new)
        reach = {each.id for each in new if each.id}
    return tuple(found)


def going(dependents: Sequence[Dependent], gone: Collection[str]) -> list[Dependent]:
    """Return those that are forgotten when these ids are: named, or resting on one that is gone."""
    found: dict[Dependent, None] = {}
    lost = set(gone)
    while new := [each for each in dependents if each not in found and (each.named or not lost.isdisjoint(each.rests_on))]:
        found |= dict.fromkeys(new)
        lost |= {each.id for each in new if each.id}
    return list(found)


def _named(work: Work, wanted: ErasureRequest) -> Iterator[Dependent]:
    for kind in by_descriptor():
        if kind.forgotten_by and wanted.ids:
            yield from (_dependent(kind, each, named=True) for each in work.find(kind.record, kind.forgotten_by, wanted.ids))
        if kind.text and wanted.matching:
            every = (_dependent(kind, each, named=True) for each in work.records(kind.record))
            yield from (each for each in every if wanted.speaks_of(*each.words))


def _resting(work: Work, ids: Collection[str]) -> Iterator[Dependent]:
    for kind in by_descriptor():
        for field in kind.goes_with:
            yield from (_dependent(kind, each) for each in work.find(kind.record, field, ids))


def _dependent(kind: RecordType, record: Any, *, named: bool = False) -> Dependent:
    id_ = getattr(record, kind.forgotten_by) if kind.forgotten_by else ""
    return Dependent(kind, id_, kind.rests_on(record), kind.words(record), named)
