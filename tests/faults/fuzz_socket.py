"""Noise at the socket of a real daemon: `python -m tests.faults.fuzz_socket --requests 1000000 --seed 1`.

Several callers at once. Some keep their connection and send many requests ahead of the answers, each of which knows the grammar and is
wrong in one place; some send one line of noise; some break off. Whatever comes, the answer is one line of JSON of the known form, no bug
shows, the daemon does not grow, nor does its log, and whoever asks honestly afterwards is served. Then a crowd: slow callers who come
again, lines without end, 200 triggers at once. All of it with the network refused.
"""

from __future__ import annotations

import json
import os
import random
import socket
import sys
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, contextmanager, suppress
from functools import partial
from pathlib import Path
from threading import Event, Lock, Thread
from typing import Any

from ethos.store import RunLease, open_store
from tests.faults import runner
from tests.faults.requests import Speech
from tests.support.daemons import UNMEASURED, Daemon, until

CALLERS = 4  # at once
WARM = 50_000  # requests until every action was asked for, and heaps and threads have their size; a third of all where that is less
GROWTH = 5 * 1024  # KiB, between the least of the tenth of all requests after these and the least of the last tenth: bursts pass
LOG_GROWTH = 1  # byte a request, on average: a cycle is worth a line, a mistake of a caller is none
PIPELINED = 40  # lines of a caller who stays, at most
SLOW = 60  # slow callers in the crowd
HONEST_SECONDS = 0.1  # in the crowd, of 99 in 100
TALK = (
    "We decided to use Postgres for the billing service.",
    "Michael prefers Rust over Python.",
    "We'll use Redis for caching.",
    "My favorite editor is Vim.",
    "Remember this: the staging server runs on host 7.",
)


def figure(daemon: Daemon, name: str) -> int:
    """What the kernel says of the process: "VmRSS" in KiB, "Threads"."""
    status = Path(f"/proc/{daemon.pid}/status").read_text("ascii")
    return next(int(field.split()[1]) for field in status.splitlines() if field.startswith(name))


def resident(daemon: Daemon) -> int:
    """KiB of memory."""
    return figure(daemon, "VmRSS")


def descriptors(daemon: Daemon) -> int:
    """How many files and sockets it has open."""
    return len(list(Path(f"/proc/{daemon.pid}/fd").iterdir()))


def at_rest(daemon: Daemon) -> int:
    """How many descriptors it has open while nobody asks: fewest of some looks, because what was used last may just be closing."""

    def look() -> int:
        time.sleep(0.05)
        return descriptors(daemon)

    return min(look() for _ in range(6))


@contextmanager
def connected(path: str) -> Iterator[socket.socket]:
    """A caller. Raises OSError where nobody listens."""
    with socket.socket(socket.AF_UNIX) as caller:
        caller.settimeout(60)
        caller.connect(path)
        yield caller


def rest(caller: socket.socket) -> bytes:
    """Everything that still comes."""
    pieces = []
    with suppress(ConnectionResetError):
        while piece := caller.recv(65_536):
            pieces.append(piece)
    return b"".join(pieces)


def exchange(path: str, data: bytes) -> bytes:
    """Everything that comes back."""
    with connected(path) as caller:
        with suppress(BrokenPipeError, ConnectionResetError):  # it has read enough of it
            caller.sendall(data)
        with suppress(OSError):
            caller.shutdown(socket.SHUT_WR)
        return rest(caller)


class Figures:
    """What the callers counted, and what they found wrong."""

    def __init__(self, wanted: int) -> None:
        self.answered = 0
        self.broken_off = 0
        self.outcomes: Counter[str] = Counter()
        self.wrong: list[str] = []
        self._wanted = wanted
        self._hand = Lock()

    @property
    def goes_on(self) -> bool:
        """Not yet enough."""
        return self.answered < self._wanted and len(self.wrong) < 20

    def count(self, answers: Sequence[dict[str, Any]], *, broken_off: int = 0) -> None:
        """Add these."""
        with self._hand:
            self.answered += len(answers)
            self.broken_off += broken_off
            for answer in answers:
                self.outcomes[str(answer["error"]["code"]) if answer["status"] == "error" else "ok"] += 1

    def complain(self, what: str) -> None:
        """Something is wrong."""
        with self._hand:
            self.wrong.append(what)


def answers_in(reply: bytes) -> list[dict[str, Any]]:
    """The envelopes. Raises ValueError where it is anything else, or tells of a bug."""
    answers = []
    for line in reply.decode("ascii").splitlines():
        answer = json.loads(line)
        right = answer.get("status") in {"ok", "error"} and ("data" if answer["status"] == "ok" else "error") in answer
        if not right or (answer["status"] == "error" and not {"code", "message", "hint"} <= set(answer["error"])):
            raise ValueError(f"no envelope: {answer}")
        if "an error inside Ethos" in str(answer.get("error")):
            raise ValueError(f"a bug: {answer['error']}")
        answers.append(answer)
    if reply and not reply.endswith(b"\n"):
        raise ValueError("half an answer")
    return answers


def speak(path: str, seed: str, names: Sequence[str], figures: Figures) -> None:
    """One caller after another, until it is enough."""
    chance = random.Random(seed)
    speech = Speech(chance, names)
    while figures.goes_on:
        kind, said = chance.random(), b""
        try:
            if kind < 0.3:
                asked = [{**speech.request(), "id": number} for number in range(chance.randint(1, PIPELINED))]
                said = b"".join(json.dumps(each).encode() + b"\n" for each in asked)
                answers = answers_in(exchange(path, said))
                if [answer.get("id") for answer in answers] != [each["id"] for each in asked]:
                    figures.complain(f"{len(answers)} answers, or in another order, for {said[:200]!r}")
                figures.count(answers)
            elif kind < 0.95:
                said = speech.line()
                answers = answers_in(exchange(path, said))
                if len(answers) != 1:
                    figures.complain(f"{len(answers)} answers for {said[:200]!r}")
                figures.count(answers)
            else:
                said = b"".join(speech.line() for _ in range(chance.randint(1, 3)))
                with connected(path) as rude, suppress(BrokenPipeError, ConnectionResetError):  # does not wait, or breaks off in the middle
                    rude.sendall(said[: chance.randrange(len(said) + 1)])
                figures.count([], broken_off=1)
        except (ValueError, KeyError, TypeError, OSError) as error:
            figures.complain(f"{type(error).__name__}: {error}, for {said[:200]!r}")


def names_of(daemon: Daemon) -> list[str]:
    """What means something to a memory that has read a little and asks something."""
    daemon.ask(action="capture", paths=[str(daemon.tell(*({"id": f"e-{n}", "text": words} for n, words in enumerate(TALK))))])
    daemon.ask(action="consolidate")
    daemon.tell({"id": "e-9", "text": "Michael prefers Python over Rust.", "said_at": "2026-05-02T10:00:00Z"}, name="more.jsonl")
    daemon.ask(action="capture", paths=[str(daemon.folder / "more.jsonl")])
    run = daemon.ask(action="consolidate")["run"]
    facts, questions = daemon.ask(action="facts")["facts"], daemon.ask(action="inbox")["questions"]
    ids = [*(fact["id"] for fact in facts), *(fact["subject"] for fact in facts), *(question["id"] for question in questions), run]
    known = ("e-1", "e-", "s1", "default", "Michael", "jsonl", "user")
    return [*ids, *known, *strange_paths(daemon.folder / "box"), str(daemon.folder / "ethos.db"), str(daemon.folder / "state" / "x")]


def strange_paths(box: Path) -> list[str]:
    """What no transcript or export is, and none should be written over. Devices as links: a mistake of ours then replaces a link."""
    (box / "folder").mkdir(parents=True)
    os.mkfifo(box / "pipe")
    for name, target in (("link", str(box / "link")), ("nothing", "/dev/null"), ("endless", "/dev/zero"), ("broken", "/proc/self/mem")):
        (box / name).symlink_to(target)
    (box / "noise").write_bytes(random.Random(1).randbytes(5_000))
    (box / "empty.jsonl").touch()
    no_files = ("none", "folder/../out", "\0", "x" * 300, "y/" * 3_000, "z\n\x1b[2J")
    return [*(str(path) for path in sorted(box.iterdir())), *(f"{box}/{name}" for name in no_files)]


def noise(daemon: Daemon, requests: int, seed: int, tell: runner.Tell) -> list[str]:
    """So many answers to nonsense; what was wrong."""
    names = names_of(daemon)
    figures, progress = Figures(requests), runner.Progress("answered", requests, tell)
    warm, read = min(WARM, requests // 3), []
    log_before = daemon.log.stat().st_size
    with ThreadPoolExecutor(CALLERS) as pool:
        callers = [pool.submit(speak, daemon.path, f"{seed} {number}", names, figures) for number in range(CALLERS)]
        while not all(caller.done() for caller in callers):
            time.sleep(0.05)
            if daemon.process is None or daemon.process.poll() is not None:
                figures.complain("the daemon is gone")
                break
            now = resident(daemon)
            read.append((figures.answered, now))
            progress.at(figures.answered, f"{now} KiB, log {daemon.log.stat().st_size}")
        for caller in callers:
            caller.result()
    if figures.wrong:
        return figures.wrong
    part, log_grew = max(requests // 10, min(2_000, requests // 3)), daemon.log.stat().st_size - log_before
    read.append((figures.answered, resident(daemon)))
    begin = next(number for number, _ in read if number >= warm)  # none may have been read within a part, if this process stood still
    before = min(size for number, size in read if begin <= number <= max(begin, warm + part))
    after = min(size for number, size in read if number >= requests - part)
    outcomes = dict(figures.outcomes.most_common())
    tell(f"{figures.answered} answered, {figures.broken_off} broken off, in {progress.seconds:.0f} s: {outcomes}\n")
    sizes = f"{before} KiB after {warm} requests, {after} towards the end, {max(size for _, size in read)} at most, {read[-1][1]} last"
    tell(f"resident {sizes}; its log grew by {log_grew} bytes\n")
    wrong = [f"it grew from {before} to {after} KiB"] if after - before > GROWTH else []
    wrong += [f"its log grew by {log_grew} bytes"] if log_grew > LOG_GROWTH * figures.answered else []
    wrong += [] if "Traceback" not in daemon.log.read_text("utf-8", "replace") else ["there is a traceback in its log"]
    return wrong + honest(daemon)


def honest(daemon: Daemon) -> list[str]:
    """Whether it still does what it is there for."""
    file = daemon.tell({"id": "after", "text": "We decided to use Zig for the kestrel."}, name="after.jsonl")
    daemon.ask(action="capture", paths=[str(file)])
    run = daemon.ask(action="consolidate")["run"]
    hits = [hit["episode"] for hit in daemon.ask(action="recall", query="kestrel", count=False)["hits"]]
    status = daemon.ask(action="status")
    wrong = [] if "after" in hits and run == status["runs"][0]["id"] else [f"what it was told last is not there: {hits}"]
    return wrong + ([f"{status['model_calls']} model calls"] if status["model_calls"] else [])


class Slow(Thread):
    """Callers who send a byte now and then, and come again when they are sent away."""

    def __init__(self, path: str, number: int) -> None:
        super().__init__()
        self.came = 0
        self._path = path
        self._number = number
        self._enough = Event()

    def run(self) -> None:
        """Until it is enough."""
        callers: list[socket.socket] = []
        with ExitStack() as end:
            while not self._enough.wait(0.05):
                callers = [caller for caller in callers if self._spoke(caller)]
                for _ in range(self._number - len(callers)):
                    caller = end.enter_context(socket.socket(socket.AF_UNIX))
                    caller.settimeout(30)
                    caller.connect(self._path)
                    callers.append(caller)
                    self.came += 1

    @staticmethod
    def _spoke(caller: socket.socket) -> bool:
        try:
            caller.send(b" ")
        except OSError:
            caller.close()
            return False
        return True

    def finish(self) -> None:
        """It is enough."""
        self._enough.set()
        self.join()


def crowd(daemon: Daemon, slow: int, tell: runner.Tell, *, timed: bool) -> list[str]:
    """Slow callers, lines that are too long, and 200 triggers at once: one cycle; what was wrong. timed: honest callers must not wait long.

    The cycle is held up by another process's pass until all of them wait for it.
    """
    wrong: list[str] = []
    many = [{"id": f"crowd-{number}", "text": f"We decided to use tool{number} for job{number}."} for number in range(50)]
    daemon.ask(action="capture", paths=[str(daemon.tell(*many, name="crowd.jsonl"))])
    crawling = Slow(daemon.path, slow)
    with ThreadPoolExecutor(210) as pool, ExitStack() as held:
        held.enter_context(RunLease(daemon.folder / "ethos.db").hold())
        before = at_rest(daemon)
        triggers = [pool.submit(exchange, daemon.path, b'{"action":"consolidate","reason":"crowd"}\n') for _ in range(200)]
        until(lambda: descriptors(daemon) >= before + 200, "a crowd")
        crawling.start()
        held.callback(crawling.finish)
        until(lambda: crawling.came >= slow, "slow callers")
        oversize = [pool.submit(exchange, daemon.path, b"x" * 300_000) for _ in range(5)]
        waits = []
        for _ in range(300):
            begun = time.monotonic()
            if json.loads(exchange(daemon.path, b'{"action":"help"}\n'))["status"] != "ok":
                wrong.append("an honest caller was refused")
            waits.append(time.monotonic() - begun)
            time.sleep(0.005)
        held.close()
        answers = [json.loads(future.result()) for future in triggers]
        runs = {answer["data"]["run"] if answer["status"] == "ok" else str(answer["error"]) for answer in answers}
        wrong += [f"{len(runs)} cycles for 200 triggers, such as {min(runs)}"] if len(runs) != 1 or not min(runs).startswith("r-") else []
        wrong += ["a line that is too long was not told so" for future in oversize if b"longer than" not in future.result()]
    waits.sort()
    p99 = waits[len(waits) * 99 // 100]
    told = (
        f"an honest caller waited {waits[len(waits) // 2] * 1000:.1f} ms (p50), {p99 * 1000:.1f} ms (p99), {waits[-1] * 1000:.1f} ms (most)"
    )
    tell(f"{slow} slow callers, who came {crawling.came} times, 200 triggers: {len(runs)} cycle; {told}\n")
    return wrong + ([f"an honest caller waited {p99 * 1000:.0f} ms (p99)"] if timed and p99 > HONEST_SECONDS else [])


def run(folder: Path, requests: int, seed: int, tell: runner.Tell, *, timed: bool = False, **environment: str) -> list[str]:
    """Noise, then a crowd, against one daemon; what was wrong."""
    patient = {"ETHOS_SOCKET__WAIT_SECONDS": "600"}  # the crowd waits while honest callers are timed, and that takes what it takes
    daemon = Daemon(folder, '[ethos]\nlog_level = "info"\n').start(**UNMEASURED, **patient, **environment)
    held = 0
    try:
        wrong = noise(daemon, requests, seed, tell)
        if not wrong:
            wrong = crowd(daemon, SLOW, tell, timed=timed)
            held = daemon.ask(action="status")["counts"]["episodes"]
    finally:
        code = daemon.stop()
    wrong += [f"it ended with {code}"] if code else []
    wrong += [f"it logged a bug: {line}" for line in daemon.logged("A request failed")[:5]]
    return wrong or store_is_off(folder / "ethos.db", held)


def store_is_off(database: Path, episodes: int) -> list[str]:
    """What is wrong with the file that is left: it must be the one that the daemon spoke of."""
    store = open_store(database)
    try:
        with store.begin() as work:
            found = work.counts("").episodes
        return [*store.check(), *([] if found == episodes else [f"{found} episodes are in the file, {episodes} were told"])]
    finally:
        store.close()


PROGRAM = runner.Program(
    name="tests.faults.fuzz_socket",
    about=__doc__,
    unit="requests",
    most=1_000_000,
    run=partial(run, timed=True),
    kept="every answer as it should be",
)

if __name__ == "__main__":
    sys.exit(PROGRAM.main())
