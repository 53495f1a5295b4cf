"""Incoming: what must be true of records that another memory exported, before any of them is put (docs/threats.md, promises 1 and 2).

They are held to what is true of everything that this program writes itself: ids of its own forms, numbers in their ranges, origins that
a file may give, runs of kinds that only tell of what was decided, no record twice, and no reference to what is neither in the file nor
held. What is true between records over the whole store is asked of the store afterwards (`Work.inconsistencies`), in the same
transaction.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping
from datetime import UTC, datetime
from functools import singledispatchmethod
from typing import NamedTuple

import regex

from ethos.app.explain import REVERSIBLE
from ethos.core.history.diff import REPLAYED
from ethos.core.model import ids
from ethos.core.model.errors import refuse
from ethos.core.model.record_types import by_descriptor, exported, name_of, type_of
from ethos.core.model.records import Episode, EpisodeState, Evidence, Fact, Origin, Question, Record, Run, Salience, WeakClaim
from ethos.core.ports.store import Work
from ethos.core.review.kinds import kind_of

MOST = 1_000_000  # of anything that is counted one by one
_MOST_IN_ALL = 10**12  # of what a run counts
EARLIEST, LATEST = datetime(2, 1, 1, tzinfo=UTC), datetime(9998, 12, 31, tzinfo=UTC)  # a zone's difference from these is still a date

_FACT = regex.compile(r"f-[0-9a-z-]{1,40}")
_QUESTION = regex.compile(r"[cq]-[0-9a-z]{1,32}")  # as the review file can show it
_RUN = regex.compile(r"r-[0-9a-z-]{1,60}")
_HINT = "nothing was imported; export it again where it comes from"


class Retrieval(NamedTuple):
    """That a record was retrieved in a session: it counts once."""

    record: str
    session: str
    at: datetime


Item = Record | Retrieval


class Located(NamedTuple):
    """An item, and where it stands: file and line."""

    where: str
    item: Item


class Unsound(ValueError):
    """Something that this program would never write, in words."""


class Inspection:
    """Looks at each item in the order of the file, and at last at what they refer to."""

    def __init__(self) -> None:
        self._order = [each.record for each in exported()]
        self._last = -1  # the place of the last item's kind in the order
        self._seen: set[tuple[object, ...]] = set()
        self._owners: dict[str, tuple[str, str]] = {}  # of each fact: user and project
        self._versions: dict[str, int] = {}
        self._held: dict[type, set[str]] = {Episode: set(), Fact: set(), Run: set()}
        self._needed: dict[type, dict[str, str]] = {Episode: {}, Fact: {}, Run: {}}  # id -> where it is first referred to
        self._records: dict[str, str] = {}  # of any type -> where it is first referred to
        self._others: set[str] = set()  # ids of records of types that have no checks of their own
        self._doubtful: dict[str, str] = {}  # facts on the word of somebody below the user, and where they stand
        self._undoes: dict[str, str] = {}  # a run of undoing, and what it took back
        self._where = ""

    def looked_at(self, located: Iterator[Located]) -> Iterator[Item]:
        """Give each item that is sound. Raises `Refused` with the line of the first that is not."""
        for where, item in located:
            self._where = where
            try:
                self._in_order(item)
                self._look(item)
            except Unsound as unsound:
                name = name_of(type(item))
                raise refuse("bad-input", f"this {name} is wrong: {unsound}", hint=_HINT, where=where) from None
            yield item

    def finish(self, work: Work) -> None:
        """Look whether everything that was referred to is in the file or held. Raises `Refused`."""
        self._resolve(Episode, "an episode", lambda needed: work.episodes(needed).keys())
        self._resolve(Fact, "a fact", lambda needed: work.current(needed).keys())
        self._resolve(Run, "a run", work.runs_among)
        missing = self._records.keys() - self._held[Episode] - self._held[Fact] - self._others
        missing -= work.episodes(missing).keys() | work.current(missing).keys()
        for kind in by_descriptor() if missing else ():
            if by := kind.forgotten_by:
                missing -= {getattr(record, by) for record in work.find(kind.record, by, missing)}
        self._refuse_missing(missing, self._records, "a record")
        for run in self._undoes:
            self._refuse_circle(run)
        for question in work.questions(facts=self._doubtful.keys()) if self._doubtful else ():
            if question.of_quarantine:
                self._doubtful.pop(question.new, None)
        for id_, where in self._doubtful.items():
            what = f"{id_} comes from a source below the user, and no question asks whether to accept it"
            raise refuse("bad-input", f"the file contradicts itself: {what}", hint=_HINT, where=where)

    def _resolve(self, kind: type, name: str, held: Callable[[Collection[str]], Collection[str]]) -> None:
        missing = self._needed[kind].keys() - self._held[kind]
        self._refuse_missing(missing - set(held(missing)) if missing else set(), self._needed[kind], name)

    def _refuse_missing(self, missing: Collection[str], told: Mapping[str, str], name: str) -> None:
        for id_ in missing:
            what = f"it refers to {name} that is neither in the file nor in the memory: {id_[:80]!r}"
            raise refuse("bad-input", f"the file contradicts itself: {what}", hint=_HINT, where=told[id_])

    def _refuse_circle(self, run: str) -> None:
        seen, at = {run}, self._undoes[run]
        while at in self._undoes:
            if at in seen:
                raise refuse("bad-input", f"the file contradicts itself: undos in a circle ({run[:80]!r})", hint=_HINT)
            seen.add(at)
            at = self._undoes[at]

    # -- each item

    def _in_order(self, item: Item) -> None:
        order = len(self._order) if isinstance(item, Retrieval) else self._order.index(type(item))
        if order < self._last:
            raise Unsound(f"it stands after a {'retrieval' if self._last == len(self._order) else name_of(self._order[self._last])}")
        self._last = order

    def _once(self, *key: object) -> None:
        if key in self._seen:
            raise Unsound("it stands there twice")
        self._seen.add(key)

    def _refers(self, kind: type, id_: str) -> None:
        if id_ not in self._held[kind]:
            self._needed[kind].setdefault(id_, self._where)

    @singledispatchmethod
    def _look(self, item: Item) -> None:
        """Look at a record of a type that has no checks of its own."""
        kind = type_of(type(item))
        self._once(kind.record, *(getattr(item, name) for name in kind.key))
        if kind.forgotten_by:
            id_ = getattr(item, kind.forgotten_by)
            _named(**{kind.forgotten_by: id_})
            self._others.add(id_)
        for id_ in kind.rests_on(item):
            self._records.setdefault(id_, self._where)

    @_look.register
    def _episode(self, item: Episode) -> None:
        if not ids.may_be_given(item.id):
            raise Unsound(f"no episode can have the id {item.id[:80]!r}")
        self._once(Episode, item.id)
        self._held[Episode].add(item.id)
        if item.origin > (Origin.USER if item.role == "user" else Origin.ASSISTANT):
            raise Unsound(f'"origin" is more than the role {item.role} gives')
        _share(importance=item.importance)
        _tone(item.tone)
        _times(said_at=item.said_at, captured_at=item.captured_at)

    @_look.register
    def _mark(self, item: EpisodeState) -> None:
        self._once(EpisodeState, item.episode)
        self._refers(Episode, item.episode)
        _count(attempts=item.attempts)
        _times(scanned_at=item.scanned_at, consolidated_at=item.consolidated_at)

    @_look.register
    def _fact(self, item: Fact) -> None:
        _id(_FACT, id=item.id, superseded_by=item.superseded_by)
        _id(_RUN, run=item.run)
        if item.version != self._versions.get(item.id, 0) + 1:
            raise Unsound(f'"version" is {item.version}, and the one before it was {self._versions.get(item.id, 0)}')
        self._versions[item.id] = item.version
        if self._owners.setdefault(item.id, (item.user, item.project)) != (item.user, item.project):
            raise Unsound("its versions belong to different people or projects")
        self._held[Fact].add(item.id)
        if item.superseded_by == item.id:
            raise Unsound("it replaces itself")
        if item.superseded_by is not None:
            self._refers(Fact, item.superseded_by)
        if item.origin > Origin.USER:
            raise Unsound('"origin" is more than a file can give')
        if item.origin < Origin.USER:
            self._doubtful.setdefault(item.id, self._where)
        if item.flagged and item.closed_at is None and not item.active:
            raise Unsound("it is in question, and held no longer")
        _share(confidence=item.confidence)
        _count(rule_version=item.rule_version, version=item.version)
        _times(
            valid_from=item.valid_from,
            recorded_at=item.recorded_at,
            affirmed_at=item.affirmed_at,
            valid_to=item.valid_to,
            closed_at=item.closed_at,
            retired_at=item.retired_at,
        )

    @_look.register
    def _evidence(self, item: Evidence) -> None:
        self._once(Evidence, item.fact, item.episode, item.rule, item.rule_version, item.start, item.end, item.run)
        self._refers(Fact, item.fact)
        self._refers(Episode, item.episode)
        _read(item)

    @_look.register
    def _weak_claim(self, item: WeakClaim) -> None:
        whose = (item.user, item.project, item.subject_key, item.predicate_key, item.slot, item.object_key, item.polarity)
        self._once(WeakClaim, *whose, item.episode, item.run)
        self._refers(Episode, item.episode)
        _read(item)

    @_look.register
    def _question(self, item: Question) -> None:
        _id(_QUESTION, id=item.id)
        _id(_RUN, run=item.run)
        self._once(Question, item.id)
        self._refers(Fact, item.new)
        if item.existing or not item.of_quarantine:
            self._refers(Fact, item.existing)
        if item.existing == item.new:
            raise Unsound("both its sides are one fact")
        kind = kind_of(item.id)
        if item.action is not None and (item.resolved_at is None or kind is None or item.action not in kind.actions):
            raise Unsound(f'"action" cannot be {item.action}')
        _count(repeats=item.repeats)
        _times(opened_at=item.opened_at, resolved_at=item.resolved_at)

    @_look.register
    def _salience(self, item: Salience) -> None:
        _named(record=item.record)
        self._once(Salience, item.record)
        self._records.setdefault(item.record, self._where)
        _share(base=item.base)
        replayed = {name: value for name in REPLAYED if isinstance(value := getattr(item, name), float)}
        _share(**replayed)
        _tone(item.tone)
        _count(retrievals=item.retrievals)
        _times(created_at=item.created_at, accessed_at=item.accessed_at, last_consolidated_at=item.last_consolidated_at)

    @_look.register
    def _run(self, item: Run) -> None:
        _id(_RUN, id=item.id, undone_by=item.undone_by)
        self._once(Run, item.id)
        if item.name not in REVERSIBLE:
            raise Unsound(f"no export holds runs of this name: {item.name[:80]!r}")
        self._held[Run].add(item.id)
        if item.undone_by is not None:
            self._refers(Run, item.undone_by)
        if item.name == "undo":
            self._undoes[item.id] = item.reason
            self._refers(Run, item.reason)
        if item.undone_by == item.id or (item.name == "undo" and item.reason == item.id):
            raise Unsound("it takes itself back")
        if not all(0 <= count <= _MOST_IN_ALL for count in item.counts.values()):
            raise Unsound('"counts" holds a number that nothing was ever counted to')
        _times(started_at=item.started_at, ended_at=item.ended_at)

    @_look.register
    def _retrieval(self, item: Retrieval) -> None:
        _named(record=item.record)
        self._once(Retrieval, item.record, item.session)
        self._records.setdefault(item.record, self._where)
        _times(at=item.at)


def _read(item: Evidence | WeakClaim) -> None:
    """Check the reading of a rule in an episode."""
    _id(_RUN, run=item.run)
    _share(confidence=item.confidence)
    _count(rule_version=item.rule_version, start=item.start, end=item.end)
    _times(said_at=item.said_at)
    if item.start > item.end:
        raise Unsound('"start" lies behind "end"')


def _id(form: regex.Pattern[str], **given: str | None) -> None:
    for name, value in given.items():
        if value is not None and not form.fullmatch(value):
            raise Unsound(f'"{name}" has not the form of an id: {value[:80]!r}')


def _named(**given: str) -> None:
    for name, value in given.items():
        if not value:
            raise Unsound(f'"{name}" is empty')


def _share(**given: float) -> None:
    for name, value in given.items():
        if not 0 <= value <= 1:
            raise Unsound(f'"{name}" does not lie between 0 and 1')


def _tone(value: float) -> None:
    if not -1 <= value <= 1:
        raise Unsound('"tone" does not lie between -1 and 1')


def _count(**given: int) -> None:
    for name, value in given.items():
        if not 0 <= value <= MOST:
            raise Unsound(f'"{name}" does not lie between 0 and {MOST:,}')


def _times(**given: datetime | None) -> None:
    for name, value in given.items():
        if value is not None and not EARLIEST <= value <= LATEST:
            raise Unsound(f'"{name}" is no time that anything was said or done at')
