"""Plan: what should now be true. Stages decide one; `Work.apply` writes it; nothing else writes (DESIGN, The house).

Two verbs: put this record (whole), forget this id. Puts are grouped by what caused them, usually an episode, because a group is
written or left as one: where the store refuses one group the others still go in (E-36). Plans add up.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import datetime
from typing import NamedTuple

from ethos.core.model.records import Claim, Heard, Record, Scanned
from ethos.core.rules.prefilter import Hits


class Note(NamedTuple):
    """Something a stage found that the journal, the counts or the log should know: `Note("fresh", fact.id)`."""

    name: str
    about: str = ""
    text: str = ""


class Group(NamedTuple):
    """Puts, forgets and notes with one cause, all or nothing. `cause` is an episode id, or "" for the pass itself."""

    cause: str
    puts: tuple[Record, ...] = ()
    forgets: tuple[str, ...] = ()
    notes: tuple[Note, ...] = ()


class Candidate(NamedTuple):
    """An episode that `select` chose, why, and where the literals of which rules stand in it."""

    heard: Heard
    criterion: str  # "keyword", "importance", "retrieval"
    hits: Hits | None = None


class Proposal(NamedTuple):
    """The claims that `extract` read in one episode; an empty tuple is a finding too."""

    heard: Heard
    claims: tuple[Claim, ...]
    criterion: str = "keyword"


Handed = Candidate | Proposal


@dataclass(frozen=True, slots=True)
class Plan:
    """`groups` are to be written. `hands` is what this stage hands to the next one in the pass; it is never written."""

    groups: tuple[Group, ...] = ()
    hands: tuple[Handed, ...] = ()

    def __add__(self, later: Plan) -> Plan:
        """Both plans' groups, in order. Only the later stage's hands are still of interest."""
        return Plan(self.groups + later.groups, later.hands)

    def __bool__(self) -> bool:
        return bool(self.groups)

    def puts(self) -> Iterator[Record]:
        """Every record to put, in order."""
        for group in self.groups:
            yield from group.puts

    def notes(self) -> Iterator[Note]:
        """Every note, in order."""
        for group in self.groups:
            yield from group.notes

    def without(self, causes: Iterable[str]) -> Plan:
        """The plan less the groups with these causes: what was really written when some were refused."""
        refused = frozenset(causes)
        return Plan(tuple(group for group in self.groups if group.cause not in refused), self.hands)


def one(cause: str, *puts: Record, notes: Iterable[Note] = ()) -> Plan:
    """A plan of a single group."""
    return Plan((Group(cause, puts, (), tuple(notes)),))


def scanned(episodes: Iterable[str], now: datetime, rules: str) -> tuple[Group, ...]:
    """The group for the episodes in which nothing was found; none where there are none."""
    silent = tuple(episodes)
    return (Group("", (Scanned(silent, now, rules),)),) if silent else ()
