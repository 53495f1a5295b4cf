"""Eight processes that write to one store: `python -m tests.faults.writers --writers 8 --episodes 10000` (TRUST, test 11).

Each captures its own episodes and some that all of them have, and consolidates now and then. In the end every one is there, once.
"""

from __future__ import annotations

import argparse
import multiprocessing
import random
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from datetime import timedelta
from pathlib import Path

from ethos.core.errors import Refused
from ethos.core.records import Episode
from ethos.edge.rulebook import Rulebook
from ethos.store import open_store
from tests import offline, proven
from tests.faults.story import Story
from tests.telling import NOON, said

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


def write(folder: Path, writer: int, episodes: int) -> None:
    """One process. Who is told to try again does so."""
    chance = random.Random(writer)
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


def run(folder: Path, writers: int, episodes: int) -> list[str]:
    """All of them at once; what was wrong."""
    proven.rules()  # once, before they part
    parted = multiprocessing.get_context("fork")
    processes = [parted.Process(target=write, args=(folder, writer, episodes)) for writer in range(writers)]
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
    return wrong + ([f"{held} episodes are held, {wanted} were told"] if held != wanted else [])


def main() -> int:
    """The long version."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--writers", type=int, default=8)
    parser.add_argument("--episodes", type=int, default=10_000, help="of each")
    given = parser.parse_args()
    offline.enter()
    begun = time.monotonic()
    with tempfile.TemporaryDirectory() as folder:
        wrong = run(Path(folder), given.writers, given.episodes)
    done = f"{given.writers} writers with {given.episodes} episodes each: none lost, none doubled, {time.monotonic() - begun:.0f} s"
    sys.stdout.write("\n".join(wrong or [done]) + "\n")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
