"""Loss of power, from a log of our own writes: `python -m tests.faults.power_loss --images 3000 --seed 1` (TRUST, test 2).

A story is told once, and every durable call of it is logged with its bytes. An image is what a disk could hold if the power went at one
of them: what was synced is there; of each file's writes since, every block of 512 bytes is there or not, as chance has it. Names (a file
made, renamed, removed) are kept in order. From each image the memory is opened: what was acknowledged by then is in it, and it is sound.
"""

from __future__ import annotations

import random
import shutil
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import NamedTuple

from ethos.core.errors import Refused
from ethos.core.settings import Settings
from ethos.edge import wiring
from ethos.edge.rulebook import Rulebook
from tests import proven
from tests.faults import building
from tests.faults.crash_points import Shim, Story, Talk, talk, wrong_at_once

BLOCK = 512  # bytes that a disk writes whole


class Done(NamedTuple):
    """One durable call."""

    op: str
    call: int
    offset: int
    size: int
    path: str
    other: str
    data: bytes


def read(log: bytes) -> list[Done]:
    """The calls of a log."""
    found, at = [], 0
    while at < len(log):
        end = log.index(b"\n", at)
        op, call, offset, size, path, other = log[at:end].decode().split("\t")
        length = int(size) if op == "write" else 0
        found.append(Done(op, int(call), int(offset), int(size), path, other, log[end + 1 : end + 1 + length]))
        at = end + 1 + length
    return found


@dataclass(slots=True)
class File:
    """A file: what is on the disk for certain, and what was done to it since it was last synced."""

    synced: bytes = b""
    since: list[Done] = field(default_factory=list)

    def sync(self) -> None:
        """Now all of it is there."""
        self.synced, self.since = self.perhaps(None), []

    def perhaps(self, chance: random.Random | None) -> bytes:
        """What could be there; all of it where nothing is left to chance."""
        data = bytearray(self.synced)
        for done in self.since:
            if done.op == "cut":
                if chance is None or chance.random() < 0.5:
                    data = data[: done.size].ljust(done.size, b"\0")
                continue
            for start in range(0, done.size, BLOCK):
                if chance is None or chance.random() < 0.5:
                    piece = done.data[start : start + BLOCK]
                    at = done.offset + start
                    data = data.ljust(at + len(piece), b"\0")
                    data[at : at + len(piece)] = piece
        return bytes(data)


class Disk:
    """Folders and files by their names; two names may be of one file."""

    def __init__(self) -> None:
        self.files: dict[str, File] = {}
        self.folders: list[str] = []

    def do(self, done: Done) -> None:
        """Take a call in."""
        files = self.files
        if done.op == "folder":
            self.folders.append(done.path)
        elif done.op in {"create", "empty"}:
            files.setdefault(done.path, File())
            if done.op == "empty":
                files[done.path].since.append(done._replace(op="cut", size=0))
        elif done.op == "unlink":
            files.pop(done.path, None)
        elif done.op == "link":
            files[done.other] = files[done.path]
        elif done.op == "rename":
            files[done.other] = files.pop(done.path)
        elif done.op == "exchange":
            files[done.path], files[done.other] = files[done.other], files[done.path]
        elif done.path in files:  # a folder is synced, too; names are kept in order here in any case
            if done.op == "sync":
                files[done.path].sync()
            else:
                files[done.path].since.append(done)

    def image(self, old: Path, new: Path, chance: random.Random) -> None:
        """Lay down what could be left."""
        for folder in self.folders:
            Path(folder.replace(str(old), str(new), 1)).mkdir(mode=0o700, parents=True, exist_ok=True)
        for name, file in self.files.items():
            if name.endswith("-shm"):
                continue  # made anew whenever the store is opened after a crash
            path = Path(name.replace(str(old), str(new), 1))
            path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
            path.write_bytes(file.perhaps(chance))
            path.chmod(0o600)


def record(folder: Path, log: Path, rulebook: Rulebook, spoken: Talk) -> tuple[list[Done], list[tuple[int, str]]]:
    """Tell the story once; its durable calls, and what was acknowledged, each with the number of calls that there had been."""
    acknowledged: list[tuple[int, str]] = []
    shim = Shim()
    with log.open("wb") as out:
        shim.record(out.fileno())
        shim.arm(folder, 0, 0, 0)
        Story(folder, rulebook, lambda line: acknowledged.append((shim.calls, line))).tell(spoken, None)
        shim.record(-1)
    shim.arm(Path("/nowhere"), 0, 0, 0)
    return read(log.read_bytes()), acknowledged


def run(images: int, seed: int, tell: Callable[[str], object]) -> list[str]:
    """Lay down so many images, and open each; what was wrong."""
    chance = random.Random(seed)
    wrong: list[str] = []
    memory = Path("/dev/shm") if Path("/dev/shm").is_dir() else None
    with tempfile.TemporaryDirectory(dir=memory, prefix="ethos-power-") as top:
        proven.seed(Path(top))
        rulebook = wiring.rules(replace(Settings(), ethos=replace(Settings().ethos, state=top)))
        folder, image = Path(top, "told"), Path(top, "image")
        folder.mkdir(mode=0o700)
        calls, acknowledged = record(folder, Path(top, "log"), rulebook, talk(seed))
        begun = time.monotonic()
        disk, taken = Disk(), 0
        for number, cut in enumerate(sorted(chance.randrange(1, len(calls) + 1) for _ in range(images)), 1):
            for done in calls[taken:cut]:
                disk.do(done)
            taken = cut
            image.mkdir(mode=0o700)
            disk.image(folder, image, chance)
            by_then = [line for after, line in acknowledged if after < calls[cut - 1].call]
            wrong += [f"power lost after call {cut} of {len(calls)}: {what}" for what in look(image, rulebook, by_then)]
            shutil.rmtree(image)
            if number % 500 == 0:
                tell(f"{number} images, {len(wrong)} wrong, {time.monotonic() - begun:.0f} s\n")
    return wrong


def look(image: Path, rulebook: Rulebook, acknowledged: Sequence[str]) -> list[str]:
    """What is wrong with an image."""
    try:
        return wrong_at_once(Story(image, rulebook, lambda _: None), acknowledged)
    except (Refused, OSError) as error:
        return [f"it cannot be opened: {error}"]


if __name__ == "__main__":
    kept = "nothing acknowledged is lost, every store is sound"
    sys.exit(building.program("tests.faults.power_loss", __doc__, "images", 3_000, run, kept))
