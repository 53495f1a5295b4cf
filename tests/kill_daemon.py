"""kill -9 of the real daemon at random moments under load: `python tests/kill_daemon.py --runs 200 --seed 7`.

After each kill it is started again and looked at: every episode whose capture was acknowledged is there, no fact is held twice, no piece
of evidence is counted twice, and the store's own check finds nothing. At the end all is consolidated once more, to the last episode.
An episode that was in hand at three kills is set aside, as it should be: a poison pill looks just like that. It is counted, and kept.
"""

from __future__ import annotations

import argparse
import random
import sqlite3
import sys
import tempfile
import time
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from threading import Event, Thread

sys.path.insert(0, str(Path(__file__).parent.parent))

from ethos.store import open_store
from tests import offline
from tests.daemons import Daemon

WORDS = ("uv", "ruff", "Postgres", "Redis", "Rust", "Kafka", "SQLite", "Vim", "Caddy", "Zig")
TEMPLATES = (
    "We decided to use {a} for {b}.",
    "I prefer {a} over {b}.",
    "Remember this: the {a} server runs on host {n}.",
    "Let's go with {a}.",
    "We switched from {a} to {b}.",
    "Nothing of note about {a} today, number {n}.",
)
BATCH = 20
TWICE = {
    "facts held twice": """
        SELECT user, project, subject_key, predicate_key, slot, object_key, polarity FROM facts
        WHERE closed_at IS NULL AND superseded_by IS NULL AND retired_at IS NULL GROUP BY 1, 2, 3, 4, 5, 6, 7 HAVING count(*) > 1
    """,
    "pieces of evidence counted twice": "SELECT fact, episode, rule, start, end FROM evidence GROUP BY 1, 2, 3, 4, 5 HAVING count(*) > 1",
}


class Load:
    """Captures and cycles without a pause, until the daemon is gone. `acknowledged`: episodes that it said it has."""

    def __init__(self, daemon: Daemon, chance: random.Random, run: int) -> None:
        self.acknowledged: set[str] = set()
        self._daemon = daemon
        self._chance = chance
        self._run = run
        self._end = Event()
        self._threads = [Thread(target=self._capture), Thread(target=self._consolidate)]

    def start(self) -> None:
        """Begin."""
        for thread in self._threads:
            thread.start()

    def finish(self) -> None:
        """End, when the daemon is dead."""
        self._end.set()
        for thread in self._threads:
            thread.join()

    def _capture(self) -> None:
        for batch in range(10_000):
            lines = [self._line(f"e-{self._run}-{batch}-{number}") for number in range(self._chance.randint(1, 30))]
            file = self._daemon.tell(*lines, name=f"talk-{self._run}-{batch}.jsonl")
            envelope = self._daemon.try_ask(action="capture", paths=[str(file)], live=True)
            if envelope is not None and envelope["status"] == "ok":
                self.acknowledged.update(line["id"] for line in lines)
            if self._end.is_set():
                return

    def _consolidate(self) -> None:
        while not self._end.is_set():
            self._daemon.try_ask(action="consolidate", reason="under load")

    def _line(self, id_: str) -> dict[str, str]:
        a, b = self._chance.sample(WORDS, 2)
        text = self._chance.choice(TEMPLATES).format(a=a, b=b, n=self._chance.randint(1, 99))
        day = self._chance.randint(1, 28)
        return {"id": id_, "text": text, "session": f"s{self._run}", "said_at": f"2026-04-{day:02}T10:00:00Z"}


def kill_and_look(folder: Path, *, runs: int, seed: int, tell: Callable[[str], object] = len) -> list[str]:
    """Kill it `runs` times; what was wrong afterwards. tell: hears how far it is."""
    chance = random.Random(seed)
    daemon = Daemon(folder, f'[consolidation]\nbatch_size = {BATCH}\n[ethos]\nlog_level = "info"\n')
    acknowledged: set[str] = set()
    wrong: list[str] = []
    begun = time.monotonic()
    for run in range(runs):
        daemon.start()
        load = Load(daemon, chance, run)
        load.start()
        time.sleep(chance.uniform(0.0, 0.6))
        assert daemon.process is not None
        daemon.process.kill()
        daemon.process.wait()
        load.finish()
        acknowledged |= load.acknowledged
        wrong += [f"run {run}: {what}" for what in look(folder, acknowledged)]
        if (run + 1) % 10 == 0:
            tell(f"{run + 1} kills, {len(acknowledged)} episodes acknowledged, {len(wrong)} wrong, {time.monotonic() - begun:.0f} s\n")
    daemon.start()
    daemon.ask(action="consolidate", reason="to the end")
    left = daemon.ask(action="status")["counts"]
    daemon.stop()
    wrong += [f"in the end: {what}" for what in look(folder, acknowledged)]
    tell(f"in the end: {left['episodes']} episodes, {left['facts']} facts, {left['set_aside']} episodes set aside\n")
    if left["unscanned"] or left["set_aside"] > runs // 3:  # it takes three kills for each
        wrong.append(f"in the end: {left['unscanned']} episodes not read, {left['set_aside']} set aside")
    return wrong


def look(folder: Path, acknowledged: set[str]) -> list[str]:
    """What is wrong with the store now."""
    store = open_store(folder / "ethos.db")
    try:
        wrong = list(store.check())
    finally:
        store.close()
    with closing(sqlite3.connect(folder / "ethos.db")) as database:
        held = {id_ for (id_,) in database.execute("SELECT id FROM episodes")}
        wrong += [f"{len(found)} {what}" for what, question in TWICE.items() if (found := database.execute(question).fetchall())]
    if lost := acknowledged - held:
        wrong.append(f"{len(lost)} acknowledged episodes lost, such as {min(lost)}")
    return wrong


def main() -> int:
    """The long version."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--runs", type=int, default=200)
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args()
    offline.enter()
    with tempfile.TemporaryDirectory() as folder:
        wrong = kill_and_look(Path(folder), runs=given.runs, seed=given.seed, tell=sys.stderr.write)
    done = f"{given.runs} kills (seed {given.seed}): nothing lost, nothing doubled, store sound"
    sys.stdout.write("\n".join(wrong or [done]) + "\n")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
