"""The port of the store: every question that may be asked of the records, and the one way to change them.

`Store.begin` is the only thing that opens a transaction. A `Work` lives inside one; leaving the `with` block normally commits,
an exception rolls back. A back end implements both; `tests/store_contract.py` is the behaviour suite that it must pass.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass
from datetime import datetime
from typing import NamedTuple, Protocol, TypeVar

from ethos.core.history.diff import Changes
from ethos.core.model.keys import FactKey, WeakClaimKey
from ethos.core.model.memories import SignalCount
from ethos.core.model.plan import Plan
from ethos.core.model.records import Episode, EpisodeState, Evidence, Fact, Question, Record, Run, Salience, Utterance, WeakClaim
from ethos.core.model.rule_trust import RuleTrust
from ethos.core.model.traces import OldMemory
from ethos.core.ports.queries import Candidates, Counts, FactFilter, Hit, ProjectCounts, Search, Sharing
from ethos.core.ports.store_file import StoreFile

Kept = TypeVar("Kept", bound=Record)


class Failure(NamedTuple):
    """A group that the store refused, and why."""

    cause: str
    error: str


@dataclass(frozen=True, slots=True)
class Applied:
    """What an `apply` did. A group that failed left no trace; the others are in."""

    failures: tuple[Failure, ...] = ()
    episodes_added: int = 0  # puts of episodes that were not there before
    facts_begun: int = 0  # facts that were not there before, or begin anew
    begun_anew: int = 0  # of these, those that were there: their versions are numbered on, not as they were put
    dangling: tuple[tuple[str, str], ...] = ()  # facts put with a successor that is not held, and that successor


class Work(Protocol):
    """A transaction's view of the store."""

    # -- capture
    def episodes(self, ids: Collection[str]) -> Mapping[str, Episode]:
        """Return the episodes with these ids."""
        ...

    # -- select
    def unscanned(self, rules: str, *, session: str | None, limit: int, skip: Collection[str] = ()) -> Sequence[Utterance]:
        """Return unconsolidated episodes (E-07) not set aside, not in `skip`, and not yet scanned under this rules hash, in the order in
        which they were said (`Utterance.place`). An episode with attempts > 0 is returned alone, after all untried ones.
        """
        ...

    def backlog(self, rules: str, *, session: str | None, limit: int, skip: Collection[str] = ()) -> Sequence[str]:
        """Return the ids of the same episodes, in the same order."""
        ...

    def utterances(self, episodes: Collection[str]) -> Sequence[Utterance]:
        """Return these episodes as the stages read them, in the order in which they were said."""
        ...

    def preceding(self, episodes: Collection[str]) -> Mapping[str, str]:
        """Return, by the id of an episode, the id of the user's turn that was said before it in its session; without one, nothing."""
        ...

    def following(self, episodes: Collection[str]) -> Mapping[str, str]:
        """Return, by the id of an episode, the id of the user's turn that was said after it in its session, where that one was read."""
        ...

    def turns_with(self, words: Collection[tuple[str, str]]) -> frozenset[str]:
        """Return the ids of the users' turns that were read, and have, for one (user, word), a word that begins with it."""
        ...

    def latest_turn(self, user: str) -> datetime | None:
        """Return when the latest episode of a user was said, read or not; None where there is none."""
        ...

    def marks(self, episodes: Collection[str]) -> Mapping[str, EpisodeState]:
        """Return the marks of these episodes."""
        ...

    # -- resolve
    def active_facts(self, keys: Collection[FactKey]) -> Sequence[Fact]:
        """Return the active facts under any of these keys."""
        ...

    def active_facts_about(self, subjects: Collection[tuple[str, str, str]]) -> Sequence[Fact]:
        """Return the active facts of these (user, project, folded subject): for claims that name what they replace."""
        ...

    def active_facts_naming(self, named: Collection[tuple[str, str, str]]) -> Sequence[Fact]:
        """Return the active facts of these (user, project) with the words of the third, a folded phrase, in their folded subject or object;
        perhaps facts in which the phrase is only part of a longer word.
        """
        ...

    def facts_naming(self, named: Collection[tuple[str, str]]) -> Sequence[Fact]:
        """Return the current version of every fact of these users, held or not, with the phrase in its folded subject or object."""
        ...

    def facts_replacing(self, users: Collection[str], rules: Collection[str], words: Collection[str] | None = None) -> Sequence[Fact]:
        """Return these users' current facts, held or not, that said what they replace (with one of the words, if any are given), or what a
        thing is called; and those that one of these rules read again: what was replaced then is in the evidence alone.
        """
        ...

    def latest_said(self) -> datetime | None:
        """Return when the latest fact, weak claim or turn that was read was said; None in an empty store. To be asked once a pass."""
        ...

    def facts_around(self, subjects: Collection[tuple[str, str]], sharing: Sharing | None = None) -> Sequence[Fact]:
        """Return the current version of every fact about these (user, folded subject) in any project, active or not, but none set apart."""
        ...

    def weak_claims_around(
        self, subjects: Collection[tuple[str, str]], sharing: Sharing | None = None, rules: Collection[str] = ()
    ) -> Sequence[WeakClaim]:
        """Return the weak claims about these subjects, by runs that are not undone, and all that one of these rules read."""
        ...

    def weak_claims(self, keys: Collection[WeakClaimKey]) -> Mapping[WeakClaimKey, Sequence[WeakClaim]]:
        """Return the weak claims under each of these keys, by runs that are not undone, oldest said first."""
        ...

    def questions(
        self, *, ids: Collection[str] | None = None, facts: Collection[str] | None = None, open_only: bool = False
    ) -> Sequence[Question]:
        """Return questions by id, or by either fact in them, or all; oldest first."""
        ...

    def answered(self, user: str, *, limit: int) -> Sequence[Question]:
        """Return the questions of this user that were resolved last, the latest first."""
        ...

    def rule_trust(self, user: str) -> Mapping[str, RuleTrust]:
        """Return the answers of this user about the claims of each rule; a rule without answers is missing. To be asked once a pass."""
        ...

    # -- decay
    def fading(self, now: datetime, *, limit: int) -> Sequence[Salience]:
        """Return the salience of records whose `fades_at` has come and that are not marked; if a clock was set back, the reverse, too."""
        ...

    def salience(self, records: Collection[str]) -> Mapping[str, Salience]:
        """Return the salience of these episodes and facts."""
        ...

    # -- bank
    def signal_counts(self, memories: Collection[str], since: datetime | None = None) -> Sequence[SignalCount]:
        """Return how many signals these memories have, by kind and sign; since: only those from then on. None of what was rolled up."""
        ...

    # -- sleep
    def untold(self, user: str, until: datetime, *, limit: int) -> Sequence[tuple[str, str, str]]:
        """Return the (id, project, session) of the user's episodes said earlier than `until` that no summary tells, session by session.

        A session in which a night found nothing to tell is left out until it goes on. What tools printed is never told. At most
        `limit`, and the last session whole.
        """
        ...

    def old_memories(self, user: str, since: datetime, until: datetime, least: float) -> Sequence[OldMemory]:
        """Return the episodes said in since..until, the end left out, that a replay gave a salience of at least `least`."""
        ...

    # -- ask
    def fact(self, fact_id: str) -> Sequence[Fact]:
        """Return every version of a fact, oldest first; empty when there is none."""
        ...

    def current(self, facts: Collection[str]) -> Mapping[str, Fact]:
        """Return the current version of each of these facts."""
        ...

    def replaced(self, facts: Collection[str]) -> Sequence[Fact]:
        """Return the current versions of the facts that these superseded, by id."""
        ...

    def facts(self, wanted: FactFilter) -> Sequence[Fact]:
        """Return the facts that a filter picks, newest valid_from first, then by id, then by version."""
        ...

    def projects(self, user: str) -> Sequence[ProjectCounts]:
        """Return the projects of this user, the last spoken in first; facts that hold everywhere are at the end."""
        ...

    def evidence(self, facts: Collection[str], *, in_force: bool = False) -> Sequence[Evidence]:
        """Return the evidence of these facts, by fact, then time said, then episode. in_force: only by runs that are not undone."""
        ...

    def evidence_in(self, episodes: Collection[str]) -> Sequence[Evidence]:
        """Return the evidence that was read in these episodes."""
        ...

    def search(self, wanted: Search) -> Sequence[Hit]:
        """Search the full text of the types that are asked for; return the hits, best first."""
        ...

    def candidates(self, wanted: Search, depth: int, also: Collection[str] = ()) -> Candidates:
        """Return the best `depth` of a search by BM25 (-1: all) and the facts with the ids `also`, with the notes that ranking needs."""
        ...

    def shown(self, wanted: Search, rows: Collection[int]) -> Mapping[int, Hit]:
        """Return those of these rows of the index that the search may show, without scores."""
        ...

    def frequencies(self, terms: Mapping[str, Collection[str]]) -> Mapping[str, int]:
        """Return how many texts of the store have each term, in any of the forms given for it."""
        ...

    def speakers(self, called: Collection[str]) -> Mapping[str, int]:
        """Return the speakers, folded, whose name or its first word is one of these, with the number of their turns."""
        ...

    def turns(self) -> int:
        """Return the number of turns in the store."""
        ...

    def retrieved(self, records: Collection[str], session: str) -> frozenset[str]:
        """Return those of these records whose retrieval in this session is already counted."""
        ...

    def count_retrievals(self, records: Iterable[str], session: str, now: datetime) -> None:
        """Remember that these records were retrieved in this session (the salience itself is put by a plan)."""
        ...

    # -- served
    def anything_served(self) -> bool:
        """Return True if anything was ever shown. Cheap, because every unit asks it."""
        ...

    def served(self, fingerprints: Collection[str]) -> Mapping[str, datetime]:
        """Return when the sentences with these fingerprints (`core.facts.echoes`) were first shown."""
        ...

    def serve(self, fingerprints: Mapping[str, datetime]) -> None:
        """Remember when these fingerprints were shown; the first time of each stays. Only the newest 200,000 are kept."""
        ...

    # -- any type of record, by its descriptor
    def find(self, kind: type[Kept], field: str, among: Collection[object]) -> Sequence[Kept]:
        """Return the records of a type whose field has one of these values, or, where it holds several, one of these among them.

        The field is one of the key or is named in the descriptor (`goes_with`, `lookups`, `forgotten_by`); `LookupError` if not.
        In the order of the type. A field with several ids has no index: every record of the type is looked at.
        """
        ...

    def between(self, kind: type[Kept], field: str, since: object, until: object, *, limit: int | None = None) -> Sequence[Kept]:
        """Return the records of a type whose field lies in since..until, the end left out, by this field and then in the type's order."""
        ...

    # -- forget, move
    def records(self, kind: type[Kept]) -> Iterator[Kept]:
        """Return every record of a type, in an order that does not change: episodes as they were put, versions of a fact oldest first."""
        ...

    def retrievals(self) -> Iterator[tuple[str, str, datetime]]:
        """Return record, session and time of every retrieval that was counted."""
        ...

    def runs_among(self, ids: Collection[str]) -> frozenset[str]:
        """Return the ids that belong to runs."""
        ...

    def versions(self, facts: Collection[str]) -> Sequence[Fact]:
        """Return every version of each of these facts, by id, oldest first."""
        ...

    def referring(self, facts: Collection[str]) -> frozenset[str]:
        """Return the facts of which some version was superseded by one of these."""
        ...

    def weak_claims_in(self, episodes: Collection[str]) -> Sequence[WeakClaim]:
        """Return the weak claims that were read in these episodes."""
        ...

    def anything_buried(self) -> bool:
        """Return True if anything was ever forgotten. Cheap, because every capture asks it."""
        ...

    def buried(self, macs: Collection[str] | None = None) -> frozenset[str]:
        """Return those of these keyed hashes (None: all) under which something was forgotten."""
        ...

    def bury(self, macs: Iterable[str], now: datetime) -> None:
        """Remember by keyed hashes that something was forgotten (never by a plain hash, never its content)."""
        ...

    def redact(self, speaks: Callable[[str], bool]) -> int:
        """Take the payloads of which `speaks` is true out of the audit, whose chain still holds; return how many."""
        ...

    # -- operate
    def runs(self, *, name: str | None = None, limit: int = 20, until: datetime | None = None) -> Sequence[Run]:
        """Return the last runs, newest first. until: leave out later ones, which are of a clock that was set back since."""
        ...

    def run(self, run_id: str) -> Run | None:
        """Return the run with this id; None if there is none."""
        ...

    def changes(self, run: str) -> Changes:
        """Return everything that this run changed."""
        ...

    def number_of_changes(self, run: str) -> int:
        """Return how many differences the diff of this run has."""
        ...

    def beginning_with(self, start: str, kinds: Collection[type[Record]], *, limit: int) -> Sequence[str]:
        """Return the ids of records of these types that begin like this, in order."""
        ...

    def counts(self, rules: str, user: str | None = None) -> Counts:
        """Return the store in numbers, under this rules hash. user: facts of this user only."""
        ...

    def inconsistencies(self) -> Mapping[str, int]:
        """Return the invariants between records that are broken, in words, with the number of records; empty if none is."""
        ...

    def latest_live_capture(self) -> datetime | None:
        """Return when the last session event (a live capture, never an import) was received; for idleness (E-03)."""
        ...

    def live_captures(self, since: datetime, until: datetime) -> int:
        """Return how many session events came in between these times, both included."""
        ...

    # -- write
    def apply(self, plan: Plan, run: str) -> Applied:
        """Write a plan in bulk and journal the rows that it replaces. If the store refuses it, write group by group."""
        ...

    def record_live_capture(self, session: str, now: datetime) -> None:
        """Record a session event."""
        ...


class Store(Protocol):
    """A place where records are kept."""

    @property
    def file(self) -> StoreFile | None:
        """Return the store's file; None if it is not kept in one."""
        ...

    def begin(self, *, write: bool = False) -> AbstractContextManager[Work]:
        """Open a transaction: a reader sees one state; a writer is alone."""
        ...

    @property
    def trouble(self) -> str:
        """Return why the store could not be used last (a full disk, an error of it, damage); empty since something could be written."""
        ...

    def run_lease(self) -> AbstractContextManager[None]:
        """Hold the run lease in this context: one run at a time changes a store, over all processes and threads.

        Raises `Refused("busy")` with the process that holds it. A heartbeat moves the end of the lease on while the context lasts. A lease
        whose process is gone, or whose end has passed, is taken over; who lost it is `Refused` at its next write, which is not stored.
        """
        ...

    def begin_unit(self, episodes: Collection[str]) -> None:
        """Note that these episodes are being worked on, in a transaction before the unit's. The unit's `apply`
        clears the note in its own transaction.
        """
        ...

    def recover(self, max_attempts: int = 3) -> int:
        """Raise `attempts` of the episodes that were being worked on when a process died, and set aside those with `max_attempts`.

        Return how many there were.
        """
        ...

    def check(self) -> Sequence[str]:
        """Check the integrity of the store; return a line for each fault, none if it is sound."""
        ...

    def reindex(self) -> None:
        """Build the full-text index again from the records, where `check` found a fault in it."""
        ...

    def describe(self) -> Mapping[str, str | int | bool]:
        """Return engine, version, path, size and settings in force, for `status` and `doctor`."""
        ...

    def close(self) -> None:
        """Release all connections and files."""
        ...
