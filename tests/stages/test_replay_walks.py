"""Random walks of captures, nights, retrievals, answers, undos and forgetting: nothing of a replay is lost, doubled or left behind."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from datetime import timedelta
from pathlib import Path

import pytest

from ethos.app import Ethos, sleep
from ethos.core.history.diff import differences
from ethos.core.history.erasure import ErasureRequest
from ethos.core.model.errors import Refused
from ethos.core.model.lessons import Lesson, LessonEvidence
from ethos.core.model.memories import Memory
from ethos.core.model.records import Episode, Salience
from ethos.core.model.settings import Settings
from ethos.core.model.summaries import Profile, Summary, Telling
from ethos.core.model.traces import Trace
from ethos.core.passes.definition import once
from ethos.core.passes.night import REAL
from ethos.stages.sleep.decay import DECAY
from ethos.stages.sleep.replay import REPLAY
from tests.conftest import SetClock
from tests.support.telling import said

pytestmark = pytest.mark.no_cover  # the same lines, hundreds of times

WORDS = (
    "We decided to use Rust",
    "We decided to use Go",
    "the parser is fixed now",
    "lunch was fine",
    "wow, the cache was wrong all day",
    "thanks",
)
NIGHTS = (once(REPLAY), once(DECAY))


class Walk:
    """A memory and the nights in force, as a model knows them."""

    def __init__(self, ethos: Ethos, clock: SetClock, seed: int) -> None:
        self.ethos, self.clock, self.chance = ethos, clock, random.Random(seed)
        self.nights: list[str] = []
        self.said = 0

    def go(self, steps: int) -> None:
        """Take so many steps, and look the memory over after each."""
        moves = (self.capture, self.capture, self.sleep, self.sleep, self.again, self.recall, self.answer, self.undo, self.forget)
        for _ in range(steps):
            self.chance.choice(moves)()
            self.look()

    def capture(self) -> None:
        """A day's talk."""
        self.clock.move(days=self.chance.choice((1, 1, 9)))
        start = self.clock.at - timedelta(days=1)
        turns = []
        for _ in range(self.chance.randrange(3, 15)):
            self.said += 1
            at = start.replace(hour=self.chance.randrange(24), minute=self.chance.randrange(60))
            importance = self.chance.choice((None, self.chance.random()))
            words = f"{self.chance.choice(WORDS)} {self.said}"
            turns.append(said(words, at=at, importance=importance, session=f"s{self.chance.randrange(3)}"))
        self.ethos.capture(turns)
        self.ethos.consolidate()

    def sleep(self) -> None:
        """The night after."""
        self.nights.append(self.ethos.sleep(self.clock.at.date() - timedelta(days=1)).report.run)

    def again(self) -> None:
        """The same date once more changes nothing."""
        self.sleep()
        before = _all(self.ethos)
        self.sleep()
        assert _all(self.ethos) == before

    def recall(self) -> None:
        """Retrievals lift what is found."""
        self.ethos.recall("parser cache lunch", session=f"q{self.chance.randrange(9)}", limit=5)

    def answer(self) -> None:
        """An open question."""
        for entry in self.ethos.inbox()[:1]:
            self.ethos.answer(entry.question.id, self.chance.choice(("keep-old", "keep-new", "keep-both")))

    def undo(self) -> None:
        """Any night, whatever came after it."""
        if self.nights:
            self._undo(self.nights.pop(self.chance.randrange(len(self.nights))))

    def _undo(self, run: str) -> None:
        """A night of which nothing is left, because all of it was forgotten or had been found before, has nothing to take back."""
        try:
            self.ethos.undo(run)
        except Refused as refused:
            assert "changed nothing" in refused.problem.what  # noqa: PT017 (any other refusal is a failure)

    def forget(self) -> None:
        """An episode; no trace names it any more."""
        with self.ethos.store.begin() as work:
            episodes = list(work.records(Episode))
        if episodes:
            gone = self.chance.choice(episodes).id
            try:
                self.ethos.forget(ErasureRequest(ids=(gone,)))
            except Refused:
                return
            database = Path(self.ethos.settings.ethos.database)
            assert gone.encode() not in database.read_bytes()

    def look(self) -> None:
        """Every trace has both its ends, every value lies in its range, and the store is sound."""
        assert self.ethos.store.check() == []
        with self.ethos.store.begin() as work:
            for night in work.runs(name=REAL, limit=3):  # counted in another way than it is listed
                assert work.number_of_changes(night.id) == len(differences(work.changes(night.id)))
        salience, traces = _all(self.ethos)
        for trace in traces.values():
            assert {trace.source, trace.target} <= salience.keys()
            assert 0 < trace.strength <= 1
        for held in salience.values():
            assert held.base <= held.effective <= 1
            assert held.consolidated_salience_score is None or held.last_consolidated_at is not None

    def take_back(self) -> None:
        """With every night taken back nothing of any is left."""
        self.chance.shuffle(self.nights)
        while self.nights:
            self._undo(self.nights.pop())
        salience, traces = _all(self.ethos)
        assert traces == {}
        for held in salience.values():
            replayed = (held.consolidated_salience_score, held.consolidated_importance, held.breakthrough_score, held.last_consolidated_at)
            assert replayed == (None,) * 4
            assert held.effective == held.base


def _all(ethos: Ethos) -> tuple[dict[str, Salience], dict[str, Trace]]:
    with ethos.store.begin() as work:
        return {each.record: each for each in work.records(Salience)}, {each.id: each for each in work.records(Trace)}


@pytest.fixture
def walked(
    open_ethos: Callable[[Settings], Ethos], settings: Settings, clock: SetClock, monkeypatch: pytest.MonkeyPatch
) -> Callable[[int, int], None]:
    """Walks from a seed, so many steps, in a memory of its own."""
    monkeypatch.setattr(sleep, "SLEEP", NIGHTS)

    def walk(seed: int, steps: int) -> None:
        database = str(Path(settings.ethos.database).with_name(f"walk{seed}.db"))
        own = replace(settings, ethos=replace(settings.ethos, database=database), sleep=replace(settings.sleep, zone="UTC"))
        walk = Walk(open_ethos(own), clock, seed)
        walk.go(steps)
        walk.take_back()

    return walk


def test_l32_random_walks_conserve_everything(walked: Callable[[int, int], None]) -> None:
    """A few short ones; `make torture` takes two hundred."""
    for seed in range(3):
        walked(seed, 10)


@pytest.mark.parametrize("first_first", [True, False])
def test_l32_two_nights_about_one_day_can_be_undone_in_any_order(
    open_ethos: Callable[[Settings], Ethos], settings: Settings, clock: SetClock, monkeypatch: pytest.MonkeyPatch, *, first_first: bool
) -> None:
    """The second night takes traces of the first away; undone, it brings back no trace of a night that is undone itself."""
    monkeypatch.setattr(sleep, "SLEEP", NIGHTS)
    ethos = open_ethos(replace(settings, sleep=replace(settings.sleep, zone="UTC")))
    day = (clock.at - timedelta(days=1)).replace(hour=6)

    def night(numbers: range, session: str) -> tuple[str, dict[str, Trace]]:
        minutes = {n: timedelta(minutes=20 * n) for n in numbers}
        turns = [said(f"{WORDS[n % 6]} {n}", at=day + at, importance=n / 50, session=session) for n, at in minutes.items()]
        ethos.capture(turns)
        ethos.consolidate()
        run = ethos.sleep(day.date()).report.run
        return run, _all(ethos)[1]

    first, before = night(range(6), "first")
    second, after = night(range(6, 46), "second")
    assert before
    assert before.keys() - after.keys()  # the second night took some away
    for run in (first, second) if first_first else (second, first):
        ethos.undo(run)
    assert _all(ethos)[1] == {}


@pytest.mark.torture
def test_l32_two_hundred_random_walks_conserve_everything(walked: Callable[[int, int], None]) -> None:
    """Each of 25 steps."""
    for seed in range(200):
        walked(seed, 25)


def _shares(values: list[float]) -> list[float]:
    """The share of the values in each tenth of 0..1."""
    counts = [0] * 10
    for value in values:
        counts[min(9, int(value * 10))] += 1
    return [count / len(values) for count in counts]


@pytest.mark.torture
def test_l20_four_hundred_nights_do_not_drift(
    open_ethos: Callable[[Settings], Ethos], settings: Settings, clock: SetClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The base that counts is spread after 400 nights as after the first month, within ten points a tenth of the scale."""
    monkeypatch.setattr(sleep, "SLEEP", NIGHTS)
    ethos = open_ethos(replace(settings, sleep=replace(settings.sleep, zone="UTC")))
    chance = random.Random(400)
    month: list[float] = []
    for night in range(400):
        clock.move(days=1)
        start = clock.at - timedelta(days=1)
        ethos.capture(
            said(
                f"{chance.choice(WORDS)} {night} {n}",
                at=start + timedelta(minutes=n * 20),
                importance=chance.random(),
                session=f"{night}/{n % 3}",
            )
            for n in range(30)
        )
        ethos.sleep(start.date())
        if night == 29:
            month = [held.effective for held in _all(ethos)[0].values()]
    year = [held.effective for held in _all(ethos)[0].values()]
    assert max(abs(one - other) for one, other in zip(_shares(month), _shares(year), strict=True)) <= 0.10
    assert abs(sum(month) / len(month) - sum(year) / len(year)) < 0.05


TALK = (
    "I moved the {} to the barn and rented a flat in Bergen last week.",
    "We decided to use {} for the shop.",
    "I prefer {} over coffee in the morning.",
    "What do you think of the {}?",
    "The build of the {} failed, so I pinned the clock and it works now.",
    "My sister Ilse opened a {} school in Odense yesterday.",
)
THINGS = ("cello", "kayak", "loom", "telescope", "greenhouse", "aquarium", "sailboat", "typewriter")


@pytest.mark.torture
def test_g12_four_hundred_whole_nights_grow_with_what_was_said_and_leave_one_profile(
    open_ethos: Callable[[Settings], Ethos], settings: Settings, clock: SetClock
) -> None:
    """All stages. Rows of each kind grow no faster than episodes do, and the profile stays one, under one id."""
    ethos = open_ethos(replace(settings, sleep=replace(settings.sleep, zone="UTC")))
    chance = random.Random(12)
    kinds = (Trace, Summary, Telling, Lesson, LessonEvidence, Memory, Profile)
    held: dict[int, Counter[str]] = {}
    profiles: set[str] = set()
    for night in range(400):
        clock.move(days=1)
        start = clock.at - timedelta(days=1)
        ethos.capture(
            said(
                chance.choice(TALK).format(chance.choice(THINGS)),
                at=start + timedelta(minutes=n * 20),
                session=f"{night}/{n % 3}",
                speaker="Maren",
            )
            for n in range(15)
        )
        ethos.consolidate()
        assert not ethos.sleep(start.date()).failures
        if night in {99, 399}:
            with ethos.store.begin() as work:
                held[night] = Counter({kind.__name__: sum(1 for _ in work.records(kind)) for kind in kinds})
                profiles |= {each.id for each in work.records(Profile)}
    assert held[399]["Profile"] == len(profiles) == 1
    for kind, count in held[399].items():
        assert count <= 4.4 * max(held[99][kind], 5), (kind, held)
