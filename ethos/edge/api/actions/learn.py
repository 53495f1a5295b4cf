"""Actions that bring in and learn: capture, consolidate, sleep, procedural, extract."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from datetime import datetime
from io import BytesIO
from pathlib import Path
from typing import Annotated

from ethos.app import Arrival, Extractor
from ethos.core.facts.holding import is_weak
from ethos.core.model.errors import Problem, refuse
from ethos.core.model.records import Episode, Utterance
from ethos.edge.api.actions.entrance import Entrance
from ethos.edge.api.actions.service import Service
from ethos.edge.api.arguments import day_of
from ethos.edge.api.results import Captured, Cycle, Night
from ethos.edge.capture.masking import Masker
from ethos.edge.capture.transcripts.detecting import named
from ethos.edge.capture.transcripts.episodes import held_to, to_episode
from ethos.edge.capture.transcripts.identity import former_id
from ethos.edge.capture.transcripts.moments import moment
from ethos.edge.capture.transcripts.reading import STDIN, Received, read
from ethos.edge.capture.transcripts.turn import Item, Noted, Place, Skipped, Turn
from ethos.edge.files import spool
from ethos.edge.jsonio.shapes import Json, claim_data, plain, problem_data

_MOST_PROBLEMS = 100  # told one by one in a capture's answer; all are counted


@dataclass(frozen=True, slots=True)
class Capture:
    """Read transcripts and store their turns."""

    paths: Annotated[tuple[str, ...], "files and folders, absolute"]
    format: Annotated[str | None, "the format of all of them (default: detected)"] = None
    live: Annotated[bool, "a session event, which postpones the idle time"] = False
    input: Annotated[str | None, "standard input, or a part of it that ends with a whole line; its path is -"] = None
    since: Annotated[Json | None, "the same field of the answer to the previous part"] = None


@dataclass(frozen=True, slots=True)
class Consolidate:
    """Run one consolidation now, idle or not."""

    session: Annotated[str | None, "only episodes of this session"] = None
    reason: Annotated[str, "a reason, stored with the run"] = ""
    dry_run: Annotated[bool, "show what would change; change nothing"] = False


@dataclass(frozen=True, slots=True)
class Sleep:
    """Run one night now, idle or not. A second run for the same date replaces the traces of the first."""

    date: Annotated[str | None, "the day to work through, as 2026-03-01 (default: the last complete day)"] = None
    seed: Annotated[int | None, "the seed of random choices (default: from the date)"] = None
    dry_run: Annotated[bool, "show what would change; change nothing"] = False


@dataclass(frozen=True, slots=True)
class Procedural:
    """Renew the user's stored profile from all facts and summaries. Refused if there is no summary yet."""


@dataclass(frozen=True, slots=True)
class Extract:
    """Extract claims from episode lines. No store is touched."""

    episodes: Annotated[tuple[Json, ...], "episode lines: role, text, and other fields"]
    all: Annotated[bool, "include weak claims, each with its grade"] = False


def capture(service: Service, asked: Capture) -> Captured:
    """Read transcripts and store their turns. Raises Refused."""
    ethos = service.ethos
    stdin = service.stdin if asked.input is None else BytesIO(asked.input.encode())
    for path in asked.paths:
        if not Path(path).expanduser().is_absolute() and not (path == STDIN and stdin is not None):
            raise refuse("usage", f"not an absolute path: {path[:200]}", hint="give the full path, which begins with /")
    now = ethos.clock.now()
    spool.clear(Path(ethos.settings.ethos.state))
    received = _received(asked.since, now)
    settings = ethos.settings.capture
    items = read(asked.paths, now=now, settings=settings, format_name=asked.format, stdin=stdin, received=received)
    captured = take_in(service, items, now=now, live=asked.live)
    if asked.input is not None:
        captured = replace(captured, since={"at": plain(received.at), "lines": received.lines, "memory": received.memory})
    if asked.format and not (captured.added or captured.known or captured.changed or captured.problems):
        problem = Problem("bad-input", f"nothing in it has the format {asked.format}", "leave the format out; it is then detected")
        captured = replace(captured, problems=(problem,), problems_total=1)
    return captured


def _received(since: Json | None, now: datetime) -> Received:
    """Return how far standard input was read. Raises Refused where `since` does not say so."""
    if since is None:
        return Received(now)
    at, lines, memory = moment(since.get("at")), since.get("lines"), since.get("memory")
    if at is None or not isinstance(lines, int) or not isinstance(memory, dict):
        raise refuse("usage", '"since" does not come from an answer', hint="send the one of the answer before, unchanged")
    return Received(at[0], lines, {str(name): str(value) for name, value in memory.items()})


def take_in(service: Service, items: Iterable[Item], *, now: datetime, live: bool) -> Captured:
    """Mask the turns among what was read, and store them."""
    ethos, found = service.ethos, _Found()
    user, importance = ethos.settings.ethos.user, ethos.importance_of
    mask = Masker(Path(ethos.settings.ethos.state)) if ethos.settings.capture.mask_secrets else None

    def episodes() -> Iterator[Arrival]:
        for item in items:
            if service.watch is not None:
                service.watch(item)
            if isinstance(item, Turn):
                found.files.add(item.source)
                turn = held_to(now, item)
                if turn is not item:
                    found.notes["said in the future: held to the time of capture"] += 1
                episode = to_episode(turn, user=user, now=now, importance=importance, mask=mask)
                yield Arrival(episode, former_id(item.former) if item.former else "", item.anywhere)
            else:
                found.note(item)

    captured = ethos.capture(episodes(), live=live)
    for refusal in captured.refused:
        hint = "check this record; the others were stored"
        found.note(Problem("bad-input", f"the store refused an episode: {refusal.error}", hint, refusal.source))
    if captured.moved:
        found.notes["dated after what a fast clock dated later than now"] += captured.moved
    if captured.forgotten:
        found.notes["forgotten before, and left out"] += captured.forgotten
    return Captured(
        added=captured.added,
        known=captured.known,
        changed=captured.changed,
        files=len(found.files),
        skipped=dict(found.skipped),
        notes=dict(found.notes),
        masked=dict(mask.found) if mask else {},
        problems=tuple(found.problems),
        problems_total=found.problems_total,
        refused=tuple(sorted({refusal.source for refusal in captured.refused})),
    )


class _Found:
    """What a capture comes upon beside turns."""

    def __init__(self) -> None:
        self.files: set[str] = set()
        self.skipped: Counter[str] = Counter()
        self.notes: Counter[str] = Counter()
        self.problems: list[Problem] = []
        self.problems_total = 0

    def note(self, item: Skipped | Noted | Problem) -> None:
        """Count it; the first problems are kept as they are."""
        if isinstance(item, Skipped):
            self.skipped[item.reason] += 1
        elif isinstance(item, Noted):
            self.notes[item.what] += 1
        else:
            self.problems_total += 1
            if len(self.problems) < _MOST_PROBLEMS:
                self.problems.append(item)


def consolidate(service: Service, asked: Consolidate) -> Cycle:
    """Run a cycle, and return E-28's counts; of a dry run what it would change, too."""
    done = service.runs.consolidate(session=asked.session, reason=asked.reason, dry_run=asked.dry_run)
    return Cycle(
        triggered=True,
        episodes_scanned=done.episodes_scanned,
        episodes_promoted=done.episodes_promoted,
        facts_created=done.facts_created,
        facts_updated=done.facts_updated,
        facts_superseded=done.facts_superseded,
        facts_flagged=done.facts_flagged,
        run=done.run,
        dry_run=done.dry_run,
        differences=done.diff if done.dry_run else None,
        answers_applied=0 if done.dry_run else done.answers_applied,
    )


def sleep(service: Service, asked: Sleep) -> Night:
    """Run a night, and return what it counted; of a dry run what it would change, too. Raises Refused."""
    done = service.runs.sleep(day_of(asked.date), seed=asked.seed, dry_run=asked.dry_run)
    night = done.report
    return Night(
        night.run,
        night.date,
        night.seed,
        night.changes,
        night.counts,
        done.stopped,
        done.path,
        done.problem,
        asked.dry_run,
        done.diff if asked.dry_run else None,
    )


def procedural(service: Service, asked: Procedural) -> Json:  # noqa: ARG001 (the form of every action)
    """Return the run, and the profile's id, facts and number of summaries. Raises Refused."""
    run, made = service.ethos.synthesize()
    return {"run": run.id, "id": made.id, "facts": list(made.facts), "summaries": made.summaries}


def extract(service: Service, asked: Extract) -> Json:
    """Return the claims of each episode line."""
    return {"episodes": [extracted(service.ethos, record, number, every=asked.all) for number, record in enumerate(asked.episodes, 1)]}


def extracted(reader: Extractor, record: Json, number: int, *, every: bool = False) -> Json:
    """Return the claims of one episode line. number: its place, counted from 1, for a line without an id.

    every: weak claims too, each with its grade.
    """
    now = reader.clock.now()
    lines = named("jsonl").lines
    assert lines is not None  # noqa: S101 (it reads lines)
    parser = lines(Place("episodes", "episodes", now, "received"), {})
    for item in parser.feed(number, record):
        if isinstance(item, Turn):
            episode = to_episode(item, user=reader.settings.ethos.user, now=now, importance=reader.importance_of, mask=None)
            least = reader.settings.consolidation.min_confidence
            graded = [(claim, "weak" if is_weak(claim, least) else "held") for claim in reader.extract(_utterance(episode))]
            if every:
                return {"id": episode.id, "facts": [{**claim_data(claim), "grade": grade} for claim, grade in graded]}
            return {"id": episode.id, "facts": [claim_data(claim) for claim, grade in graded if grade == "held"]}
        if not isinstance(item, Noted):
            problem = item if isinstance(item, Problem) else Problem("bad-input", item.reason, where=item.where)
            return {"id": record.get("id"), "facts": [], "problem": problem_data(problem)}
    raise AssertionError("an episode line gives one item at least")


def _utterance(episode: Episode) -> Utterance:
    """Return the episode as the stages read it: never asked for, never tried, and in no store."""
    wanted = {name: getattr(episode, name) for name in Utterance._fields if name not in {"retrievals", "attempts", "seq"}}
    return Utterance(**wanted, retrievals=0, attempts=0)


ACTIONS: Mapping[str, Entrance] = {
    "capture": Entrance(Capture, capture, list_name="changed", gives=Captured),
    "consolidate": Entrance(Consolidate, consolidate, same=lambda asked: (asked.session, asked.dry_run), gives=Cycle),
    "sleep": Entrance(Sleep, sleep, same=lambda asked: (asked.date, asked.seed, asked.dry_run), gives=Night),
    "extract": Entrance(Extract, extract, question=True, list_name="episodes"),
    "procedural": Entrance(Procedural, procedural),
}
