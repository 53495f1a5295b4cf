"""Measuring: what a measurement is, and taking the time of several things in turn, so that what the machine does besides hits all alike."""

from __future__ import annotations

import gc
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from resource import RUSAGE_CHILDREN, getrusage
from statistics import quantiles
from time import perf_counter, process_time
from typing import ParamSpec

Arguments = ParamSpec("Arguments")


@dataclass(frozen=True, slots=True)
class Sizes:
    """How much of everything."""

    turns: int = 4_000  # of users, for extraction
    rounds: int = 5  # of extraction
    cycle: int = 60_000  # episodes
    cycles: int = 3
    capture: int = 20_000
    recall: tuple[int, ...] = (10_000, 100_000)
    questions: int = 400
    finding: int = 20_000  # episodes, with
    needles: int = 160  # answers planted among them
    commands: int = 25  # runs of each command
    idle_seconds: float = 60.0
    text: int = 1_000_000  # characters, for linearity
    text_rounds: int = 3
    loads: int = 3
    days: tuple[int, ...] = (100, 3_000, 100_000)  # episodes of the day that a night replays
    memories: tuple[int, ...] = (1_000, 10_000)  # of the reasoning bank
    beliefs: int = 10_000  # simulated memories
    real: Path | None = None  # episode lines to extract from, in place of the corpus


QUICK = Sizes(
    turns=1_500,
    rounds=3,
    cycle=6_000,
    cycles=2,
    capture=4_000,
    recall=(2_000, 10_000),
    questions=150,
    finding=4_000,
    needles=40,
    commands=9,
    idle_seconds=20.0,
    text=200_000,
    days=(100, 3_000),
    memories=(1_000,),
    beliefs=2_000,
)
TINY = Sizes(
    turns=60,
    rounds=1,
    cycle=250,
    cycles=1,
    capture=120,
    recall=(120,),
    questions=10,
    finding=400,
    needles=4,
    commands=1,
    idle_seconds=0.5,
    text=4_000,
    text_rounds=1,
    loads=1,
    days=(30, 90),
    memories=(40,),
    beliefs=50,
)


@dataclass(frozen=True, slots=True)
class Goal:
    """What a value should come to. `aim` is further than must be."""

    at_most: float | None = None
    at_least: float | None = None
    aim: float | None = None

    def met_by(self, value: float) -> bool:
        """Whether it is reached."""
        return (self.at_most is None or value <= self.at_most) and (self.at_least is None or value >= self.at_least)

    def __str__(self) -> str:
        bound = f"<= {self.at_most:g}" if self.at_most is not None else f">= {self.at_least:g}"
        return bound if self.aim is None else f"{bound}, aim {self.aim:g}"


@dataclass(frozen=True, slots=True)
class Measured:
    """One figure. unit: "x" for a ratio to the floor that `floor` names, else a unit such as "us a turn"."""

    benchmark: str
    what: str
    value: float
    unit: str
    floor: str = ""
    goal: Goal | None = None

    @property
    def met(self) -> bool | None:
        """Whether the goal is reached; None: there is none."""
        return None if self.goal is None else self.goal.met_by(self.value)


def seconds(run: Callable[[], object]) -> float:
    """How long it takes; what was there before is no concern of the garbage collector meanwhile."""
    gc.collect()
    gc.freeze()
    start = perf_counter()
    run()
    taken = perf_counter() - start
    gc.unfreeze()
    return taken


def processor_seconds(run: Callable[Arguments, object], *arguments: Arguments.args, **named: Arguments.kwargs) -> float:
    """Return the processor time of this process and of its children; other programs on the machine do not count."""
    gc.collect()
    gc.freeze()
    start = _used()
    run(*arguments, **named)
    taken = _used() - start
    gc.unfreeze()
    return taken


def _used() -> float:
    children = getrusage(RUSAGE_CHILDREN)
    return process_time() + children.ru_utime + children.ru_stime


def in_turn(rounds: int, *runs: Callable[[], object]) -> list[float]:
    """Return the shortest time of each, in seconds: A B, A B, A B ... A disturbance only makes a time longer."""
    times = [[seconds(run) for run in runs] for _ in range(rounds)]
    return [min(column) for column in zip(*times, strict=True)]


def percentile(values: Sequence[float], percent: int) -> float:
    """Return the value below which so many of a hundred lie."""
    return quantiles(values, n=100, method="inclusive")[percent - 1]
