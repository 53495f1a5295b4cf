"""Plan: what should now be true. Stages decide one; `Work.apply` writes it; nothing else writes.

Two verbs: put this record (whole), forget this id. Puts are grouped by what caused them, usually an episode, because a group is
written or left as one: where the store refuses one group the others still go in (E-36). Plans add up.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import datetime
from typing import NamedTuple, TypeVar

from ethos.core.model.events import Event
from ethos.core.model.records import Record, ScannedBatch

E = TypeVar("E", bound=Event)


class ChangeSet(NamedTuple):
    """Puts, forgets and events with one cause, all or nothing. `cause` is an episode id, or "" for the run itself."""

    cause: str
    puts: tuple[Record, ...] = ()
    forgets: tuple[str, ...] = ()
    events: tuple[Event, ...] = ()


@dataclass(frozen=True, slots=True)
class Plan:
    """The groups to be written, in order."""

    groups: tuple[ChangeSet, ...] = ()

    def __add__(self, later: Plan) -> Plan:
        """Return both plans' groups, in order."""
        return Plan(self.groups + later.groups)

    def __bool__(self) -> bool:
        return bool(self.groups)

    def puts(self) -> Iterator[Record]:
        """Yield every record to put, in order."""
        for group in self.groups:
            yield from group.puts

    def events(self) -> Iterator[Event]:
        """Yield every event, in order."""
        for group in self.groups:
            yield from group.events

    def events_of(self, kind: type[E]) -> Iterator[E]:
        """Return every event of one kind, in order."""
        return (event for event in self.events() if isinstance(event, kind))

    def without(self, causes: Iterable[str]) -> Plan:
        """Return the plan without the groups with these causes: what was written when some were refused."""
        refused = frozenset(causes)
        return Plan(tuple(group for group in self.groups if group.cause not in refused))


def one(cause: str, *puts: Record, events: Iterable[Event] = ()) -> Plan:
    """Return a plan of a single group."""
    return Plan((ChangeSet(cause, puts, (), tuple(events)),))


def scanned(episodes: Iterable[str], now: datetime, rules: str) -> tuple[ChangeSet, ...]:
    """Return the group for the episodes in which nothing was found; none where there are none."""
    silent = tuple(episodes)
    return (ChangeSet("", (ScannedBatch(silent, now, rules),)),) if silent else ()
