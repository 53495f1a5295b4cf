"""How long the replay of a day takes and a whole night, and how that grows with the day."""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, datetime, time, timedelta
from pathlib import Path
from time import process_time

from benchmarks import corpus
from benchmarks.measure import Goal, Measured, Sizes
from benchmarks.place import memory, shipped
from ethos import engine
from ethos.app.collecting import seldom_collected
from ethos.core.model.records import Episode
from ethos.core.passes.definition import once
from ethos.core.passes.night import night_of
from ethos.stages.sleep.replay import REPLAY

DAY = datetime(2026, 3, 2, tzinfo=UTC)
SESSIONS = 25  # of a day
TAGS = ("deploy", "billing", "search", "login", "docs", "tests", "mobile", "infra")


def a_day(many: int, start: datetime) -> Iterator[Episode]:
    """Yield so many turns of the corpus over a day, in sessions, with tags and given importances."""
    chance = random.Random(many)
    for number, turn in enumerate(corpus.episodes(many, start)):
        yield replace(
            turn,
            id=f"{start:%d}-{number}",
            session=f"s{chance.randrange(SESSIONS)}",
            said_at=start + timedelta(seconds=86_400 * number / many),
            importance=round(chance.random(), 3),
            importance_given=True,
            tags=tuple(chance.sample(TAGS, chance.randrange(4))),
        )


def _whole_night(folder: Path, many: int) -> float:
    """Return the seconds of CPU that a night takes with all its passes and its report, after a day of so many episodes."""
    ethos = memory(folder, shipped())
    yesterday = datetime.combine(ethos.clock.now().date() - timedelta(days=1), time(), UTC)
    ethos.capture(a_day(many, yesterday))
    began = process_time()
    ethos.sleep(yesterday.date())
    taken = process_time() - began
    ethos.close()
    return taken


def run(sizes: Sizes, folder: Path) -> list[Measured]:
    """Return the seconds of CPU that the replay of each size of day takes and the whole night, and the growth from one to the next."""
    figures: list[Measured] = []
    seconds: dict[int, float] = {}
    _whole_night(folder / "first", 30)  # modules are imported and patterns compiled when they are first needed: that is start-up
    for many in sizes.days:
        ethos = memory(folder / str(many), shipped())
        ethos.capture(a_day(many, DAY))
        ctx = replace(ethos.context("r-night", DAY + timedelta(days=1)), night=night_of(DAY.date(), UTC))
        began = process_time()
        with seldom_collected():  # as in every night
            for _ in engine.drain(ethos.store, once(REPLAY), ctx, lambda: True):
                pass
        seconds[many] = process_time() - began
        goal = {100: Goal(at_most=0.05), 3_000: Goal(at_most=0.5)}.get(many)
        figures.append(Measured("nights", f"replay of a day of {many:,} episodes, reading and writing", seconds[many], "s", "", goal))
        ethos.close()
        whole = _whole_night(folder / f"whole-{many}", many)
        figures.append(Measured("nights", f"a whole night after a day of {many:,} episodes", whole, "s", "", goal))
    for small, large in zip(sizes.days, sizes.days[1:], strict=False):
        grown, by = seconds[large] / seconds[small], large / small
        floor = f"the day grows {by:.0f}-fold"
        figures.append(
            Measured(
                "nights", f"growth from {small:,} to {large:,} episodes, by that of the day", grown / by, "x", floor, Goal(at_most=1.5)
            )
        )
    return figures
