"""What is held: one frozen record for each thing of the vocabulary (README has the words).

Records are values. They are changed with `dataclasses.replace`, put whole, and validated at the edge, never here.
Every time is an aware `datetime` in UTC. Every confidence, importance and salience lies in 0..1.
Every record belongs to a `user` and a `project` from the first schema on (G-18, R-04).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field
from datetime import datetime
from enum import StrEnum
from typing import Any, Literal, NamedTuple

from ethos.core.model.keys import FactKey, WeakClaimKey
from ethos.core.model.lessons import LessonRecord
from ethos.core.model.memories import BankRecord
from ethos.core.model.origin import Origin as Origin  # noqa: PLC0414 (one of the words that records are told in)
from ethos.core.model.questions import Action as Action  # noqa: PLC0414 (so is this)
from ethos.core.model.questions import MemoryQuestion
from ethos.core.model.summaries import ToldRecord
from ethos.core.model.traces import Trace
from ethos.core.model.value import value

Role = Literal["user", "assistant", "tool", "system"]
Kind = Literal["decision", "preference", "fact", "negation"]
Polarity = Literal["+", "-"]
Cardinality = Literal["single", "multi"]
Grade = Literal["held", "weak"]  # weak: said, and not sure enough to be shown as known (X-E1)
Tense = Literal["present", "past"]
TimeSource = Literal["said", "file", "received"]


RETIRE, CORRECT = "retire", "correct"  # the runs by which a person says that a fact does not hold, and what does
RETIRING = (RETIRE, CORRECT)


class Verdict(StrEnum):
    """How a claim was weighed against what was held; its value is the stored text."""

    FRESH = "fresh"
    CONFIRMS = "confirms"
    REFINES = "refines"
    SUPERSEDES = "supersedes"
    SUPERSEDED_ON_ARRIVAL = "superseded on arrival"  # what takes its place was said later and is held already
    CONTRADICTS = "contradicts"
    REJECTED_BEFORE = "rejected before"  # a person turned the same claim down
    SET_APART = "set apart"  # quarantined: not held until a person accepts it
    MOVED = "moved"  # what was said counts for another fact since this run, because the claims were weighed anew


@value
class Episode:
    """One thing that happened, as captured. Its text never changes (G-01, X-G5)."""

    id: str
    user: str
    project: str
    session: str
    role: Role
    speaker: str  # display name; "user" where the transcript names nobody
    origin: Origin
    text: str  # secrets already masked
    said_at: datetime
    captured_at: datetime
    importance: float
    importance_given: bool  # False: estimated (core.history.salience.estimate_importance)
    source: str  # the file or interface it came through, as a person would name it
    time_source: TimeSource = "said"
    kind: str = "episode"  # the subtype that sets its stability: episode, signal, turn_summary ...
    tone: float = 0.0  # emotional tone, -1..1
    tags: tuple[str, ...] = ()


class Utterance(NamedTuple):
    """The narrow row of an episode that the hot path reads: a tuple, because a cycle makes tens of thousands of them."""

    id: str
    text: str
    said_at: datetime
    user: str
    project: str
    session: str
    role: Role
    speaker: str
    origin: int  # an Origin
    importance: float
    importance_given: bool
    retrievals: int
    attempts: int
    source: str = ""
    seq: int = 0  # the number under which the store keeps it: within one source, the order in which it was told

    @property
    def place(self) -> tuple[datetime, str, int]:
        """Return what orders turns: when they were said, and at one time the source's name, then the place in the source."""
        return self.said_at, self.source, self.seq


@value
class EpisodeState:
    """How far an episode has come on its way to facts, and the guard against poison pills. Stands beside the episode."""

    episode: str
    scanned_at: datetime | None = None
    scanned_rules: str | None = None  # the hash of the rules it was scanned under (X-E8)
    consolidated_at: datetime | None = None  # only on promotion (E-26)
    attempts: int = 0
    set_aside: str | None = None  # why it is not tried again; None: it is
    pruned: bool = False


@value
class ScannedBatch:
    """That the rules had nothing to say of these episodes, which most episodes are: their marks are set together (X-E8)."""

    episodes: tuple[str, ...]
    at: datetime
    rules: str  # their hash


@value
class Claim:
    """What a rule proposes: not yet a fact. `ethos extract` prints these; `resolve` weighs them."""

    kind: Kind
    subject: str  # as displayed; "I" is already the speaker's name and "we" is "team"
    predicate: str
    object: str
    polarity: Polarity
    cardinality: Cardinality
    confidence: float  # rule confidence times the modifiers that applied
    rule: str  # "<pack>/<id>"
    rule_version: int
    pack_version: str
    start: int  # span of the match in the episode's text, in code points
    end: int
    tense: Tense = "present"
    over: str | None = None  # what the object was preferred over
    supersedes: str | None = None  # what the claim itself names as replaced ("switched from X")
    purpose: str | None = None  # what the thing is for ("for caching")
    modifiers: tuple[str, ...] = ()  # "hedge x0.60", in the order applied
    grade: Grade = "held"
    told: str = ""  # the clause of the claim in the third person, where it says more; "" otherwise


@value
class Fact:
    """What is held, in one version. The first version comes from a claim; each change is a new one, and the old is closed.

    Two times: `valid_from`..`valid_to` is when it was true in the world, `recorded_at`..`closed_at` when we held this version.
    A version with `closed_at` None is current; a current version with `superseded_by` None and `retired_at` None is active.
    """

    id: str
    version: int
    user: str
    project: str
    kind: Kind
    subject: str
    predicate: str
    object: str
    polarity: Polarity
    cardinality: Cardinality
    subject_key: str
    predicate_key: str
    slot: str
    object_key: str
    statement: str
    confidence: float  # undecayed (X-E20)
    origin: Origin  # the least trusted of its lineage
    rule: str
    rule_version: int
    pack_version: str
    valid_from: datetime
    recorded_at: datetime
    run: str
    tense: Tense = "present"
    over: str | None = None
    replaces: str | None = None  # what the claim itself named as replaced
    affirmed_at: datetime | None = None  # when it was last said, if it was said again
    valid_to: datetime | None = None
    closed_at: datetime | None = None
    superseded_by: str | None = None
    retired_at: datetime | None = None  # retired with no successor (a negation, a person's word)
    flagged: bool = False

    @property
    def last_said(self) -> datetime:
        """Return the latest time at which somebody said so."""
        return self.affirmed_at or self.valid_from

    @property
    def active(self) -> bool:
        """Return whether it is held now: current, not superseded, not retired."""
        return self.closed_at is None and self.superseded_by is None and self.retired_at is None

    @property
    def quarantined(self) -> bool:
        """Return whether it was proposed and never held: retired, and true at no time (`core.facts.quarantine`)."""
        return self.retired_at is not None and self.valid_to == self.valid_from


@value
class Evidence:
    """What a fact rests on: the episode, the span and the rule, as one run read it. Read again by another it is not counted twice."""

    fact: str
    episode: str
    rule: str
    rule_version: int
    start: int
    end: int
    object: str  # the object as this episode had it
    confidence: float
    said_at: datetime
    run: str
    modifiers: tuple[str, ...] = ()
    verdict: Verdict = Verdict.FRESH  # how it was weighed
    statement: str = ""  # the fact as this episode tells it; "" in what was read before this was kept


@value
class WeakClaim:
    """A claim too weak to be held. Seen in enough distinct episodes it is promoted all the same (X-E1)."""

    user: str
    project: str
    subject_key: str
    predicate_key: str
    slot: str
    object_key: str
    polarity: Polarity
    episode: str
    rule: str
    rule_version: int
    start: int
    end: int
    object: str
    confidence: float
    said_at: datetime
    run: str

    @property
    def key(self) -> WeakClaimKey:
        """Return what it shares with its repetitions."""
        return WeakClaimKey(*self.fact_key, self.object_key, self.polarity)

    @property
    def fact_key(self) -> FactKey:
        """Return the key of the fact that it becomes when it is repeated."""
        return FactKey(self.user, self.project, self.subject_key, self.predicate_key, self.slot)


@value
class Question:
    """A contradiction put to a person, or a claim in quarantine. Open until answered; absence of an answer is never an answer."""

    id: str
    user: str
    project: str
    existing: str  # fact id; of a claim in quarantine what it goes against, or ""
    new: str  # fact id
    opened_at: datetime
    run: str
    repeats: int = 0  # how often the same contradiction was said again (X-E17)
    resolved_at: datetime | None = None
    action: Action | None = None
    by: str | None = None  # "inbox", "cli", "socket"
    note: str = ""  # free text of the person

    @property
    def of_quarantine(self) -> bool:
        """Return whether it asks whether one claim may be held, not which of two."""
        return self.id.startswith("q-")


@value
class Salience:
    """How alive a record is; what retrieval and decay need. Base value and time, never a decayed value (X-E19)."""

    record: str  # id of an episode or fact
    kind: str  # sets the stability
    base: float
    tone: float
    created_at: datetime
    accessed_at: datetime
    retrievals: int
    fades_at: datetime  # when it falls below the threshold if nobody asks for it
    faded: bool = False
    consolidated_salience_score: float | None = None  # what the replay of its day made of it; `base` stays as it was
    consolidated_importance: float | None = None
    breakthrough_score: float | None = None  # if it was a breakthrough of its day
    last_consolidated_at: datetime | None = None  # when its day was replayed

    @property
    def effective(self) -> float:
        """Return the base that counts in retrieval and decay (L-28)."""
        return max(self.base, self.consolidated_salience_score or 0.0)


@value
class Run:
    """That a pass happened: its reason, its counts, and by its id everything that it changed (`core.history.diff`)."""

    id: str
    name: str  # "consolidate", "sleep", "shadow" (a night that changed nothing), "answer", "retire", "correct", "undo"
    reason: str  # of an answer the question, of a retirement the fact, of an undo the run that was undone, of a night its date
    session: str | None
    started_at: datetime
    ended_at: datetime | None = None
    rules: str = ""  # rules hash
    counts: Mapping[str, int] = field(default_factory=dict)
    outcome: Literal["running", "done", "stopped", "failed"] = "running"
    problem: str = ""  # why it failed
    undone_by: str | None = None  # the undo that is in force; what rests on an undone run does not count


@value
class RunReversal:
    """That a run is undone, or (`by` None) counts again. Said of a run beside it, because what a run did never changes."""

    run: str
    by: str | None


@value
class Removed:
    """That a record is kept no longer. The journal keeps it, so that an undo brings it back; `Group.forgets` leaves nothing."""

    record: type[Any]  # a journalled type that is kept by its descriptor
    key: str


Record = (
    Episode
    | EpisodeState
    | ScannedBatch
    | Fact
    | Evidence
    | WeakClaim
    | Question
    | Salience
    | Run
    | RunReversal
    | Removed
    | BankRecord
    | MemoryQuestion
    | ToldRecord
    | Trace
    | LessonRecord
)
