"""What a store may be asked for, and what it answers: filters, searches, hits and numbers."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from types import MappingProxyType
from typing import NamedTuple

from ethos.core.model.candidates import Noted, Resting
from ethos.core.model.keys import FactKey
from ethos.core.model.records import Episode, Fact, Kind, Origin, Record


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


class Sharing(NamedTuple):
    """What facts and weak claims share with something: a word, or the whole of a text, or a key of facts with a single value."""

    words: frozenset[str] = frozenset()  # one of which stands in the object, or in what it replaces or is put above
    texts: frozenset[str] = frozenset()  # in one of which the object stands
    keys: frozenset[FactKey] = frozenset()


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
    each_of: tuple[tuple[str, ...], ...] = ()  # a text must have a word of each of these; otherwise one of `words` is enough
    enough: int | None = None  # so many hits do, where more would need a deeper search; None: as many as the limit


@dataclass(frozen=True, slots=True)
class Outdated:
    """What a turn says and is held no more. by: the fact that replaced it, and now: what that says; both "" where it was retired."""

    fact: str
    statement: str
    by: str = ""
    now: str = ""


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
    slot: str = ""  # of a fact: what it is about besides its subject ("billing service"); of others ""
    outdated: tuple[Outdated, ...] = ()  # of an episode: which of its facts are held no more
    parts: Mapping[str, float] = MappingProxyType({})  # what each part of the ranking gave to the score


class FoundSession(NamedTuple):
    """A session that speaks of what was asked, with its best hits. score: higher is better, comparable within one search only."""

    session: str
    project: str
    score: float
    said_at: datetime  # of the best hit
    hits: tuple[Hit, ...]


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
    flagged: int  # active and in question: a side of an open contradiction
    questions: int  # open
    faded: int
    evidence: int
