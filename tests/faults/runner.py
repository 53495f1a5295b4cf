"""The long programs of this folder as they are started: their arguments, a place to work in, how far they are, and the last line.

Each counts something (`--points 10000`), begins from a seed, works where the network is refused, and ends with one line: that so many
were right, or how many were wrong; its exit code is 1 then. Progress goes to standard error, what was wrong to standard output.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

from tests.faults import building
from tests.support import offline

MEMORY = Path("/dev/shm")
LISTED = 50  # of what was wrong
TOLD = 50  # times a run tells how far it is

Found = Sequence[str]  # what is wrong, a line each; of programs that can replay, its name, ": ", and all that is wrong there
Tell = Callable[[str], object]


@dataclass(frozen=True, slots=True)
class Program:
    """The long version of a test of faults.

    name: as `python -m` takes it. unit: what is counted, `most` of them unless told otherwise; sizes: what else has a number, by its
    name. run: a folder, how many, a seed, where to tell of progress, and the sizes by their names -> what went wrong. kept: what is so
    where nothing did. replay: a folder, one of them by its name in what went wrong, and where to tell, -> what went wrong again; a program
    that has it strikes or logs durable calls: the shim is loaded first, and stands for the disk, so that the folder may be in memory.
    """

    name: str
    about: str | None
    unit: str
    most: int
    run: Callable[..., Found]
    kept: str
    sizes: Mapping[str, int] = field(default_factory=dict)
    replay: Callable[[Path, str, Tell], Found] | None = None

    def main(self) -> int:
        """Do what the command line says; the exit code."""
        given = self._arguments().parse_args()
        offline.enter()
        if self.replay and not building.preloaded():
            return building.again(self.name)
        sizes = {size: getattr(given, size) for size in self.sizes}
        with place(given.folder, in_memory=self.replay is not None) as folder:
            if self.replay and given.replay:
                done, wrong = given.replay, self.replay(folder, given.replay, sys.stdout.write)
            else:
                counted = ", ".join(f"{number} {what}" for what, number in [*sizes.items(), (self.unit, given.number)])
                done = f"{counted} (seed {given.seed})"
                wrong = self.run(folder, given.number, given.seed, sys.stderr.write, **sizes)
        last = self.summed_up(given.number, given.seed, wrong) if wrong else f"{done}: {self.kept}"
        sys.stdout.write("\n".join([*wrong[:LISTED], last]) + "\n")
        return 1 if wrong else 0

    def summed_up(self, number: int, seed: int, wrong: Found) -> str:
        """How much went wrong, and how to see the first of it again."""
        if self.replay is None:
            return f"{len(wrong)} wrong in {number} {self.unit} (seed {seed})"
        first = wrong[0].split(": ", 1)[0]
        return f"{len(wrong)} of {number} {self.unit} wrong (seed {seed}); the first again: python -m {self.name} --replay '{first}'"

    def _arguments(self) -> argparse.ArgumentParser:
        parser = argparse.ArgumentParser(description=self.about)
        parser.add_argument(f"--{self.unit}", dest="number", type=int, default=self.most)
        for size, usual in self.sizes.items():
            parser.add_argument(f"--{size}", type=int, default=usual)
        parser.add_argument("--seed", type=int, default=1)
        parser.add_argument("--folder", type=Path, help="where a folder is made to work in; on tmpfs it need not wait for the disk")
        if self.replay:
            parser.add_argument("--replay", metavar="NAME", help="one of them again, by its name in a list of what was wrong")
        return parser


@contextmanager
def place(within: Path | None = None, *, in_memory: bool = False) -> Iterator[Path]:
    """A folder to work in. within: where it is made. in_memory: on tmpfs, if there is one and nothing else is said."""
    chosen = within or (MEMORY if in_memory and MEMORY.is_dir() else None)
    with tempfile.TemporaryDirectory(dir=chosen, prefix="ethos-faults-") as made:
        yield Path(made)


class Progress:
    """How far a run is: a line now and then. unit: what is counted, `total` of them in all."""

    def __init__(self, unit: str, total: int, tell: Tell) -> None:
        self._unit = unit
        self._step = max(1, total // TOLD)
        self._next = self._step
        self._tell = tell
        self._begun = time.monotonic()

    @property
    def seconds(self) -> float:
        """Since it began."""
        return time.monotonic() - self._begun

    def at(self, number: int, so_far: object) -> None:
        """So many are done, with this so far."""
        if number >= self._next:
            self._next = number - number % self._step + self._step
            self._tell(f"{number} {self._unit}, {self.seconds:.0f} s: {so_far}\n")
