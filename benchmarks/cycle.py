"""The whole cycle, in times of raw SQLite: reading the same episodes and facts and writing the same rows, with nothing decided."""

from __future__ import annotations

import shutil
from pathlib import Path

from benchmarks.extraction import FIXED
from benchmarks.measure import Goal, Measured, Sizes, seconds
from benchmarks.place import filled, memory, shipped
from benchmarks.replay import Transaction, copy, recorded, replay, rows_in
from ethos.edge.rulebook import Rulebook, load


def run(sizes: Sizes, scratch: Path) -> list[Measured]:
    """One cycle over a fresh store and the replay of what it read and wrote, in turn; with the shipped packs, and with the fixed one."""
    return [
        *_with(shipped(), "shipped packs", sizes, scratch / "shipped"),
        *_with(load([FIXED]), "fixed pack", sizes, scratch / "fixed"),
    ]


def _with(rulebook: Rulebook, packs: str, sizes: Sizes, scratch: Path) -> list[Measured]:
    filled(scratch / "captured", rulebook, sizes.cycle).close()
    captured = scratch / "captured" / "ethos.db"
    with recorded() as transactions:
        copy(captured, scratch / "recorded")
        _consolidate(scratch / "recorded", rulebook)
    times = [_both(captured, scratch / str(turn), rulebook, transactions) for turn in range(sizes.cycles)]
    whole, raw = (min(column) for column in zip(*times, strict=True))
    written = sum(len(step.params) if step.many else 1 for each in transactions if each.writes for step in each.steps)
    floor = f"raw sqlite3, {raw / sizes.cycle * 1e6:.1f} us an episode"
    name = f"{packs}, {len(rulebook.rules.rules)} rules"
    return [
        Measured("cycle", f"{name}: {sizes.cycle} episodes", whole / raw, "x", floor, Goal(at_most=2.0)),
        Measured("cycle", f"{name}: time", whole / sizes.cycle * 1e6, "us an episode"),
        Measured("cycle", f"{name}: speed", sizes.cycle / whole, "episodes/s"),
        Measured("cycle", f"{name}: rows written", written, "rows"),
    ]


def _both(captured: Path, folder: Path, rulebook: Rulebook, transactions: list[Transaction]) -> tuple[float, float]:
    """Seconds that the cycle takes, and its floor; that both leave the same number of rows is made sure of."""
    copy(captured, folder / "cycle")
    path = copy(captured, folder / "raw")
    ethos = memory(folder / "cycle", rulebook)
    whole = seconds(ethos.consolidate)
    ethos.close()
    raw = seconds(lambda: replay(path, transactions))
    left, wanted = rows_in(path), rows_in(folder / "cycle" / "ethos.db")
    if left != wanted:
        raise AssertionError(f"the replay left other rows than the cycle: {left} and {wanted}")
    shutil.rmtree(folder)
    return whole, raw


def _consolidate(folder: Path, rulebook: Rulebook) -> None:
    ethos = memory(folder, rulebook)
    ethos.consolidate()
    ethos.close()
