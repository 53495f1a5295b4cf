"""Run the benchmarks that were named, or all of them, and print what came out."""

from __future__ import annotations

import argparse
import json
import os
import platform
import sys
import tempfile
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from benchmarks import capture, commands, cycle, extraction, finding, idle, linearity, loading, nights, recall
from benchmarks.bank import measuring as bank
from benchmarks.measure import QUICK, Measured, Sizes

Benchmark = Callable[[Sizes, Path], list[Measured]]

BENCHMARKS: Mapping[str, Benchmark] = {
    "extraction": extraction.run,
    "linearity": linearity.run,
    "loading": loading.run,
    "cycle": cycle.run,
    "capture": capture.run,
    "recall": recall.run,
    "finding": finding.run,
    "commands": commands.run,
    "nights": nights.run,
    "bank": bank.run,
    "idle": idle.run,
}


def main(arguments: Sequence[str] | None = None, *, sizes: Sizes | None = None) -> int:
    """0: every goal is reached; 1: one is not. sizes: in place of those of `--quick` or the full ones."""
    parser = argparse.ArgumentParser("python -m benchmarks", description=__doc__)
    parser.add_argument("names", nargs="*", metavar="NAME", help="one of " + ", ".join(BENCHMARKS))
    parser.add_argument("--quick", action="store_true", help="small sizes: minutes become seconds, and the figures rougher")
    parser.add_argument("--json", action="store_true", help="one JSON object instead of a table")
    parser.add_argument("--turns", type=Path, metavar="FILE", help="extraction: from these episode lines, in place of the corpus")
    asked = parser.parse_args(arguments)
    if unknown := [name for name in asked.names if name not in BENCHMARKS]:
        parser.error(f"no such benchmark: {', '.join(unknown)} (one of {', '.join(BENCHMARKS)})")
    sizes = replace(sizes or (QUICK if asked.quick else Sizes()), real=asked.turns)
    figures: list[Measured] = []
    for name in asked.names or BENCHMARKS:
        with tempfile.TemporaryDirectory(prefix="ethos-benchmark-") as folder:
            found = BENCHMARKS[name](sizes, Path(folder))
        figures += found
        if not asked.json:
            print("\n".join(map(line, found)), flush=True)
    if asked.json:
        print(json.dumps({"machine": machine(), "figures": [data(figure) for figure in figures]}, indent=1))
    return 1 if any(figure.met is False for figure in figures) else 0


def machine() -> dict[str, object]:
    """Return what the figures were measured on."""
    return {"python": platform.python_version(), "machine": platform.machine(), "system": platform.system(), "cores": os.cpu_count()}


def line(figure: Measured) -> str:
    """Return a figure as a line of the table."""
    value = f"{figure.value:,.2f}" if figure.value < 1_000 else f"{figure.value:,.0f}"
    verdict = {None: "", True: "reached", False: "MISSED"}[figure.met]
    goal = f"  goal {figure.goal}: {verdict}" if figure.goal else ""
    floor = f"  ({figure.floor})" if figure.floor else ""
    return f"{figure.benchmark:<11} {figure.what:<72} {value:>10} {figure.unit}{floor}{goal}"


def data(figure: Measured) -> dict[str, object]:
    """Return a line for a figure of a whole program."""
    return {
        "benchmark": figure.benchmark,
        "what": figure.what,
        "value": round(figure.value, 4),
        "unit": figure.unit,
        "floor": figure.floor,
        "goal": str(figure.goal) if figure.goal else None,
        "met": figure.met,
    }


if __name__ == "__main__":
    sys.exit(main())
