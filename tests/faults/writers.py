"""Eight processes that write to one store: `python -m tests.faults.writers --writers 8 --episodes 10000`.

Each captures its own episodes and some that all of them have, and consolidates now and then. In the end every one is there, once.
"""

from __future__ import annotations

import multiprocessing
import random
import sys
import time
from collections.abc import Callable, Iterator
from datetime import timedelta
from pathlib import Path

from ethos.core.model.errors import Refused
from ethos.core.model.records import Episode
from ethos.edge.rulebook import Rulebook
from ethos.store import open_store
from tests.faults import runner
from tests.faults.story import Story
from tests.support import proven
from tests.support.telling import NOON, said

LOT = 50  # episodes a capture
COMMON = 10  # of them in every process


def lots(writer: int, episodes: int) -> Iterator[list[Episode]]:
    """What one process captures."""
    for start in range(0, episodes, LOT):
        numbers = range(start, min(start + LOT, episodes))
        named = [f"all-{number}" if number % LOT < COMMON else f"{writer}-{number}" for number in numbers]
        yield [
            said(f"Nothing of note about {name}.", at=NOON + timedelta(seconds=n), record=name)
            for n, name in zip(numbers, named, strict=True)
        ]


def expected(writers: int, episodes: int) -> int:
    """How many different ones there are."""
    common = sum(number % LOT < COMMON for number in range(episodes))
    return common + writers * (episodes - common)


def write(folder: Path, writer: int, episodes: int, seed: int) -> None:
    """One process. Who is told to try again does so."""
    chance = random.Random(f"{seed} {writer}")
    rulebook = Rulebook(proven.rules(), (), ())
    with Story(folder, rulebook, lambda _: None).opened() as ethos:
        for lot in lots(writer, episodes):
            _insist(ethos.capture, lot)
            if chance.random() < 0.02:
                _insist(ethos.consolidate, units=1)


def _insist(work: Callable[..., object], *given: object, **named: object) -> None:
    while True:
        try:
            work(*given, **named)
        except Refused as refused:
            if refused.problem.code != "busy":
                raise
            time.sleep(0.01)
        else:
            return


def run(folder: Path, episodes: int, seed: int, tell: runner.Tell, *, writers: int) -> list[str]:
    """All of them at once, with so many episodes each; what was wrong."""
    begun = time.monotonic()
    proven.rules()  # once, before they part
    parted = multiprocessing.get_context("fork")
    processes = [parted.Process(target=write, args=(folder, writer, episodes, seed)) for writer in range(writers)]
    for process in processes:
        process.start()
    for process in processes:
        process.join()
    wrong = [f"a writer ended with {process.exitcode}" for process in processes if process.exitcode]
    store = open_store(folder / "ethos.db")
    try:
        wrong += store.check()
        with store.begin() as work:
            held = work.counts("").episodes
    finally:
        store.close()
    wanted = expected(writers, episodes)
    tell(f"{held} episodes held, {time.monotonic() - begun:.0f} s\n")
    return wrong + ([f"{held} episodes are held, {wanted} were told"] if held != wanted else [])


PROGRAM = runner.Program(
    name="tests.faults.writers",
    about=__doc__,
    unit="episodes",
    most=10_000,
    run=run,
    kept="of each writer, none lost, none doubled",
    sizes={"writers": 8},
)

if __name__ == "__main__":
    sys.exit(PROGRAM.main())
