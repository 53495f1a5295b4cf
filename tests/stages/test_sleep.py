"""The frame of a night, on a real store: its day, its run, its diff and undo, its rehearsal, and what a stage of it is told."""

from __future__ import annotations

import gc
from collections.abc import Callable
from dataclasses import replace
from datetime import UTC, date, datetime, time, timedelta, tzinfo
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ethos.app import Ethos, sleep
from ethos.core.learning.chains import telling as chains_telling
from ethos.core.model.errors import Refused
from ethos.core.model.events import Faded
from ethos.core.model.plan import ChangeSet, Plan
from ethos.core.model.records import Fact, Utterance
from ethos.core.model.sections import ORDER, Line, NightKind, Section, Table
from ethos.core.model.settings import Settings
from ethos.core.passes.context import Context
from ethos.core.passes.definition import Pass, once
from ethos.core.passes.night import due, last_over, night_of
from ethos.core.passes.stage import Stage
from ethos.core.ports.queries import FactFilter
from ethos.core.ports.store import Work
from ethos.stages.sleep import compress, distil, draw_profile, generalize, keep_bank
from ethos.stages.sleep.decay import DECAY
from tests.conftest import SetClock
from tests.support.telling import NOON, fact, said

BERLIN = ZoneInfo("Europe/Berlin")
THREE = time(3)
TODAY = NOON.date()
YESTERDAY = TODAY - timedelta(days=1)


@pytest.fixture
def ethos(open_ethos: Callable[[Settings], Ethos], settings: Settings) -> Ethos:
    """A memory whose days are those of UTC."""
    return open_ethos(replace(settings, sleep=replace(settings.sleep, zone="UTC")))


@pytest.fixture(autouse=True)
def fading(monkeypatch: pytest.MonkeyPatch) -> None:
    """A night of one stage: these tests are about the frame around the stages."""
    monkeypatch.setattr(sleep, "SLEEP", (once(DECAY),))


@pytest.fixture
def faded(ethos: Ethos, clock: SetClock) -> Ethos:
    """A memory in which a turn was said so long ago that it fades tonight."""
    ethos.capture([said("Nice weather today")])
    ethos.consolidate()
    clock.move(days=60)
    return ethos


# -- the calendar


def test_xl8_x8_a_day_is_that_of_the_zone_and_has_23_or_25_hours_where_clocks_change() -> None:
    """The day of Berlin begins at 22:00 or 23:00 of UTC."""
    spring, autumn = night_of(date(2026, 3, 29), BERLIN), night_of(date(2026, 10, 25), BERLIN)
    assert spring.start == datetime(2026, 3, 28, 23, tzinfo=UTC)
    assert (spring.end - spring.start, autumn.end - autumn.start) == (timedelta(hours=23), timedelta(hours=25))


@pytest.mark.parametrize(
    ("now", "zone", "last"),
    [
        (datetime(2026, 6, 2, 3, 0, tzinfo=UTC), UTC, date(2026, 6, 1)),
        (datetime(2026, 6, 2, 2, 59, tzinfo=UTC), UTC, date(2026, 5, 31)),
        (datetime(2026, 6, 2, 1, 0, tzinfo=UTC), BERLIN, date(2026, 6, 1)),  # 03:00 there
        (datetime(2026, 6, 2, 0, 59, tzinfo=UTC), BERLIN, date(2026, 5, 31)),
    ],
)
def test_l01_from_three_on_it_is_about_yesterday(now: datetime, zone: tzinfo, last: date) -> None:
    """At 03:00 of the configured zone."""
    assert last_over(now, THREE, zone) == last


@given(
    now=st.integers(0, 365 * 24 * 60).map(lambda minutes: datetime(2026, 1, 1, tzinfo=UTC) + timedelta(minutes=minutes)),
    age=st.timedeltas(timedelta(0), timedelta(days=30)),
    done=st.sets(st.integers(0, 10)),
    most=st.integers(1, 9),
)
def test_l01_each_day_is_due_once(now: datetime, age: timedelta, done: set[int], most: int) -> None:
    """What is due is over, was not slept on, lies within the days that are made up for, and its night came after the memory began."""
    last = last_over(now, THREE, BERLIN)
    slept = {last - timedelta(days=back) for back in done}
    days = due(now, now - age, slept, THREE, BERLIN, most)
    assert list(days) == sorted(set(days))
    for back in range(most):
        day = last - timedelta(days=back)
        three = datetime.combine(day + timedelta(days=1), THREE, BERLIN)
        assert (day in days) == (day not in slept and three > now - age)
        assert three <= now
    assert len(days) <= most


# -- the run


def test_l01_l32_a_night_is_a_run_of_its_own_with_its_diff_and_its_undo(faded: Ethos) -> None:
    """What faded is told, shown, taken back, and can be had again."""
    slept = faded.sleep()
    (run, *_) = faded.status().runs
    assert (run.id, run.name, run.outcome, run.counts) == (slept.report.run, "sleep", "done", {"faded": 1})
    assert run.reason == slept.report.date.isoformat()
    (shown,) = faded.diff(slept.report.run).differences
    assert (shown.id, shown.changed) == (said("Nice weather today").id, {"faded": (False, True)})
    (back,) = faded.undo(slept.report.run).differences
    assert back.changed == {"faded": (True, False)}
    assert faded.sleep(slept.report.date).report.counts == {"faded": 1}
    assert faded.store.check() == []


def test_l01_a_dry_run_shows_the_same_and_writes_nothing(faded: Ethos) -> None:
    """The same loop rolled back: no run, no change, and then the same diff for real."""
    runs = faded.status().runs
    would = faded.sleep(dry_run=True)
    assert (would.report.kind, would.report.counts) == (NightKind.DRY_RUN, {"faded": 1})
    assert faded.status().runs == runs
    assert faded.diff(faded.sleep().report.run).differences == would.diff


def test_l01_it_is_about_the_last_day_whose_night_is_due(ethos: Ethos) -> None:
    """At noon yesterday; a day that has not begun is refused, and so is one that no clock can name."""
    assert ethos.sleep().report.date == YESTERDAY
    assert ethos.sleep(TODAY).report.date == TODAY
    with pytest.raises(Refused, match="has not begun"):
        ethos.sleep(TODAY + timedelta(days=1))
    with pytest.raises(Refused, match="too long ago"):
        ethos.sleep(date.min)
    with pytest.raises(Refused, match="has not begun"):
        ethos.sleep(date.max)


def test_e06_a_consolidation_still_sweeps(faded: Ethos) -> None:
    """Without any night."""
    assert faded.consolidate().faded == 1


# -- what is due


def test_l01_a_memory_sleeps_once_on_each_day_and_makes_up_for_those_it_missed(ethos: Ethos, clock: SetClock) -> None:
    """The first night comes after the first run; days off are made up for one by one, a week of them at most."""
    assert ethos.nights_due() == ()
    ethos.consolidate()
    assert ethos.nights_due() == ()
    clock.move(days=3)
    missed = tuple(TODAY + timedelta(days=number) for number in range(3))
    assert ethos.nights_due() == missed
    for day in missed[:2]:
        ethos.sleep(day)
    assert ethos.nights_due() == missed[2:]
    clock.move(days=30)
    assert len(ethos.nights_due()) == 7


def test_l01_a_night_that_a_person_took_back_is_not_run_again_by_itself(faded: Ethos) -> None:
    """Whoever undoes a night does not want it."""
    (*_, last) = faded.nights_due()
    faded.undo(faded.sleep(last).report.run)
    assert last not in faded.nights_due()


def test_l32_a_night_that_was_interrupted_is_still_due(ethos: Ethos, clock: SetClock) -> None:
    """Between two units the machine may be wanted; the next idle moment begins the night again."""
    ethos.consolidate()
    clock.move(days=1)
    assert ethos.sleep(TODAY, keep_going=lambda: False).stopped
    assert ethos.nights_due() == (TODAY,)
    assert not ethos.sleep(TODAY).stopped
    assert ethos.nights_due() == ()


# -- what a stage is told, and what it may do


def telling(seen: list[Context], *sections: Section) -> Stage[Context]:
    """A stage that notes what it is told, and says these things."""

    def decide(ctx: Context, _: Context) -> Plan:
        seen.append(ctx)
        return Plan((ChangeSet("", (), (), sections),))

    return Stage("telling", lambda _, ctx: ctx, decide)


def test_xl8_xl12_a_stage_knows_its_day_its_seed_and_the_runs_before_it(faded: Ethos, monkeypatch: pytest.MonkeyPatch) -> None:
    """An earlier run for the same date is named as long as it is in force; one for another date is not."""
    seen: list[Context] = []
    monkeypatch.setattr(sleep, "SLEEP", (once(telling(seen)), once(DECAY)))
    first, other, again = (faded.sleep(day, seed=seed).report for day, seed in ((TODAY, None), (YESTERDAY, None), (TODAY, 7)))
    faded.undo(first.run)
    faded.sleep(TODAY)
    assert [ctx.tonight.earlier for ctx in seen] == [(), (), (first.run,), (again.run,)]
    assert [ctx.seed for ctx in seen] == [20260601, 20260531, 7, 20260601]
    assert (seen[1].tonight.start, seen[1].run) == (datetime.combine(YESTERDAY, time.min, UTC), other.run)
    assert seen[0].chance("replay").random() == seen[3].chance("replay").random() != seen[2].chance("replay").random()


def test_a_stage_of_a_night_has_no_night_in_a_cycle(ethos: Ethos) -> None:
    """It is a mistake to run one there, and is said so."""
    with pytest.raises(LookupError):
        _ = ethos.context("r-1", NOON).tonight


def test_l33_sections_of_one_title_are_one_and_their_counts_are_the_runs(ethos: Ethos, monkeypatch: pytest.MonkeyPatch) -> None:
    """A stage that works in units says something of each; the numbers are added up and stand in the record of runs.

    What was learned is read before what was replayed.
    """
    parts = (
        Section("Replay", (Line("three turns led to one another", "ethos recall --narrative chain_1"),), counts={"chain_count": 1}),
        Section("Lessons", tables=(Table(("lesson", "held"), (("none", "no"),)),)),
        Section("Replay", (Line("two more"),), counts={"chain_count": 2}),
    )
    monkeypatch.setattr(sleep, "SLEEP", (once(telling([], *parts)),))
    slept = ethos.sleep().report
    assert [(section.title, len(section.lines), section.counts) for section in slept.sections] == [
        ("Lessons", 0, {}),
        ("Replay", 2, {"chain_count": 3}),
    ]
    assert ethos.status().runs[0].counts == {"chain_count": 3}


class Sessions:
    """Takes the turns of a session after the other's."""

    def __init__(self) -> None:
        self.left = ["s1", "s2", "s3"]

    def __call__(self, work: Work, ctx: Context, _: object) -> tuple[Utterance, ...]:
        """The next session's."""
        if not self.left:
            return ()
        session = self.left.pop(0)
        return tuple(work.unscanned(ctx.rules.hash, session=session, limit=10))


def test_l02_a_stage_may_work_in_units_and_is_interrupted_between_them(ethos: Ethos, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each unit is a transaction; its episodes need no mark, and none is counted against them."""
    ethos.capture(said(f"Turn {number}", session=session) for session in ("s1", "s2", "s3") for number in range(2))
    seen: list[Context] = []
    monkeypatch.setattr(sleep, "SLEEP", (Pass("sessions", Sessions, (telling(seen, Section("Units", counts={"units": 1})),)), once(DECAY)))
    assert ethos.sleep().report.counts == {"units": 3}
    assert [{utterance.session for utterance in ctx.unit} for ctx in seen] == [{"s1"}, {"s2"}, {"s3"}]
    asked = iter((True, True, False, True, True, True))
    stopped = ethos.sleep(keep_going=lambda: next(asked))
    assert (stopped.report.counts, stopped.stopped) == ({"units": 1}, True)
    assert ethos.consolidate().episodes_scanned == 6


def test_l32_a_stage_that_loses_something_is_rolled_back_and_said_so(ethos: Ethos, monkeypatch: pytest.MonkeyPatch) -> None:
    """A fact that would be replaced by one that is nowhere: nothing stays, the run is a failure, and is tried so often and no more."""

    def loses(_: object, ctx: Context) -> Plan:
        lost = replace(fact("Michael", "prefers", "Rust", 0.9), superseded_by="f-nobody", run=ctx.run)
        return Plan((ChangeSet("", (lost,), (), (Faded(lost.id),)),))

    monkeypatch.setattr(sleep, "SLEEP", (once(Stage("losing", lambda *_: None, loses)),))
    ethos.consolidate()
    for day in (YESTERDAY,) * 3:
        with pytest.raises(Refused, match="failed a check"):
            ethos.sleep(day)
        assert ethos.facts(FactFilter("default", history=True)) == ()
        assert ethos.status().runs[0].outcome == "failed"
    with ethos.store.begin() as work:
        assert list(work.records(Fact)) == []


def test_l32_a_night_that_fails_too_often_is_given_up(ethos: Ethos, clock: SetClock, monkeypatch: pytest.MonkeyPatch) -> None:
    """After `max_attempts`; by hand it can be tried again."""
    ethos.consolidate()
    clock.move(days=1)
    with monkeypatch.context() as broken:
        broken.setattr(sleep, "SLEEP", (once(Stage("broken", lambda *_: None, lambda *_: 1 / 0)),))  # type: ignore[arg-type]
        for _ in range(3):
            assert ethos.nights_due() == (TODAY,)
            with pytest.raises(ZeroDivisionError):
                ethos.sleep(TODAY)
    assert ethos.nights_due() == ()
    assert not ethos.sleep(TODAY).stopped


def test_l33_every_section_of_a_night_has_its_place_in_the_report() -> None:
    """A stage that is added names its section there, or stands last."""
    titles = {module.TITLE for module in (compress, distil, draw_profile, generalize, keep_bank, chains_telling)}
    assert titles < set(ORDER)


@pytest.mark.no_cover  # the same lines, hundreds of times
def test_what_a_night_leaves_in_cycles_does_not_grow_with_the_day(open_ethos: Callable[[Settings], Ethos], settings: Settings) -> None:
    """So the interpreter need not look for reference cycles while it runs (`seldom_collected`)."""
    ethos = open_ethos(replace(settings, sleep=replace(settings.sleep, zone="UTC")))
    left = []
    for back, many in ((3, 20), (2, 20), (1, 400)):
        at = ethos.clock.now() - timedelta(days=back)
        ethos.capture(said(f"I moved loom number {n} to the barn.", at=at + timedelta(seconds=n), session=f"s{back}") for n in range(many))
        gc.collect()
        gc.disable()
        try:
            ethos.sleep(at.date())
            left.append(gc.collect())
        finally:
            gc.enable()
    assert left[2] <= left[1] + 100
