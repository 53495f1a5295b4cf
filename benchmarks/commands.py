"""Hot commands: what agents call at every turn, through a running daemon, in times of starting Python and doing nothing."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from statistics import median

from benchmarks import corpus
from benchmarks.daemon import Daemon, running
from benchmarks.measure import Goal, Measured, Sizes, seconds

HOT = Goal(at_most=3.0, aim=2.2)
HELP = Goal(at_most=8.0)


def run(sizes: Sizes, scratch: Path) -> list[Measured]:
    """Each command between two starts of Python: A B A B; the medians."""
    with running(scratch / "memory", turns=sizes.recall[0]) as daemon:
        fresh = _turns(scratch, sizes.commands + 1)
        return [
            _one(daemon, sizes.commands, "status", ["status"], HOT),
            _one(daemon, sizes.commands, "recall", ["recall", "which cache for the scheduler"], HOT),
            _one(daemon, sizes.commands, "capture of one new turn", fresh, HOT),
            _one(daemon, sizes.commands, "--help", ["--help"], HELP),
        ]


def _one(daemon: Daemon, runs: int, name: str, arguments: list[str] | Iterator[list[str]], goal: Goal) -> Measured:
    def nothing_done() -> None:
        subprocess.run((sys.executable, "-c", "pass"), env=daemon.environment, cwd=daemon.folder, check=True)

    pairs = []
    for _ in range(runs + 1):
        words = arguments if isinstance(arguments, list) else next(arguments)
        pairs.append((seconds(nothing_done), seconds(partial(daemon.run, *words))))
    nothing, command = (median(column) for column in zip(*pairs[1:], strict=True))  # the first one compiled the bytecode
    what = f"{name} ({command * 1e3:.1f} ms)"
    return Measured("commands", what, command / nothing, "x", f"python -c pass, {nothing * 1e3:.1f} ms", goal)


def _turns(folder: Path, count: int) -> Iterator[list[str]]:
    """So many captures, each of a file with one turn that nobody has seen."""
    for number, line in enumerate(corpus.lines(count, seed=corpus.SEED + 2)):
        said = line._replace(id=f"new/{number}")
        path = folder / f"new-{number}.jsonl"
        path.write_text(json.dumps({**said._asdict(), "said_at": said.said_at.isoformat()}) + "\n", encoding="utf-8")
        yield ["capture", str(path), "--format", "jsonl"]
