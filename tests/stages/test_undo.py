"""Diff and undo: any single run can be read and taken back, also after later ones, and so can an answer and an undo (threats.md, 4)."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import closing
from copy import copy
from dataclasses import replace
from datetime import timedelta
from itertools import permutations
from pathlib import Path

import pytest

from ethos.app import Ethos
from ethos.core.history.erasure import ErasureRequest
from ethos.core.model.errors import Refused
from ethos.core.model.records import Action, Fact, Origin
from ethos.core.model.settings import Settings
from ethos.core.ports.queries import FactFilter
from ethos.store.sqlite.driver import library
from tests.conftest import SetClock
from tests.support import other_rules
from tests.support.asking import ticked
from tests.support.telling import NOON, said

RUST, GO, ZIG = "We decided to use Rust", "We decided to use Go", "We decided to use Zig"


def tell(ethos: Ethos, *words: str, day: float = 0) -> str:
    """Say it `day` days after noon, and read it; the run."""
    ethos.capture([said(each, at=NOON + timedelta(days=day, minutes=at)) for at, each in enumerate(words)])
    return ethos.consolidate(reason="test").run


def held(ethos: Ethos) -> list[str]:
    """What is held, in words; `?` where it is in question."""
    found = ethos.facts(FactFilter("default"))
    return sorted(fact.statement + ("?" if fact.flagged else "") for fact in found)


def whole(ethos: Ethos) -> dict[str, tuple[object, ...]]:
    """Every fact as it stands, without the bookkeeping of versions: what an undo must bring back."""
    found = [fact for fact in ethos.facts(FactFilter("default", history=True)) if fact.closed_at is None]
    return {fact.id: _content(fact) for fact in found if fact.retired_at is None}


def _content(fact: Fact) -> tuple[object, ...]:
    return (fact.statement, fact.confidence, fact.superseded_by, fact.valid_from, fact.valid_to, fact.affirmed_at, fact.flagged)


def asked(ethos: Ethos) -> list[tuple[str, str]]:
    """The open questions."""
    return [(entry.existing.statement if entry.existing else "", entry.new.statement) for entry in ethos.inbox()]


def test_t3_a_run_is_taken_back_whole(ethos: Ethos) -> None:
    """What it made is put aside, what it replaced is held again, just as it was; and undoing the undo brings all of it back."""
    tell(ethos, RUST, "Michael prefers tea over coffee")
    before = whole(ethos)
    run = tell(ethos, GO, "Michael prefers tea over coffee", "We'll use Redis for caching", day=1)
    after = whole(ethos)
    assert held(ethos) == ["Michael prefers tea", "team uses Go", "team uses Redis for caching"]
    undone = ethos.undo(run)
    assert whole(ethos) == before
    assert undone.run.reason == run
    ethos.undo(undone.run.id)
    assert whole(ethos) == after
    assert ethos.store.check() == []


def test_t3_an_undo_may_be_undone_as_often_as_one_likes(ethos: Ethos) -> None:
    """Each undo is a run; the last one in force says what counts."""
    run = tell(ethos, RUST)
    for _ in range(3):
        undo = ethos.undo(run).run.id
        assert held(ethos) == []
        redo = ethos.undo(undo).run.id
        assert held(ethos) == ["team uses Rust"]
    again = ethos.undo(redo).run.id
    assert held(ethos) == []
    with pytest.raises(Refused, match="undone already") as caught:
        ethos.undo(run)
    assert caught.value.problem.hint == f"to take that back: ethos undo {undo}"
    ethos.undo(again)
    assert held(ethos) == ["team uses Rust"]


def test_t3_what_an_undone_run_read_is_not_read_again_by_the_same_rules(ethos: Ethos) -> None:
    """Else the next cycle would do it all again; when the rules change it is read anew, and what is then read is held."""
    run = tell(ethos, RUST)
    ethos.undo(run)
    assert ethos.consolidate().episodes_scanned == 0
    ethos.rules = copy(ethos.rules)
    ethos.rules.hash = "as after a change that touches none of these texts"
    assert ethos.consolidate().facts_created == 1
    assert held(ethos) == ["team uses Rust"]
    assert ethos.store.check() == []


def test_t3_a_fact_stays_on_what_later_runs_read(ethos: Ethos) -> None:
    """Undoing the run that heard it first leaves it as the later one would have made it: once heard, and since then."""
    first = tell(ethos, RUST)
    tell(ethos, RUST, day=3)
    undone = ethos.undo(first)
    (fact,) = ethos.facts(FactFilter("default"))
    assert (fact.statement, fact.confidence, fact.valid_from, fact.affirmed_at) == ("team uses Rust", 0.9, NOON + timedelta(days=3), None)
    ethos.undo(undone.run.id)
    (fact,) = ethos.facts(FactFilter("default"))
    assert (fact.confidence, fact.valid_from, fact.affirmed_at) == (0.95, NOON, NOON + timedelta(days=3))


def test_t3_undone_in_any_order_the_outcome_is_the_same(ethos: Ethos) -> None:
    """Two runs that said the same, undone in either order and brought back in either order."""
    first, second = tell(ethos, RUST), tell(ethos, RUST, day=1)
    both = whole(ethos)
    one = ethos.undo(first).run.id
    other = ethos.undo(second).run.id
    assert held(ethos) == []
    ethos.undo(one)
    assert [(fact.confidence, fact.affirmed_at) for fact in ethos.facts(FactFilter("default"))] == [(0.9, None)]
    ethos.undo(other)
    assert whole(ethos) == both


def test_t3_what_comes_back_and_meets_something_later_is_asked(ethos: Ethos) -> None:
    """Rust, then Go, then Zig. Without Go nobody knows whether Zig replaced Rust: both stand, in question, and the person decides."""
    tell(ethos, RUST)
    middle = tell(ethos, GO, day=1)
    tell(ethos, ZIG, day=2)
    undone = ethos.undo(middle)
    assert held(ethos) == ["team uses Rust?", "team uses Zig?"]
    assert asked(ethos) == [("team uses Rust", "team uses Zig")]
    (entry,) = ethos.inbox()
    ethos.answer(entry.question.id, "keep-new")
    assert held(ethos) == ["team uses Zig"]
    ethos.undo(undone.run.id)
    assert held(ethos) == ["team uses Zig"]
    assert ethos.store.check() == []


def read_anew(ethos: Ethos) -> str:
    """Read what is to be read again, by rules that say the same and are others; the run."""
    ethos.rules = copy(ethos.rules)
    ethos.rules.hash += " and other rules"
    return ethos.consolidate(reason="test").run


def resting(ethos: Ethos) -> list[tuple[str, bool]]:
    """Under the one fact that is held: which run read it, and whether that counts."""
    (fact,) = ethos.facts(FactFilter("default"))
    why = ethos.why(fact.id)
    pieces = zip(why.evidence, why.weighed, strict=True)
    return sorted((piece.run, not (weighing.undone_by or weighing.read_by)) for piece, weighing in pieces)


def test_t3_what_was_read_anew_and_taken_back_does_not_take_the_first_reading_along(ethos: Ethos) -> None:
    """Read, undone, read anew by other rules, that undone as well; then the first undo is taken back: the first reading counts again."""
    first = tell(ethos, RUST)
    before = whole(ethos)
    undo = ethos.undo(first).run.id
    second = read_anew(ethos)
    ethos.undo(second)
    assert held(ethos) == []
    ethos.undo(undo)
    assert whole(ethos) == before
    assert resting(ethos) == [(first, True), (second, False)]
    assert ethos.consolidate().episodes_scanned == 0
    assert ethos.store.check() == []


@pytest.mark.parametrize("order", list(permutations(range(3))), ids=str)
def test_t3_each_of_three_readings_stands_for_itself(ethos: Ethos, order: tuple[int, int, int]) -> None:
    """Read, undone and read anew twice. Whichever undos are taken back, in whatever order, the fact is held while one reading counts, as
    that one had it, and is no surer because several do: it was said once.
    """
    runs, undos = [tell(ethos, RUST)], []
    once = whole(ethos)
    for _ in range(2):
        undos.append(ethos.undo(runs[-1]).run.id)
        runs.append(read_anew(ethos))
        assert whole(ethos) == once
    undos.append(ethos.undo(runs[-1]).run.id)
    assert held(ethos) == []
    counting: list[str] = []
    for each in order:
        undos[each] = ethos.undo(undos[each]).run.id  # to be taken back in its turn below
        counting.append(runs[each])
        assert whole(ethos) == once
        assert resting(ethos) == sorted((run, run == min(counting, key=runs.index)) for run in runs)
        assert ethos.store.check() == []
    for each in order:
        ethos.undo(undos[each])
        counting.remove(runs[each])
        assert whole(ethos) == (once if counting else {})
    assert ethos.store.check() == []


def test_t3_what_an_older_store_no_longer_tells_is_not_held_on_nothing(ethos: Ethos, settings: Settings) -> None:
    """Before schema 6 a second reading took the place of the first one's evidence. Brought back, that fact would rest on nothing: it is put
    aside, and the undo says so.
    """
    undo = ethos.undo(first := tell(ethos, RUST)).run.id
    ethos.undo(read_anew(ethos))
    with closing(library().module.connect(settings.ethos.database)) as driver, driver:
        driver.execute("DELETE FROM evidence WHERE run = ?", (first,))
    assert ethos.undo(undo).differences == ()
    assert held(ethos) == []
    assert ethos.store.check() == []


def test_t3_the_diff_of_a_reading_stays_what_it_was(ethos: Ethos) -> None:
    """A run's diff says what it read, however often others read the same after it."""
    first = tell(ethos, RUST)
    shown = ethos.diff(first).differences
    ethos.undo(first)
    second = read_anew(ethos)
    again = ethos.diff(second).differences
    assert ethos.diff(first).differences == shown
    assert [line.episodes for line in again] == [line.episodes for line in shown]
    ethos.undo(ethos.undo(second).run.id)
    assert ethos.diff(first).differences == shown
    assert ethos.diff(second).differences == again


def test_t3_a_second_reading_that_counts_makes_nothing_surer(ethos: Ethos) -> None:
    """Two turns say it, and two runs that both count read them: it was said twice, not four times; undoing one run changes nothing."""
    first = tell(ethos, RUST, RUST)
    once = whole(ethos)
    undo = ethos.undo(first).run.id
    second = read_anew(ethos)
    ethos.undo(undo)
    assert whole(ethos) == once
    assert [counts for run, counts in resting(ethos) if run == first] == [True, True]
    ethos.undo(first)
    assert whole(ethos) == once
    assert [counts for run, counts in resting(ethos) if run == second] == [True, True]
    assert ethos.store.check() == []


def test_t3_what_other_rules_read_is_held_as_the_reading_that_counts_has_it(ethos: Ethos) -> None:
    """The later rules are less sure. The fact is as sure as the reading in force; where both are, as the first."""

    def confidence() -> list[float]:
        return [fact.confidence for fact in ethos.facts(FactFilter("default"))]

    first = tell(ethos, RUST)
    undo = ethos.undo(first).run.id
    ethos.rules = other_rules.rules(times=0.8)
    second = ethos.consolidate().run
    assert confidence() == [0.72]
    redo = ethos.undo(undo).run.id
    assert confidence() == [0.9]
    ethos.undo(redo)
    assert confidence() == [0.72]
    ethos.undo(second)
    assert confidence() == []
    assert ethos.store.check() == []


def test_t3_a_turn_read_anew_takes_nothing_from_what_others_said_of_the_same(ethos: Ethos) -> None:
    """Said twice, the first reading undone, another choice later: read anew, the first turn is history at once, and as sure of it as what
    all who said it make it; so undoing and redoing changes nothing.
    """
    first = tell(ethos, "We decided to use Rust")
    tell(ethos, "We decided to use Rust", day=0.1)
    ethos.undo(first)
    tell(ethos, "We decided to use Go", day=1)
    again = read_anew(ethos)
    before = whole(ethos)
    ((_, confidence, _, _, _, affirmed, _),) = [content for content in before.values() if "Rust" in str(content[0])]
    assert (confidence, affirmed is not None) == (0.95, True)
    ethos.undo(ethos.undo(again).run.id)
    assert whole(ethos) == before


def test_t3_weak_claims_that_were_met_anew_count_with_the_first_meeting(ethos: Ethos) -> None:
    """Two turns say what is too weak to be held. Met, undone, met anew, that undone, and the first undo taken back: a third is believed."""
    ethos.rules = other_rules.rules(times=0.3)
    undo = ethos.undo(tell(ethos, RUST, RUST)).run.id
    ethos.undo(read_anew(ethos))
    tell(ethos, RUST, day=1)
    assert held(ethos) == []
    ethos.undo(undo)
    tell(ethos, RUST, day=2)
    assert held(ethos) == ["team uses Rust"]
    assert ethos.store.check() == []


def test_t3_forgetting_between_two_readings_takes_both(ethos: Ethos) -> None:
    """The turn is gone for good; what is undone or taken back after it brings nothing of it back, and the other turn's fact is whole."""
    first = tell(ethos, RUST, "We'll use Redis for caching")
    turn = ethos.recall("Rust")[0].episode
    undo = ethos.undo(first).run.id
    second = read_anew(ethos)
    assert ethos.forget(ErasureRequest((turn,))).proven
    ethos.undo(second)
    assert held(ethos) == []
    ethos.undo(undo)
    assert held(ethos) == ["team uses Redis for caching"]
    assert ethos.store.check() == []


def test_t3_what_comes_back_and_was_said_again_meanwhile_is_held_once(ethos: Ethos) -> None:
    """Rust, then Go, then Rust again: two facts say Rust. Without Go one of them is enough, and nobody is asked."""
    tell(ethos, RUST)
    middle = tell(ethos, GO, day=1)
    tell(ethos, RUST, day=2)
    ethos.undo(middle)
    assert (held(ethos), asked(ethos)) == (["team uses Rust"], [])
    assert ethos.store.check() == []


def test_t3_a_question_goes_with_the_run_that_asked_it(ethos: Ethos) -> None:
    """Its other side is doubted no more."""
    tell(ethos, "Michael prefers Rust over Python")
    run = tell(ethos, "Michael prefers Python over Rust", day=1)
    assert len(asked(ethos)) == 1
    undone = ethos.undo(run)
    assert (held(ethos), asked(ethos)) == (["Michael prefers Rust"], [])
    ethos.undo(undone.run.id)
    assert (held(ethos), asked(ethos)) == (
        ["Michael prefers Python?", "Michael prefers Rust?"],
        [("Michael prefers Rust", "Michael prefers Python")],
    )


@pytest.mark.parametrize("action", ["keep-old", "keep-new", "keep-both"])
def test_t3_an_answer_is_a_run_and_can_be_taken_back(ethos: Ethos, action: Action) -> None:
    """The question is open again, as if nobody had answered; taken back once more, it is answered as it was."""
    tell(ethos, "Michael prefers Rust over Python", "Michael prefers Python over Rust")
    before = whole(ethos)
    (entry,) = ethos.inbox()
    ethos.answer(entry.question.id, action, note="so be it")
    after = whole(ethos)
    (run,) = [run for run in ethos.status().runs if run.name == "answer"]
    undone = ethos.undo(run.id)
    assert whole(ethos) == before
    assert [open_.question.id for open_ in ethos.inbox()] == [entry.question.id]
    ethos.undo(undone.run.id)
    assert whole(ethos) == after
    (again,) = ethos.inbox(resolved=True)
    assert (again.question.action, again.question.note) == (action, "so be it")


def test_t4_what_a_person_chose_is_not_taken_from_them(ethos: Ethos) -> None:
    """They kept the new claim; undoing the run that read it would leave nobody's word. So both stand, and they are asked once more."""
    tell(ethos, "Michael prefers Rust over Python")
    run = tell(ethos, "Michael prefers Python over Rust", day=1)
    (entry,) = ethos.inbox()
    ethos.answer(entry.question.id, "keep-new")
    ethos.undo(run)
    assert held(ethos) == ["Michael prefers Python?", "Michael prefers Rust?"]
    assert asked(ethos) == [("Michael prefers Rust", "Michael prefers Python")]
    ethos.answer(entry.question.id, "keep-old")
    assert held(ethos) == ["Michael prefers Rust"]
    assert ethos.store.check() == []


@pytest.mark.parametrize("action", ["keep-old", "keep-new", "keep-both"])
@pytest.mark.parametrize("order", list(permutations(range(3))), ids=str)
def test_t3_all_of_it_taken_back_nothing_is_held_and_the_last_first_all_is_as_it_was(
    ethos: Ethos, action: Action, order: tuple[int, int, int]
) -> None:
    """Two runs that contradict one another and the answer, undone in any order: nothing is held and nothing asked, though a person chose.
    Each undo that is taken back, the last one first, leaves no trace, and neither does that taken back.
    """
    runs = [tell(ethos, "Michael prefers Rust over Python"), tell(ethos, "Michael prefers Python over Rust", day=1)]
    (entry,) = ethos.inbox()
    ethos.answer(entry.question.id, action)
    runs.append(next(run.id for run in ethos.status().runs if run.name == "answer"))
    undos, pictures = [], []
    for each in order:
        pictures.append((whole(ethos), asked(ethos)))
        undos.append(ethos.undo(runs[each]).run.id)
    assert (held(ethos), asked(ethos)) == ([], [])
    while undos:
        before, undone = pictures.pop(), (whole(ethos), asked(ethos))
        redo = ethos.undo(undos.pop()).run.id
        assert (whole(ethos), asked(ethos)) == before
        once_more = ethos.undo(redo).run.id
        assert (whole(ethos), asked(ethos)) == undone
        ethos.undo(once_more)
        assert (whole(ethos), asked(ethos)) == before
    assert ethos.store.check() == []


@pytest.mark.parametrize("again", [3, 1], ids=["said again later", "said again of earlier"])
@pytest.mark.parametrize("order", list(permutations(range(3))), ids=str)
def test_t3_what_was_said_twice_and_denied_leaves_nothing_when_all_is_taken_back(
    ethos: Ethos, again: int, order: tuple[int, int, int]
) -> None:
    """Two claims that say the same and one that retired both, undone in any order: neither stands for the other, nor for a question that
    nobody's words are behind any more.
    """
    caching = "We'll use Redis for caching"
    runs = [tell(ethos, caching, day=2), tell(ethos, "We no longer use Redis", day=5), tell(ethos, caching, day=again)]
    before = whole(ethos)
    undos = [ethos.undo(runs[each]).run.id for each in order]
    assert (held(ethos), asked(ethos)) == ([], [])
    for undo in reversed(undos):
        ethos.undo(undo)
    assert whole(ethos) == before


def test_t3_what_stood_only_for_a_question_goes_with_it(ethos: Ethos) -> None:
    """A fact whose run is undone stays while a person is asked about what it had replaced; when that goes too, nothing holds it."""
    first = tell(ethos, GO, day=3)
    second = tell(ethos, RUST, day=0)
    ethos.undo(first)
    assert held(ethos) == ["team uses Go?", "team uses Rust?"]
    ethos.undo(second)
    assert (held(ethos), asked(ethos)) == ([], [])


def test_t3_an_acceptance_that_was_taken_back_and_given_again_holds_without_end(ethos: Ethos) -> None:
    """What the assistant said is accepted, that is undone, and the undo undone: it is true from then on, as when it was accepted."""
    ethos.rules = other_rules.rules(roles=("user", "assistant"))
    ethos.capture([said(RUST, role="assistant", origin=Origin.ASSISTANT)])
    ethos.consolidate()
    (entry,) = ethos.inbox()
    ethos.answer(entry.question.id, "accept")
    before = whole(ethos)
    (run,) = [run for run in ethos.status().runs if run.name == "answer"]
    undo = ethos.undo(run.id)
    assert (held(ethos), [open_.question.id for open_ in ethos.inbox()]) == ([], [entry.question.id])
    ethos.undo(undo.run.id)
    assert whole(ethos) == before
    assert ethos.store.check() == []


def test_t5_an_undo_holds_nothing_that_was_only_asked_about(ethos: Ethos, clock: SetClock) -> None:
    """What was held, taken back, and then came from a transcript in which Ethos had shown it, stays in quarantine when one of the two runs
    that met it there is undone; with the other it is not asked about any more.
    """
    heron, runs = "The heron stood in the reeds", []
    for day, times in ((2, 1.0), (3, 0.8), (4, 0.8)):
        ethos.rules = other_rules.rules(times=times)
        ethos.capture([said(heron, at=NOON + timedelta(days=day), importance=0.9)])
        runs.append(ethos.consolidate().run)
        held(ethos)
        clock.move(seconds=60)
        if day == 2:
            ethos.undo(runs[0])
    (entry,) = ethos.inbox()
    assert entry.question.of_quarantine
    first = ethos.undo(runs[1])
    assert (held(ethos), len(ethos.inbox())) == ([], 1)
    second = ethos.undo(runs[2])
    assert (held(ethos), ethos.inbox()) == ([], ())
    ethos.undo(second.run.id)
    assert (held(ethos), len(ethos.inbox())) == ([], 1)
    ethos.undo(first.run.id)
    assert ethos.inbox() == (entry,)
    assert ethos.store.check() == []


def test_t3_ticks_are_runs_of_their_own(ethos: Ethos, settings: Settings) -> None:
    """Undoing the cycle that found a tick does not take the answer back."""
    tell(ethos, "Michael prefers Rust over Python", "Michael prefers Python over Rust")
    (entry,) = ethos.inbox()
    file = Path(settings.conflict_resolution.review_inbox)
    file.write_text(ticked(file.read_text("utf-8"), "keep-new", entry), "utf-8")
    run = tell(ethos, "We'll use Redis for caching", day=1)
    ethos.undo(run)
    assert held(ethos) == ["Michael prefers Python"]


@pytest.mark.parametrize("name", ["consolidate", "undo"])
def test_t3_a_dry_run_prints_the_diff_that_the_run_then_makes(ethos: Ethos, settings: Settings, clock: SetClock, name: str) -> None:
    """Line for line: new, confirmed, replaced, asked, faded; with a tick in the file that counts first."""
    tell(ethos, RUST, "Michael prefers Rust over Python", "Michael prefers Python over Rust", "We'll use Redis for caching")
    (entry,) = ethos.inbox()
    file = Path(settings.conflict_resolution.review_inbox)
    file.write_text(ticked(file.read_text("utf-8"), "keep-new", entry), "utf-8")
    clock.move(days=2_000)
    more = [GO, "Michael prefers Rust over Python", "We'll use Redis for caching", "I always read the heron's diary"]
    ethos.capture([said(each, at=NOON + timedelta(days=9, minutes=at)) for at, each in enumerate(more)])
    rehearsed = ethos.consolidate(dry_run=True)
    assert rehearsed.answers_applied == 1
    real = ethos.consolidate()
    assert rehearsed.counts == real.counts
    shown = ethos.diff(real.run).differences
    assert rehearsed.diff == shown
    assert {line.sign for line in shown} == {"+", "-", "~", "?"}
    assert {line.type for line in shown} == {"fact", "question", "salience"}
    if name == "undo":
        undone = ethos.undo(real.run)
        assert {line.id for line in undone.differences} >= {line.id for line in shown if line.type == "fact"}


def test_t3_runs_have_names_that_can_be_read_and_shortened(ethos: Ethos) -> None:
    """The second at which it began, and a little more; as much of it as is its alone is enough, here and wherever an id is asked for."""
    run = tell(ethos, "Michael prefers Rust over Python", "Michael prefers Python over Rust")
    assert run.startswith("r-20260601-120000-")
    assert ethos.diff("r-2026").run.id == ethos.diff().run.id == run
    (entry,) = ethos.inbox()
    assert ethos.why(entry.new.id[:6]).id == entry.new.id
    assert ethos.answer(entry.question.id[:5], "keep-both").question == entry.question.id
    with pytest.raises(Refused, match="beginning of several ids") as caught:
        ethos.diff("r-2026")
    assert run in caught.value.problem.hint
    with pytest.raises(Refused, match="no run has the id r-1999"):
        ethos.undo("r-1999")
    with pytest.raises(Refused, match="nothing has the id"):
        ethos.why("")


def test_t3_a_run_that_changed_nothing_has_nothing_to_undo(ethos: Ethos) -> None:
    """It says so, and what would be of use."""
    tell(ethos, RUST)
    empty = ethos.consolidate().run
    assert ethos.diff(empty).differences == ()
    with pytest.raises(Refused, match="changed nothing"):
        ethos.undo(empty)


def test_t3_weak_claims_of_an_undone_run_do_not_add_up(open_ethos: Callable[[Settings], Ethos], settings: Settings) -> None:
    """With a floor that makes every claim weak, the third telling is believed; not while the run that met the second is undone."""
    ethos = open_ethos(replace(settings, consolidation=replace(settings.consolidation, min_confidence=0.99)))
    tell(ethos, RUST)
    second = tell(ethos, RUST, day=1)
    third = tell(ethos, RUST, day=2)
    assert held(ethos) == ["team uses Rust"]
    ethos.undo(third)
    ethos.undo(second)
    tell(ethos, RUST, day=3)
    assert held(ethos) == []
    tell(ethos, RUST, day=4)
    assert held(ethos) == ["team uses Rust"]


def test_undoing_brings_back_what_had_faded(ethos: Ethos, clock: SetClock) -> None:
    """It is in the diff, and goes with it; the next sweep looks again."""
    tell(ethos, "We'll use Redis for caching")
    clock.move(days=5_000)
    run = ethos.consolidate().run
    faded = [line.id for line in ethos.diff(run).differences if line.type == "salience"]
    assert faded
    undone = ethos.undo(run)
    assert [line.changed for line in undone.differences] == [{"faded": (True, False)}] * len(faded)
