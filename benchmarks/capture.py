"""Capture: episode lines through the real door (read, validated, masked, weighed, indexed), in times of raw inserts of the same rows."""

from __future__ import annotations

from pathlib import Path

from benchmarks import corpus
from benchmarks.measure import Measured, Sizes, seconds
from benchmarks.place import configured, memory, shipped
from benchmarks.replay import Transaction, recorded, replay
from ethos.edge.client.connection import Connection
from ethos.edge.rulebook import Rulebook


def run(sizes: Sizes, scratch: Path) -> list[Measured]:
    """One file of episode lines into an empty memory."""
    rulebook = shipped()
    lines = scratch / "lines.jsonl"
    corpus.write(lines, sizes.capture)
    with recorded() as transactions:
        _capture(scratch / "recorded", lines)
    times = [_both(scratch / str(turn), lines, rulebook, transactions) for turn in range(sizes.cycles)]
    whole, raw = (min(column) for column in zip(*times, strict=True))
    return [
        Measured("capture", f"{sizes.capture} lines", whole / raw, "x", f"raw inserts, {sizes.capture / raw:.0f} episodes/s"),
        Measured("capture", "speed", sizes.capture / whole, "episodes/s"),
    ]


def _both(folder: Path, lines: Path, rulebook: Rulebook, transactions: list[Transaction]) -> tuple[float, float]:
    whole = _capture(folder / "door", lines)
    memory(folder / "raw", rulebook).close()
    return whole, seconds(lambda: replay(folder / "raw" / "ethos.db", transactions))


def _capture(folder: Path, lines: Path) -> float:
    """Seconds that it takes, the memory being open already."""
    with Connection(configured(folder)) as connection:
        connection.local.call("status", {})  # opens the memory
        return seconds(lambda: connection.local.call("capture", {"paths": [str(lines)], "format": "jsonl"}).data)
