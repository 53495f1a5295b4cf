"""Building the shim, with the C compiler that is here, if there is one; and the programs that run with it."""

from __future__ import annotations

import argparse
import ctypes
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable, Sequence
from pathlib import Path

from tests import offline

SOURCE = Path(__file__).with_name("shim.c")


def compiler() -> str | None:
    """The C compiler."""
    return shutil.which("cc") or shutil.which("gcc") or shutil.which("clang")


def built(folder: Path) -> Path:
    """The shim, made into this folder."""
    made = folder / "shim.so"
    command = [compiler() or "cc", "-O1", "-Wall", "-Wextra", "-Werror", "-shared", "-fPIC", "-o", str(made), str(SOURCE), "-ldl"]
    subprocess.run(command, check=True, capture_output=True, text=True)
    return made


def preloaded() -> bool:
    """Whether this process runs with the shim."""
    return hasattr(ctypes.CDLL(None), "fault_arm")


def again(module: str) -> int:
    """This program once more, with the shim before the system's own calls; its exit code."""
    if compiler() is None:
        sys.stdout.write("skipped: no C compiler\n")
        return 0
    with tempfile.TemporaryDirectory() as folder:
        environment = {**os.environ, "LD_PRELOAD": str(built(Path(folder)))}
        return subprocess.run([sys.executable, "-m", module, *sys.argv[1:]], env=environment, check=False).returncode


Found = Sequence[str]  # what is wrong, a line for each point at which something is: its name, ": ", and all of it
Tell = Callable[[str], object]


def program(
    module: str,
    about: str | None,
    unit: str,
    most: int,
    run: Callable[[int, int, Tell], Found],
    replay: Callable[[str, Tell], Found],
    kept: str,
) -> int:
    """The long version of a test of faults, by its command line, started anew with the shim; its exit code.

    unit: what is counted, `most` of them unless told otherwise. run: number, seed and where to tell of progress -> what went wrong.
    replay: one of them again, by the name it has in what went wrong. kept: what is so where nothing did.
    """
    parser = argparse.ArgumentParser(description=about)
    parser.add_argument(f"--{unit}", dest="number", type=int, default=most)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--replay", metavar="NAME", help="one of them again, by its name in a list of what was wrong")
    given = parser.parse_args()
    offline.enter()
    if not preloaded():
        return again(module)
    if given.replay:
        done, wrong = f"{given.replay}: {kept}", replay(given.replay, sys.stdout.write)
    else:
        done, wrong = f"{given.number} {unit} (seed {given.seed}): {kept}", run(given.number, given.seed, sys.stderr.write)
    sys.stdout.write("\n".join([*wrong[:50], told(module, unit, given.number, given.seed, wrong)] if wrong else [done]) + "\n")
    return 1 if wrong else 0


def told(module: str, unit: str, number: int, seed: int, wrong: Found) -> str:
    """How many went wrong, and how to see the first of them again."""
    name = wrong[0].split(": ", 1)[0]
    return f"{len(wrong)} of {number} {unit} wrong (seed {seed}); the first again: python -m {module} --replay '{name}'"
