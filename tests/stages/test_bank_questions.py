"""Questions about memories of the bank: which one may be used, which one is to be retired; their answers, and an undo."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from ethos.app import Ethos
from ethos.core.history.erasure import ErasureRequest
from ethos.core.learning.bank.proposing import HELPED, MOST_OPEN
from ethos.core.model.errors import Refused
from ethos.core.model.memories import Memory, MemoryState, Outcome
from ethos.core.model.questions import MemoryQuestion, Proposal
from ethos.core.model.settings import Settings
from tests.conftest import SetClock
from tests.core.learning.bank.test_distilling import talk
from tests.stages.test_bank_nights import held, night

DONE = (
    "user: The date tests are flaky on CI.",
    "assistant: I changed the fixture to use a frozen clock.",
    "user: great, that fixed it",
)


@pytest.fixture
def ethos(open_ethos: Callable[[Settings], Ethos], settings: Settings) -> Ethos:
    """A memory whose days are those of UTC, and whose review file is read at once."""
    sleep, inbox = replace(settings.sleep, zone="UTC"), replace(settings.inbox, settle_seconds=0)
    return open_ethos(replace(settings, sleep=sleep, inbox=inbox))


def learn(ethos: Ethos, title: str, when: str) -> Memory:
    """Record a memory."""
    return ethos.bank.record(title, when, title, Outcome.SUCCESS, project="default")


@pytest.fixture
def inbox(settings: Settings) -> Path:
    """The review file."""
    return Path(settings.conflict_resolution.review_inbox)


def serve(ethos: Ethos, query: str, times: int) -> None:
    """Search in so many sessions."""
    for at in range(times):
        assert ethos.bank.search(query, project="default", session=f"{query} {at}").memories


def tick(inbox: Path, question: str, action: str) -> None:
    """Put an x into a box, as a person does."""
    text = inbox.read_text("utf-8")
    box = f"- [ ] {action} ^{question}"
    assert box in text
    inbox.write_text(text.replace(box, box.replace("[ ]", "[x]")), "utf-8")


def test_r10_a_memory_in_quarantine_is_proposed_and_a_tick_lets_it_be_used(ethos: Ethos, clock: SetClock, inbox: Path) -> None:
    """The night asks; the file shows what it would be; the tick is a run, and its undo puts the memory and the question back."""
    ethos.capture(talk(*DONE))
    night(ethos, clock)
    (entry,) = ethos.proposals()
    assert (entry.question.proposal, entry.memory.title) == (Proposal.ACCEPT, "Changed the fixture to use a frozen clock")
    assert ethos.status().counts.questions == 1
    text = inbox.read_text("utf-8")
    assert f"] Distilled Memory · {entry.question.id}" in text
    assert "**From:** the assistant" in text
    tick(inbox, entry.question.id, "accept")
    assert ethos.settle() == 1
    assert ethos.bank.show(entry.memory.id).track_record.memory.state is MemoryState.ACTIVE
    assert ethos.proposals() == ()
    assert "accept by inbox: it is in use" in inbox.read_text("utf-8")
    (done,) = held(ethos, MemoryQuestion)
    with pytest.raises(Refused, match="already answered with accept") as refused:
        ethos.answer(done.id, "reject")
    assert "ethos undo r-" in refused.value.problem.hint
    run = next(run for run in ethos.status().runs if run.name == "answer")
    ethos.undo(run.id)
    assert ethos.bank.show(entry.memory.id).track_record.memory.state is MemoryState.QUARANTINED
    assert [each.question.id for each in ethos.proposals()] == [entry.question.id]


def test_r10_a_rejected_memory_is_out_of_use_and_not_proposed_again(ethos: Ethos, clock: SetClock) -> None:
    """Neither by the same night again, nor by a later one. The answer again changes nothing; one that does not fit is refused."""
    ethos.capture(talk(*DONE))
    night(ethos, clock)
    (entry,) = ethos.proposals()
    with pytest.raises(Refused, match="no such action"):
        ethos.answer(entry.question.id, "retire")
    assert ethos.answer(entry.question.id, "reject").applied
    assert not ethos.answer(entry.question.id, "reject").applied
    night(ethos, clock)
    assert ethos.proposals() == ()
    assert [each.question.action for each in ethos.proposals(resolved=True)] == ["reject"]
    assert ethos.bank.show(entry.memory.id).track_record.memory.state is MemoryState.ARCHIVED


def test_xr12_what_was_served_often_and_never_helped_is_proposed_for_retirement(ethos: Ethos, clock: SetClock, inbox: Path) -> None:
    """With its counts. Retired, it is archived; kept, it stays in use and is not asked about again."""
    patience = ethos.settings.bank.patience
    useless = learn(ethos, "Restart the build server", when="when builds hang")
    kept = learn(ethos, "Clear the npm cache", when="when installs break")
    good = learn(ethos, "Pin the compiler", when="when linking crashes")
    for query in ("builds hang", "installs break", "linking crashes"):
        serve(ethos, query, 2 * patience)
    ethos.bank.outcome(useless.id, succeeded=False)
    ethos.bank.outcome(good.id, succeeded=True)
    night(ethos, clock)
    asked = {entry.memory.id: entry for entry in ethos.proposals()}
    assert set(asked) == {useless.id, kept.id}
    assert f"**Record:** served {2 * patience} times, worked 0 of 1" in inbox.read_text("utf-8")
    done = ethos.answer(asked[useless.id].question.id, "retire")
    ethos.answer(asked[kept.id].question.id, "keep", note="rarely needed, and then it is")
    states = {each.memory.id: each.memory.state for each in ethos.bank.memories(archived=True)}
    assert states == {useless.id: MemoryState.ARCHIVED, kept.id: MemoryState.ACTIVE, good.id: MemoryState.ACTIVE}
    night(ethos, clock)
    assert ethos.proposals() == ()
    ethos.undo(done.run)
    assert [each.memory.id for each in ethos.proposals()] == [useless.id]


def test_r10_at_most_three_memories_are_asked_about_at_once(ethos: Ethos, clock: SetClock) -> None:
    """The oldest first; the others follow as these are answered."""
    patience = ethos.settings.bank.patience
    words = ("alpha", "bravo", "carol", "delta", "echo")
    for word in words:
        learn(ethos, f"Restart {word}", when=word)
        clock.move(seconds=1)
        serve(ethos, word, 2 * patience)
    night(ethos, clock)
    first = ethos.proposals()
    assert [each.memory.title for each in first] == ["Restart alpha", "Restart bravo", "Restart carol"]
    ethos.answer(first[0].question.id, "keep")
    night(ethos, clock)
    assert [each.memory.title for each in ethos.proposals()] == ["Restart bravo", "Restart carol", "Restart delta"]
    assert len(ethos.proposals()) == MOST_OPEN


def test_r10_a_question_closes_where_it_needs_no_answer(ethos: Ethos, clock: SetClock, inbox: Path) -> None:
    """Because the memory helped since, because a person archived or accepted it by a command, or because it is forgotten."""
    helped, archived = learn(ethos, "Restart alpha", when="alpha"), learn(ethos, "Restart bravo", when="bravo")
    for word in ("alpha", "bravo"):
        serve(ethos, word, 2 * ethos.settings.bank.patience)
    ethos.capture(talk(*DONE))
    night(ethos, clock)
    assert len(ethos.proposals()) == 3
    ethos.bank.outcome(helped.id, succeeded=True)
    gone = ethos.bank.archive(archived.id)
    assert {each.memory.id for each in ethos.proposals(resolved=True) if each.question.action == "retire"} == {archived.id}
    night(ethos, clock)
    (left,) = ethos.proposals()
    assert left.question.proposal is Proposal.ACCEPT
    closed = next(each for each in held(ethos, MemoryQuestion) if each.memory == helped.id)
    assert (closed.by, closed.action) == (HELPED, None)
    with pytest.raises(Refused, match=f"no longer open: {HELPED}"):
        ethos.answer(closed.id, "retire")
    assert f"closed: {HELPED}" in inbox.read_text("utf-8")
    ethos.undo(gone.run)
    assert {each.memory.id for each in ethos.proposals()} == {left.memory.id, archived.id}
    ethos.forget(ErasureRequest(ids=(left.memory.id,)))
    assert {each.memory for each in held(ethos, MemoryQuestion)} == {helped.id, archived.id}


def test_r10_an_undone_night_takes_its_questions_back(ethos: Ethos, clock: SetClock) -> None:
    """They go with the memories that it had distilled."""
    ethos.capture(talk(*DONE))
    night(ethos, clock)
    assert ethos.proposals()
    ethos.undo(next(run.id for run in ethos.status().runs if run.name == "sleep"))
    assert held(ethos, MemoryQuestion) == []
    assert ethos.status().counts.questions == 0
