"""The ports: every question that may be asked of what is kept, and the one way to change it, on one page.

`Store.begin` is the only thing that opens a transaction. A `Work` lives inside one; leaving the `with` block normally commits,
an exception rolls back. A back end implements both; `tests/store_contract.py` is the behaviour suite it must pass.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass, field
from datetime import datetime
from types import MappingProxyType
from typing import Literal, NamedTuple, Protocol, TypeVar

from ethos.core.history.diff import Changes
from ethos.core.history.erasure import Gone, Scan
from ethos.core.model.candidates import Noted, Resting
from ethos.core.model.errors import Problem
from ethos.core.model.keys import FactKey, SuspectKey
from ethos.core.model.plan import Plan
from ethos.core.model.records import Action, Episode, Evidence, Fact, Heard, Kind, Mark, Origin, Question, Record, Run, Salience, Suspect
from ethos.core.model.rule_trust import Standing

Kept = TypeVar("Kept", bound=Record)

IdKind = Literal["fact", "question", "run", "episode"]


@dataclass(frozen=True, slots=True)
class FactFilter:
    """Which facts to list. `as_of`: what was held then (knowledge time), not what is held now."""

    user: str
    project: str | None = None  # of this one, and what holds everywhere
    subject: str | None = None  # folded by the store
    kind: Kind | None = None
    as_of: datetime | None = None
    history: bool = False  # superseded and retired ones too, and every version
    flagged: bool | None = None
    limit: int | None = None


@dataclass(frozen=True, slots=True)
class Narrowing:
    """What a search is kept to. A fact was said where the turn was said that it rests on first."""

    session: str | None = None
    speaker: str | None = None  # by name, or a role
    kind: str | None = None  # of a fact (decision, preference ...) or an episode (episode, signal ...)
    after: datetime | None = None  # said later than that
    before: datetime | None = None  # said earlier than that


@dataclass(frozen=True, slots=True)
class Search:
    """A full-text question: words are OR-ed, ranked by BM25; faded and superseded records are left out unless asked for."""

    user: str
    words: tuple[str, ...]  # folded, stop words already out
    project: str | None = None  # of this one, and what holds everywhere
    limit: int = 10
    as_of: datetime | None = None
    faded: bool = False
    types: tuple[type[Record], ...] = (Episode, Fact)  # kinds of records that are wanted
    longest: int | None = None  # characters of a text that are wanted: those around the first word that is found; None: all
    only: Narrowing = field(default_factory=Narrowing)
    far_below: bool = True  # also what is far below the best answer
    around: tuple[tuple[datetime, datetime], ...] = ()  # turns said in one of these spans are candidates whatever their words,
    around_speaker: str | None = None  # folded; if they are this speaker's


class Hit(NamedTuple):
    """One answer of a search. score: higher is better, comparable within one search only."""

    id: str
    type: str  # "episode", "fact", or the name of another indexed type
    score: float
    text: str  # the episode's text, the fact's statement, or the words of another record
    episode: str  # where it was said: the episode itself, or the fact's first evidence; of other records ""
    said_at: datetime
    session: str
    project: str
    origin: Origin = Origin.USER  # of a fact the least trusted of what it rests on; text from below the user is data, never an instruction
    replaced_by: str = ""  # of an episode whose every fact has a successor: the successor of the last
    flagged: bool = False  # it is in question: a fact that contradicts another, or an episode that one rests on
    length: int = 0  # characters of the whole text; `text` may be a part of it
    parts: Mapping[str, float] = MappingProxyType({})  # what each part of the ranking gave to the score


@dataclass(frozen=True, slots=True)
class Candidates:
    """What may answer a question: turns with their neighbours, facts, and by row what the trigram index gave. Not all may be shown.

    found: rows of turns that have a word, or were said in a span that was asked for; the others are neighbours. complete: nothing else
    has one of the words.
    """

    turns: Sequence[Noted]
    facts: Sequence[Resting]
    found: Collection[int]
    trigrams: Mapping[int, float]
    complete: bool


class ProjectCounts(NamedTuple):
    """What is held in a project; its name is empty for what holds everywhere."""

    project: str
    facts: int
    episodes: int
    last_said: datetime | None


@dataclass(frozen=True, slots=True)
class Counts:
    """The whole store in numbers, for `status` and `doctor`."""

    episodes: int
    unconsolidated: int  # not promoted yet
    unscanned: int  # not yet read under the rules hash asked for
    set_aside: int
    facts: int  # active
    facts_history: int  # superseded or retired
    flagged: int
    questions: int  # open
    faded: int
    evidence: int


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
    dangling: tuple[tuple[str, str], ...] = ()  # facts put with a successor that is not held, and that successor


class Work(Protocol):
    """A transaction's view of the store."""

    # -- capture
    def episodes(self, ids: Collection[str]) -> Mapping[str, Episode]:
        """The episodes with these ids; the missing are missing."""
        ...

    # -- select
    def unscanned(self, rules: str, *, session: str | None, limit: int, skip: Collection[str] = ()) -> Sequence[Heard]:
        """Unconsolidated episodes (E-07) not set aside, not in `skip`, and not yet scanned under this rules hash, in the order in
        which they were said (`Heard.place`). An episode with attempts > 0 is returned alone, after all untried ones.
        """
        ...

    def backlog(self, rules: str, *, session: str | None, limit: int, skip: Collection[str] = ()) -> Sequence[str]:
        """The ids of the same episodes, in the same order."""
        ...

    def heard(self, episodes: Collection[str]) -> Sequence[Heard]:
        """These episodes as the stages read them, in the order in which they were said; the missing are missing."""
        ...

    def marks(self, episodes: Collection[str]) -> Mapping[str, Mark]:
        """How far these episodes have come."""
        ...

    # -- resolve
    def active_facts(self, keys: Collection[FactKey]) -> Sequence[Fact]:
        """Active facts under any of these keys."""
        ...

    def active_facts_about(self, subjects: Collection[tuple[str, str, str]]) -> Sequence[Fact]:
        """Active facts of these (user, project, folded subject): for claims that name what they replace."""
        ...

    def latest_said(self) -> datetime | None:
        """When the latest of what is known, held or only suspected, was said. To be asked once a pass."""
        ...

    def facts_around(self, subjects: Collection[tuple[str, str]]) -> Sequence[Fact]:
        """The current version of every fact about these (user, folded subject), held or not, in any project; less those set apart."""
        ...

    def suspects_around(self, subjects: Collection[tuple[str, str]]) -> Sequence[Suspect]:
        """Each weak claim about these (user, folded subject), by runs that are not undone."""
        ...

    def suspects(self, keys: Collection[SuspectKey]) -> Mapping[SuspectKey, Sequence[Suspect]]:
        """Each weak claim as it was met so far (by runs that are not undone), oldest said first; keys never met are missing."""
        ...

    def questions(
        self, *, ids: Collection[str] | None = None, facts: Collection[str] | None = None, open_only: bool = False
    ) -> Sequence[Question]:
        """Questions by id, or by either fact in them, or all; oldest first."""
        ...

    def answered(self, user: str, *, limit: int) -> Sequence[Question]:
        """The questions of this user that were resolved last, the latest first."""
        ...

    def standings(self, user: str) -> Mapping[str, Standing]:
        """Answers of this user about the claims of each rule; a rule without answers is missing. To be asked once a pass."""
        ...

    # -- decay
    def fading(self, now: datetime, *, limit: int) -> Sequence[Salience]:
        """Records not marked faded whose `fades_at` has come, earliest first."""
        ...

    def salience(self, records: Collection[str]) -> Mapping[str, Salience]:
        """The salience of these episodes and facts."""
        ...

    # -- sleep
    def untold(self, user: str, until: datetime, *, limit: int) -> Sequence[tuple[str, str, str]]:
        """(id, project, session) of the user's episodes said earlier than `until` that no summary tells, session by session.

        A session in which a night found nothing to tell is left out until it goes on. What tools printed is never told. At most
        `limit`, and the last session whole.
        """
        ...

    # -- ask
    def fact(self, fact_id: str) -> Sequence[Fact]:
        """Every version of a fact, oldest first; empty when there is none."""
        ...

    def current(self, facts: Collection[str]) -> Mapping[str, Fact]:
        """The current version of each of these facts; the missing are missing."""
        ...

    def replaced(self, fact_id: str) -> Sequence[Fact]:
        """The current versions of the facts that this one superseded, by id."""
        ...

    def facts(self, wanted: FactFilter) -> Sequence[Fact]:
        """Facts by filter, newest valid_from first, then id, then version."""
        ...

    def projects(self, user: str) -> Sequence[ProjectCounts]:
        """The projects of this user, the one that was spoken in last first; what holds everywhere is at the end."""
        ...

    def evidence(self, facts: Collection[str], *, standing: bool = False) -> Sequence[Evidence]:
        """What these facts rest on, by fact, then time said, then episode; `standing`: less what was laid by a run that is undone."""
        ...

    def evidence_in(self, episodes: Collection[str]) -> Sequence[Evidence]:
        """Which facts rest on these episodes."""
        ...

    def search(self, wanted: Search) -> Sequence[Hit]:
        """Full text over the types that are asked for, best first."""
        ...

    def candidates(self, wanted: Search, depth: int, also: Collection[str] = ()) -> Candidates:
        """The best `depth` of a search by BM25 (-1: all) and the facts with the ids `also`, with what ranking needs to know of them."""
        ...

    def shown(self, wanted: Search, rows: Collection[int]) -> Mapping[int, Hit]:
        """Those of these rows of the index that the search may show, without scores."""
        ...

    def frequencies(self, terms: Mapping[str, Collection[str]]) -> Mapping[str, int]:
        """In how many texts of the store each term stands, in any of the forms given for it."""
        ...

    def speakers(self, called: Collection[str]) -> Mapping[str, int]:
        """The speakers, folded, whose name or its first word is one of these, with the number of their turns."""
        ...

    def turns(self) -> int:
        """How many turns the store holds."""
        ...

    def retrieved(self, records: Collection[str], session: str) -> frozenset[str]:
        """Of these, the ones whose retrieval in this session is already counted."""
        ...

    def count_retrievals(self, records: Iterable[str], session: str, now: datetime) -> None:
        """Remember that these were retrieved in this session (the salience itself is put by a plan)."""
        ...

    # -- served
    def anything_served(self) -> bool:
        """Whether anything was ever shown; cheap, for every unit asks it."""
        ...

    def served(self, marks: Collection[str]) -> Mapping[str, datetime]:
        """When these marks (`core.facts.echoes`) were first shown; those never shown are missing."""
        ...

    def serve(self, marks: Mapping[str, datetime]) -> None:
        """Remember when these were shown; of one that is known the first time stays. Only the newest are kept, by the hundred thousand."""
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
        """Every record of a kind, in an order that does not change; episodes as they were put, versions of a fact oldest first."""
        ...

    def retrievals(self) -> Iterator[tuple[str, str, datetime]]:
        """Record, session and time of every retrieval that was counted."""
        ...

    def runs_among(self, ids: Collection[str]) -> frozenset[str]:
        """Those of these ids that are runs'."""
        ...

    def versions(self, facts: Collection[str]) -> Sequence[Fact]:
        """Every version of each of these facts, by id, oldest first."""
        ...

    def referring(self, facts: Collection[str]) -> frozenset[str]:
        """Facts of which some version was superseded by one of these."""
        ...

    def suspects_in(self, episodes: Collection[str]) -> Sequence[Suspect]:
        """Weak claims that were met in these episodes."""
        ...

    def anything_buried(self) -> bool:
        """Whether something was ever forgotten; cheap, for every capture asks it."""
        ...

    def buried(self, macs: Collection[str] | None = None) -> frozenset[str]:
        """Those of these keyed hashes (None: all there are) under which something was forgotten."""
        ...

    def bury(self, macs: Iterable[str], now: datetime) -> None:
        """Remember by keyed hashes alone that something was forgotten (TRUST: never by a plain hash, never its content)."""
        ...

    def redact(self, speaks: Callable[[str], bool]) -> int:
        """Take out of the audit what `speaks` says speaks of it; its chain still holds. How many rows."""
        ...

    # -- operate
    def runs(self, *, name: str | None = None, limit: int = 20) -> Sequence[Run]:
        """The last runs, newest first."""
        ...

    def run(self, run_id: str) -> Run | None:
        """The run with this id."""
        ...

    def changes(self, run: str) -> Changes:
        """Everything that this run changed."""
        ...

    def beginning_with(self, start: str, kinds: Collection[IdKind], *, limit: int) -> Sequence[str]:
        """The ids of these kinds of records that begin like this, in order."""
        ...

    def counts(self, rules: str) -> Counts:
        """The store in numbers, under this rules hash."""
        ...

    def inconsistencies(self) -> Mapping[str, int]:
        """What is not as it must be between records, in words, and in how many of them; empty where all is well."""
        ...

    def latest_live_capture(self) -> datetime | None:
        """When the last session event (a live capture, never an import) was received; for idleness (E-03)."""
        ...

    def live_captures(self, since: datetime, until: datetime) -> int:
        """How many session events came in since then."""
        ...

    # -- write
    def apply(self, plan: Plan, run: str) -> Applied:
        """Write a plan in bulk, journalling what is written over; on failure group by group, leaving only the failing ones."""
        ...

    def record_live_capture(self, session: str, now: datetime) -> None:
        """Note a session event."""
        ...


class Store(Protocol):
    """Where records are kept."""

    def begin(self, *, write: bool = False) -> AbstractContextManager[Work]:
        """Open a transaction: a reader sees one state; a writer is alone."""
        ...

    @property
    def trouble(self) -> str:
        """What ails the store (a full disk, an error of it, damage) since the last time that something could be written; empty when
        nothing does.
        """
        ...

    def begin_unit(self, episodes: Collection[str]) -> None:
        """In a small transaction of its own, before the unit's: these are being worked on (TRUST, poison pill). The unit's `apply`
        clears it, in the unit's transaction.
        """
        ...

    def recover(self, max_attempts: int = 3) -> int:
        """After a crash: raise `attempts` of the episodes that were being worked on when the process died, and set those aside that
        this has happened to `max_attempts` times. How many there were.
        """
        ...

    def check(self) -> Sequence[str]:
        """Integrity of the store: one line for each thing that is wrong; empty when sound."""
        ...

    def reindex(self) -> None:
        """Make the full-text index anew from the records, where `check` found fault with it."""
        ...

    def rewrite(self) -> None:
        """Make the file anew, so that no byte of what was forgotten is left in it or beside it. Takes time with the store's size.

        Raises `Refused("busy")` where a reader keeps the log from being folded back; to do it again is harmless.
        """
        ...

    def left_in_index(self, texts: Sequence[str]) -> int:
        """How many words of these texts the index still holds though no record does."""
        ...

    def back_up(self, path: str) -> None:
        """Make a whole copy of the store at this path, looked over, on the disk, for its owner alone. Raises `Refused`, OSError."""
        ...

    def compact(self) -> None:
        """Fold the write-ahead log back, if nobody reads just now."""
        ...

    def slim(self) -> None:
        """Let go of what is kept of the file in memory to be faster. Disturbs nobody who reads or writes just now."""
        ...

    def describe(self) -> Mapping[str, str | int | bool]:
        """Engine, version, path, size and settings in force, for `status` and `doctor`."""
        ...

    def close(self) -> None:
        """Release everything."""
        ...


@dataclass(frozen=True, slots=True)
class Entry:
    """A question as the review file shows it: the claims in it, the words they rest on, and when they were said."""

    question: Question
    existing: Fact | None  # None: a question about one claim alone (`core.review.kinds`)
    new: Fact
    existing_said_at: datetime | None
    new_said_at: datetime
    episode: str  # source episode of the new claim
    quote: str  # what was said there; hostile until defused by `core.review`


class Decision(NamedTuple):
    """What a person ticked: an action for a question, with their free text."""

    question: str
    action: Action
    note: str = ""


@dataclass(frozen=True, slots=True)
class Reading:
    """What the review file says. `hints`: question id -> why its ticks could not be taken ("two choices: keep one")."""

    decisions: tuple[Decision, ...] = ()
    hints: Mapping[str, str] = field(default_factory=dict)
    claims: Mapping[str, tuple[str, ...]] = field(default_factory=dict)  # question id -> the lines of its claims, as they stand there
    problems: tuple[str, ...] = ()  # about the file as a whole


@dataclass(frozen=True, slots=True)
class Written:
    """What became of writing the review file. Nobody's words are ever written over; what was not written comes with the next write."""

    done: bool = True  # the file shows what it should
    read_again: bool = False  # somebody saved it since it was read: there may be new decisions
    problem: str = ""  # why it was not written, or what else is wrong with it, and what to do


class ReviewFile(Protocol):
    """The Markdown inbox: a projection of the open questions that a person edits (X-E11)."""

    def read(self, *, only_look: bool = False) -> Reading:
        """What a person has decided since it was last written. A missing file decides nothing.

        only_look: nothing will come of it (a rehearsal), so that a save stays due.
        """
        ...

    def standing(self) -> Collection[str]:
        """The ids of the questions that stand in it now."""
        ...

    def write(self, entries: Sequence[Entry], hints: Mapping[str, str], *, in_shadow: bool = False) -> Written:
        """Show these questions: every open one, the last that were resolved, and those that stand there. What a person wrote stays.

        in_shadow: ask whether nights may change something, too.
        """
        ...

    def due(self) -> bool:
        """There is something to read that has settled, or something to write that had to wait. Cheap when nothing happened."""
        ...


class Traces(Protocol):
    """Where else than in the store this memory has left something: copies of the store, the review file, exports."""

    def copies(self) -> Sequence[str]:
        """Paths of the stores that are proven copies of this one: what was kept from before an upgrade or a restoration, and backups."""
        ...

    def open(self, copy: str) -> AbstractContextManager[Store]:
        """Open one of them. What is changed in it counts when the block has ended. Raises `Refused`."""
        ...

    def scrub(self, gone: Gone, speaks: Callable[[str], bool]) -> tuple[Sequence[str], Sequence[Problem]]:
        """Take every line that `speaks` of what is gone out of the files of text that are proven ours, and the counter-examples that say
        a part of it. Return the files that were changed, and what could not be done.
        """
        ...

    def scan(self, sought: Collection[str], noted: Sequence[str]) -> Scan:
        """Look for these in the raw bytes of every file that we know of, the store's own included. noted: paths of older exports."""
        ...
