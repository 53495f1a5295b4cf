"""Every durable call of a memory's life, struck one at a time: `python -m tests.faults.crash_points --points 600 --seed 1`.

At one chosen durable call of a story (`story.py`) the process is killed, killed with half of the write done, or given EIO or ENOSPC, once
or from then on. Then the memory is opened again, with nothing in the way, and looked at; the rest of the story is told, and it must end as
it ends without a fault. What went wrong is listed by point; `--replay POINT` strikes that one again.

What was acknowledged goes through a pipe, so that the witness is out of the faults' reach.
"""

from __future__ import annotations

import ctypes
import errno
import os
import random
import shutil
import signal
import sys
import traceback
from pathlib import Path
from typing import Any, NamedTuple

from ethos.edge.rulebook import Rulebook
from tests.faults import runner
from tests.faults.shim import Shim
from tests.faults.story import Story, fresh, keep, prepared, state, talk, wrong_afterwards, wrong_at_once

PATIENCE = 600.0  # seconds for one story, on a machine that may be busy or stopped for a while
KILLED, HALF, ONCE, FOR_EVER = 1, 2, 3, 4  # as in shim.c
KINDS = {
    "killed": (KILLED, 0),
    "half written, then killed": (HALF, 0),
    "EIO once": (ONCE, errno.EIO),
    "EIO for ever": (FOR_EVER, errno.EIO),
    "ENOSPC once": (ONCE, errno.ENOSPC),
    "ENOSPC for ever": (FOR_EVER, errno.ENOSPC),
}


class Point(NamedTuple):
    """Where and how a story is struck."""

    story: int
    call: int
    kind: str

    def __str__(self) -> str:
        return f"{self.story}/{self.call}/{self.kind}"

    @classmethod
    def named(cls, name: str) -> Point:
        """The one with this name."""
        story, call, kind = name.split("/")
        return cls(int(story), int(call), kind)


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
    _, status = os.waitpid(child, 0)
    bug = "\n".join(line[4:] for line in lines if line.startswith("bug "))
    calls = next((int(line[6:]) for line in lines if line.startswith("calls ")), 0)
    killed = point.call and KINDS[point.kind][0] in {KILLED, HALF}
    if not bug and os.waitstatus_to_exitcode(status) != (-signal.SIGKILL if killed else 0):
        bug = f"it ended with {os.waitstatus_to_exitcode(status)}"  # it never ended by itself, or the point was never reached
    return Ended([line for line in lines if line.startswith(("episode ", "tick ", "forgetting ", "forgotten "))], bug, calls)


def _told_in_child(folder: Path, point: Point, rulebook: Rulebook, pipe: int) -> int:
    def told(line: str) -> None:
        os.write(pipe, f"{line}\n".encode())

    ctypes.CDLL(None).alarm(int(PATIENCE))  # a story that never ends, ends
    os.umask(0o077)
    shim = Shim()
    shim.arm(folder, point.call, *KINDS[point.kind])
    try:
        Story(folder, rulebook, told).tell(talk(point.story), shim)
    except BaseException:  # noqa: BLE001 (a bug is to be told to the parent, whatever it is)
        for line in traceback.format_exc().splitlines():
            told(f"bug {line}")
    told(f"calls {shim.calls}")
    return 0


def look(folder: Path, point: Point, rulebook: Rulebook, expected: dict[str, Any]) -> list[str]:
    """What is wrong after this point was struck."""
    ended = strike(folder, point, rulebook)
    story = Story(folder, rulebook, lambda _: None)
    bug = [f"a bug: {ended.bug}"] if ended.bug else []
    return [*bug, *wrong_afterwards(story, talk(point.story), ended.acknowledged, expected)]


def unharmed(folder: Path, seed: int, rulebook: Rulebook) -> tuple[int, dict[str, Any]]:
    """How many durable calls a story makes where nothing is in the way, and how it ends."""
    ended = strike(folder, Point(seed, 0, "killed"), rulebook)
    story = Story(folder, rulebook, lambda _: None)
    with story.opened() as ethos:
        wrong = [*([ended.bug] if ended.bug else []), *wrong_at_once(story, ethos, ended.acknowledged)]
        all_done = all(any(line.startswith(what) for line in ended.acknowledged) for what in ("tick", "forgotten"))
        if wrong or ended.calls < 50 or not all_done:
            raise AssertionError(f"the story itself is not sound: {wrong} {ended}")
        return ended.calls, state(ethos)


def run(top: Path, points: int, seed: int, tell: runner.Tell, enough: int = 1_000_000) -> list[str]:
    """Strike so many points, spread over stories, calls and kinds, or until so many are wrong; what was wrong."""
    chance, progress = random.Random(seed), runner.Progress("points", points, tell)
    rulebook = prepared(top, seed)
    wrong: list[str] = []
    struck, story = 0, seed * 1000
    while struck < points and len(wrong) < enough:
        story += 1
        with fresh(top) as folder:
            calls, expected = unharmed(folder, story, rulebook)
        every = [Point(story, call, kind) for call in range(1, calls + 1) for kind in KINDS]
        chance.shuffle(every)
        for point in every[: min(points - struck, max(1, points // 4))]:
            with fresh(top) as folder:
                found = look(folder, point, rulebook, expected)
            if found:
                wrong.append(f"{point}: {'; '.join(found)}")
                tell(f"{wrong[-1]}\n")
            if len(wrong) >= enough:
                break
            struck += 1
            progress.at(struck, f"{len(wrong)} wrong")
    return wrong


def replay(top: Path, name: str, tell: runner.Tell) -> list[str]:
    """Strike one point again, and keep what it leaves behind where that is wrong."""
    point = Point.named(name)
    rulebook = prepared(top, point.story)
    with fresh(top) as folder:
        _, expected = unharmed(folder, point.story, rulebook)
    with fresh(top) as folder:
        strike(folder, point, rulebook)
        left = shutil.copytree(folder, top / "left")
    with fresh(top) as folder:
        found = look(folder, point, rulebook, expected)
    keep(left, found, tell)
    return [f"{point}: {'; '.join(found)}"] if found else []


PROGRAM = runner.Program(
    name="tests.faults.crash_points",
    about=__doc__,
    unit="points",
    most=10_000,
    run=run,
    kept="nothing acknowledged is lost, nothing is doubled, no review file is torn",
    replay=replay,
)


if __name__ == "__main__":
    sys.exit(PROGRAM.main())
