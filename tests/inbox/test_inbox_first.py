"""A question stays small: three of a day are shown first, the rest is folded, and each names its likely answer."""

from __future__ import annotations

import sys
from collections.abc import Callable
from dataclasses import replace
from datetime import timedelta
from pathlib import Path

import pytest

from ethos.app import Ethos
from ethos.core import review
from ethos.core.model.settings import InboxSettings, Settings
from ethos.core.ports.queries import FactFilter
from ethos.core.ports.review_file import Entry
from ethos.core.review.first import folded, likely
from tests.support.asking import box, entry, ticked
from tests.support.commands import Commands, commands, spoken
from tests.support.telling import NOON, fact, said

__all__ = ["commands"]

PAIRS = [("Rust", "Python"), ("tea", "coffee"), ("vim", "emacs"), ("tabs", "spaces"), ("cats", "dogs")]


def ask_five(ethos: Ethos) -> tuple[Entry, ...]:
    """Five contradictions, told on one day."""
    told = [(f"I prefer {one} over {other}", f"I prefer {other} over {one}") for one, other in PAIRS]
    ethos.capture([said(old, at=NOON + timedelta(minutes=n)) for n, (old, _) in enumerate(told)])
    ethos.capture([said(new, at=NOON + timedelta(days=21, minutes=n)) for n, (_, new) in enumerate(told)])
    ethos.consolidate(reason="test")
    return ethos.inbox()


def above_and_below(file: Path) -> tuple[str, str]:
    """The file, cut where the folded part begins."""
    above, _, below = file.read_text("utf-8").partition("<details>")
    return above, below


def test_i18_three_of_a_day_are_shown_first_and_the_rest_is_folded(ethos: Ethos, settings: Settings) -> None:
    """Nothing is lost: all stand in the file, and a tick in the folded part counts."""
    asked = ask_five(ethos)
    file = Path(settings.conflict_resolution.review_inbox)
    assert [each.folded for each in asked] == [False, False, False, True, True]
    above, below = above_and_below(file)
    assert [each.question.id in above for each in asked] == [True, True, True, False, False]
    assert all(each.question.id in below for each in asked[3:])
    file.write_text(ticked(file.read_text("utf-8"), "keep-new", asked[4]), "utf-8")
    assert ethos.settle() == 1
    assert "Michael prefers dogs" in [each.statement for each in ethos.facts(FactFilter("default"))]
    assert [each.question.id for each in ethos.inbox()] == [each.question.id for each in asked[:4]]


def test_i18_what_is_used_most_is_asked_first() -> None:
    """By how often its facts were recalled, and then the oldest; another day has its own three."""
    today = [
        replace(each, question=replace(each.question, opened_at=NOON + timedelta(minutes=n)))
        for n, each in enumerate(map(entry, range(1, 6)))
    ]
    used = [replace(each, used=times) for each, times in zip(today, (0, 2, 0, 5, 0), strict=True)]
    other_day = entry(9)
    assert [each.folded for each in folded([*used, other_day], 3)] == [False, False, True, False, True, False]
    assert not any(each.folded for each in folded(used, 0))


def test_i18_the_file_with_a_fold_is_read_as_it_was_written() -> None:
    """Written again it is the same, and a person's note in the folded part stays."""
    entries = [replace(entry(1)), replace(entry(2), folded=True)]
    file = review.render(entries)
    assert review.render(entries, review.parse(file)) == file
    noted = file.replace("note:\n<!-- /ethos " + entries[1].question.id, "note: we moved\n<!-- /ethos " + entries[1].question.id)
    assert review.render(entries, review.parse(noted)) == noted
    shown = [replace(each, folded=False) for each in entries]
    assert "<details>" not in review.render(shown, review.parse(noted))
    assert box("keep-new", entries[1]) in review.render(shown, review.parse(noted))


@pytest.mark.parametrize(("days", "answer"), [
    (21, ("keep-new", "said 3 weeks later")),
    (1, ("keep-new", "said 1 day later")),
    (-100, ("keep-old", "said 3 months later")),
    (0.5, ("keep-new", "said 12 hours later")),
    (0, None),
])  # fmt: skip
def test_i18_the_likely_answer_is_what_was_said_last(days: float, answer: tuple[str, str] | None) -> None:
    """With the reason; where both were said at one time there is none."""
    old, new = fact("Michael", "prefers", "Rust", 0.8), fact("Michael", "prefers", "Python", 0.75)
    assert likely(old, replace(new, valid_from=old.valid_from + timedelta(days=days))) == answer
    assert likely(None, new) is None


def test_i18_the_likely_answer_stands_in_the_entry(ethos: Ethos, settings: Settings) -> None:
    """As a line of its own, which decides nothing."""
    ask_five(ethos)
    text = Path(settings.conflict_resolution.review_inbox).read_text("utf-8")
    assert text.count("\n**Likely:** keep-new: said 3 weeks later\n") == len(PAIRS)
    assert ethos.settle() == 0


def test_i18_a_setting_says_how_many(open_ethos: Callable[[Settings], Ethos], settings: Settings) -> None:
    """0 folds nothing."""
    ethos = open_ethos(replace(settings, inbox=InboxSettings(new_a_day=0)))
    assert not any(each.folded for each in ask_five(ethos))


def test_i18_status_and_the_inbox_count_the_same(open_ethos: Callable[[Settings], Ethos], settings: Settings) -> None:
    """The questions of the user, and not those of somebody else in the same store."""
    asked = ask_five(open_ethos(settings))
    assert open_ethos(settings).status().counts.questions == len(asked)
    eva = open_ethos(replace(settings, ethos=replace(settings.ethos, user="eva")))
    assert (eva.status().counts.questions, eva.inbox()) == (0, ())


def test_i18_the_folded_are_listed_with_all(commands: Commands, monkeypatch: pytest.MonkeyPatch) -> None:
    """`ethos inbox` shows the first three and how many wait, `--all` all of them, JSON too; a tick in an editor counts in the fold."""
    talk = "".join(
        spoken(f"{side}{n}", f"I prefer {one} over {other}", speaker="Michael", day=day)
        for side, day in (("old", 1), ("new", 22))
        for n, (one, other) in enumerate(PAIRS if side == "old" else [pair[::-1] for pair in PAIRS])
    )
    commands("capture", commands.write("talk.jsonl", talk))
    commands("consolidate")
    found = commands("inbox", "--json").data["questions"]
    shown, every = commands("inbox").out, commands("inbox", "--all").out
    assert [each["id"] in shown for each in found] == [not each["folded"] for each in found] == [True, True, True, False, False]
    assert "2 more questions -> ethos inbox --all" in shown
    assert "likely keep-new: said 3 weeks later" in shown
    assert all(each["id"] in every for each in found)
    last = found[-1]["id"]
    path = commands.write(
        "editor.py",
        f"""import pathlib, sys
file = pathlib.Path(sys.argv[1])
file.write_text(file.read_text("utf-8").replace("[ ] keep-new ^{last}", "[x] keep-new ^{last}"), "utf-8")""",
    )
    monkeypatch.setenv("EDITOR", f"'{sys.executable}' '{path}'")
    assert commands("inbox", "--edit").out.startswith("1 answered\n")
    assert last not in commands("inbox", "--all").out
