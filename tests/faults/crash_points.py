"""Every durable call of a memory's life, struck one at a time: `python -m tests.faults.crash_points --points 600 --seed 1`.

A story is told: a memory is made, people talk, it reads, asks, a person ticks a box, and it goes on. At one chosen durable call the process
is killed, killed with half of the write done, or given EIO or ENOSPC, once or from then on. Then the memory is opened again, with nothing
in the way, and looked at; the rest of the story is told, and it must end as it ends without a fault (TRUST, tests 1 and 8).

What was acknowledged goes through a pipe, so that the witness is out of the faults' reach.
"""

from __future__ import annotations

import ctypes
import errno
import os
import random
import re
import shutil
import sys
import tempfile
import time
import traceback
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import replace
from datetime import timedelta
from pathlib import Path
from typing import Any, NamedTuple

from ethos.app import Ethos
from ethos.core.errors import Refused
from ethos.core.ports import FactFilter
from ethos.core.records import Episode
from ethos.core.settings import Settings
from ethos.edge import wiring
from ethos.edge.rulebook import Rulebook
from ethos.store.sqlite import library
from tests import proven
from tests.faults import building
from tests.telling import NOON, said

PATIENCE = 60.0  # seconds for one story
KILLED, HALF, ONCE, FOR_EVER = 1, 2, 3, 4  # as in shim.c
KINDS = {
    "killed": (KILLED, 0),
    "half written, then killed": (HALF, 0),
    "EIO once": (ONCE, errno.EIO),
    "EIO for ever": (FOR_EVER, errno.EIO),
    "ENOSPC once": (ONCE, errno.ENOSPC),
    "ENOSPC for ever": (FOR_EVER, errno.ENOSPC),
}
TWICE = "SELECT episode, rule, start, end FROM evidence GROUP BY fact, episode, rule, start, end HAVING count(*) > 1"


class Shim:
    """The faults of this process."""

    def __init__(self) -> None:
        self._library = ctypes.CDLL(None)
        self._library.fault_calls.restype = ctypes.c_long
        self._library.fault_arm.argtypes = [ctypes.c_char_p, ctypes.c_long, ctypes.c_int, ctypes.c_int]

    def arm(self, folder: Path, at: int, action: int, code: int) -> None:
        """From now on count what is done below the folder, and strike the call with this number."""
        self._library.fault_arm(os.fsencode(folder), at, action, code)

    def record(self, descriptor: int) -> None:
        """Log every durable call to this file; -1: no more."""
        self._library.fault_log(descriptor)

    @property
    def calls(self) -> int:
        """How many durable calls there were."""
        return int(self._library.fault_calls())

    @contextmanager
    def asleep(self) -> Iterator[None]:
        """What is done in the block is somebody else's doing."""
        self._library.fault_pause(1)
        try:
            yield
        finally:
            self._library.fault_pause(0)


# -- the story


class Talk(NamedTuple):
    """What is said before the first cycle, before the second, and after the answer."""

    before: tuple[Episode, ...]
    against: tuple[Episode, ...]
    after: tuple[Episode, ...]


def talk(seed: int) -> Talk:
    """A conversation in which somebody comes to prefer another language; its size depends on the seed.

    What else is decided is about a thing of its own each: of several decisions about one, which is read first may show in the end.
    """
    chance = random.Random(seed)
    tools = ["Postgres", "Redis", "Kafka", "SQLite", "Caddy", "Zig", "Vim"]
    purposes = ["caching", "the billing service", "search", "logging", "the website", "metrics", "the queue", "backups", "the docs", "mail"]
    chance.shuffle(purposes)

    def small(number: int) -> list[str]:
        return [f"We decided to use {chance.choice(tools)} for {purposes.pop()}." for _ in range(number)]

    days = iter(range(100))
    before, against, after = (
        tuple(said(words, at=NOON + timedelta(days=next(days)), importance=0.6) for words in lines)
        for lines in (
            ["Michael prefers Rust.", *small(chance.randint(1, 3))],
            ["Michael prefers Python.", *small(chance.randint(0, 2))],
            [*small(chance.randint(1, 3)), "Nothing of note."],
        )
    )
    return Talk(before, against, after)


Told = Callable[[str], None]


class Story:
    """One life of a memory in `folder`. told: hears what was acknowledged, a line each."""

    def __init__(self, folder: Path, rulebook: Rulebook, told: Told) -> None:
        blank = Settings()
        self.settings = replace(
            blank,
            ethos=replace(blank.ethos, database=str(folder / "ethos.db"), state=str(folder / "state")),
            conflict_resolution=replace(blank.conflict_resolution, review_inbox=str(folder / "inbox" / "memory-review.md")),
            inbox=replace(blank.inbox, settle_seconds=0.0),
            consolidation=replace(blank.consolidation, batch_size=3),
        )
        self.folder = folder
        self.rulebook = rulebook
        self._told = told

    def tell(self, spoken: Talk, shim: Shim | None) -> None:
        """All of it, as far as the disk allows; each step that is refused is left out."""
        with self._trying(), self.opened() as ethos:
            self._try(self._capture, ethos, spoken.before)
            self._try(ethos.consolidate)
            self._try(self._capture, ethos, spoken.against)
            self._try(ethos.consolidate)
            if shim is not None:
                with shim.asleep():
                    self.tick()
            else:
                self.tick()
            self._try(ethos.consolidate)
            self._try(ethos.recall, "Michael prefers", session="s1")
            self._try(self._capture, ethos, spoken.after)
            self._try(ethos.consolidate)

    @contextmanager
    def opened(self) -> Iterator[Ethos]:
        """The memory, and its end."""
        ethos = wiring.build(self.settings, self.rulebook)
        try:
            yield ethos
        finally:
            ethos.close()

    def tick(self) -> None:
        """What a person does: choose Python in every question, whichever claim came in first, and save as editors do, by renaming."""
        file = Path(self.settings.conflict_resolution.review_inbox)
        if not file.exists():
            return
        text = file.read_text("utf-8")
        ticked = re.sub(
            r"^(\*\*(Existing|New):\*\* .*Python.*(?:\n.*)+?\n)- \[ \] keep-old \^(\S+)\n- \[ \] keep-new",
            _choose,
            text,
            flags=re.MULTILINE,
        )
        if ticked == text:
            return
        fresh = file.with_name("saving")
        with fresh.open("w", encoding="utf-8") as saving:
            saving.write(ticked)
            saving.flush()
            os.fsync(saving.fileno())
        fresh.replace(file)
        for action, question in re.findall(r"- \[x\] (keep-\w+) \^(\S+)", ticked):
            self._told(f"tick {question} {action}")

    def _capture(self, ethos: Ethos, episodes: Sequence[Episode]) -> None:
        ethos.capture(episodes, live=True)
        for episode in episodes:
            self._told(f"episode {episode.id}")

    def _try(self, step: Callable[..., object], *given: object, **named: object) -> None:
        with self._trying():
            step(*given, **named)

    @contextmanager
    def _trying(self) -> Iterator[None]:
        """A refusal is an answer; so is what the system said, for the front door says it. Everything else is a bug."""
        with suppress(Refused, OSError):
            yield


def _choose(entry: re.Match[str]) -> str:
    old, new = ("x", " ") if entry[2] == "Existing" else (" ", "x")
    return f"{entry[1]}- [{old}] keep-old ^{entry[3]}\n- [{new}] keep-new"


# -- what must be true afterwards


def wrong_at_once(story: Story, acknowledged: Sequence[str]) -> list[str]:
    """What is wrong with what a fault left behind."""
    file = Path(story.settings.conflict_resolution.review_inbox)
    torn = _torn(file.read_text("utf-8")) if file.exists() else ""
    wrong = [f"the review file is torn: {torn}"] if torn else []
    with story.opened() as ethos:
        wrong += ethos.store.check()
        asked = [line.split(" ", 1)[1] for line in acknowledged if line.startswith("episode")]
        with ethos.store.begin() as work:
            held = work.episodes(asked)
        wrong += [f"episode {id_} was acknowledged, and is lost" for id_ in asked if id_ not in held]
    connection = library().module.connect(story.settings.ethos.database)
    try:
        wrong += [f"evidence is counted twice: {row}" for row in connection.execute(TWICE)]
    finally:
        connection.close()
    return wrong


def _torn(text: str) -> str:
    """What is half in a review file."""
    begun = re.findall(r"^### \[.*· (\S+)$", text, re.MULTILINE)
    ended = re.findall(r"^<!-- /ethos (\S+) -->$", text, re.MULTILINE)
    return "" if begun == ended and text.endswith("\n") and text.startswith("#") else f"{begun} begun, {ended} ended"


def state(story: Story) -> dict[str, Any]:
    """What is held and what is open, without what depends on when, or on which of two that were said together was read first."""
    with story.opened() as ethos:
        facts = ethos.facts(FactFilter(user="default", history=True))
        entries = ethos.inbox(resolved=True)
    held = {
        fact.id: (fact.statement, round(fact.confidence, 6), fact.superseded_by is None, fact.flagged)
        for fact in facts
        if fact.closed_at is None
    }
    return {"facts": held, "open": [entry.question.id for entry in entries if entry.question.resolved_at is None]}


def finish(story: Story, spoken: Talk, acknowledged: Sequence[str]) -> list[str]:
    """Tell the rest; what was ticked must count without being ticked again."""
    ticked = [line.split(" ")[1:] for line in acknowledged if line.startswith("tick")]
    with story.opened() as ethos:
        for episodes in spoken[:2]:
            ethos.capture(episodes)
            ethos.consolidate()
        answers = {entry.question.id: entry.question.action for entry in ethos.inbox(resolved=True)}
    lost = [f"the tick at {id_} is lost: {answers.get(id_)}" for id_, action in ticked if answers.get(id_) != action]
    story.tick()
    with story.opened() as ethos:
        ethos.consolidate()
        ethos.capture(spoken.after)
        ethos.consolidate()
    return lost


# -- one point


class Point(NamedTuple):
    """Where and how a story is struck."""

    seed: int
    call: int
    kind: str


class Ended(NamedTuple):
    """How a struck process ended: what it had acknowledged, its bug if it had one, and how many durable calls there were."""

    acknowledged: list[str]
    bug: str
    calls: int


def strike(folder: Path, point: Point, rulebook: Rulebook) -> Ended:
    """Tell the story in a process of its own, struck at this point."""
    reading, writing = os.pipe()
    child = os.fork()
    if child == 0:
        os.close(reading)
        os._exit(_told_in_child(folder, point, rulebook, writing))
    os.close(writing)
    with os.fdopen(reading, "rb") as pipe:
        lines = pipe.read().decode("utf-8", "replace").splitlines()
    os.waitpid(child, 0)
    bug = "\n".join(line[4:] for line in lines if line.startswith("bug "))
    calls = next((int(line[6:]) for line in lines if line.startswith("calls ")), 0)
    return Ended([line for line in lines if line.startswith(("episode ", "tick "))], bug, calls)


def _told_in_child(folder: Path, point: Point, rulebook: Rulebook, pipe: int) -> int:
    def told(line: str) -> None:
        os.write(pipe, f"{line}\n".encode())

    ctypes.CDLL(None).alarm(int(PATIENCE))  # a story that never ends, ends
    os.umask(0o077)
    shim = Shim()
    shim.arm(folder, point.call, *KINDS[point.kind])
    try:
        Story(folder, rulebook, told).tell(talk(point.seed), shim)
    except BaseException:  # noqa: BLE001 (a bug is to be told to the parent, whatever it is)
        for line in traceback.format_exc().splitlines():
            told(f"bug {line}")
    told(f"calls {shim.calls}")
    return 0


def look(folder: Path, point: Point, rulebook: Rulebook, expected: dict[str, Any]) -> list[str]:
    """What is wrong after this point was struck."""
    ended = strike(folder, point, rulebook)
    wrong = [f"a bug: {ended.bug}"] if ended.bug else []
    story = Story(folder, rulebook, lambda _: None)
    try:
        wrong += wrong_at_once(story, ended.acknowledged)
        wrong += finish(story, talk(point.seed), ended.acknowledged)
        found = state(story)
        if found != expected:
            wrong.append(f"it ends otherwise: {found} instead of {expected}")
    except (Refused, OSError) as error:
        wrong.append(f"it does not go on: {error}")
    return wrong


def unharmed(folder: Path, seed: int, rulebook: Rulebook) -> tuple[int, dict[str, Any]]:
    """How many durable calls a story makes where nothing is in the way, and how it ends."""
    ended = strike(folder, Point(seed, 0, "killed"), rulebook)
    story = Story(folder, rulebook, lambda _: None)
    wrong = [*([ended.bug] if ended.bug else []), *wrong_at_once(story, ended.acknowledged)]
    if wrong or ended.calls < 50 or not any(line.startswith("tick") for line in ended.acknowledged):
        raise AssertionError(f"the story itself is not sound: {wrong} {ended}")
    return ended.calls, state(story)


def run(points: int, seed: int, tell: Callable[[str], object]) -> list[str]:
    """Strike so many points, spread over stories, calls and kinds; what was wrong."""
    chance = random.Random(seed)
    memory = Path("/dev/shm") if Path("/dev/shm").is_dir() else None  # the shim stands for the disk
    wrong: list[str] = []
    with tempfile.TemporaryDirectory(dir=memory, prefix="ethos-faults-") as top:
        proven.seed(Path(top))
        rulebook = wiring.rules(replace(Settings(), ethos=replace(Settings().ethos, state=top)))
        warm = Path(top, "warm")
        warm.mkdir(mode=0o700)
        Story(warm, rulebook, lambda _: None).tell(talk(seed), None)  # so that each process finds the rules compiled
        begun, struck, story = time.monotonic(), 0, seed * 1000
        while struck < points:
            story += 1
            folder = Path(top, "plain")
            folder.mkdir(mode=0o700)
            calls, expected = unharmed(folder, story, rulebook)
            shutil.rmtree(folder)
            every = [Point(story, call, kind) for call in range(1, calls + 1) for kind in KINDS]
            chance.shuffle(every)
            for point in every[: min(points - struck, max(1, points // 4))]:
                folder = Path(top, "struck")
                folder.mkdir(mode=0o700)
                wrong += [f"{point}: {what}" for what in look(folder, point, rulebook, expected)]
                shutil.rmtree(folder)
                struck += 1
                if struck % 250 == 0:
                    tell(f"{struck} points, {len(wrong)} wrong, {time.monotonic() - begun:.0f} s\n")
    return wrong


if __name__ == "__main__":
    kept = "nothing acknowledged is lost, nothing is doubled, no review file is torn"
    sys.exit(building.program("tests.faults.crash_points", __doc__, "points", 10_000, run, kept))
