"""Actions: every verb of the door as it is asked for over the socket and by the command line, and what its answer holds.

To add an action: a frozen dataclass that declares its arguments (its docstring and annotations are its help), a short function that
calls the door, a line in `ACTIONS`.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from datetime import datetime
from pathlib import Path
from typing import Annotated, Any, BinaryIO, NamedTuple, Protocol, TypeVar

from ethos.app import Cycle, Ethos, Reader
from ethos.core.errors import Problem, refuse
from ethos.core.ports import Entry, FactFilter
from ethos.core.records import Action, Episode, Heard, Kind
from ethos.core.review.kinds import kind_of
from ethos.edge import upkeep
from ethos.edge.arguments import meanings, usage
from ethos.edge.masking import Masker
from ethos.edge.rulebook import Rulebook
from ethos.edge.shapes import Json, claim_data, diff_data, differences_data, plain, problem_data, standings_data
from ethos.edge.transcripts.detecting import named
from ethos.edge.transcripts.episodes import to_episode
from ethos.edge.transcripts.reading import STDIN, read
from ethos.edge.transcripts.turn import Item, Noted, Place, Skipped, Turn

Result = TypeVar("Result")

MOST_PROBLEMS = 100  # told one by one in a capture's answer; all are counted


class Passes(Protocol):
    """How what changes the memory gets its turn."""

    def consolidate(self, *, session: str | None, reason: str, dry_run: bool) -> Cycle:
        """One cycle, to the end of what is there."""
        ...

    def alone(self, work: Callable[[], Result]) -> Result:
        """Something that must not happen beside a pass."""
        ...


class Directly:
    """Passes in a process that has no other."""

    def __init__(self, ethos: Ethos) -> None:
        self._ethos = ethos

    def consolidate(self, *, session: str | None, reason: str, dry_run: bool) -> Cycle:
        """One cycle, now."""
        return self._ethos.consolidate(session=session, reason=reason, dry_run=dry_run)

    def alone(self, work: Callable[[], Result]) -> Result:
        """Now."""
        return work()


def _nobody() -> Json | None:
    return None


def _unseen(_item: object) -> None:
    return


@dataclass(frozen=True, slots=True)
class Service:
    """What actions work with.

    by: who answers a question ("cli", "socket"); daemon: what the daemon tells of itself; watch: sees each item that a capture reads.
    stdin: what "-" among a capture's paths stands for.
    """

    ethos: Ethos
    rulebook: Rulebook
    passes: Passes
    by: str = "cli"
    daemon: Callable[[], Json | None] = _nobody
    stdin: BinaryIO | None = None
    watch: Callable[[object], None] = _unseen


# -- what can be asked: one dataclass an action, its docstring and annotations are its help


@dataclass(frozen=True, slots=True)
class Capture:
    """Read transcripts and put what was said."""

    paths: Annotated[tuple[str, ...], "files and folders, absolute"]
    format: Annotated[str | None, "of all of them; told by looking when it is left out"] = None
    live: Annotated[bool, "a session event, which keeps the memory from being idle"] = False


@dataclass(frozen=True, slots=True)
class Consolidate:
    """One cycle now, idle or not."""

    session: Annotated[str | None, "only this one's episodes"] = None
    reason: Annotated[str, "for the record of runs"] = ""
    dry_run: Annotated[bool, "say what would be done, and do nothing"] = False


@dataclass(frozen=True, slots=True)
class Extract:
    """What the rules read in these episodes. No store is touched."""

    episodes: Annotated[tuple[Json, ...], "episode lines: role, text, and what else there is"]


@dataclass(frozen=True, slots=True)
class Recall:
    """Episodes and facts with these words, best first."""

    query: Annotated[str, "words"]
    limit: Annotated[int | None, "how many at most"] = None
    project: Annotated[str | None, "only this one's"] = None
    as_of: Annotated[datetime | None, "as it was held then"] = None
    session: Annotated[str | None, "where it is asked; a retrieval counts once a session"] = None
    faded: Annotated[bool, "faded ones too"] = False
    count: Annotated[bool, "false: this is no retrieval (E-09)"] = True


@dataclass(frozen=True, slots=True)
class Facts:
    """What is held."""

    subject: str | None = None
    kind: Kind | None = None
    project: str | None = None
    as_of: Annotated[datetime | None, "as it was held then"] = None
    history: Annotated[bool, "former, superseded and retired ones too"] = False


@dataclass(frozen=True, slots=True)
class Why:
    """What led to a fact, or came of an episode or a question."""

    of: Annotated[str, "an id"]


@dataclass(frozen=True, slots=True)
class Diff:
    """What a run changed."""

    run: Annotated[str | None, "its id, or the beginning of it; without one the last that changed something"] = None


@dataclass(frozen=True, slots=True)
class Undo:
    """Take back what a run did, whatever came after it. What would collide becomes a question."""

    run: Annotated[str, "its id, or the beginning of it"]


@dataclass(frozen=True, slots=True)
class Inbox:
    """The questions that wait for a person."""

    resolved: Annotated[bool, "answered ones too"] = False


@dataclass(frozen=True, slots=True)
class Answer:
    """What a person decided about a question."""

    question: Annotated[str, "its id"]
    choice: Action
    note: Annotated[str, "free text, kept"] = ""


@dataclass(frozen=True, slots=True)
class Status:
    """The memory in numbers, and how the daemon is."""


@dataclass(frozen=True, slots=True)
class Settle:
    """Read the inbox file now and apply what was ticked."""


@dataclass(frozen=True, slots=True)
class Rules:
    """The rule packs in force, and what is wrong with the others."""


@dataclass(frozen=True, slots=True)
class Standings:
    """What was answered about the claims of each rule, and what that makes of their confidence."""


@dataclass(frozen=True, slots=True)
class Rejected:
    """The claim that was turned down in a question, and the words it was read in."""

    question: Annotated[str, "its id"]


@dataclass(frozen=True, slots=True)
class Promote:
    """A person says that the rule misread what was turned down: its standing falls."""

    question: Annotated[str, "its id"]


@dataclass(frozen=True, slots=True)
class Help:
    """What can be asked."""


# -- what is done


def _capture(service: Service, asked: Capture) -> Json:
    ethos = service.ethos
    for path in asked.paths:
        if not Path(path).expanduser().is_absolute() and not (path == STDIN and service.stdin is not None):
            raise refuse("usage", f"not an absolute path: {path[:200]}", hint="the daemon does not know where you are: name it from / on")
    now = ethos.clock.now()
    items = read(asked.paths, now=now, settings=ethos.settings.capture, format_name=asked.format, stdin=service.stdin)
    data = take_in(service, items, now=now, live=asked.live)
    if asked.format and not (data["added"] or data["known"] or data["changed"] or data["problems"]):
        problem = Problem("bad-input", f"nothing in it reads as {asked.format}", "leave the format out, and it is told by looking")
        data |= {"problems": [problem_data(problem)], "problems_total": 1}
    return data


def take_in(service: Service, items: Iterable[Item], *, now: datetime, live: bool) -> Json:
    """Put the turns among what was read, masked; the data of a capture's answer."""
    ethos, found = service.ethos, _Found()
    user, importance = ethos.settings.ethos.user, ethos.importance_of
    mask = Masker(Path(ethos.settings.ethos.state)) if ethos.settings.capture.mask_secrets else None

    def episodes() -> Iterator[Episode]:
        for item in items:
            service.watch(item)
            if isinstance(item, Turn):
                found.files.add(item.source)
                yield to_episode(item, user=user, now=now, importance=importance, mask=mask)
            else:
                found.note(item)

    captured = ethos.capture(episodes(), live=live)
    return {
        "added": captured.added,
        "known": captured.known,
        "changed": list(captured.changed),
        "files": len(found.files),
        "skipped": dict(found.skipped),
        "notes": dict(found.notes) | ({"forgotten before, and left out": captured.forgotten} if captured.forgotten else {}),
        "masked": dict(mask.found) if mask else {},
        "problems": found.problems,
        "problems_total": found.problems_total,
    }


class _Found:
    """What a capture comes upon beside turns."""

    def __init__(self) -> None:
        self.files: set[str] = set()
        self.skipped: Counter[str] = Counter()
        self.notes: Counter[str] = Counter()
        self.problems: list[Json] = []
        self.problems_total = 0

    def note(self, item: Skipped | Noted | Problem) -> None:
        """Count it; the first problems are kept as they are."""
        if isinstance(item, Skipped):
            self.skipped[item.reason] += 1
        elif isinstance(item, Noted):
            self.notes[item.what] += 1
        else:
            self.problems_total += 1
            if len(self.problems) < MOST_PROBLEMS:
                self.problems.append(problem_data(item))


def _consolidate(service: Service, asked: Consolidate) -> Json:
    cycle = service.passes.consolidate(session=asked.session, reason=asked.reason, dry_run=asked.dry_run)
    data = {"triggered": True, **cycle.counts, "run": cycle.run}
    return {**data, "dry_run": True, "differences": differences_data(cycle.diff)} if cycle.dry_run else data


def _extract(service: Service, asked: Extract) -> Json:
    return {"episodes": [extracted(service.ethos, record, number) for number, record in enumerate(asked.episodes, 1)]}


def extracted(reader: Reader, record: Json, number: int) -> Json:
    """What one episode line gives (DESIGN, The door: `ethos extract`). number: its place, counted from 1, where it has no id."""
    now = reader.clock.now()
    lines = named("jsonl").lines
    assert lines is not None  # noqa: S101 (it reads lines)
    parser = lines(Place("episodes", "episodes", now, "received"), {})
    for item in parser.feed(number, record):
        if isinstance(item, Turn):
            episode = to_episode(item, user=reader.settings.ethos.user, now=now, importance=reader.importance_of, mask=None)
            return {"id": episode.id, "facts": [claim_data(claim) for claim in reader.extract(_heard(episode))]}
        if not isinstance(item, Noted):
            problem = item if isinstance(item, Problem) else Problem("bad-input", item.reason, where=item.where)
            return {"id": record.get("id"), "facts": [], "problem": problem_data(problem)}
    raise AssertionError("an episode line gives one item at least")


def _heard(episode: Episode) -> Heard:
    """The episode as the stages read it, never asked for and never tried."""
    wanted = {name: getattr(episode, name) for name in Heard._fields if name not in {"retrievals", "attempts"}}
    return Heard(**wanted, retrievals=0, attempts=0)


def _recall(service: Service, asked: Recall) -> Json:
    hits = service.ethos.recall(
        asked.query,
        limit=asked.limit,
        project=asked.project,
        as_of=asked.as_of,
        faded=asked.faded,
        session=(asked.session or "") if asked.count else None,
    )
    return {"hits": [plain(hit._asdict()) for hit in hits]}


def _facts(service: Service, asked: Facts) -> Json:
    user = service.ethos.settings.ethos.user
    wanted = FactFilter(user, asked.project, asked.subject, asked.kind, asked.as_of, asked.history)
    found = service.ethos.facts(wanted)
    if (then := asked.as_of) is not None:  # when nobody knew of what came later
        found = tuple(replace(fact, closed_at=None) if fact.closed_at and fact.closed_at > then else fact for fact in found)
    return {"facts": [plain(fact) for fact in found]}


def _why(service: Service, asked: Why) -> Json:
    why = service.ethos.why(asked.of)
    spoken = {piece.rule for piece in why.evidence}
    told = {rule: standing for rule, standing in service.ethos.standings().items() if rule in spoken}
    return {**plain(why), "standings": standings_data(told)}


def _diff(service: Service, asked: Diff) -> Json:
    return diff_data(service.ethos.diff(asked.run))


def _undo(service: Service, asked: Undo) -> Json:
    return diff_data(service.passes.alone(lambda: service.ethos.undo(asked.run)))


def _inbox(service: Service, asked: Inbox) -> Json:
    return {"questions": [_question(entry) for entry in service.ethos.inbox(resolved=asked.resolved)]}


def _question(entry: Entry) -> Json:
    shown = plain(entry)
    question = shown.pop("question")
    kind = kind_of(entry.question.id)
    actions = list(kind.actions) if kind else []
    return {**question, "status": "open" if entry.question.resolved_at is None else "resolved", "actions": actions, **shown}


def _answer(service: Service, asked: Answer) -> Json:
    return dict(plain(service.passes.alone(lambda: service.ethos.answer(asked.question, asked.choice, by=service.by, note=asked.note))))


def _status(service: Service, asked: Status) -> Json:  # noqa: ARG001 (the form of every action)
    book = service.rulebook
    problems = [f"{problem.path}: {problem.what}" for problem in book.problems]
    return {**plain(service.ethos.status()), "rule_packs": len(book.packs), "rule_problems": problems, "daemon": service.daemon()}


def _settle(service: Service, asked: Settle) -> Json:  # noqa: ARG001 (the form of every action)
    return {"applied": service.passes.alone(service.ethos.settle)}


def _rules(service: Service, asked: Rules) -> Json:  # noqa: ARG001 (the form of every action)
    book = service.rulebook
    return {"hash": book.rules.hash, "packs": plain(book.packs), "problems": plain(book.problems)}


def _standings(service: Service, asked: Standings) -> Json:  # noqa: ARG001 (the form of every action)
    return {"rules": standings_data(service.ethos.standings())}


def _rejected(service: Service, asked: Rejected) -> Json:
    return dict(plain(service.ethos.rejected(asked.question)))


def _promote(service: Service, asked: Promote) -> Json:
    before = service.passes.alone(lambda: service.ethos.promote(asked.question))
    now = standings_data(service.ethos.standings()).get(before.fact.rule)
    return {"question": before.question, "rule": before.fact.rule, "applied": not before.promoted, "standing": now}


def _help(service: Service, asked: Help) -> Json:  # noqa: ARG001 (the form of every action)
    return {"actions": [_told(name, entrance.takes) for name, entrance in ACTIONS.items()]}


def _told(name: str, takes: type[Any]) -> Json:
    return {"action": name, "does": takes.__doc__, "usage": usage(name, takes), "meanings": meanings(takes)}


class Entrance(NamedTuple):
    """An action: what it takes, and what it does."""

    takes: type[Any]
    does: Callable[[Service, Any], Json]


ACTIONS: Mapping[str, Entrance] = {
    "capture": Entrance(Capture, _capture),
    "consolidate": Entrance(Consolidate, _consolidate),
    "extract": Entrance(Extract, _extract),
    "recall": Entrance(Recall, _recall),
    "facts": Entrance(Facts, _facts),
    "why": Entrance(Why, _why),
    "diff": Entrance(Diff, _diff),
    "undo": Entrance(Undo, _undo),
    "inbox": Entrance(Inbox, _inbox),
    "answer": Entrance(Answer, _answer),
    "forget": Entrance(upkeep.Forget, upkeep.forget),
    "backup": Entrance(upkeep.Backup, upkeep.backup),
    "export": Entrance(upkeep.Export, upkeep.export),
    "import": Entrance(upkeep.Import, upkeep.bring_in),
    "status": Entrance(Status, _status),
    "settle": Entrance(Settle, _settle),
    "rules": Entrance(Rules, _rules),
    "standings": Entrance(Standings, _standings),
    "rejected": Entrance(Rejected, _rejected),
    "promote": Entrance(Promote, _promote),
    "help": Entrance(Help, _help),
}
