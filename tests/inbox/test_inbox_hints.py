"""What a person is told who answers in the review file in a way that cannot be taken."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from ethos.core import review
from tests.support.asking import ACTIONS, box, entry, ticked
from tests.support.commands import QUARREL, Commands, commands

__all__ = ["commands"]


def hint(file: str) -> str:
    """The one hint in it."""
    (said,) = review.read(review.parse(file)).hints.values()
    return said


@pytest.mark.parametrize("action", ACTIONS)
@pytest.mark.parametrize("form", ["[x] {} ^{}", "- [x] {}", "- [x]{} ^{}", "1. [x] {} ^{}", "- [x] {} ^{} because"])
def test_fault_newcomer_a_bad_tick_is_told_how_that_same_tick_is_written(action: str, form: str) -> None:
    """The hint never names another answer than the one that the person meant."""
    asked = entry()
    file = review.render([asked]).replace(box(action, asked), form.format(action, asked.question.id))
    told = hint(file).partition("it must read ")[2]
    assert told.startswith(f"- [x] {action} ^{asked.question.id}")
    assert not any(other in told for other in ACTIONS if other != action)


def test_fault_newcomer_a_bad_tick_that_names_no_answer_is_told_all() -> None:
    """There is no telling which was meant."""
    asked = entry()
    told = hint(review.render([asked]).replace(box("keep-new", asked), f"- [x] keep-old or keep-new ^{asked.question.id} ?"))
    assert "with keep-old, keep-new or keep-both" in told


@pytest.mark.parametrize("note", ["note: keep-new please", "note: Keep-New, I think", "keep-new please"])
def test_fault_newcomer_an_answer_in_a_note_gets_a_hint(note: str) -> None:
    """A note answers nothing. With a tick, and under Resolved, it is a note like any other."""
    asked = entry()
    file = review.render([asked]).replace("\nnote:", f"\n{note}")
    assert "no box is ticked: if keep-new is your answer, tick its box" in hint(file)
    assert review.read(review.parse(file)).decisions == ()
    assert review.read(review.parse(ticked(file, "keep-old", asked))).hints == {}
    assert review.read(review.parse(review.render([asked]).replace("\nnote:", "\nnote: I keep thinking"))).hints == {}


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ('**New:** "Michael prefers Python"', '**New:** "Michael prefers Python for scripts"'),
        ('**Existing:** "Michael prefers Rust"', '**Existing:** "Michael hates Rust"'),
        ('**New:** "Michael prefers Python"', "**New:** Michael prefers Zig"),
        ("**Subject:** Michael", "**Subject:** Anna"),
    ],
)
def test_fault_newcomer_edited_words_of_a_claim_are_kept_and_refused(old: str, new: str) -> None:
    """The tick goes, the words stay for the person to see, and a hint says so; all of that for as long as the words stand there."""
    asked = entry()
    file = ticked(review.render([asked]), "keep-new", asked)
    assert old in file
    after = review.render([asked], review.parse(file.replace(old, new)))
    assert old in after
    assert box("keep-new", asked, "x") not in after
    assert new.replace("**", "") in after.replace("**", "").partition("> edited, and not taken: ")[2]
    assert "words of a claim were edited" in hint(after)
    assert review.render([asked], review.parse(after)) == after
    gone = "".join(line for line in after.splitlines(keepends=True) if not line.startswith("> edited"))
    final = review.render([asked], review.parse(ticked(gone, "keep-new", asked)))
    assert review.read(review.parse(final)).hints == {}
    assert box("keep-new", asked, "x") in final


def test_a_claim_that_only_became_surer_is_not_taken_for_edited() -> None:
    """What changes by itself between two writings of the file is nobody's edit."""
    asked = entry()
    file = ticked(review.render([asked]), "keep-new", asked)
    surer = replace(asked, new=replace(asked.new, confidence=0.9), question=replace(asked.question, repeats=3))
    assert review.read(review.parse(review.render([surer], review.parse(file)))).hints == {}


def test_fault_newcomer_a_tick_on_edited_words_changes_nothing(commands: Commands) -> None:
    """Through the command: the tick is not applied, `ethos inbox` says why and exits with 3, and a tick on what is held is taken."""
    commands.write("quarrel.jsonl", QUARREL)
    commands("capture", "quarrel.jsonl")
    commands("consolidate")
    (asked,) = (each["id"] for each in commands("inbox", "--json").data["questions"])
    (file,) = Path(commands.home).rglob("memory-review.md")
    text = file.read_text("utf-8").replace("- [ ] keep-new", "- [x] keep-new")
    file.write_text(text.replace('"Michael prefers Python"', '"Michael prefers Python, mostly"'), "utf-8")
    ran = commands("inbox", "--check")
    assert ran.code == 3
    assert "words of a claim were edited" in ran.out
    assert "Michael prefers Python, mostly" in file.read_text("utf-8")
    assert {fact["status"] for fact in commands("facts", "--json").data["facts"]} == {"flagged"}
    kept = [line for line in file.read_text("utf-8").splitlines(keepends=True) if not line.startswith("> edited")]
    file.write_text("".join(kept).replace("- [ ] keep-new", "- [x] keep-new"), "utf-8")
    assert commands("inbox", "--check").code == 0
    assert [fact["object"] for fact in commands("facts", "--json").data["facts"]] == ["Python"]
    assert commands("why", asked).code == 0
