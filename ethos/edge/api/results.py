"""Results of actions, as values. An action returns one; `json_of` gives its JSON, and `from_json` makes it from JSON again.

A command prints the JSON. The Python API returns the value, whether a daemon answered or this process did.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import Field, dataclass, field, fields
from datetime import date, datetime
from typing import Any, TypeVar

from ethos.app.explain import Why
from ethos.app.receipt import Forgotten
from ethos.app.status import Elsewhere
from ethos.app.status import Status as StoreStatus
from ethos.core.history.diff import Difference
from ethos.core.model.errors import Problem
from ethos.core.model.questions import Proposal
from ethos.core.model.records import Action, Fact
from ethos.core.model.rule_trust import RuleTrust
from ethos.core.ports.queries import FoundSession, Hit
from ethos.core.ports.review_file import QuestionedMemory
from ethos.edge.jsonio.decoding import decoded
from ethos.edge.jsonio.shapes import Json, plain, problem_data, standings_data

Result = TypeVar("Result")


_OPTIONAL = {"optional": True}  # marks a field that JSON leaves out where it holds its default


@dataclass(frozen=True, slots=True)
class Captured:
    """The counts of a capture, and what could not be read.

    changed: ids of episodes that are stored already with another text. problems: the first ones; problems_total: how many there are.
    refused: the sources of episodes that the store did not take.
    """

    added: int
    known: int
    changed: tuple[str, ...]
    files: int
    skipped: Mapping[str, int]
    notes: Mapping[str, int]
    masked: Mapping[str, int]
    problems: tuple[Problem, ...]
    problems_total: int
    refused: tuple[str, ...]
    since: Json | None = field(default=None, metadata=_OPTIONAL)  # how far standard input was read, for the request with its next part
    left_out: int = field(default=0, metadata=_OPTIONAL)  # ids of `changed` that did not fit into the daemon's answer


@dataclass(frozen=True, slots=True)
class Cycle:
    """The counts of a consolidation. differences: of a dry run, what the run would change; else None."""

    triggered: bool
    episodes_scanned: int
    episodes_promoted: int
    facts_created: int
    facts_updated: int
    facts_superseded: int
    facts_flagged: int
    run: str
    dry_run: bool = field(default=False, metadata=_OPTIONAL)
    differences: tuple[Difference, ...] | None = field(default=None, metadata=_OPTIONAL)
    answers_applied: int = field(default=0, metadata=_OPTIONAL)  # ticks of the review file that the cycle applied


@dataclass(frozen=True, slots=True)
class Night:
    """What a night counted. stopped: it was interrupted and is still due. differences: of a dry run, what it would change; else None.

    report: where the report is for a person to read; problem: why there is none.
    """

    run: str
    date: date
    seed: int
    changes: int
    counts: Mapping[str, int]
    stopped: bool
    report: str
    problem: str
    dry_run: bool = field(default=False, metadata=_OPTIONAL)
    differences: tuple[Difference, ...] | None = field(default=None, metadata=_OPTIONAL)


@dataclass(frozen=True, slots=True)
class Recalled:
    """Hits, best first. elsewhere: set where this user has no facts and another one has; unknown_project: the one that was asked for, if
    nothing was ever said in it.
    """

    hits: tuple[Hit, ...]
    elsewhere: Elsewhere | None = field(default=None, metadata=_OPTIONAL)
    unknown_project: str = field(default="", metadata=_OPTIONAL)


@dataclass(frozen=True, slots=True)
class RecalledSessions:
    """Sessions, best first. elsewhere, unknown_project: as in `Recalled`."""

    sessions: tuple[FoundSession, ...]
    elsewhere: Elsewhere | None = field(default=None, metadata=_OPTIONAL)
    unknown_project: str = field(default="", metadata=_OPTIONAL)


@dataclass(frozen=True, slots=True)
class FactList:
    """Facts. elsewhere, unknown_project: as in `Recalled`."""

    facts: tuple[Fact, ...]
    elsewhere: Elsewhere | None = field(default=None, metadata=_OPTIONAL)
    unknown_project: str = field(default="", metadata=_OPTIONAL)


@dataclass(frozen=True, slots=True)
class Explanation(Why):
    """What led to a fact, or came of an episode or a question. standings: the answers about the rules of its evidence."""

    standings: Mapping[str, RuleTrust] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class InboxQuestion:
    """A question in the inbox, with both claims, or with the memory it is about. actions: the answers that it takes; quote: the words of
    the new claim's episode, or the steps of the memory.
    """

    id: str
    user: str
    project: str
    opened_at: datetime
    run: str
    resolved_at: datetime | None
    action: Action | None
    by: str | None
    note: str
    status: str  # "open", "resolved"
    actions: tuple[Action, ...]
    episode: str
    quote: str
    existing: Fact | None = None
    new: Fact | None = None
    existing_said_at: datetime | None = None
    new_said_at: datetime | None = None
    repeats: int = 0
    memory: QuestionedMemory | None = None
    proposal: Proposal | None = None  # what is to be done with the memory
    used: int = 0  # how often its facts were recalled
    folded: bool = False  # it stands below those of its day that are shown first
    likely: Action | None = None  # the likely answer,
    because: str = ""  # and why


@dataclass(frozen=True, slots=True)
class Inbox:
    """Questions, oldest first. elsewhere: as in `Recalled`."""

    questions: tuple[InboxQuestion, ...]
    elsewhere: Elsewhere | None = field(default=None, metadata=_OPTIONAL)


@dataclass(frozen=True, slots=True)
class Receipt(Forgotten):
    """What a forget erased, and what it found of it in files afterwards."""

    left_out: int = field(default=0, metadata=_OPTIONAL)  # texts of `shown` that did not fit into the daemon's answer


@dataclass(frozen=True, slots=True)
class Status(StoreStatus):
    """The memory in numbers, the rule packs, and the daemon; daemon: None where none runs."""

    rule_packs: int = 0
    rule_problems: tuple[str, ...] = ()
    daemon: Json | None = None


def extended(kind: type[Result], base: Any, **more: object) -> Result:
    """Return an instance of a result that extends the dataclass of `base`, with its values and these."""
    return kind(**{each.name: getattr(base, each.name) for each in fields(base)}, **more)


def total(parts: Iterable[Captured]) -> Captured:
    """Return several captures as one."""
    first, *others = parts
    for other in others:
        first = Captured(**{each.name: _sum(getattr(first, each.name), getattr(other, each.name)) for each in fields(Captured)})
    return first


def _sum(one: Any, other: Any) -> Any:
    """Add two values of a capture: counts by name, counts, or lists."""
    if isinstance(one, Mapping):
        return {name: one.get(name, 0) + other.get(name, 0) for name in (*one, *(name for name in other if name not in one))}
    return other if one is None else one if other is None else one + other


# -- JSON


def json_of(result: Any) -> Json:
    """Return a result as JSON. An action without a dataclass of its own gives its JSON itself."""
    if isinstance(result, dict):
        return result
    data = {each.name: _value(getattr(result, each.name)) for each in fields(result) if not _left_out(each, result)}
    return data | {"proven": result.proven} if isinstance(result, Forgotten) else data


def from_json(kind: type[Result], data: Json) -> Result:
    """Return the result that this JSON is of. Fields that it does not know are passed over: a newer daemon may send them."""
    return decoded(kind, data)


def _left_out(declared: Field[Any], result: Any) -> bool:
    return bool(declared.metadata.get("optional")) and getattr(result, declared.name) == declared.default


def _value(value: Any) -> Any:
    """Return a field's value as JSON. Hits and differences go by name, other tuples are lists."""
    if isinstance(value, Problem):
        return problem_data(value)
    if isinstance(value, InboxQuestion):
        return json_of(value)
    if isinstance(value, Hit | Difference):
        return plain(value._asdict())
    if isinstance(value, tuple):
        return [_value(item) for item in value]
    if isinstance(value, Mapping) and value and all(isinstance(each, RuleTrust) for each in value.values()):
        return standings_data(value)
    return plain(value)
