"""From a contradiction to an answer: a real store, the real file, and a person with an editor."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from datetime import timedelta
from pathlib import Path

import pytest

from ethos.app import Ethos
from ethos.core.model.errors import Refused
from ethos.core.model.records import Action
from ethos.core.model.settings import Settings
from ethos.core.ports.queries import FactFilter
from ethos.core.ports.review_file import Entry
from ethos.store import RunLease
from tests.conftest import SetClock
from tests.support.asking import ACTIONS, box, ticked
from tests.support.telling import NOON, said

FIRST, SECOND = "I prefer Rust over Python", "I prefer Python over Rust"
OLD, NEW = "Michael prefers Rust", "Michael prefers Python"


@pytest.fixture
def file(settings: Settings) -> Path:
    """The review file; nobody has made it yet."""
    return Path(settings.conflict_resolution.review_inbox)


def plant(ethos: Ethos) -> Entry:
    """Two claims that cannot both be true, two days apart; the question they raise."""
    ethos.capture([said(FIRST), said(SECOND, at=NOON + timedelta(days=2))])
    ethos.consolidate(reason="test")
    (question,) = ethos.inbox()
    return question


def tick(file: Path, action: str, of: Entry) -> None:
    """Open, put an x in the box, save."""
    file.write_text(ticked(file.read_text("utf-8"), action, of), "utf-8")


def held(ethos: Ethos, *, history: bool = False, flagged: bool | None = None) -> list[str]:
    """What `ethos facts` says."""
    return [fact.statement for fact in ethos.facts(FactFilter("default", flagged=flagged, history=history))]


def test_e30_e31_e41_a_contradiction_reaches_the_file_that_is_configured(ethos: Ethos, file: Path) -> None:
    """Both claims stand there with ids, confidence, dates, and the words that were said; both are doubted until a person speaks."""
    asked = plant(ethos)
    assert asked.existing is not None
    text = file.read_text("utf-8")
    for line in (
        "**Subject:** Michael / **Predicate:** prefers",
        f"**Existing ID:** {asked.existing.id}",
        f'**Existing:** "{OLD}" (confidence: {asked.existing.confidence:.2f}) · said 2026-06-01',
        f"**New ID:** {asked.new.id}",
        f'**New:** "{NEW}" (confidence: {asked.new.confidence:.2f}) · said 2026-06-03',
        f"**Source episode:** {said(SECOND, at=NOON + timedelta(days=2)).id}",
        f"> {SECOND}",
        "Actions: `keep-old` | `keep-new` | `keep-both`",
        *(box(action, asked) for action in ACTIONS),
    ):
        assert line in text.splitlines()
    assert f"### [{asked.question.opened_at:%Y-%m-%dT%H:%M:%SZ}] Memory Conflict" in text
    assert sorted(held(ethos, flagged=True)) == [NEW, OLD]


def test_xe11_keep_new_changes_what_is_held_and_keeps_the_old_as_history(ethos: Ethos, file: Path) -> None:
    """Ticked in the file, applied when the file is looked at; the entry moves to Resolved."""
    asked = plant(ethos)
    assert not ethos.review_due()
    tick(file, "keep-new", asked)
    assert ethos.review_due()
    assert ethos.settle() == 1
    assert held(ethos) == [NEW]
    assert OLD in held(ethos, history=True)
    text = file.read_text("utf-8")
    assert text.index("## Resolved") < text.index(asked.question.id)
    assert "· keep-new by inbox: the new one replaces the existing one" in text
    assert box("keep-new", asked) not in text
    assert not ethos.review_due()


def test_xe11_keep_old_puts_the_new_claim_aside(ethos: Ethos, file: Path) -> None:
    """At the start of the next cycle, which says how many answers it applied."""
    asked = plant(ethos)
    tick(file, "keep-old", asked)
    cycle = ethos.consolidate(reason="test")
    assert (cycle.answers_applied, cycle.review_problem) == (1, "")
    assert held(ethos) == [OLD]
    assert NEW in held(ethos, history=True)


def test_xe11_keep_both_ends_the_doubt(ethos: Ethos, file: Path) -> None:
    """And the pair is not asked about again."""
    asked = plant(ethos)
    tick(file, "keep-both", asked)
    assert ethos.settle() == 1
    assert sorted(held(ethos, flagged=False)) == [NEW, OLD]
    ethos.capture([said(SECOND, at=NOON + timedelta(days=9))])
    ethos.consolidate(reason="test")
    assert ethos.inbox() == ()


@pytest.mark.parametrize("action", ACTIONS)
def test_xe11_an_answer_by_command_does_the_same_as_a_tick(
    open_ethos: Callable[[Settings], Ethos], settings: Settings, tmp_path: Path, action: Action
) -> None:
    """Two memories with one past, one answered in the file and one by `ethos answer`, hold the same and show the same."""
    seen = []
    for how in ("file", "command"):
        place = tmp_path / how
        mine = _settings_in(settings, place)
        ethos = open_ethos(mine)
        asked = plant(ethos)
        file = Path(mine.conflict_resolution.review_inbox)
        if how == "file":
            tick(file, action, asked)
            assert ethos.settle() == 1
        else:
            assert ethos.answer(asked.question.id, action).applied
        shown = [line for line in file.read_text("utf-8").splitlines() if not line.startswith(("**Resolved:**", "###"))]
        seen.append((held(ethos), sorted(held(ethos, history=True)), held(ethos, flagged=True), shown))
    assert seen[0][:3] == seen[1][:3]
    assert len(seen[0][3]) == len(seen[1][3])


def test_xe11_twice_is_once(ethos: Ethos, file: Path) -> None:
    """The same tick from a backup, and the same answer by command: nothing more happens."""
    asked = plant(ethos)
    backup = ticked(file.read_text("utf-8"), "keep-new", asked)
    file.write_text(backup, "utf-8")
    assert ethos.settle() == 1
    before, text = ethos.facts(FactFilter("default", history=True)), file.read_text("utf-8")
    file.write_text(backup, "utf-8")
    assert ethos.settle() == 0
    assert not ethos.answer(asked.question.id, "keep-new").applied
    assert ethos.facts(FactFilter("default", history=True)) == before
    assert file.read_text("utf-8") == text


def test_xe11_another_choice_after_the_first_changes_nothing_and_says_so(ethos: Ethos, file: Path) -> None:
    """In the file by a hint, on the command line by a refusal."""
    asked = plant(ethos)
    backup = ticked(file.read_text("utf-8"), "keep-old", asked)
    ethos.answer(asked.question.id, "keep-new")
    file.write_text(backup, "utf-8")
    assert ethos.settle() == 0
    assert held(ethos) == [NEW]
    assert "> ⚠ already applied: keep-new; the tick on keep-old was not taken" in file.read_text("utf-8")
    with pytest.raises(Refused, match="already answered with keep-new"):
        ethos.answer(asked.question.id, "keep-old")


def test_xe11_two_choices_or_none_leave_the_question_open(ethos: Ethos, file: Path) -> None:
    """The hint comes as soon as the file is looked at, and goes when the choice is one."""
    asked = plant(ethos)
    tick(file, "keep-old", asked)
    tick(file, "keep-new", asked)
    assert ethos.settle() == 0
    text = file.read_text("utf-8")
    assert "> ⚠ two choices (keep-old, keep-new): leave one tick" in text
    file.write_text(text.replace(box("keep-old", asked, "x"), box("keep-old", asked)), "utf-8")
    assert ethos.settle() == 1
    assert "⚠" not in file.read_text("utf-8")


@pytest.mark.parametrize("lost", ["entry", "file", "folder"])
def test_xe11_what_was_deleted_is_shown_again(ethos: Ethos, file: Path, lost: str) -> None:
    """Absence is never a decision."""
    asked = plant(ethos)
    shown = file.read_text("utf-8")
    if lost == "entry":
        file.write_text("", "utf-8")
    else:
        file.unlink()
    if lost == "folder":
        file.parent.rmdir()
    assert ethos.review_due()
    assert ethos.settle() == 0
    assert [one.question.id for one in ethos.inbox()] == [asked.question.id]
    assert file.read_text("utf-8") == shown


def test_the_note_is_kept_with_the_answer(ethos: Ethos, file: Path) -> None:
    """In the store and in the file."""
    asked = plant(ethos)
    tick(file, "keep-new", asked)
    file.write_text(file.read_text("utf-8").replace("\nnote:", "\nnote: since the move to data work"), "utf-8")
    ethos.settle()
    (entry,) = ethos.inbox(resolved=True)
    assert entry.question.note == "since the move to data work"
    assert "note: since the move to data work" in file.read_text("utf-8")


def test_a_save_during_a_pass_is_left_alone_and_taken_with_the_next(ethos: Ethos, file: Path) -> None:
    """What was not read is not written over: the file stays as the person saved it, and is due."""
    asked = plant(ethos)
    tick(file, "keep-new", asked)
    saved = file.read_bytes()
    ethos.write_review_file()
    assert file.read_bytes() == saved
    assert ethos.review_due()
    assert ethos.settle() == 1
    assert held(ethos) == [NEW]


def test_a_tick_is_not_missed_while_another_process_is_in_a_pass(ethos: Ethos, file: Path, settings: Settings) -> None:
    """The file is read under the run lease or not at all."""
    asked = plant(ethos)
    tick(file, "keep-new", asked)
    with RunLease(Path(settings.ethos.database)).hold(), pytest.raises(Refused):
        ethos.settle()
    assert ethos.review_due()
    assert ethos.settle() == 1


def test_an_answer_given_while_the_file_is_open_in_an_editor_is_applied_and_shown_later(ethos: Ethos, file: Path, clock: SetClock) -> None:
    """Reading a file that somebody edits is fine; writing waits until they are done, and the reason can be read."""
    asked = plant(ethos)
    swap = file.with_name(f".{file.name}.swp")
    swap.write_bytes(b"b0VIM")
    tick(file, "keep-new", asked)
    saved = file.read_bytes()
    assert ethos.settle() == 1
    assert held(ethos) == [NEW]
    assert file.read_bytes() == saved
    assert "open in an editor" in ethos.status().review_problem
    assert not ethos.review_due()
    swap.unlink()
    assert ethos.review_due()
    clock.move(seconds=1)
    assert ethos.settle() == 0
    assert "## Resolved" in file.read_text("utf-8")
    assert ethos.status().review_problem == ""


def test_an_unfinished_merge_is_told_by_status_until_it_is_finished(ethos: Ethos, file: Path) -> None:
    """The file is left alone as long, and its questions wait."""
    plant(ethos)
    whole = file.read_text("utf-8")
    merging = "<<<<<<< mine\n" + whole
    file.write_text(merging, "utf-8")
    assert ethos.settle() == 0
    assert "marks of a merge conflict" in ethos.status().review_problem
    assert file.read_text("utf-8") == merging
    file.write_text(whole, "utf-8")
    assert ethos.settle() == 0
    assert ethos.status().review_problem == ""


def test_a_new_process_finds_what_was_ticked_while_none_ran(
    open_ethos: Callable[[Settings], Ethos], settings: Settings, file: Path
) -> None:
    """The first look after a start always reads."""
    first = open_ethos(settings)
    asked = plant(first)
    first.close()
    tick(file, "keep-new", asked)
    second = open_ethos(settings)
    assert second.review_due()
    assert second.settle() == 1
    assert held(second) == [NEW]


def test_no_file_and_no_question_is_no_reason_to_look(ethos: Ethos) -> None:
    """A memory that was never asked anything is not due."""
    assert not ethos.review_due()
    assert ethos.settle() == 0


def _settings_in(settings: Settings, place: Path) -> Settings:
    place.mkdir()
    return replace(
        settings,
        ethos=replace(settings.ethos, database=str(place / "ethos.db"), state=str(place / "state")),
        conflict_resolution=replace(settings.conflict_resolution, review_inbox=str(place / "inbox" / "review.md")),
    )
