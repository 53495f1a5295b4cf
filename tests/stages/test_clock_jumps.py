"""The system clock jumps: a year ahead and back, or a day back. What is held, and what is due, comes right again with the clock."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from itertools import permutations

import pytest

from ethos.app import Ethos
from ethos.core.model.records import Run
from ethos.core.model.settings import Settings
from ethos.core.ports.queries import FactFilter
from ethos.edge.files import backups
from ethos.edge.server.loop import Loop
from ethos.edge.server.run_lock import RunLock
from tests.conftest import SetClock
from tests.support.telling import NOON, said

YEAR = 365


def held(ethos: Ethos) -> list[str]:
    """What is held."""
    return sorted(fact.statement for fact in ethos.facts(FactFilter("default")))


def learn(ethos: Ethos, words: str, at: datetime) -> Run:
    """Hear and read one turn; return the run."""
    ethos.capture([said(words, at=at)])
    run = ethos.diff(ethos.consolidate().run).run
    assert run is not None
    return run


def shown(ethos: Ethos, words: str) -> int:
    """How many hits default recall has."""
    return len(ethos.recall(words))


def test_e06_what_faded_in_a_year_that_was_none_comes_back(ethos: Ethos, clock: SetClock) -> None:
    """A cycle a year ahead marks all as faded; the first cycle after the clock was set back takes that back, and no other does."""
    learn(ethos, "We decided to use Postgres.", NOON)
    learn(ethos, "My favorite editor is Vim.", NOON)
    before = shown(ethos, "Postgres Vim")
    assert before >= 2
    clock.move(days=YEAR)
    ethos.consolidate()
    with ethos.store.begin() as work:
        assert work.counts(ethos.rules.hash).faded > 0
    clock.move(days=-YEAR)
    ethos.consolidate()
    with ethos.store.begin() as work:
        assert work.counts(ethos.rules.hash).faded == 0
    assert shown(ethos, "Postgres Vim") == before
    assert ethos.consolidate().faded == 0
    clock.move(days=YEAR)
    assert ethos.consolidate().faded > 0  # and in the end the year is over


def test_clock_the_last_run_is_none_of_a_time_to_come(ethos: Ethos, clock: SetClock) -> None:
    """`ethos diff` shows what was done last, not what was done under a clock that ran ahead."""
    learn(ethos, "We decided to use Postgres.", NOON)
    clock.move(days=YEAR)
    ahead = learn(ethos, "My favorite editor is Vim.", NOON)
    assert ethos.diff().run == ahead
    clock.move(days=-YEAR)
    last = learn(ethos, "I live in Berlin.", NOON)
    assert ethos.diff().run == last


def test_clock_a_backup_of_a_time_to_come_keeps_none_from_being_taken(
    open_ethos: Callable[[Settings], Ethos], settings: Settings, clock: SetClock
) -> None:
    """The next is due by the last one whose time has come."""
    ethos = open_ethos(settings)
    every = timedelta(hours=settings.backup.every_hours + 1)
    learn(ethos, "We decided to use Postgres.", NOON)
    backups.take(ethos)
    clock.move(days=YEAR)
    learn(ethos, "My favorite editor is Vim.", NOON)
    backups.take(ethos)
    clock.move(days=-YEAR)
    learn(ethos, "I live in Berlin.", NOON)
    assert not backups.due(ethos)
    clock.move(hours=every / timedelta(hours=1))
    assert backups.due(ethos)


@pytest.mark.parametrize("jumps", [*permutations((YEAR, -1, -YEAR))])
def test_e23_the_order_of_facts_is_that_of_speech_whatever_the_clock_did(ethos: Ethos, clock: SetClock, jumps: tuple[int, ...]) -> None:
    """Times said before 1970, too: the switch that was said last holds."""
    spoken = (
        ("We decided to use Oracle.", datetime(1965, 3, 1, tzinfo=UTC)),
        ("We switched from Oracle to MySQL.", datetime(1999, 3, 1, tzinfo=UTC)),
        ("We switched from MySQL to Postgres.", NOON),
    )
    for jump, (words, at) in zip(jumps, reversed(spoken), strict=True):
        clock.move(days=jump)
        learn(ethos, words, at)
    assert held(ethos) == ["team uses Postgres"]


def test_clock_a_run_that_is_undone_after_the_clock_went_back_leaves_no_trace(ethos: Ethos, clock: SetClock) -> None:
    """What was held before the run, as read under a clock that ran ahead, holds again."""
    clock.move(days=YEAR)
    learn(ethos, "We decided to use Postgres.", NOON)
    before = held(ethos)
    clock.move(days=-YEAR)
    run = learn(ethos, "We switched from Postgres to SQLite.", NOON + timedelta(days=1))
    assert held(ethos) != before
    ethos.undo(run.id)
    assert held(ethos) == before


def test_e01_a_cycle_of_a_time_to_come_makes_none_due_forever(ethos: Ethos, clock: SetClock) -> None:
    """One that was stopped under a clock that ran ahead left work over; once that is done, the next waits for its interval."""
    loop = Loop(ethos, RunLock(1.0), since_start=lambda: 0.0)
    clock.move(days=YEAR)
    ethos.capture([said("We decided to use Postgres.")])
    ethos.consolidate(keep_going=lambda: False)
    clock.move(days=-YEAR)
    loop.consolidate(session=None, reason="test", dry_run=False)
    assert held(ethos) == ["team uses Postgres"]
    assert not loop.due()
    clock.move(minutes=ethos.settings.consolidation.interval_minutes + 1)
    assert loop.due()


def test_fault_m6_what_a_fast_clock_dated_does_not_outrank_what_is_said_after_it(ethos: Ethos, clock: SetClock) -> None:
    """Words without a time come in under a clock that is a year ahead, others after it was set right: the order is that of receipt."""

    def receive(words: str) -> int:
        turn = replace(said(words, at=clock.now(), session=words), time_source="received")
        moved = ethos.capture([turn]).moved
        ethos.consolidate()
        return moved

    clock.move(days=YEAR)
    assert receive("We decided to use Oracle.") == 0
    clock.move(days=-YEAR)
    assert receive("We switched from Oracle to Postgres.") == 1
    clock.move(hours=1)
    assert receive("We switched from Postgres to SQLite.") == 1
    assert held(ethos) == ["team uses SQLite"]
    clock.move(days=YEAR)
    assert receive("We switched from SQLite to DuckDB.") == 0
    assert held(ethos) == ["team uses DuckDB"]
