"""Replay, on a real store: what a night finds in a day, what it changes, and what a second night, an undo and forgetting leave of it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from datetime import UTC, date, datetime, timedelta
from pathlib import Path

import pytest

from ethos.app import Ethos, sleep
from ethos.core.history.erasure import ErasureRequest
from ethos.core.history.salience import fades_at, salience_at
from ethos.core.learning.chains.trace import prefix
from ethos.core.model.plan import one
from ethos.core.model.records import Episode, EpisodeState, Origin, Salience
from ethos.core.model.settings import Settings
from ethos.core.model.traces import Relation, Trace, TraceType
from ethos.core.passes.definition import once
from ethos.stages.sleep.decay import DECAY
from ethos.stages.sleep.replay import REPLAY
from tests.conftest import SetClock
from tests.support.telling import NOON, said

DAY = NOON.date() - timedelta(days=1)
NINE = datetime(DAY.year, DAY.month, DAY.day, 9, tzinfo=UTC)
DESIGN_DAY = ((0, 0.60), (1.5, 0.70), (3, 0.75), (5, 0.85), (7, 0.92), (9, 0.88))


@pytest.fixture(autouse=True)
def night(monkeypatch: pytest.MonkeyPatch) -> None:
    """A night of replay and decay: the other stages have tests of their own."""
    monkeypatch.setattr(sleep, "SLEEP", (once(REPLAY), once(DECAY)))


@pytest.fixture
def ethos(open_ethos: Callable[[Settings], Ethos], settings: Settings) -> Ethos:
    """A memory whose days are those of UTC."""
    return open_ethos(replace(settings, sleep=replace(settings.sleep, zone="UTC")))


def at(hour: float, importance: float, words: str = "", *, session: str = "s1", tags: tuple[str, ...] = ()) -> Episode:
    """A turn of yesterday, so many hours after nine, with an importance that was given."""
    turn = said(words or f"Turn after {hour} hours", at=NINE + timedelta(hours=hour), importance=importance, session=session)
    return replace(turn, tags=tags)


@pytest.fixture
def day(ethos: Ethos) -> tuple[Episode, ...]:
    """The design's day, in a memory that has read it."""
    turns = tuple(at(hour, importance) for hour, importance in DESIGN_DAY)
    ethos.capture(turns)
    ethos.consolidate()
    return turns


def salience(ethos: Ethos) -> dict[str, Salience]:
    """The salience of every record."""
    with ethos.store.begin() as work:
        return {each.record: each for each in work.records(Salience)}


def traced(ethos: Ethos) -> list[Trace]:
    """Every trace."""
    with ethos.store.begin() as work:
        return list(work.records(Trace))


def plain(traces: list[Trace]) -> list[Trace]:
    """The same without when they were made."""
    return [replace(trace, created_at=NOON) for trace in traces]


def test_l02_l22_l23_l33_a_night_finds_the_chains_of_the_day(ethos: Ethos, day: tuple[Episode, ...]) -> None:
    """The design's day in one session: two breakthroughs, a chain to each, their traces and the counts of the report."""
    slept = ethos.sleep(DAY)
    counts = {name: slept.report.counts[name] for name in ("breakthrough_count", "chain_count", "boosted_count", "trace_count")}
    assert counts == {"breakthrough_count": 2, "chain_count": 2, "boosted_count": 6, "trace_count": 9}
    chains = {name: [t for t in traced(ethos) if t.narrative_id == name] for name in (prefix(DAY) + "0", prefix(DAY) + "1")}
    first = sorted(chains[prefix(DAY) + "0"], key=lambda trace: [turn.id for turn in day].index(trace.source))
    assert [(trace.source, trace.target) for trace in first] == [(day[n].id, day[n + 1].id) for n in range(4)]
    assert [round(trace.strength, 4) for trace in first] == [0.6667, 0.6667, 0.6, 0.6]
    assert [trace.type for trace in first] == [TraceType.INITIATOR, TraceType.PROGRESSION, TraceType.PROGRESSION, TraceType.CONCLUSION]
    assert {trace.relation for trace in first} == {Relation.SESSION}
    assert len(chains[prefix(DAY) + "1"]) == 5
    assert ethos.store.check() == []


def test_l15_l16_l27_what_the_day_gains_is_kept_beside_its_own_values(ethos: Ethos, day: tuple[Episode, ...]) -> None:
    """Base and importance stay; the columns of the replay were empty before."""
    before = salience(ethos)
    assert {each.consolidated_salience_score for each in before.values()} == {None}
    ethos.sleep(DAY)
    after = salience(ethos)
    for turn in day:
        held = after[turn.id]
        assert held.base == before[turn.id].base == turn.importance
        assert held.consolidated_salience_score is not None
        assert held.consolidated_importance is not None
        assert turn.importance < held.consolidated_salience_score <= min(1.0, turn.importance + 0.2)
        assert turn.importance < held.consolidated_importance <= min(1.0, turn.importance * 1.2)
        assert held.last_consolidated_at is not None
    assert [after[turn.id].breakthrough_score is not None for turn in day] == [False] * 4 + [True] * 2
    with ethos.store.begin() as work:
        assert {held.importance for held in work.episodes([turn.id for turn in day]).values()} == {turn.importance for turn in day}


def test_l28_what_was_boosted_stays_alive_longer(ethos: Ethos, day: tuple[Episode, ...], clock: SetClock) -> None:
    """The greater of both saliences counts in decay, and so in when a record leaves default recall."""
    before = salience(ethos)[day[0].id]
    ethos.sleep(DAY)
    held = salience(ethos)[day[0].id]
    now = clock.now()
    assert held.effective == held.consolidated_salience_score
    assert replace(held, base=0.9, consolidated_salience_score=0.75).effective == 0.9
    assert salience_at(held, now, ethos.settings.decay) > salience_at(before, now, ethos.settings.decay)
    assert held.fades_at > before.fades_at
    clock.at = before.fades_at + timedelta(minutes=1)
    ethos.consolidate()
    assert day[0].id in {hit.id for hit in ethos.recall("turn after hours", limit=10, session=None)}
    clock.at = held.fades_at + timedelta(minutes=1)
    ethos.consolidate()
    assert day[0].id not in {hit.id for hit in ethos.recall("turn after hours", limit=10, session=None)}


@pytest.mark.usefixtures("day")
def test_xl8_xl12_a_date_that_is_slept_on_again_changes_nothing(ethos: Ethos, clock: SetClock) -> None:
    """Neither salience nor importance rises again, not even after a retrieval; the traces are the same."""
    ethos.sleep(DAY)
    ethos.recall("turn after hours", limit=10)
    held, traces = salience(ethos), traced(ethos)
    clock.move(hours=1)
    again = ethos.sleep(DAY)
    assert salience(ethos) == held
    assert plain(traced(ethos)) == plain(traces)
    assert [each for each in ethos.diff(again.report.run).differences if each.type == "salience"] == []


def test_xl8_a_late_turn_makes_the_traces_of_its_date_anew(ethos: Ethos, day: tuple[Episode, ...]) -> None:
    """What was captured after the night is replayed by the next for that date; other dates' traces stay; undo brings the old ones back."""
    other = [replace(turn, id=f"e-other{n}", said_at=turn.said_at - timedelta(days=1)) for n, turn in enumerate(day)]
    ethos.capture(other)
    ethos.sleep(DAY - timedelta(days=1))
    ethos.sleep(DAY)
    before, held = traced(ethos), salience(ethos)
    late = at(9.5, 0.99, "The late turn that changed it all")
    ethos.capture([late, at(0.5, 0.7, "The late turn between the first two")])
    again = ethos.sleep(DAY)
    assert any(late.id in (trace.source, trace.target) for trace in traced(ethos))
    for name in {trace.narrative_id for trace in traced(ethos)}:
        steps = [trace for trace in traced(ethos) if trace.narrative_id == name]
        turns = {turn for trace in steps for turn in (trace.source, trace.target)}
        assert len(steps) == len(turns) - 1  # none is left of the chain that was there before
    elsewhere = [trace for trace in before if not trace.narrative_id.startswith(prefix(DAY))]
    assert elsewhere == [trace for trace in traced(ethos) if not trace.narrative_id.startswith(prefix(DAY))]
    assert {id_: each for id_, each in salience(ethos).items() if id_ in held} == held
    ethos.undo(again.report.run)
    assert traced(ethos) == before
    assert ethos.store.check() == []


@pytest.mark.usefixtures("day")
def test_l32_undo_of_a_night_gives_everything_back(ethos: Ethos, clock: SetClock) -> None:
    """Also after a later night that replayed these episodes as old memories; undoing the undo brings the night back."""
    before = salience(ethos)
    night = ethos.sleep(DAY)
    held, traces = salience(ethos), traced(ethos)
    clock.move(days=10)
    later = _later_day(ethos, clock)
    night_later = ethos.sleep(clock.at.date() - timedelta(days=1))
    assert night_later.report.counts["refreshed_count"] > 0
    ethos.undo(night.report.run)
    assert {id_: each for id_, each in salience(ethos).items() if id_ in before} == before
    assert {trace.source for trace in traced(ethos)} <= {turn.id for turn in later}
    ethos.undo(night_later.report.run)
    assert traced(ethos) == []
    assert {id_: each for id_, each in salience(ethos).items() if id_ in before} == before
    back = ethos.sleep(DAY)
    ethos.undo(ethos.undo(back.report.run).run.id)
    assert plain(traced(ethos)) == plain(traces)
    again = salience(ethos)
    assert all(replace(again[id_], last_consolidated_at=None) == replace(held[id_], last_consolidated_at=None) for id_ in before)


def _later_day(ethos: Ethos, clock: SetClock) -> list[Episode]:
    """A day with many chains, which leaves room for old memories."""
    start = clock.at - timedelta(days=1)
    turns = [
        said(f"Later turn {n}", at=start.replace(hour=1 + n % 20, minute=n % 60), importance=0.3 + n / 100, session=f"later{n % 4}")
        for n in range(40)
    ]
    ethos.capture(turns)
    return turns


def test_l19_an_old_memory_has_a_salience_of_070_at_least(ethos: Ethos, day: tuple[Episode, ...]) -> None:
    """X-L19: at the border, too, and said from 7 to 90 days ago."""
    held = salience(ethos)
    levels = (0.6999, 0.70, 0.71, 0.9, 0.2, 0.70)
    puts = [
        replace(held[turn.id], consolidated_salience_score=level, last_consolidated_at=NOON)
        for turn, level in zip(day, levels, strict=True)
    ]
    with ethos.store.begin(write=True) as work:
        work.apply(one("", *puts), "")
        found = work.old_memories("default", NINE, day[-1].said_at, ethos.settings.replay.old_salience)
    assert {each.id for each in found} == {day[at].id for at in (1, 2, 3)}  # the last was said when the span is over


@pytest.mark.usefixtures("day")
def test_l18_l19_l20_old_memories_are_replayed_once_a_date(ethos: Ethos, clock: SetClock) -> None:
    """Those of 7 to 90 days ago that a night made salient gain 0.01; again for the same date they gain nothing."""
    ethos.sleep(DAY)
    first = salience(ethos)
    eligible = {id_ for id_, each in first.items() if (each.consolidated_salience_score or 0) >= 0.70}
    assert 0 < len(eligible) < len(first)
    clock.move(days=5)
    _later_day(ethos, clock)
    assert ethos.sleep(clock.at.date() - timedelta(days=1)).report.counts["refreshed_count"] == 0  # too young
    clock.move(days=5)
    _later_day(ethos, clock)
    slept = ethos.sleep(clock.at.date() - timedelta(days=1))
    after = salience(ethos)
    gained = {id_ for id_ in first if after[id_] != first[id_]}
    assert gained <= eligible
    assert len(gained) == slept.report.counts["refreshed_count"] == min(len(eligible), int(slept.report.counts["chain_count"] * 0.3 / 0.7))
    for id_ in gained:
        raised = after[id_].consolidated_salience_score
        assert raised == pytest.approx(min(1.0, (first[id_].consolidated_salience_score or 0) + 0.01))
        assert after[id_].fades_at == fades_at(after[id_], ethos.settings.decay) > first[id_].fades_at
    ethos.sleep(clock.at.date() - timedelta(days=1))
    assert salience(ethos) == after
    clock.move(days=100)
    _later_day(ethos, clock)
    ethos.sleep(clock.at.date() - timedelta(days=1))
    now = salience(ethos)
    assert all(now[id_].effective == after[id_].effective for id_ in eligible)  # too old


def test_l16_what_has_become_important_is_read_again(ethos: Ethos) -> None:
    """X-E8: an episode that the rules had passed over crosses the importance from which on it is selected (E-08)."""
    turns = [at(n / 4, 0.5 + n * 0.07, f"The heron stood in the reeds, {n}") for n in range(5)]
    close, top = turns[4], at(1.05, 1.0, "The heron flew up")
    ethos.capture([*turns, top])
    ethos.consolidate()
    with ethos.store.begin() as work:
        assert work.marks([close.id])[close.id].scanned_at is not None
    ethos.sleep(DAY)
    assert (salience(ethos)[close.id].consolidated_importance or 0) >= 0.8
    with ethos.store.begin() as work:
        assert work.marks([close.id])[close.id] == EpisodeState(close.id)
        assert [utterance.importance >= 0.8 for utterance in work.utterances([close.id])] == [True]
    assert ethos.consolidate().counts["episodes_promoted"] == 1


def test_l37_a_night_asks_the_store_a_few_questions_whatever_the_day(ethos: Ethos, monkeypatch: pytest.MonkeyPatch) -> None:
    """Batch reads: a day of two hundred turns takes as many statements that read as one of six."""
    from ethos.store.sqlite.sql import Sql  # noqa: PLC0415 (the part that is counted)

    asked: list[str] = []
    rows = Sql.rows

    def counted(sql: Sql, statement: str, *values: object) -> list[tuple[object, ...]]:
        asked.append(statement)
        return rows(sql, statement, *values)

    monkeypatch.setattr(Sql, "rows", counted)
    statements = []
    for back, many in ((0, 6), (1, 200)):
        ethos.capture(
            replace(at(n / 25, n / many, session=f"s{n % 7}"), said_at=NINE + timedelta(hours=n / 25, days=-back)) for n in range(many)
        )
        asked.clear()
        ethos.sleep(DAY - timedelta(days=back))
        statements.append(len(asked))
    assert abs(statements[0] - statements[1]) < 10


@pytest.mark.usefixtures("day")
def test_l32_a_night_that_fails_leaves_nothing(ethos: Ethos, monkeypatch: pytest.MonkeyPatch) -> None:
    """One transaction: an error after the writing rolls all of it back."""
    before = salience(ethos)
    with monkeypatch.context() as patch:
        patch.setattr("ethos.engine.conserve", lambda *_: 1 / 0)
        with pytest.raises(ZeroDivisionError):
            ethos.sleep(DAY)
    assert salience(ethos) == before
    assert traced(ethos) == []
    assert ethos.sleep(DAY).report.counts["trace_count"] == 9


def test_l22_forgetting_an_episode_leaves_no_byte_of_it_in_traces(ethos: Ethos, day: tuple[Episode, ...]) -> None:
    """The steps to and from it are gone, from the journal as well; those of the others stay."""
    ethos.sleep(DAY)
    gone = day[2]
    ethos.forget(ErasureRequest(ids=(gone.id,)))
    left = traced(ethos)
    assert 0 < len(left) < 9
    assert not any(gone.id in (trace.source, trace.target) for trace in left)
    database = Path(ethos.settings.ethos.database)
    assert not any(gone.id.encode() in file.read_bytes() for file in database.parent.glob(database.name + "*"))
    assert ethos.store.check() == []


def test_xl15_an_empty_and_a_dull_day(ethos: Ethos) -> None:
    """No episodes, one episode, ten alike: no breakthrough and no chain, but the day counts as replayed."""
    assert ethos.sleep(DAY).report.counts["breakthrough_count"] == 0
    ethos.capture([at(1, 0.5)])
    assert ethos.sleep(DAY).report.counts["breakthrough_count"] == 0
    ethos.capture(at(2 + n / 10, 0.5) for n in range(9))
    assert ethos.sleep(DAY).report.counts == ethos.sleep(DAY).report.counts
    assert traced(ethos) == []
    assert all(each.last_consolidated_at for each in salience(ethos).values())


def test_x8_a_day_is_that_of_the_configured_zone(open_ethos: Callable[[Settings], Ethos], settings: Settings) -> None:
    """A turn at 22:30 of UTC belongs to the next day of Berlin."""
    berlin = open_ethos(replace(settings, sleep=replace(settings.sleep, zone="Europe/Berlin")))
    evening = [replace(turn, said_at=NINE.replace(hour=22, minute=n)) for n, turn in enumerate(at(n, 0.2 + n / 10) for n in range(6))]
    berlin.capture(evening)
    assert berlin.sleep(date(DAY.year, DAY.month, DAY.day)).report.counts["chain_count"] == 0
    assert berlin.sleep(DAY + timedelta(days=1)).report.counts["chain_count"] == 2


def test_l39_what_was_only_pasted_or_printed_stands_in_no_chain(ethos: Ethos) -> None:
    """Neither a prompt with its output nor a tool's turn; what came with an importance does, whatever its form."""
    texts = (
        "I decided to build the gate myself",
        "$ make gate\nwow, fantastic, it works now",
        "all green, fixed",
        "finally the gate is fixed",
    )
    turns = [said(text, at=NINE + timedelta(minutes=10 * number), session="s1") for number, text in enumerate(texts)]
    turns[2] = replace(turns[2], role="tool", origin=Origin.TOOL)
    ethos.capture(turns)
    report = ethos.sleep(DAY).report
    with ethos.store.begin() as work:
        traced = {id_ for trace in work.records(Trace) for id_ in (trace.source, trace.target)}
    assert traced == {turns[0].id, turns[3].id}
    assert not any("make gate" in line.text for section in report.sections for line in section.lines)
