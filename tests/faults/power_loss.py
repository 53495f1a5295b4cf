"""Loss of power, from a log of our own writes: `python -m tests.faults.power_loss --images 3000 --seed 1`.

A story is told once, and every durable call of it is logged with its bytes. An image is what a disk could hold if the power went at one
of them. What was synced is there; of each file's writes since, every block of 512 bytes is there or not, as chance has it. Names (a file
made, renamed, removed) are a journal, as in ext4, xfs and btrfs: syncing a file or a folder makes sure of its own and of all before, and of
the rest any number of the first is there. From each image the memory is opened: what was acknowledged by then is in it, it is sound, and
the rest of the story ends as it would have. What went wrong is listed by image; `--replay IMAGE` lays that one down again.
"""

from __future__ import annotations

import random
import sys
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, NamedTuple

from ethos.edge.rulebook import Rulebook
from tests.faults import runner
from tests.faults.shim import Shim
from tests.faults.story import Story, Talk, fresh, keep, prepared, state, talk, wrong_afterwards

BLOCK = 512  # bytes that a disk writes whole
NAMING = frozenset({"folder", "create", "empty", "unlink", "link", "rename", "exchange"})
LEFT = (0.0, 0.1, 0.5, 0.9, 1.0)  # how much of what was not synced is there: of each image one


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
        self.synced, self.since = self.whole(), []

    def whole(self) -> bytes:
        """All of it."""
        return self.perhaps(random.Random(0), 1.0)

    def perhaps(self, chance: random.Random, share: float) -> bytes:
        """What could be there."""
        data = bytearray(self.synced)
        for done in self.since:
            if done.op == "cut":
                if chance.random() < share:
                    data = data[: done.size].ljust(done.size, b"\0")
                continue
            for start in range(0, done.size, BLOCK):
                if chance.random() < share:
                    piece = done.data[start : start + BLOCK]
                    at = done.offset + start
                    data = data.ljust(at + len(piece), b"\0")
                    data[at : at + len(piece)] = piece
        return bytes(data)


class Names:
    """Folders, and files by their names; two names may be of one file."""

    def __init__(self, files: dict[str, File] | None = None, folders: Sequence[str] = ()) -> None:
        self.files = files or {}
        self.folders = list(folders)

    def copy(self) -> Names:
        """The same files under the same names."""
        return Names(dict(self.files), self.folders)

    def take(self, done: Done, made: File) -> None:
        """One change of names. made: what is there where a file is made."""
        match done.op:
            case "folder":
                self.folders.append(done.path)
            case "create" | "empty":
                self.files.setdefault(done.path, made)
            case "unlink":
                self.files.pop(done.path, None)
            case "link":
                self.files[done.other] = self.files[done.path]
            case "rename":
                self.files[done.other] = self.files.pop(done.path)
            case "exchange":
                self.files[done.path], self.files[done.other] = self.files[done.other], self.files[done.path]


class Disk:
    """What was done to a disk, what of it is certain, and what it could hold."""

    def __init__(self) -> None:
        self.now = Names()  # as the programs see it
        self._certain = Names()
        self._journal: list[tuple[Done, File]] = []  # of names, not yet certain

    def do(self, done: Done) -> None:
        """Take a call in."""
        if done.op in NAMING:
            made = File()
            self.now.take(done, made)
            self._journal.append((done, made))
            if done.op == "empty":
                self.now.files[done.path].since.append(done._replace(op="cut", size=0))
        elif done.op == "sync":
            self._make_sure(done.path)
            if done.path in self.now.files:
                self.now.files[done.path].sync()
        elif done.path in self.now.files:
            self.now.files[done.path].since.append(done)

    def image(self, old: Path, new: Path, chance: random.Random) -> None:
        """Lay down what could be left."""
        share, names = chance.choice(LEFT), self._certain.copy()
        for done, made in self._journal[: round(len(self._journal) * chance.choice(LEFT))]:
            names.take(done, made)
        for folder in names.folders:
            moved(folder, old, new).mkdir(mode=0o700, parents=True, exist_ok=True)
        for name, file in names.files.items():
            if name.endswith("-shm"):
                continue  # made anew whenever the store is opened after a crash
            path = moved(name, old, new)
            path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
            path.write_bytes(file.perhaps(chance, share))
            path.chmod(0o600)

    def _make_sure(self, path: str) -> None:
        of_it = (at for at, (done, _) in enumerate(self._journal, 1) if any(_names(path, name) for name in (done.path, done.other) if name))
        last = max(of_it, default=0)
        for done, made in self._journal[:last]:
            self._certain.take(done, made)
        del self._journal[:last]


def _names(path: str, name: str) -> bool:
    """Whether syncing this file or folder makes this name certain."""
    return name == path or str(Path(name).parent) == path


def moved(path: str, old: Path, new: Path) -> Path:
    """The same place below another folder."""
    return new / Path(path).relative_to(old)


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


class Recorded(NamedTuple):
    """A story that was told: where, its durable calls, what was acknowledged after how many of them, and how it ended."""

    story: int
    folder: Path
    calls: list[Done]
    acknowledged: list[tuple[int, str]]
    end: dict[str, Any]


def told(top: Path, story: int, rulebook: Rulebook) -> Recorded:
    """Tell a story, and see that nothing of it is missing from the log."""
    with fresh(top) as folder:
        calls, acknowledged = record(folder, top / "log", rulebook, talk(story))
        disk = Disk()
        for done in calls:
            disk.do(done)
        found = {str(path): path.read_bytes() for path in folder.rglob("*") if path.is_file()}
        logged = {name: file.whole() for name, file in disk.now.files.items() if not name.endswith("-shm")}
        if found != logged:
            raise AssertionError(f"writes that are not in the log: {[name for name in found if found[name] != logged.get(name)]}")
        with Story(folder, rulebook, lambda _: None).opened() as ethos:
            return Recorded(story, folder, calls, acknowledged, state(ethos))


class Image(NamedTuple):
    """After which call of which story the power goes, and a number for what chance leaves of the rest."""

    story: int
    call: int
    number: int

    def __str__(self) -> str:
        return f"{self.story}/{self.call}/{self.number}"


def look(disk: Disk, image: Image, recorded: Recorded, top: Path, rulebook: Rulebook) -> list[str]:
    """Lay an image down and say what is wrong with it."""
    by_then = [line for after, line in recorded.acknowledged if after <= image.call]
    with fresh(top) as folder:
        disk.image(recorded.folder, folder, random.Random(str(image)))
        story = Story(folder, rulebook, lambda _: None)
        found = wrong_afterwards(story, talk(image.story), by_then, recorded.end)
    return [f"{image}: {'; '.join(found)}"] if found else []


def run(top: Path, images: int, seed: int, tell: runner.Tell, enough: int = 1_000_000) -> list[str]:
    """Lay down so many images, a hundred of a story, or until so many are wrong; what was wrong."""
    chance, progress = random.Random(seed), runner.Progress("images", images, tell)
    rulebook = prepared(top, seed)
    wrong: list[str] = []
    for start in range(0, images, 100):
        recorded = told(top, seed * 1000 + start // 100, rulebook)
        cuts = sorted(chance.randrange(len(recorded.calls)) for _ in range(min(100, images - start)))
        disk, taken = Disk(), 0
        for number, cut in enumerate(cuts, start + 1):
            for done in recorded.calls[taken : cut + 1]:
                disk.do(done)
            taken = cut + 1
            found = look(disk, Image(recorded.story, recorded.calls[cut].call, number), recorded, top, rulebook)
            tell("".join(f"{line}\n" for line in found))
            wrong += found
            if len(wrong) >= enough:
                return wrong
            progress.at(number, f"{len(wrong)} wrong")
    return wrong


def replay(top: Path, name: str, tell: runner.Tell) -> list[str]:
    """Lay one image down again, and keep it where something is wrong with it."""
    image = Image(*map(int, name.split("/")))
    rulebook = prepared(top, image.story)
    recorded, disk = told(top, image.story, rulebook), Disk()
    for done in recorded.calls:
        if done.call <= image.call:
            disk.do(done)
    disk.image(recorded.folder, top / "left", random.Random(str(image)))
    found = look(disk, image, recorded, top, rulebook)
    keep(top / "left", found, tell)
    return found


PROGRAM = runner.Program(
    name="tests.faults.power_loss",
    about=__doc__,
    unit="images",
    most=3_000,
    run=run,
    kept="nothing acknowledged is lost, every store is sound, and each story ends as it would have",
    replay=replay,
)


if __name__ == "__main__":
    sys.exit(PROGRAM.main())
