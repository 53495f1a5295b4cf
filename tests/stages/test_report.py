"""The report of a night: what stages say is kept, told, compared and forgotten; the first nights and those over budget change nothing."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from datetime import timedelta
from pathlib import Path

import pytest

from ethos.app import Ethos, sleep
from ethos.core.history.erasure import ErasureRequest
from ethos.core.model.errors import Refused
from ethos.core.model.plan import ChangeSet, Plan
from ethos.core.model.sections import Interval, Line, Link, NightKind, Point, Report, Section, Spent, Table
from ethos.core.model.settings import Settings
from ethos.core.passes.definition import once
from ethos.core.passes.stage import Stage
from ethos.core.review.grammar import SHADOW
from ethos.edge.jsonio.shapes import plain
from ethos.edge.render import night
from ethos.stages.sleep.decay import DECAY
from tests.conftest import SetClock
from tests.support.telling import NOON, said

SECRET = "The wedding is planned for the ninth of October in Ravenna."
DULL = "Nice weather today, and a long walk along the canal."
TURN = said(SECRET)
EVERYTHING = (
    Section(
        "Replay",
        (Line(f"It began with: {SECRET}", f"ethos why {TURN.id}"), Line("A [link](x) | and `code`\nin two lines")),
        (Table(("turn", "words"), (("first", SECRET), ("second", DULL))),),
        (
            Point(TURN.id, NOON, SECRET, "s1", 0.5, 0.62, turning=True),
            Point("e-other", NOON + timedelta(hours=2), DULL, "s2", 0.5, 0.71, turning=True),
        ),
        (Link(TURN.id, "e-other", 0.6),),
        counts={"chain_count": 1},
    ),
    Section("Lessons", intervals=(Interval("funding above 0.05: shorts won", 0.43, 0.75, 0.93, 0.46),), spent=(Spent("lessons", 1, 5),)),
    Section("Replay", (Line("a second unit"),), counts={"chain_count": 2}),
)


@pytest.fixture(autouse=True)
def fading(monkeypatch: pytest.MonkeyPatch) -> None:
    """A night of one stage: these tests are about the frame around the stages."""
    monkeypatch.setattr(sleep, "SLEEP", (once(DECAY),))


@pytest.fixture
def telling(monkeypatch: pytest.MonkeyPatch, fading: None) -> None:  # noqa: ARG001 (it comes before)
    """A night in which another stage says something of every kind."""
    stage = Stage("telling", lambda *_: None, lambda *_: Plan((ChangeSet("", (), (), EVERYTHING),)))
    monkeypatch.setattr(sleep, "SLEEP", (once(stage), once(DECAY)))


@pytest.fixture
def faded(ethos: Ethos, clock: SetClock) -> Ethos:
    """A memory in which two turns fade tonight."""
    ethos.capture([TURN, said(DULL)])
    ethos.consolidate()
    clock.move(days=60)
    return ethos


def files(ethos: Ethos) -> dict[str, str]:
    """Every file in which reports are kept, and its text."""
    folders = (Path(ethos.settings.sleep.reports), Path(ethos.settings.ethos.state) / "reports")
    return {path.name: path.read_text("utf-8") for folder in folders for path in folder.iterdir()}


def shown(report: Report) -> str:
    """What the terminal shows of it."""
    return "\n".join(night.told(plain(report)))


@pytest.mark.usefixtures("telling")
def test_l34_a_report_is_kept_and_can_be_had_again(faded: Ethos) -> None:
    """As it was made, sections of one title joined; as Markdown for people, with what explains each line and what takes the night back."""
    slept = faded.sleep()
    report = faded.report(slept.report.run)
    assert report == faded.report() == slept.report
    assert [section.title for section in report.sections] == ["Lessons", "Replay", "Faded"]
    assert (report.counts, report.changes, report.spent) == ({"chain_count": 3, "faded": 2}, 2, (Spent("changes", 2, 20_000),))
    text = Path(slept.path).read_text("utf-8")
    assert Path(slept.path).name == f"{report.date}.md"
    for line in (
        f"- To take the whole night back -> `ethos undo {report.run}`",
        f"- It began with: {SECRET} -> `ethos why {TURN.id}`",
        "- A \\[link\\](x) \\| and \\`code\\` in two lines",
        "- funding above 0.05: shorts won: 75% (43% to 93%), against 46% otherwise",
        f"| second | {DULL} |",
        "- 1 of at most 5 lessons",
        "Budget: 2 of at most 20,000 changes.",
    ):
        assert f"\n{line}\n" in text
    for words in (SECRET, DULL, "ethos undo", "75% (43% to 93%), against 46% otherwise", "3 chains, 2 records faded", "0.50 -> 0.71"):
        assert words in shown(report)
    assert "salience 0.50 -> 0.71" in text
    assert not any("0.50 -> 0.62" in each for each in (text, shown(report))), "what a line quotes is told twice"


@pytest.mark.usefixtures("telling")
def test_l34_what_is_forgotten_stands_in_no_report(faded: Ethos) -> None:
    """Its lines are taken out of the text and of the data; the others stay, and can still be read."""
    slept = faded.sleep()
    forgotten = faded.forget(ErasureRequest((TURN.id,)))
    assert forgotten.proven, forgotten
    assert not any(words in text for text in files(faded).values() for words in (SECRET, TURN.id, "Ravenna"))
    report = faded.report(slept.report.run)
    assert {point.id for section in report.sections for point in section.points} == {"e-other"}
    assert report.sections[1].tables[0].rows == (("second", DULL),)
    assert "a second unit" in Path(slept.path).read_text("utf-8")


def test_a_report_that_somebody_wrote_into_is_not_replaced(faded: Ethos) -> None:
    """The same date after an undo: an untouched report is replaced, another one stands beside it."""
    slept = faded.sleep()
    first = Path(slept.path)
    faded.undo(slept.report.run)
    slept = faded.sleep(slept.report.date)
    assert Path(slept.path) == first
    first.write_text(first.read_text("utf-8") + "my own words\n", "utf-8")
    faded.undo(slept.report.run)
    again = faded.sleep(slept.report.date)
    assert Path(again.path) == first.with_stem(f"{first.stem}-{again.report.run[-4:]}")
    assert "my own words" in first.read_text("utf-8")


@pytest.mark.usefixtures("telling")
def test_xl8_a_date_run_again_leaves_its_good_report(faded: Ethos) -> None:
    """Nothing is new: no file is written, and the night of before is the one that is shown."""
    first = faded.sleep()
    kept = files(faded)
    again = faded.sleep(first.report.date)
    assert (again.report.changes, again.path, files(faded)) == (0, "", kept)
    assert faded.report() == first.report
    left = faded.report(again.report.run)
    assert left.sections[0].lines[0].command == f"ethos report {first.report.run}"
    assert "ethos undo" not in shown(left)


@pytest.mark.usefixtures("telling")
def test_xl8_what_is_new_for_a_date_has_a_report_beside_the_first(faded: Ethos, clock: SetClock) -> None:
    """Each tells its own run."""
    first = faded.sleep()
    before = Path(first.path).read_text("utf-8")
    faded.capture([said("Something else was said that day", at=clock.at - timedelta(days=70))])
    again = faded.sleep(first.report.date)
    assert again.report.changes
    assert Path(again.path) == Path(first.path).with_stem(f"{first.report.date}-{again.report.run[-4:]}")
    assert Path(first.path).read_text("utf-8") == before
    assert faded.report() == again.report


def test_a_report_tells_that_its_night_was_taken_back_and_that_its_file_is_gone(faded: Ethos) -> None:
    """The record of runs knows more than the file."""
    run = faded.sleep().report.run
    undone = faded.undo(run)
    assert faded.report(run).undone_by == undone.run.id
    assert f"taken back by {undone.run.id}" in shown(faded.report(run))
    for path in (Path(faded.settings.ethos.state) / "reports").iterdir():
        path.unlink()
    left = faded.report(run)
    assert (left.counts, left.kind, left.sections[0].lines[0].command) == ({"faded": 2}, NightKind.REAL, f"ethos diff {run}")


def test_what_is_no_night_has_no_report(ethos: Ethos) -> None:
    """Each refusal says what to type."""
    with pytest.raises(Refused, match="no night has been run yet"):
        ethos.report()
    with pytest.raises(Refused, match="is a run of consolidate, not a night"):
        ethos.report(ethos.consolidate().run)


def test_a_report_that_cannot_be_kept_does_not_fail_the_night(faded: Ethos) -> None:
    """The night is done, and says what is wrong."""
    Path(faded.settings.sleep.reports).write_text("a file in the folder's place", "utf-8")
    slept = faded.sleep()
    assert slept.problem
    assert faded.status().runs[0].outcome == "done"


# -- the first nights, and the budget


def test_the_first_nights_change_nothing_and_the_inbox_asks(faded: Ethos, clock: SetClock) -> None:
    """Three of the daemon's own; each tells what it would change; then they are in force."""
    inbox = Path(faded.settings.conflict_resolution.review_inbox)
    for number in range(3):
        slept = faded.sleep(by_itself=True)
        assert (slept.report.kind, slept.report.changes) == (NightKind.SHADOW, 2)
        assert faded.diff(slept.report.run).differences == ()
        assert "This was a night in shadow: it changed nothing." in Path(slept.path).read_text("utf-8")
        assert f"ethos sleep --date {slept.report.date}" in shown(slept.report)
        assert SHADOW in inbox.read_text("utf-8"), number
        clock.move(days=1)
    with pytest.raises(Refused, match="a run of shadow, which cannot be undone"):
        faded.undo(slept.report.run)
    assert faded.sleep(by_itself=True).report.kind is NightKind.REAL
    assert SHADOW not in inbox.read_text("utf-8")


def test_whoever_runs_a_night_has_switched_nights_on(faded: Ethos, clock: SetClock) -> None:
    """The second night of the daemon is in force, because a person ran one before it."""
    assert faded.sleep(by_itself=True).report.kind is NightKind.SHADOW
    faded.sleep()
    clock.move(days=1)
    assert faded.sleep(by_itself=True).report.kind is NightKind.REAL


def test_a_night_over_its_budget_changes_nothing_unless_a_person_runs_it(
    open_ethos: Callable[[Settings], Ethos], settings: Settings, clock: SetClock
) -> None:
    """It says how much it would change, and how to run it all the same."""
    ethos = open_ethos(replace(settings, sleep=replace(settings.sleep, shadow_nights=0, most_changes=1)))
    ethos.capture([TURN, said(DULL)])
    ethos.consolidate()
    clock.move(days=60)
    slept = ethos.sleep(by_itself=True)
    assert (slept.report.kind, slept.report.spent) == (NightKind.OVER_BUDGET, (Spent("changes", 2, 1),))
    assert ethos.status().counts.faded == 0
    assert slept.report.date not in ethos.nights_due()
    assert ethos.sleep(slept.report.date).report.kind is NightKind.REAL
    assert ethos.status().counts.faded == 2
