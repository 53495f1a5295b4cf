"""Months of a daemon's life in minutes: `python -m tests.faults.soak --cycles 30000 --seed 1`.

A real daemon with a real store, review file, log and socket, whose clock runs fast: about a quarter of an hour goes by in each cycle.
People talk, change their minds, contradict themselves, tick boxes and answer, ask, take runs back, and let things be forgotten. What the
daemon holds of the machine is read all along: memory, the write-ahead log, file descriptors, threads, its log. Forgetting, which goes
through all that is held, and that grows, is done in the first half alone. Before the first cycle it is told so many new words that its
caches of words are full: they fill once, and are no leak.

Memory is taken where it is least: right after the daemon has given back what is free, which it does now and then under constant work. In
between it holds what the last cycles left lying about, which is more after one that weighed a long matter anew, and says nothing of what
stays. The slope of the least in each tenth of the second half, by least squares, is what it grows by.
"""

from __future__ import annotations

import json
import random
import socket
import statistics
import sys
import threading
import time
from collections.abc import Sequence
from contextlib import suppress
from datetime import UTC, datetime, timedelta
from itertools import islice, product
from pathlib import Path
from typing import Any, NamedTuple

from ethos.core.model.errors import Refused
from ethos.edge.client.answers import data_of
from tests.faults import runner
from tests.faults.fuzz_socket import descriptors, figure, honest, store_is_off
from tests.support.daemons import TOP, UNMEASURED, Daemon

GROWTH = 1024  # KiB over all cycles, by the slope of the second half
SPARE = 3  # descriptors: a second connection of the store, and the watch of the review file, each once it is needed
THREADS = 64  # the unit's TasksMax
WAL = 64 * 1024 * 1024  # bytes
LOG_A_CYCLE = 600  # bytes, on average: it is told in a line, and so is what goes with it
SPEED = 40_000.0  # seconds of its clock in one of ours
BEGAN = datetime(2026, 1, 1, tzinfo=UTC)
LOOKS = 500  # how often the figures are read
PARTS = 10  # of the second half, in each of which the least memory is looked for
APART = 0.02  # seconds between two looks at memory alone
WORDS = 18_000  # twice what a cache of words holds: its table grows once more when the oldest go
WORDS_A_LINE = 40
KEPT_OPEN = 900  # requests on one connection; a daemon takes 1,000

CLOCK = """
import os, time
from datetime import UTC, datetime, timedelta
from ethos.edge.config.clock import SystemClock

def now(self):
    return datetime.fromisoformat({began!r}) + timedelta(seconds=(time.monotonic() - {at}) * {speed})

SystemClock.now = now
"""
CONFIG = """
[ethos]
log_level = "info"
[inbox]
settle_seconds = 0.0
[consolidation]
cpu_threshold_percent = 100
"""


class Look(NamedTuple):
    """What the daemon holds of the machine after so many cycles: KiB, bytes of the write-ahead log, numbers of both, bytes of its log.

    resident: the least since the last look.
    """

    cycle: int
    resident: int
    wal: int
    descriptors: int
    threads: int
    log: int


class Life:
    """A daemon, and the people around it."""

    def __init__(self, daemon: Daemon, chance: random.Random, at: float, forget_until: int) -> None:
        self._daemon = daemon
        self._chance = chance
        self._at = at
        self._told = 0
        self._forget_until = forget_until
        self._asked = KEPT_OPEN
        self._channel: socket.socket | None = None
        self._inbox = daemon.folder / "inbox" / "memory-review.md"
        self.done = {"episodes": 0, "facts": 0, "ticked": 0, "answered": 0, "undone": 0, "forgotten": 0}

    def ask(self, **request: Any) -> dict[str, Any]:
        """The data of an answer, over a connection that is kept. Raises Refused."""
        if self._asked >= KEPT_OPEN or self._channel is None:
            self.close()
            self._channel, self._asked = socket.socket(socket.AF_UNIX), 0
            self._channel.settimeout(60)
            self._channel.connect(self._daemon.path)
        self._asked += 1
        self._channel.sendall(json.dumps({**request, "id": self._asked}).encode() + b"\n")
        answer = b""
        while not answer.endswith(b"\n"):
            piece = self._channel.recv(65_536)
            if not piece:
                raise ConnectionError("the daemon hung up")
            answer += piece
        return data_of(json.loads(answer))

    def close(self) -> None:
        """Hang up."""
        if self._channel is not None:
            self._channel.close()

    def fill_caches(self) -> None:
        """Tell words that nobody has said before, and let them be read."""
        words = ["".join(letters) for letters in islice(product("bdfgklmnprstvz", "aeiou", "bdfgklmnprstvz", "aeiou", "cjqx"), WORDS)]
        told = [" ".join(words[at : at + WORDS_A_LINE]) for at in range(0, WORDS, WORDS_A_LINE)]
        turn = {"role": "user", "speaker": "Michael", "session": "words"}
        self._capture([{**turn, "id": f"w-{at}", "text": f"Nothing of note about {few}, week 1."} for at, few in enumerate(told)])
        self.ask(action="consolidate", reason="soak")

    def cycle(self, number: int) -> None:
        """What goes on between two cycles, and a cycle."""
        chance = self._chance
        if chance.random() < 0.8:
            self._talk(number)
        cycle = self.ask(action="consolidate", reason="soak")
        self.done["facts"] += cycle["facts_created"]
        if number % 7 == 0:
            hits = self.ask(action="recall", query=f"which tool for job{chance.randrange(400)}", session=f"s{number % 90}")["hits"]
            self.ask(action="facts", subject=f"Person{chance.randrange(40)}")
            for hit in hits[:1]:
                self.ask(action="why", of=hit["id"])
        if number % 10 == 0:
            self._decide(by_hand=chance.random() < 0.5)
        if cycle["facts_created"] and chance.random() < 0.02:
            self.ask(action="undo", run=cycle["run"])
            self.done["undone"] += 1
        if number % 1_500 == 0 and number <= self._forget_until:
            self.done["forgotten"] += sum(self.ask(action="forget", matching=f"heron{number // 2}", yes=True)["counts"].values())

    def _talk(self, number: int) -> None:
        """One to three turns, now and then one that contradicts another."""
        chance, lines = self._chance, []
        for _ in range(chance.randint(1, 3)):
            self._told += 1
            kind = chance.random()
            if kind < 0.35:
                text = f"We decided to use tool{chance.randrange(60)} for job{chance.randrange(400)}."
            elif kind < 0.5:
                text = f"Person{chance.randrange(40)} prefers thing{chance.randrange(9)}."
            else:
                text = f"Nothing of note about heron{number}, turn {self._told}, but for the weather in week {chance.randrange(60)}."
            lines.append({"role": "user", "speaker": "Michael", "id": f"e-{self._told}", "text": text, "session": f"s{number % 90}"})
        self._capture(lines)

    def _capture(self, lines: Sequence[dict[str, str]]) -> None:
        """Hand over turns that are said now."""
        said_at = BEGAN + timedelta(seconds=(time.monotonic() - self._at) * SPEED)
        file = self._daemon.folder / "talk.jsonl"
        file.write_text("".join(json.dumps({**line, "said_at": said_at.isoformat()}) + "\n" for line in lines), "utf-8")
        self.done["episodes"] += self.ask(action="capture", paths=[str(file)])["added"]

    def _decide(self, *, by_hand: bool) -> None:
        """Answer what is asked: in the file, or by command."""
        questions = self.ask(action="inbox")["questions"]
        if by_hand:
            text = self._inbox.read_text("utf-8") if questions else ""
            for question in questions:
                box = f"[ ] {self._chance.choice(question['actions'])} ^{question['id']}"
                text = text.replace(box, box.replace("[ ]", "[x]"))
            if questions:
                self._inbox.write_text(text, "utf-8")
                self.done["ticked"] += self.ask(action="settle")["applied"]
            return
        while questions:  # an answer to one may have closed another
            question = self._chance.choice(questions)
            self.ask(action="answer", question=question["id"], choice=self._chance.choice(question["actions"]))
            self.done["answered"] += 1
            questions = self.ask(action="inbox")["questions"]


class Least:
    """Looks at the memory of a daemon all the time, and knows the least since it was asked last."""

    def __init__(self, daemon: Daemon) -> None:
        self._daemon = daemon
        self._least: list[int] = []
        self._end = threading.Event()
        self._thread = threading.Thread(target=self._look, daemon=True)
        self._thread.start()

    def _look(self) -> None:
        while not self._end.wait(APART):
            with suppress(OSError, StopIteration):
                self._least = [min([figure(self._daemon, "VmRSS"), *self._least])]

    def take(self) -> int:
        """KiB."""
        least, self._least = self._least, []
        return least[0] if least else figure(self._daemon, "VmRSS")

    def stop(self) -> None:
        """Look no more."""
        self._end.set()
        self._thread.join()


def least(looks: Sequence[Look]) -> list[tuple[float, int]]:
    """For each part of the looks its middle, in cycles, and the least memory in it."""
    size = max(1, len(looks) // PARTS)
    parts = [looks[at : at + size] for at in range(0, len(looks) - size + 1, size)]
    return [((part[0].cycle + part[-1].cycle) / 2, min(look.resident for look in part)) for part in parts]


def slope(looks: Sequence[Look]) -> float:
    """KiB a cycle, by least squares."""
    return statistics.linear_regression(*zip(*least(looks), strict=True)).slope


def judged(looks: Sequence[Look], cycles: int, growth: int) -> list[str]:
    """What is wrong with the figures. growth: KiB that memory may grow by; few cycles are not enough to have loaded all there is."""
    half = [look for look in looks if look.cycle > cycles // 2]
    first = [look for look in looks if cycles // 10 < look.cycle <= cycles // 2]
    grows = slope(half) * cycles
    wrong = [f"memory grows by {grows:.0f} KiB in {cycles} cycles"] if grows > growth else []
    wrong += [f"a write-ahead log of {most} bytes"] if (most := max(look.wal for look in looks)) > WAL else []
    before, after = (statistics.median(look.descriptors for look in part) for part in (first, half))
    wrong += [f"{before:g} descriptors in the first half, {after:g} in the second"] if after > before + SPARE else []
    wrong += [f"{most} threads"] if (most := max(look.threads for look in looks)) > THREADS else []
    grew = looks[-1].log - looks[0].log
    return wrong + ([f"its log grew by {grew} bytes"] if grew > LOG_A_CYCLE * cycles else [])


def run(folder: Path, cycles: int, seed: int, tell: runner.Tell, *, growth: int = GROWTH, planted: str = "") -> list[str]:
    """So many cycles; what was wrong. growth: see `judged`; planted: what goes wrong in the daemon, in Python."""
    at = time.monotonic()
    (folder / "clock").mkdir()
    (folder / "clock" / "sitecustomize.py").write_text(CLOCK.format(began=BEGAN.isoformat(), at=at, speed=SPEED) + planted, "utf-8")
    daemon = Daemon(folder, CONFIG).start(**UNMEASURED, PYTHONPATH=f"{folder / 'clock'}:{TOP}")
    life, looks = Life(daemon, random.Random(seed), at, cycles // 2), []
    wal, every = folder / "ethos.db-wal", max(1, cycles // LOOKS)
    held, number, progress = 0, 0, runner.Progress("cycles", cycles, tell)
    memory = Least(daemon)
    try:
        life.fill_caches()
        for number in range(1, cycles + 1):
            life.cycle(number)
            if number % every == 0:
                size = wal.stat().st_size if wal.exists() else 0
                looks.append(Look(number, memory.take(), size, descriptors(daemon), figure(daemon, "Threads"), daemon.log.stat().st_size))
            progress.at(number, f"{looks[-1:]} {life.done}")
        life.close()
        wrong = [*judged(looks, cycles, growth), *honest(daemon)]
        held = daemon.ask(action="status")["counts"]["episodes"]
    except (Refused, OSError, AssertionError) as problem:
        wrong = [f"cycle {number}: {problem!r}"]
    finally:
        life.close()
        memory.stop()
        code = daemon.stop()
    half = [look for look in looks if look.cycle > cycles // 2]
    if len(half) > 1:
        spread = [
            f"{name} {min(values)} to {max(values)}" for name in Look._fields[1:5] if (values := [getattr(look, name) for look in half])
        ]
        tell(f"{cycles} cycles, {progress.seconds * SPEED / 86_400:.0f} days of its clock, {progress.seconds:.0f} s: {life.done}\n")
        tell(f"the slope makes {slope(half) * cycles:.0f} KiB in all cycles; second half: {', '.join(spread)}\n")
        tell(f"the least in each part, KiB: {', '.join(str(kib) for _, kib in least(looks[: len(looks) - len(half)]) + least(half))}\n")
    wrong += [f"it ended with {code}"] if code else []
    for level in ("warning", "error"):
        wrong += [f"it logged {line}" for line in daemon.logged() if line.get("level") == level][:5]
    return wrong or store_is_off(folder / "ethos.db", held)


PROGRAM = runner.Program(
    name="tests.faults.soak",
    about=__doc__,
    unit="cycles",
    most=30_000,
    run=run,
    kept="memory, log and descriptors stay as they are",
)

if __name__ == "__main__":
    sys.exit(PROGRAM.main())
