"""Nights that learn, on a real store: what is found, strengthened, retired, undone and forgotten (H-04 to H-39)."""

from __future__ import annotations

import json
import random
from collections.abc import Callable
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from ethos.app import Ethos
from ethos.core.history.erasure import ErasureRequest
from ethos.core.learning.lessons import keeping
from ethos.core.learning.lessons.edges import EdgeKind, edges, weight_of
from ethos.core.model.lessons import Lesson, LessonEvidence, Playbook
from ethos.core.model.records import Episode
from ethos.core.model.sections import Report, Section
from ethos.core.model.settings import LessonsSettings, Settings
from ethos.core.passes.night import night_of
from ethos.core.ports.store import Work
from ethos.core.rules.matcher import Rules
from ethos.stages.sleep import generalize, replay
from ethos.stages.sleep.generalize import COUNTS
from tests.conftest import SetClock
from tests.support.telling import NOON, said

SETTINGS = LessonsSettings()


def trade(number: int, *, funding: float, good: bool, at: datetime, symbol: str = "BTC", session: str = "") -> Episode:
    """A closed trade, told as JSON."""
    body = {"title": f"{symbol} short closed", "pnl_pct": 2.0 if good else -1.5, "signals": {"symbol": symbol, "funding": funding}}
    told = said(json.dumps(body), at=at, session=session or f"trade-{symbol}-{number}", record=f"{symbol}-{number}")
    return replace(told, kind="trade_close", captured_at=at, speaker="user")


def trades(count: int, *, seed: int = 1, high: float = 0.8, low: float = 0.25, before: datetime = NOON, start: int = 0) -> list[Episode]:
    """Trades that end shortly before a moment: with high funding they go well at one rate, with low funding at another."""
    chance = random.Random(seed)
    found = []
    for number in range(count):
        funding = round(chance.uniform(0, 0.1), 3)
        good = chance.random() < (high if funding > 0.05 else low)
        found.append(trade(start + number, funding=funding, good=good, at=before - timedelta(minutes=30 * (count - number))))
    return found


@pytest.fixture
def ethos(open_ethos: Callable[[Settings], Ethos], settings: Settings) -> Ethos:
    """A memory whose days are those of UTC."""
    return open_ethos(replace(settings, sleep=replace(settings.sleep, zone="UTC")))


def night(ethos: Ethos, clock: SetClock, *told: Episode) -> Report:
    """Put these, let a day pass, and sleep on it."""
    ethos.capture(told)
    clock.move(days=1)
    return ethos.sleep().report


def lessons(ethos: Ethos) -> list[Lesson]:
    """All that there are."""
    with ethos.store.begin() as work:
        return list(work.records(Lesson))


def evidence(ethos: Ethos) -> dict[str, LessonEvidence]:
    """All of it, by id."""
    with ethos.store.begin() as work:
        return {each.id: each for each in work.records(LessonEvidence)}


def playbooks(ethos: Ethos) -> list[Playbook]:
    """All that there are."""
    with ethos.store.begin() as work:
        return list(work.records(Playbook))


def section(slept: Report) -> Section:
    """What the night says of its lessons."""
    return next(each for each in slept.sections if each.title == "Lessons")


def text(slept: Report) -> str:
    """The same as one text."""
    return "\n".join(line.text for line in section(slept).lines)


def test_h27_h28_a_night_finds_what_went_with_success(ethos: Ethos, clock: SetClock) -> None:
    """The lesson has its denominators, says how it was found and what would refute it, and an edge to each episode that it counts."""
    told = trades(200)
    slept = night(ethos, clock, *told)
    (lesson,) = lessons(ethos)
    assert (lesson.type, lesson.subtype, lesson.event_source) == ("concept", "custom:lesson", "consolidation")
    assert lesson.title.startswith("BTC: funding above 0.0")
    assert len(lesson.title) <= 60
    assert f"{lesson.good_with} of {lesson.all_with} went well, against {lesson.good_without} of {lesson.all_without}" in lesson.body
    assert "would refute it" in lesson.body
    assert lesson.summary == lesson.body[:300]
    assert lesson.all_with + lesson.all_without == 200
    drawn = list(edges(lesson, evidence(ethos), SETTINGS))
    assert {edge.target for edge in drawn} == {each.id for each in told}
    assert {(edge.kind, edge.weight) for edge in drawn} == {(EdgeKind.GENERALIZES, 0.7)}
    assert "learned: BTC: funding above" in text(slept)
    assert section(slept).lines[1].command == f"ethos lessons {lesson.id}"
    assert ethos.store.check() == []


@pytest.mark.parametrize(("most", "days"), [(3, 365.0), (60, 365.0), (400, 365.0), (400, 40.0), (400, 0.5)])
def test_the_newest_episodes_are_compared_whoever_read_the_day(ethos: Ethos, most: int, days: float) -> None:
    """A stage that has read the day of the night leaves it: it is not read again, nor what is older where there are enough of them."""
    told = [trade(number, funding=0.01, good=number % 2 == 0, at=NOON - timedelta(hours=7 * number)) for number in range(300)]
    ethos.capture(told)
    ctx = replace(ethos.context("r-1", NOON), night=night_of(NOON.date(), UTC))
    ctx = replace(ctx, settings=replace(ctx.settings, lessons=replace(SETTINGS, history_episodes=most, history_days=days)))
    with ethos.store.begin() as work:
        read = generalize.gather(work, ctx).episodes
        replay.gather(work, ctx)
        ctx.carried.commit()
        assert generalize.gather(work, ctx).episodes == read
    oldest = ctx.tonight.end - timedelta(days=days)
    assert [each.id for each in read] == [each.id for each in reversed(told) if oldest <= each.said_at < ctx.tonight.end][-most:]


def test_h30_h34_the_six_counts_are_always_there(ethos: Ethos, clock: SetClock) -> None:
    """H-12: also with nothing to look at, all 0; one sentence for the log only where something was learned (H-34)."""
    assert {name: night(ethos, clock).counts[name] for name in COUNTS} == dict.fromkeys(COUNTS, 0)
    slept = night(ethos, clock, *trades(200, before=clock.now()))
    counts = {
        "episodes_reviewed": 50,
        "groups_found": 1,
        "groups_analyzed": 1,
        "patterns_created": 1,
        "patterns_strengthened": 0,
        "errors": 0,
    }
    assert {name: slept.counts[name] for name in COUNTS} == counts
    assert section(slept).lines[0].text == "50 episodes → 1 groups → 1 new patterns, 0 strengthened"
    again = night(ethos, clock)
    assert "→" not in text(again)


def test_h12_fewer_than_three_episodes_are_not_analysed(ethos: Ethos, clock: SetClock) -> None:
    """Two are counted and left."""
    slept = night(ethos, clock, *trades(2))
    assert (slept.counts["episodes_reviewed"], slept.counts["groups_found"], slept.counts["groups_analyzed"]) == (2, 0, 0)


def test_h12_with_fewer_than_three_episodes_no_lesson_is_weighed(ethos: Ethos, clock: SetClock) -> None:
    """Two trades a month later wait for a third: then all three are weighed."""
    night(ethos, clock, *trades(200, before=clock.now()))
    (lesson,) = lessons(ethos)
    clock.move(days=30)
    assert night(ethos, clock, *trades(2, before=clock.now(), start=200)).counts["patterns_strengthened"] == 0
    assert lessons(ethos) == [lesson]
    assert night(ethos, clock, *trades(1, before=clock.now(), start=202)).counts["patterns_strengthened"] == 1
    assert lessons(ethos)[0].all_with + lessons(ethos)[0].all_without == 203


def test_no_pattern_is_the_normal_answer(ethos: Ethos, clock: SetClock) -> None:
    """Where funding plays no part nothing is kept, and the report says so."""
    slept = night(ethos, clock, *trades(200, high=0.5, low=0.5))
    assert lessons(ethos) == []
    assert "no pattern" in text(slept)


def test_h04_a_group_is_looked_at_when_it_grew_within_the_look_back(ethos: Ethos, clock: SetClock) -> None:
    """Trades of the weeks before are not; with three new ones they are, over their whole history."""
    slept = night(ethos, clock, *trades(200, before=clock.now() - timedelta(days=16)))
    assert (slept.counts["groups_analyzed"], lessons(ethos)) == (0, [])
    night(ethos, clock, *trades(3, before=clock.now(), start=900))
    (lesson,) = lessons(ethos)
    assert lesson.all_with + lesson.all_without == 203


def test_h05_a_group_grew_by_three(ethos: Ethos, clock: SetClock) -> None:
    """Two new trades of one thing and one of another make no group, however many there were before."""
    night(ethos, clock, *trades(200, before=clock.now() - timedelta(days=16)))
    now = clock.now()
    slept = night(ethos, clock, *trades(2, before=now, start=900), trade(1, funding=0.01, good=True, at=now, symbol="ETH"))
    assert (slept.counts["episodes_reviewed"], slept.counts["groups_found"]) == (3, 0)


def test_h29_new_episodes_strengthen_a_lesson_once(ethos: Ethos, clock: SetClock) -> None:
    """X-H2: older edges gain 0.05 with each night that brings new episodes, new ones begin at 0.70; a quiet night changes nothing."""
    night(ethos, clock, *trades(200))
    (before,) = lessons(ethos)
    slept = night(ethos, clock, *trades(2, before=clock.now(), start=900, high=1.0, low=0.0))
    assert (slept.counts["patterns_created"], slept.counts["patterns_strengthened"]) == (0, 1)
    (after,) = lessons(ethos)
    assert after.id == before.id
    assert after.all_with + after.all_without == 202
    weights = sorted(edge.weight for edge in edges(after, evidence(ethos), SETTINGS))
    assert weights == pytest.approx([0.7] * 2 + [0.75] * 200)
    night(ethos, clock, *trades(2, before=clock.now(), start=950, high=1.0, low=0.0))
    (after,) = lessons(ethos)
    weights = sorted(edge.weight for edge in edges(after, evidence(ethos), SETTINGS))
    assert weights == pytest.approx([0.7] * 2 + [0.75] * 2 + [0.8] * 200)
    quiet = night(ethos, clock)
    assert quiet.counts["patterns_strengthened"] == 0
    assert lessons(ethos) == [after]


def test_xl8_the_same_night_again_changes_nothing(ethos: Ethos, clock: SetClock) -> None:
    """Of the same date, and of a date before what a lesson rests on."""
    first = night(ethos, clock, *trades(200))
    kept = lessons(ethos)
    night(ethos, clock, *trades(5, before=clock.now(), start=900))
    later = lessons(ethos)
    assert later != kept
    assert ethos.diff(ethos.sleep(first.date).report.run).differences == ()
    assert lessons(ethos) == later


def test_a_lesson_that_is_refuted_is_retired_with_a_note_and_comes_back_only_on_later_evidence(ethos: Ethos, clock: SetClock) -> None:
    """The contrary for sixty trades; the next nights do not find it again in what was weighed already, later trades do."""
    night(ethos, clock, *trades(200))
    slept = night(ethos, clock, *trades(45, seed=5, before=clock.now(), start=900, high=0.25, low=0.8))
    (lesson,) = lessons(ethos)
    assert lesson.retired_at is not None
    assert lesson.note.startswith("refuted: since 2026-0")
    assert "retired: BTC: funding above" in text(slept)
    assert playbooks(ethos)[0].withdrawn_at is not None
    night(ethos, clock, *trades(3, seed=6, before=clock.now(), start=1_000))
    assert [each.held for each in lessons(ethos)] == [False]
    slept = night(ethos, clock, *trades(47, seed=7, before=clock.now(), start=1_100, high=0.95, low=0.1))
    assert [each.held for each in lessons(ethos)] == [True]
    assert "holds again" in text(slept)
    assert playbooks(ethos)[0].withdrawn_at is None


def test_h39_a_strong_lesson_becomes_a_playbook_with_a_trigger(ethos: Ethos, clock: SetClock) -> None:
    """What a program can test, and what it may expect; a lesson that is not strong becomes none."""
    night(ethos, clock, *trades(200))
    (lesson,), (playbook,) = lessons(ethos), playbooks(ethos)
    assert playbook.subtype == "custom:playbook"
    assert json.loads(playbook.trigger) == {"about": "BTC", "when": [json.loads(lesson.condition)], "expect": "success"}
    assert f"{lesson.good_with} of {lesson.all_with} went well" in playbook.body


def test_undoing_a_night_gives_back_what_was_there_also_after_later_ones(ethos: Ethos, clock: SetClock) -> None:
    """Lessons, evidence and playbooks; what a later night added to an undone lesson is cleared away by the next."""
    first = night(ethos, clock, *trades(200))
    kept = (lessons(ethos), evidence(ethos), playbooks(ethos))
    second = night(ethos, clock, *trades(4, before=clock.now(), start=900))
    ethos.undo(second.run)
    assert (lessons(ethos), evidence(ethos), playbooks(ethos)) == kept
    third = night(ethos, clock, *trades(4, before=clock.now(), start=950))
    ethos.undo(first.run)
    assert (lessons(ethos), playbooks(ethos)) == ([], [])
    assert len(evidence(ethos)) == 1
    night(ethos, clock)
    assert {each for lesson in lessons(ethos) for each in lesson.evidence} == set(evidence(ethos))
    assert third.run not in {each.run for each in evidence(ethos).values()}
    assert ethos.store.check() == []


def test_forgetting_an_episode_leaves_no_byte_of_it_in_a_lesson(settings: Settings, ethos: Ethos, clock: SetClock) -> None:
    """The lesson that counted it goes, with its evidence and its playbook; the next night learns from what is left."""
    told = [replace(each, tags=("zanzibar",)) for each in trades(200)]
    plain = [replace(each, tags=()) for each in trades(200, seed=3, start=500)]
    night(ethos, clock, *told, *plain)
    assert {each.about for each in lessons(ethos)} >= {"BTC"}
    assert any("zanzibar" in each.body for each in lessons(ethos))
    ethos.forget(ErasureRequest(ids=(told[0].id,)))
    assert (lessons(ethos), evidence(ethos), playbooks(ethos)) == ([], {}, [])
    night(ethos, clock)
    assert lessons(ethos)
    ethos.forget(ErasureRequest(matching="zanzibar"))
    assert lessons(ethos) == []
    data = b"".join(path.read_bytes() for path in Path(settings.ethos.database).parent.rglob("*") if path.is_file())
    assert b"zanzibar" not in data
    slept = night(ethos, clock)
    assert [each.about for each in lessons(ethos)] == ["BTC"]
    assert "zanzibar" not in text(slept)


def test_h11_h31_what_cannot_be_read_is_told_and_the_night_goes_on(ethos: Ethos, clock: SetClock) -> None:
    """A fetch that fails gives all six counts, and one error."""
    night(ethos, clock, *trades(200))
    with ethos.store.begin(write=True) as work:
        work.sql.run("UPDATE lessons SET evidence = '{'")  # type: ignore[attr-defined]  # of the SQLite store
    slept = night(ethos, clock)
    assert (slept.counts["errors"], slept.counts["patterns_created"]) == (1, 0)
    assert set(COUNTS) <= slept.counts.keys()


def test_h11_at_most_fifty_episodes_of_a_kind_are_reviewed(ethos: Ethos, clock: SetClock) -> None:
    """The newest of each kind within the look-back; shares are counted over all the same."""
    slept = night(ethos, clock, *trades(200))
    assert slept.counts["episodes_reviewed"] == LessonsSettings().per_kind == 50
    (lesson,) = lessons(ethos)
    assert lesson.all_with + lesson.all_without == 200


def test_h11_the_newest_of_a_kind_are_reviewed(ethos: Ethos, clock: SetClock) -> None:
    """What was before them makes no group grow."""
    older = [trade(number, funding=0.01, good=True, at=NOON - timedelta(hours=30), symbol="ETH") for number in range(10)]
    assert night(ethos, clock, *older, *trades(50)).counts["groups_found"] == 1


def test_h09_h10_other_kinds_are_no_sources(ethos: Ethos, clock: SetClock) -> None:
    """What was learned is not counted as what happened."""
    slept = night(ethos, clock, *(replace(each, kind="watchpoint") for each in trades(200)))
    assert (slept.counts["episodes_reviewed"], lessons(ethos)) == (0, [])


def test_h39_twelve_cases_and_a_clear_effect_make_a_playbook(ethos: Ethos, clock: SetClock) -> None:
    """With one case less, an effect that may be small, or a lesson that is retired, there is none."""
    night(ethos, clock, *trades(200))
    (lesson,) = lessons(ethos)
    tonight = keeping.Night(ethos.user, "r-1", NOON, LessonsSettings())
    assert keeping.playbook(replace(lesson, all_with=12, good_with=12), tonight)
    assert keeping.playbook(replace(lesson, all_with=11, good_with=11), tonight) is None
    assert keeping.playbook(replace(lesson, low=0.19), tonight) is None
    assert keeping.playbook(replace(lesson, retired_at=NOON), tonight) is None
    worse = keeping.playbook(replace(lesson, better=False, low=-0.6, high=-0.2), tonight)
    assert worse is not None
    assert json.loads(worse.trigger)["expect"] == "failure"
    assert worse.body.endswith("Avoid it, or ask first.")


def test_h39_a_playbook_is_withdrawn_with_its_lesson(ethos: Ethos, clock: SetClock) -> None:
    """What new episodes refute is no advice."""
    night(ethos, clock, *trades(200))
    assert [each.withdrawn_at for each in playbooks(ethos)] == [None]
    night(ethos, clock, *trades(150, before=clock.now(), start=1_000, high=0.2, low=0.8))
    (lesson,), (playbook,) = lessons(ethos), playbooks(ethos)
    assert not lesson.held
    assert playbook.withdrawn_at is not None


def test_h35_episodes_are_only_read(ethos: Ethos, clock: SetClock) -> None:
    """No night changes a source, and lessons and playbooks keep as long as the design says."""
    told = trades(200)
    ethos.capture(told)
    with ethos.store.begin() as work:
        before = (work.episodes([each.id for each in told]), bases(work, told))
    night(ethos, clock)
    assert lessons(ethos)
    with ethos.store.begin() as work:
        assert (work.episodes([each.id for each in told]), bases(work, told)) == before
    days = Settings().decay.stability_days
    assert [days[kind] for kind in ("signal", "trade_entry", "lesson", "playbook")] == [2, 21, 90, 180]


def bases(work: Work, told: list[Episode]) -> dict[str, tuple[float, datetime, int]]:
    """What the salience of these fades from."""
    return {id_: (each.base, each.accessed_at, each.retrievals) for id_, each in work.salience([each.id for each in told]).items()}


def test_h36_a_night_needs_nothing_but_the_store(open_ethos: Callable[[Settings], Ethos], ethos: Ethos, clock: SetClock) -> None:
    """A rehearsal finds what the night would, keeps nothing, and another process finds the same."""
    ethos.capture(trades(200))
    clock.move(days=1)
    dry = ethos.sleep(dry_run=True).report
    assert dry.counts["patterns_created"] == 1
    assert lessons(ethos) == []
    other = open_ethos(ethos.settings)
    assert other.sleep().report.counts == dry.counts
    assert len(lessons(other)) == 1


def test_h25_the_same_claim_about_nearly_the_same_episodes_is_one_lesson(ethos: Ethos, clock: SetClock) -> None:
    """A tag on 96 % of the trades repeats the lesson of the symbol: 0.95 is the same; on 92 % it is connected to it: 0.90."""

    def tagged(share: float) -> list[Episode]:
        return [replace(each, tags=("scalp",) if at % 100 < share * 100 else ()) for at, each in enumerate(trades(200))]

    night(ethos, clock, *tagged(0.96))
    assert len(lessons(ethos)) == 1
    other = [replace(each, id=f"{each.id}x", session=f"{each.session}x") for each in tagged(0.92)]
    ethos.forget(ErasureRequest(ids=tuple(each.id for each in tagged(0.96))))
    night(ethos, clock, *[replace(each, said_at=each.said_at + timedelta(days=1)) for each in other])
    by_group = {each.about: each for each in lessons(ethos)}
    assert by_group.keys() == {"BTC", "tag scalp"}
    (first, second) = (by_group["BTC"], by_group["tag scalp"])
    assert (first.related, second.related) in {((), (first.id,)), ((second.id,), ())}


@pytest.mark.parametrize(("tagged", "lessons_made", "connected"), [(95, 1, False), (94, 2, True), (90, 2, True), (89, 2, False)])
def test_h25_lessons_that_share_most_of_their_episodes_are_one_connected_or_apart(
    ethos: Ethos, clock: SetClock, tagged: int, lessons_made: int, connected: bool
) -> None:
    """So many of a hundred trades bear the tag: 95 make no second lesson, 90 to 94 one with an edge to the other, 89 one without."""
    told = [replace(each, tags=("scalp",) if at % 100 < tagged else ()) for at, each in enumerate(trades(200, high=0.9, low=0.1))]
    night(ethos, clock, *told)
    by_group = {each.about: each for each in lessons(ethos)}
    assert len(by_group) == lessons_made
    related = [(each.about, other) for each in by_group.values() for other in each.related]
    assert len(related) == (1 if connected else 0)
    drawn = [edge for each in by_group.values() for edge in edges(each, evidence(ethos), SETTINGS) if edge.kind is EdgeKind.RELATES_TO]
    assert [(edge.target, edge.weight) for edge in drawn] == [(other, 0.50) for _, other in related]


def test_h09_h10_h43_the_sources_are_kinds_of_episodes_and_of_signals() -> None:
    """H-10: sources are what happened; what is learned is knowledge or a procedure. Every number is the design's (H-43)."""
    assert {"trade_entry", "trade_close", "trade_modify", "turn_summary", "signal"} <= set(SETTINGS.sources)
    assert not {"lesson", "playbook", "fact", "preference", "decision"} & set(SETTINGS.sources)
    wanted = {EdgeKind.GENERALIZES: 0.70, EdgeKind.RELATES_TO: 0.50, EdgeKind.CAUSES: 0.80}
    assert {kind: weight_of(kind, SETTINGS) for kind in EdgeKind} == wanted
    numbers = (SETTINGS.look_back_days, SETTINGS.min_group, SETTINGS.max_groups, SETTINGS.prompt_episodes, SETTINGS.per_kind)
    assert list(map(int, numbers)) == [14, 3, 5, 15, 50]
    assert (SETTINGS.duplicate_at, SETTINGS.connect_at, SETTINGS.strengthen_by) == (0.95, 0.90, 0.05)


def test_turns_of_a_conversation_teach_too(ethos: Ethos, clock: SetClock, rules: Rules) -> None:
    """A tool that is named, and how the user says it went, among plain turns."""
    assert rules.vocabulary.entities
    chance = random.Random(3)
    told: list[Episode] = []
    for number in range(160):
        squash = chance.random() < 0.5
        good = chance.random() < (0.85 if squash else 0.3)
        words = f"The deploy {'passed' if good else 'failed'} after we ran {'terraform' if squash else 'a script'}"
        told.append(said(words, at=NOON - timedelta(hours=160 - number), session=f"s-{number}"))
    night(ethos, clock, *told)
    assert any("tool terraform" in lesson.body for lesson in lessons(ethos)), [each.title for each in lessons(ethos)]
