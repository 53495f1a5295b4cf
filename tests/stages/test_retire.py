"""Retire: a person says that a fact does not hold; nothing that was said before brings it back, and a new word does."""

from __future__ import annotations

from datetime import timedelta

import pytest

from ethos.app import Ethos
from ethos.core.model.errors import Refused
from ethos.core.model.records import Fact
from ethos.core.ports.queries import FactFilter
from tests.conftest import SetClock
from tests.support import other_rules
from tests.support.telling import NOON, said

RUST, GO = "We decided to use Rust", "We decided to use Go"
TEA = "Michael prefers tea over coffee"


def tell(ethos: Ethos, *words: str, day: float = 0) -> None:
    """Say it `day` days after noon, and read it."""
    ethos.capture([said(each, at=NOON + timedelta(days=day, minutes=at)) for at, each in enumerate(words)])
    ethos.consolidate(reason="test")


def held(ethos: Ethos) -> list[str]:
    """What is held, in words; `?` where it is in question."""
    return sorted(fact.statement + ("?" if fact.flagged else "") for fact in ethos.facts(FactFilter("default")))


def the(ethos: Ethos, statement: str) -> Fact:
    """The fact that is held and says so."""
    return next(fact for fact in ethos.facts(FactFilter("default")) if fact.statement == statement)


def test_a_retired_fact_is_gone_and_its_turn_stays(ethos: Ethos, clock: SetClock) -> None:
    """It stands in the history with its evidence, the run in the diff; undone it is back as it was, and redone it is gone again."""
    tell(ethos, RUST, TEA)
    before = the(ethos, "team uses Rust")
    clock.move(days=10)
    done = ethos.retire(before.id[:8])
    assert (done.fact, done.statement, held(ethos)) == (before.id, "team uses Rust", ["Michael prefers tea"])
    (difference,) = ethos.diff(done.run).differences
    assert (difference.sign, difference.id, difference.changed["retired"]) == ("-", before.id, (None, True))
    why = ethos.why(before.id)
    assert [episode.text for episode in why.episodes.values()] == [RUST]
    undone = ethos.undo(done.run).run.id
    assert held(ethos) == ["Michael prefers tea", "team uses Rust"]
    ethos.undo(undone)
    assert held(ethos) == ["Michael prefers tea"]
    assert ethos.store.check() == []


def test_what_was_said_before_does_not_bring_it_back(ethos: Ethos, clock: SetClock) -> None:
    """Neither a late arrival by which its matter is weighed anew, nor the same words of another old turn; a new word does."""
    tell(ethos, GO, day=1)
    tell(ethos, RUST, day=3)
    fact = the(ethos, "team uses Rust")
    clock.move(days=10)
    done = ethos.retire(fact.id)
    assert held(ethos) == []
    tell(ethos, "We decided to use Zig", day=2)  # in the middle
    assert held(ethos) == []
    tell(ethos, RUST, day=0)  # before the first word
    assert held(ethos) == []
    tell(ethos, RUST, day=5)  # after the last word, and before it was retired
    assert held(ethos) == []
    undone = ethos.undo(done.run).run.id
    assert held(ethos) == ["team uses Rust"]
    ethos.undo(undone)
    assert held(ethos) == []
    tell(ethos, RUST, day=11)
    new = the(ethos, "team uses Rust")
    assert new.id != fact.id
    tell(ethos, GO, day=4)
    assert held(ethos) == ["team uses Rust"]
    assert ethos.store.check() == []


def test_the_same_old_turn_read_anew_does_not_bring_it_back(ethos: Ethos, clock: SetClock) -> None:
    """The run that read it is undone, and other rules read the same in it."""
    tell(ethos, RUST, TEA)
    (read,) = [run.id for run in ethos.status().runs if run.name == "consolidate"]
    clock.move(days=10)
    ethos.retire(the(ethos, "team uses Rust").id)
    ethos.undo(read)
    ethos.rules = other_rules.rules(times=0.95)
    clock.move(days=1)
    ethos.consolidate()
    assert held(ethos) == ["Michael prefers tea"]
    assert ethos.store.check() == []


def test_questions_about_a_retired_fact_are_closed(ethos: Ethos, clock: SetClock) -> None:
    """The other side stands undoubted; an undo asks again."""
    tell(ethos, "Michael prefers Rust over Python", "Michael prefers Python over Rust")
    assert held(ethos) == ["Michael prefers Python?", "Michael prefers Rust?"]
    clock.move(days=1)
    fact = next(each for each in ethos.facts(FactFilter("default")) if each.object == "Rust")
    done = ethos.retire(fact.id)
    assert (held(ethos), ethos.inbox()) == (["Michael prefers Python"], ())
    ethos.undo(done.run)
    assert held(ethos) == ["Michael prefers Python?", "Michael prefers Rust?"]
    assert len(ethos.inbox()) == 1
    assert ethos.store.check() == []


def test_an_undo_of_the_run_that_read_it_leaves_it_retired(ethos: Ethos, clock: SetClock) -> None:
    """In whatever order they are taken back, it is held when both count as if it had not been retired."""
    tell(ethos, RUST)
    run = ethos.consolidate().run  # nothing
    tell(ethos, RUST, day=1)
    read = next(each.id for each in ethos.status().runs if each.name == "consolidate" and each.id != run)
    clock.move(days=10)
    done = ethos.retire(the(ethos, "team uses Rust").id)
    again = ethos.undo(read).run.id
    assert held(ethos) == []
    ethos.undo(again)
    assert held(ethos) == []
    ethos.undo(done.run)
    assert held(ethos) == ["team uses Rust"]
    assert ethos.store.check() == []


def test_an_answered_matter_does_not_bring_it_back(ethos: Ethos, clock: SetClock) -> None:
    """A matter in which a person has answered is not weighed anew; a late word of what they retired is dropped all the same."""
    tell(ethos, "Michael prefers Rust over Python", day=1)
    tell(ethos, "Michael prefers Python over Rust", day=2)
    (entry,) = ethos.inbox()
    ethos.answer(entry.question.id, "keep-new")
    clock.move(days=10)
    ethos.retire(the(ethos, "Michael prefers Python").id)
    tell(ethos, "Michael prefers Python over Rust", day=3)
    assert held(ethos) == []
    assert ethos.store.check() == []


def test_only_what_is_held_can_be_retired(ethos: Ethos, clock: SetClock) -> None:
    """An unknown id, several, one that is retired, and one that was replaced are refused, with what to do."""
    tell(ethos, RUST, TEA)
    rust = the(ethos, "team uses Rust").id
    tell(ethos, GO, day=1)
    tea = the(ethos, "Michael prefers tea").id
    clock.move(days=10)
    ethos.retire(tea)
    for asked, code, what in (
        ("f-nothing", "not-found", "no fact has the id f-nothing"),
        ("f-", "usage", "several ids"),
        (tea, "usage", "is retired already"),
        (rust, "usage", "is superseded by"),
    ):
        with pytest.raises(Refused, match=what) as refused:
            ethos.retire(asked)
        assert refused.value.problem.code == code
        assert refused.value.problem.hint


def test_a_corrected_fact_has_what_was_said_in_its_place(ethos: Ethos, clock: SetClock) -> None:
    """The user's own line is a turn, and what is read in it the successor; one run, undone and redone as a whole."""
    tell(ethos, RUST, TEA)
    fact = the(ethos, "team uses Rust")
    clock.move(days=10)
    done = ethos.correct(fact.id, "We decided to use Zig.")
    assert (held(ethos), [each.statement for each in done.now]) == (["Michael prefers tea", "team uses Zig"], ["team uses Zig"])
    new = the(ethos, "team uses Zig")
    assert ethos.why(fact.id).versions[-1].superseded_by == new.id
    assert [episode.text for episode in ethos.why(new.id).episodes.values()] == ["We decided to use Zig."]
    assert {each.id for each in ethos.diff(done.run).differences} == {fact.id, new.id}
    undone = ethos.undo(done.run).run.id
    assert held(ethos) == ["Michael prefers tea", "team uses Rust"]
    ethos.undo(undone)
    assert held(ethos) == ["Michael prefers tea", "team uses Zig"]
    assert ethos.why(fact.id).versions[-1].superseded_by == new.id
    tell(ethos, GO, day=-1)
    tell(ethos, RUST, day=5)
    ethos.consolidate()
    assert held(ethos) == ["Michael prefers tea", "team uses Zig"]
    assert ethos.store.check() == []


def test_a_correction_changes_what_a_thing_is_for(ethos: Ethos, clock: SetClock) -> None:
    """The same object in another slot is another fact; the words that were corrected do not bring the old one back."""
    queues = "We use Redis for queues."
    tell(ethos, queues)
    fact = the(ethos, "team uses Redis for queues")
    clock.move(days=10)
    done = ethos.correct(fact.id, "We use Redis for caching.")
    (new,) = done.now
    assert (new.statement, done.slot) == ("team uses Redis for caching", fact.slot)
    assert new.slot != fact.slot
    assert held(ethos) == ["team uses Redis for caching"]
    tell(ethos, queues, day=1)
    assert the(ethos, "team uses Redis for caching").id == new.id
    ethos.undo(done.run)
    assert the(ethos, "team uses Redis for queues").id == fact.id
    assert ethos.store.check() == []


def test_an_undone_correction_does_not_come_back_with_other_rules(ethos: Ethos, clock: SetClock) -> None:
    """Its words were typed for that fact alone; redone it holds again, and the corrected turn stays corrected."""
    tell(ethos, RUST)
    clock.move(days=10)
    done = ethos.correct(the(ethos, "team uses Rust").id, "We decided to use Zig.")
    undone = ethos.undo(done.run).run.id
    assert ethos.recall("Zig") == ()
    assert [hit.episode for hit in ethos.recall("Zig", faded=True)] == [done.said]
    assert ethos.store.check() == []
    ethos.rules = other_rules.rules(times=0.95)
    clock.move(days=1)
    ethos.consolidate()
    assert held(ethos) == ["team uses Rust"]
    assert ethos.store.check() == []
    ethos.undo(undone)
    assert held(ethos) == ["team uses Zig"]
    assert done.said in {hit.episode for hit in ethos.recall("Zig")}
    ethos.consolidate()
    assert held(ethos) == ["team uses Zig"]
    assert ethos.store.check() == []


def test_a_correction_need_not_collide_with_what_it_corrects(ethos: Ethos, clock: SetClock) -> None:
    """What was about one subject may be about another; weighed anew, the corrected fact stays gone."""
    tell(ethos, TEA, day=1)
    clock.move(days=10)
    ethos.correct(the(ethos, "Michael prefers tea").id, "We decided to use Zig.")
    assert held(ethos) == ["team uses Zig"]
    tell(ethos, TEA, day=0)
    assert held(ethos) == ["team uses Zig"]
    assert ethos.store.check() == []


def test_a_correction_tells_the_questions_that_it_opens(ethos: Ethos, clock: SetClock) -> None:
    """What its words say against another fact is held in question, and the answer of the correction names the question."""
    tell(ethos, RUST, "My dog is called Pebble.")
    clock.move(days=10)
    done = ethos.correct(the(ethos, "team uses Rust").id, "My dog is called Biscuit.")
    assert [each.statement for each in done.now] == ["Michael's dog is called Biscuit"]
    (asked,) = ethos.inbox()
    assert [(each.id, each.held, each.new) for each in done.questions] == [
        (asked.question.id, "Michael's dog is called Pebble", "Michael's dog is called Biscuit")
    ]
    assert not done.ended


def test_a_correction_tells_what_else_it_ends(ethos: Ethos, clock: SetClock) -> None:
    """Words that change another thing, too, say so."""
    tell(ethos, RUST, "I live in Berlin.")
    clock.move(days=10)
    done = ethos.correct(the(ethos, "team uses Rust").id, "I live in Lisbon now.")
    assert [each.statement for each in done.ended] == ["Michael lives in Berlin"]
    assert not done.questions


def test_words_that_no_rule_reads_change_nothing(ethos: Ethos, clock: SetClock) -> None:
    """They are refused with what to type, and no turn is left; and so are words that say the same."""
    tell(ethos, RUST)
    fact = the(ethos, "team uses Rust")
    clock.move(days=10)
    for words, what in (("Hm, rather not.", "no rule reads"), (RUST, "say the same as f-"), ("", "no rule reads")):
        with pytest.raises(Refused, match=what) as refused:
            ethos.correct(fact.id, words)
        assert refused.value.problem.hint
    assert (held(ethos), ethos.status().counts.episodes) == (["team uses Rust"], 1)


def test_what_is_said_with_a_retirement_is_a_turn(ethos: Ethos, clock: SetClock) -> None:
    """The next cycle reads it like any other."""
    tell(ethos, RUST)
    clock.move(days=10)
    done = ethos.retire(the(ethos, "team uses Rust").id, said="We decided to use Go.")
    assert held(ethos) == []
    ethos.consolidate()
    assert held(ethos) == ["team uses Go"]
    assert ethos.why(done.said).type == "episode"
