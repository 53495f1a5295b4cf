"""Noise at the socket of a real daemon: `python -m tests.faults.fuzz_socket --requests 60000 --seed 1` (TRUST, tests 4 and 5).

Half-right requests, wrong types, deep nesting, numbers without end, keys twice, bytes that are no text, lines that are too long, callers
that leave. Whatever comes, the answer is one line of JSON of the known form, no bug shows, and the daemon does not grow.
"""

from __future__ import annotations

import argparse
import json
import random
import socket
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, suppress
from pathlib import Path
from typing import Any

from ethos.edge import locks
from ethos.edge.actions import ACTIONS
from tests.daemons import Daemon, until

WARM = 1_000  # requests until the daemon has loaded what it loads late
GROWTH = 5 * 1024  # KiB
WORDS = (
    "action",
    "id",
    "session",
    "query",
    "limit",
    "paths",
    "reason",
    "dry_run",
    "question",
    "choice",
    "text",
    "as_of",
    "status",
    *ACTIONS,
)


def value(chance: random.Random, depth: int = 0) -> Any:
    """Something that JSON can say."""
    kind = chance.randrange(9 if depth < 4 else 6)
    if kind == 0:
        return chance.choice((None, True, False))
    if kind == 1:
        return chance.choice((0, -1, 1, 10**30, -(2**63), 1.5, 1e300, chance.randrange(1000)))
    if kind in {2, 3}:
        return chance.choice(WORDS)
    if kind in {4, 5}:
        return "".join(chance.choice('aZ0 \n"\\\u0000\u202e\ud800é漢🙂*-[]()') for _ in range(chance.randrange(40)))
    if kind in {6, 7}:
        return {str(value(chance, 9)): value(chance, depth + 1) for _ in range(chance.randrange(4))}
    return [value(chance, depth + 1) for _ in range(chance.randrange(4))]


def request(chance: random.Random) -> dict[str, Any]:
    """A request that is right in part. What is asked for may be any action, with arguments of any kind."""
    asked: dict[str, Any] = {"action": chance.choice([*ACTIONS, "nothing", 7])}
    for _ in range(chance.randrange(5)):
        asked[chance.choice(WORDS)] = value(chance)
    if asked["action"] == "consolidate" and chance.random() < 0.9:
        asked["action"] = "recall"  # a cycle is dear, and not what is tried out here
    return asked


def line(chance: random.Random) -> bytes:
    """What a caller sends."""
    kind = chance.random()
    if kind < 0.6:
        data = json.dumps(request(chance)).encode()
    elif kind < 0.7:
        turned = bytearray(json.dumps(request(chance)).encode())
        for _ in range(chance.randrange(1, 4)):
            turned[chance.randrange(len(turned))] = chance.randrange(256)
        data = bytes(turned)
    elif kind < 0.8:
        data = chance.randbytes(chance.randrange(200))
    elif kind < 0.9:
        data = chance.choice(
            (
                b"[" * chance.randrange(60_000),
                b'{"action":' * chance.randrange(6_000),
                b'{"action":"recall","limit":' + b"9" * chance.randrange(1, 60_000) + b"}",
                b'{"action":"status","action":"settle"}',
                b'{"action":"recall","query":NaN}',
                b'{"action":"recall","query":"x","limit":1e999}',
                b'{"action":"status","id":1e5}',
                b"\xff\xfe{\x00}\x00",
                b"",
            )
        )
    else:
        data = json.dumps(request(chance)).encode()[: chance.randrange(60)]
    return data.replace(b"\n", b" ") + b"\n"


def figure(daemon: Daemon, name: str) -> int:
    """What the kernel says of the process: "VmRSS" in KiB, "Threads"."""
    status = Path(f"/proc/{daemon.pid}/status").read_text("ascii")
    return next(int(field.split()[1]) for field in status.splitlines() if field.startswith(name))


def resident(daemon: Daemon) -> int:
    """KiB of memory."""
    return figure(daemon, "VmRSS")


def exchange(path: str, data: bytes) -> bytes:
    """Everything that comes back for a line."""
    with socket.socket(socket.AF_UNIX) as caller:
        caller.settimeout(30)
        caller.connect(path)
        with suppress(BrokenPipeError, ConnectionResetError):  # it has read enough of it
            caller.sendall(data)
        with suppress(OSError):
            caller.shutdown(socket.SHUT_WR)
        pieces = []
        with suppress(ConnectionResetError):
            while piece := caller.recv(65_536):
                pieces.append(piece)
        return b"".join(pieces)


def misanswered(data: bytes, reply: bytes) -> str:
    """What is wrong with an answer; empty when nothing."""
    if not reply.strip() and not data.strip(b"\n"):
        return ""
    try:
        answers = [json.loads(each) for each in reply.decode("ascii").splitlines()]
    except ValueError as error:
        return f"no JSON: {error}"
    for answer in answers or [{}]:
        if answer.get("status") not in {"ok", "error"} or ("data" if answer["status"] == "ok" else "error") not in answer:
            return f"no envelope: {answer}"
        if "an error inside Ethos" in str(answer.get("error")):
            return f"a bug: {answer['error']}"
    return ""


def noise(daemon: Daemon, requests: int, seed: int, tell: Callable[[str], object]) -> list[str]:
    """Send so many lines, each on a connection of its own; what was wrong."""
    chance = random.Random(seed)
    wrong: list[str] = []
    outcomes: Counter[str] = Counter()
    before, begun = 0, time.monotonic()
    for number in range(requests):
        if number == min(WARM, requests // 2):
            before = resident(daemon)
        data = line(chance)
        if chance.random() < 0.02:  # a caller who does not wait
            with socket.socket(socket.AF_UNIX) as rude:
                rude.connect(daemon.path)
                rude.sendall(data[: chance.randrange(len(data) + 1)])
            continue
        reply = exchange(daemon.path, data)
        if what := misanswered(data, reply):
            wrong.append(f"{what} for {data[:200]!r}")
        outcomes[str(json.loads(reply.splitlines()[0])["status"]) if reply and not what else "none"] += 1
        if (number + 1) % 10_000 == 0:
            tell(f"{number + 1} requests, {time.monotonic() - begun:.0f} s, {resident(daemon)} KiB resident, {dict(outcomes)}\n")
    after = resident(daemon)
    tell(f"{requests} requests: {dict(outcomes)}, resident {before} KiB before, {after} KiB after\n")
    if after - before > GROWTH:
        wrong.append(f"it grew from {before} to {after} KiB")
    return wrong


def crowd(daemon: Daemon, tell: Callable[[str], object]) -> list[str]:
    """60 slow callers, lines that are too long, and 200 triggers at once: one cycle, and honest callers hardly notice.

    The cycle is held up by another process's pass until all of them wait for it.
    """
    wrong: list[str] = []
    many = [{"id": f"crowd-{number}", "text": f"We decided to use tool{number} for job{number}."} for number in range(50)]
    daemon.ask(action="capture", paths=[str(daemon.tell(*many, name="crowd.jsonl"))])
    with ExitStack() as end, ThreadPoolExecutor(210) as pool, ExitStack() as held:
        held.enter_context(locks.hold(daemon.folder / "state", locks.PASS, "a pass is running already"))
        before = figure(daemon, "Threads")
        triggers = [pool.submit(exchange, daemon.path, b'{"action":"consolidate","reason":"crowd"}\n') for _ in range(200)]
        until(lambda: figure(daemon, "Threads") >= before + 200, "a crowd")
        for _ in range(60):
            slow = end.enter_context(socket.socket(socket.AF_UNIX))
            slow.connect(daemon.path)
            slow.sendall(b'{"action"')
        oversize = [pool.submit(exchange, daemon.path, b"x" * 300_000) for _ in range(5)]
        waits = []
        for _ in range(100):
            begun = time.monotonic()
            if json.loads(exchange(daemon.path, b'{"action":"help"}\n'))["status"] != "ok":
                wrong.append("an honest caller was refused")
            waits.append(time.monotonic() - begun)
        held.close()
        runs = {json.loads(future.result())["data"]["run"] for future in triggers}
        wrong += [f"{len(runs)} cycles for 200 triggers"] if len(runs) != 1 else []
        wrong += ["a line that is too long was not told so" for future in oversize if b"longer than" not in future.result()]
    waits.sort()
    tell(f"crowd: {len(runs)} cycle, an honest caller waited {waits[50] * 1000:.0f} ms (p50), {waits[98] * 1000:.0f} ms (p99)\n")
    return wrong


def run(folder: Path, requests: int, seed: int, tell: Callable[[str], object]) -> list[str]:
    """Noise, then a crowd, against one daemon; what was wrong."""
    daemon = Daemon(folder, '[ethos]\nlog_level = "warning"\n').start()
    try:
        wrong = noise(daemon, requests, seed, tell) + crowd(daemon, tell)
    finally:
        code = daemon.stop()
    wrong += [f"it ended with {code}"] if code else []
    return wrong + [f"it logged a bug: {line}" for line in daemon.logged("A request failed")[:5]]


def main() -> int:
    """The long version."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--requests", type=int, default=60_000)
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        wrong = run(Path(folder), given.requests, given.seed, sys.stderr.write)
    sys.stdout.write("\n".join(wrong[:20] or [f"{given.requests} requests (seed {given.seed}): every answer as it should be"]) + "\n")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
