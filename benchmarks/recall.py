"""Recall: what a question costs, in times of a bare FTS5 query for the same words on the same store, in the same process.

Times are of the processor: what else the machine does meanwhile does not count.
"""

from __future__ import annotations

import gc
from collections.abc import Callable
from functools import partial
from pathlib import Path
from time import process_time
from typing import Any

from benchmarks import corpus
from benchmarks.measure import Goal, Measured, Sizes, percentile
from benchmarks.place import filled, shipped
from ethos.app import Ethos
from ethos.core.recall.question import query_words
from ethos.edge.rulebook import Rulebook
from ethos.store import open_store

PLAIN = "not counted"
GOALS = {10_000: 2.0, 100_000: 1.0, 1_000_000: 0.7}  # p95, by how many episodes there are
_BARE = "SELECT rowid FROM words WHERE words MATCH ? ORDER BY bm25(words) LIMIT 10"


def run(sizes: Sizes, scratch: Path) -> list[Measured]:
    """Ask a small and a large memory the same questions, after a cycle."""
    rulebook = shipped()
    asked = corpus.questions(sizes.questions)
    return [figure for count in sizes.recall for figure in _one(scratch / str(count), rulebook, count, asked)]


def _one(folder: Path, rulebook: Rulebook, count: int, asked: list[str]) -> list[Measured]:
    ethos = filled(folder, rulebook, count)
    ethos.consolidate()
    gc.collect()
    gc.freeze()  # as the daemon does
    opened = open_store(folder / "ethos.db")
    with opened.pool.connection() as driver:
        bare, plain, counted = _times(ethos, driver, asked)
    opened.close()
    ethos.close()
    gc.unfreeze()
    figures = []
    for name, times in ((PLAIN, plain), ("counted as a retrieval", counted)):
        for percent in (50, 95):
            floor = percentile(bare, percent)
            goal = Goal(at_most=GOALS[count]) if percent == 95 and name == PLAIN and count in GOALS else None
            what = f"{count} episodes, p{percent}, {name} ({percentile(times, percent) * 1e3:.2f} ms)"
            figures.append(Measured("recall", what, percentile(times, percent) / floor, "x", f"bare FTS5, {floor * 1e3:.2f} ms", goal))
    return figures


def _times(ethos: Ethos, driver: Any, asked: list[str]) -> tuple[list[float], list[float], list[float]]:
    """Seconds of each question: bare, recalled without counting, recalled and counted. Question by question, twice, the second counts."""
    times: tuple[list[float], list[float], list[float]] = ([], [], [])
    for turn in range(2):
        for column in times:
            column.clear()
        for number, question in enumerate(asked):
            match = " OR ".join(f'"{word}"' for word in query_words(question))
            session = f"{turn}-{number}"
            runs: tuple[Callable[[], object], ...] = (
                partial(_bare, driver, match),
                partial(ethos.recall, question, limit=10),
                partial(ethos.recall, question, limit=10, session=session),
            )
            for column, ask in zip(times, runs, strict=True):
                start = process_time()
                ask()
                column.append(process_time() - start)
    return times


def _bare(driver: Any, match: str) -> None:
    driver.execute(_BARE, (match,)).fetchall()
