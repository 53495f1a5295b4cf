"""kill -9 of the real daemon at random moments under load: `python tests/faults/kill_daemon.py --runs 200 --seed 7`.

Episodes come in, and come again, cycles run without a pause, and a person ticks boxes in the review file. After each kill the
memory is looked at: every episode whose capture was acknowledged is there, and none that nobody told; no fact is held twice, no piece of
evidence is counted twice, the review file is whole, and the store's own check finds nothing. A memory lives through a hundred kills.
In the end all that was told is captured once more and read: each episode is there once, and every tick has counted.
An episode that was in hand at three kills is set aside, as it should be: a poison pill looks just like that. It is counted, and kept.

The moment of a kill cannot be told again, so a memory with which something is wrong is kept, and its folder is named.
"""

from __future__ import annotations

import random
import shutil
import signal
import sys
import tempfile
import time
from contextlib import closing
from datetime import datetime
from pathlib import Path
from threading import Event, Thread

sys.path.insert(0, str(Path(__file__).parents[2]))

from ethos.edge.config.clock import SystemClock
from ethos.store import open_store
from ethos.store.sqlite.columns import micros
from ethos.store.sqlite.driver import library
from tests.faults import review_file, runner
from tests.faults.warm import WarmDaemon
from tests.support.daemons import Daemon

WORDS = ("uv", "ruff", "Postgres", "Redis", "Rust", "Kafka", "SQLite", "Vim", "Caddy", "Zig")
TEMPLATES = (
    "We decided to use {a} for {b}.",
    "I prefer {a} over {b}.",
    "Remember this: the {a} server runs on host {n}.",
    "Let's go with {a}.",
    "We switched from {a} to {b}.",
    "Michael prefers {a}.",
    "My favorite tool for {b} is {a}.",
    "Nothing of note about {a} today, number {n}.",
)
BATCH = 20
TRIES = 20  # cycles that read nothing, after which it is given up
PATIENCE = 5.0  # seconds
NEW = 8  # files of episodes at most before the next kill; from then on old ones come again, so that cycles come to their end
LIFE = 100  # kills that one memory lives through
COLD = 10  # every so many starts by its command, the others are forked from a process in which everything is imported
CONFIG = f"""
[ethos]
log_level = "info"
[consolidation]
batch_size = {BATCH}
[conflict_resolution]
review_inbox = "inbox/memory-review.md"
[inbox]
settle_seconds = 0.0
"""
TWICE = {
    "facts held twice": """
        SELECT user, project, subject_key, predicate_key, slot, object_key, polarity FROM facts
        WHERE closed_at IS NULL AND superseded_by IS NULL AND retired_at IS NULL GROUP BY 1, 2, 3, 4, 5, 6, 7 HAVING count(*) > 1
    """,
    "pieces of evidence counted twice": """
        SELECT fact, episode, rule, start, end FROM evidence GROUP BY 1, 2, 3, 4, 5
        HAVING count(*) FILTER (WHERE verdict <> 'moved') > 1 + count(*) FILTER (WHERE verdict = 'moved')
    """,
}


class Sent:
    """What was told to a memory: files of episodes, which of these it acknowledged, and which boxes were ticked, when."""

    def __init__(self) -> None:
        self.files: list[Path] = []
        self.told: set[str] = set()
        self.acknowledged: set[str] = set()
        self.ticks: dict[str, tuple[str, datetime]] = {}


class Load:
    """Captures and cycles without a pause, until the daemon is gone."""

    def __init__(self, daemon: Daemon, chance: random.Random, run: int, sent: Sent) -> None:
        self._daemon = daemon
        self._chance = chance
        self._run = run
        self._sent = sent
        self._cycles = 0
        self._end = Event()
        self._threads = [Thread(target=self._capture), Thread(target=self._consolidate)]

    def start(self) -> None:
        """Begin."""
        for thread in self._threads:
            thread.start()

    def await_cycles(self, number: int) -> None:
        """Wait until so many have come to their end, however slow the machine is; or for some seconds."""
        deadline = time.monotonic() + PATIENCE
        while self._cycles < number and time.monotonic() < deadline:
            time.sleep(0.01)

    def finish(self) -> None:
        """End, when the daemon is dead."""
        self._end.set()
        for thread in self._threads:
            thread.join()

    def _capture(self) -> None:
        for batch in range(self._chance.randint(1, NEW)):
            lines = [self._line(f"e-{self._run}-{batch}-{number}") for number in range(self._chance.randint(1, 30))]
            ids = [line["id"] for line in lines]
            file = self._daemon.tell(*lines, name=f"talk-{self._run}-{batch}.jsonl")
            self._sent.files.append(file)
            self._sent.told.update(ids)
            if self._acknowledged(file):
                self._sent.acknowledged.update(ids)
            if self._end.is_set():
                return
        while not self._end.is_set():
            self._acknowledged(self._chance.choice(self._sent.files))

    def _acknowledged(self, file: Path) -> bool:
        envelope = self._daemon.try_ask(action="capture", paths=[str(file)], live=True)
        return envelope is not None and envelope["status"] == "ok"

    def _consolidate(self) -> None:
        while not self._end.is_set():
            envelope = self._daemon.try_ask(action="consolidate", reason="under load")
            self._cycles += envelope is not None and envelope["status"] == "ok"

    def _line(self, id_: str) -> dict[str, str]:
        a, b = self._chance.sample(WORDS, 2)
        text = self._chance.choice(TEMPLATES).format(a=a, b=b, n=self._chance.randint(1, 99))
        day = self._chance.randint(1, 28)
        return {"id": id_, "text": text, "session": f"s{self._run}", "said_at": f"2026-04-{day:02}T10:00:00Z"}


class Life:
    """One memory, and what is known of it from outside."""

    def __init__(self, folder: Path, chance: random.Random, planted: str) -> None:
        folder.mkdir(parents=True, exist_ok=True)
        self.folder = folder
        self.sent = Sent()
        self.review = folder / "inbox" / "memory-review.md"
        self._chance = chance
        self._cold = Daemon(folder, CONFIG)
        self._warm = WarmDaemon(folder, CONFIG, planted=planted)
        self.planted = planted

    def kill(self, run: int) -> list[str]:
        """Start it, load it, let a person tick something now and then, kill it; what is wrong."""
        daemon = self._warm if run % COLD or self.planted else self._cold
        daemon.start()
        load = Load(daemon, self._chance, run, self.sent)
        load.start()
        load.await_cycles(self._chance.randint(0, 3))
        if self._chance.random() < 0.5:
            self._tick()
        time.sleep(self._chance.uniform(0.0, 0.3))
        daemon.stop(signal.SIGKILL)
        load.finish()
        return self.look()

    def end(self) -> tuple[list[str], str]:
        """Tell everything once more, and read it; what is wrong, and what there is."""
        self._warm.start()
        try:
            counts = self._told_again()
        finally:
            self._warm.stop()
        wrong = [*self.look(), *self._lost_ticks()]
        if counts["episodes"] != len(self.sent.told):
            wrong.append(f"{counts['episodes']} episodes, {len(self.sent.told)} were told")
        if counts["unscanned"]:
            wrong.append(f"{counts['unscanned']} episodes not read")
        if counts["set_aside"] > LIFE // 3:  # it takes three kills for each
            wrong.append(f"{counts['set_aside']} set aside")
        told = f"{counts['episodes']} episodes, {counts['facts']} facts, {counts['set_aside']} set aside, {len(self.sent.ticks)} ticks"
        return wrong, told

    def _told_again(self) -> dict[str, int]:
        """The counts, when all was captured once more and read; who asks is told to come again where that takes long."""
        for start in range(0, len(self.sent.files), 25):
            self._warm.ask(action="capture", paths=[str(file) for file in self.sent.files[start : start + 25]])
        counts: dict[str, int] = self._warm.ask(action="status")["counts"]
        idle = 0
        while counts["unscanned"] and idle < TRIES:  # as long as it gets further, however slow the machine is
            before = counts["unscanned"]
            self._warm.try_ask(action="consolidate", reason="to the end")
            counts = self._warm.ask(action="status")["counts"]
            idle = 0 if counts["unscanned"] < before else idle + 1
        return counts

    def look(self) -> list[str]:
        """What is wrong with the memory now that nobody has it open."""
        with closing(open_store(self.folder / "ethos.db")) as store:
            wrong = list(store.check())
        with closing(library().module.connect(str(self.folder / "ethos.db"))) as database:
            held = {id_ for (id_,) in database.execute("SELECT id FROM episodes")}
            wrong += [f"{len(found)} {what}" for what, question in TWICE.items() if (found := database.execute(question).fetchall())]
        if lost := self.sent.acknowledged - held:
            wrong.append(f"{len(lost)} acknowledged episodes lost, such as {min(lost)}")
        if made_up := held - self.sent.told:
            wrong.append(f"{len(made_up)} episodes that nobody told, such as {min(made_up)}")
        torn = review_file.torn(self.review.read_text("utf-8")) if self.review.exists() else ""
        return [*wrong, torn] if torn else wrong

    def _tick(self) -> None:
        """What a person does who has read the file just now."""
        if not self.review.exists():
            return
        text = self.review.read_text("utf-8")
        offered = {question: actions for question, actions in review_file.boxes(text).items() if question not in self.sent.ticks}
        if offered:
            question = self._chance.choice(sorted(offered))
            action = self._chance.choice(offered[question])
            review_file.save(self.review, review_file.ticked(text, question, action))
            self.sent.ticks[question] = action, SystemClock().now()

    def _lost_ticks(self) -> list[str]:
        """Ticks at questions that were open then and are open still, or were answered otherwise."""
        with closing(library().module.connect(str(self.folder / "ethos.db"))) as database:
            rows = database.execute("SELECT id, opened_at, resolved_at, action, by FROM questions").fetchall()
        wrong = []
        for id_, opened, resolved, action, by in rows:
            chosen, at = self.sent.ticks.get(id_, ("", None))
            if at is not None and ((resolved is None and opened < micros(at)) or (by == "inbox" and action != chosen)):
                wrong.append(f"the tick at {id_} is lost: {chosen} was chosen, and it is {action or 'open'}")
        return wrong


def run(top: Path, runs: int, seed: int, tell: runner.Tell, *, planted: str = "", enough: int = 1_000_000) -> list[str]:
    """Kill it `runs` times, or until so much is wrong; what was wrong. planted: a fault in it."""
    chance, progress = random.Random(seed), runner.Progress("kills", runs, tell)
    wrong: list[str] = []
    acknowledged = 0
    for first in range(0, runs, LIFE):
        life = Life(top / f"life-{first}", chance, planted)
        for kill in range(first, min(first + LIFE, runs)):
            wrong += _told(life, kill, life.kill(kill), tell)
            if len(wrong) >= enough:
                return wrong
            progress.at(kill + 1, f"{acknowledged + len(life.sent.acknowledged)} episodes acknowledged, {len(wrong)} wrong")
        found, what = life.end()
        wrong += _told(life, kill, found, tell)
        acknowledged += len(life.sent.acknowledged)
        tell(f"in the end of a life: {what}\n")
        shutil.rmtree(life.folder)
    return wrong


def _told(life: Life, kill: int, found: list[str], tell: runner.Tell) -> list[str]:
    """What is wrong after this kill, with where the memory is kept."""
    if not found:
        return []
    wrong = f"kill {kill}: {'; '.join(found)}"
    if not life.planted:
        kept = Path(tempfile.mkdtemp(prefix="ethos-killed-"), "memory")
        shutil.copytree(life.folder, kept, ignore=shutil.ignore_patterns("*.sock"))
        wrong += f"; kept in {kept}"
    tell(f"{wrong}\n")
    return [wrong]


PROGRAM = runner.Program(
    name="tests.faults.kill_daemon",
    about=__doc__,
    unit="runs",
    most=1_000,
    run=run,
    kept="nothing lost, nothing doubled, no review file torn, every tick counted, store sound",
)

if __name__ == "__main__":
    sys.exit(PROGRAM.main())
