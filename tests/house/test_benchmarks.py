"""The benchmarks run, on sizes so small that their figures mean nothing."""

from __future__ import annotations

import json
from pathlib import Path
from types import SimpleNamespace

import pytest

from benchmarks import corpus, extraction, measure, narrative, quality, telling
from benchmarks.__main__ import BENCHMARKS, main
from benchmarks.measure import TINY, Goal
from ethos.edge.rulebook import load, shipped_rules

pytestmark = pytest.mark.no_cover  # what they measure is tested elsewhere, and being watched trebles their time


@pytest.fixture(autouse=True)
def _unswept(monkeypatch: pytest.MonkeyPatch) -> None:
    """No garbage is sought before each measurement: among what the tests hold that takes most of the time, and the figures mean nothing."""
    monkeypatch.setattr(measure, "gc", SimpleNamespace(**dict.fromkeys(("collect", "freeze", "unfreeze"), lambda: None)))


@pytest.mark.parametrize("name", list(BENCHMARKS))
def test_a_benchmark_prints_its_ratios(name: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    """Each gives at least one ratio to a floor, or a figure with a goal of its own; goals may be missed at this size."""
    # one pack: to compile the patterns of all for the naive loop would take most of the time
    monkeypatch.setattr(extraction, "shipped", lambda: load([shipped_rules() / "core-en.toml"]))
    assert main([name], sizes=TINY) in {0, 1}
    lines = capsys.readouterr().out.splitlines()
    assert all(line.startswith(name) for line in lines)
    assert any(" x  (" in line or " goal " in line for line in lines)


def test_real_talk_is_measured_too_and_the_figures_can_be_read_by_a_program(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """`--turns` takes episode lines, of which what users said counts; `--json` gives every figure with its floor and its goal."""
    monkeypatch.setattr(extraction, "shipped", lambda: load([extraction.FIXED]))  # a shipped pack is measured above
    said = {"session": "s", "project": "p", "speaker": "Ada", "said_at": "2026-03-01T12:00:00+00:00"}
    told = [said | {"id": str(n), "role": role, "text": "We decided to use Zig"} for n, role in enumerate(("user", "assistant", "user"))]
    (tmp_path / "talk.jsonl").write_text("\n".join(map(json.dumps, told)), encoding="utf-8")
    main(["extraction", "--json", "--turns", str(tmp_path / "talk.jsonl")], sizes=TINY)
    read = json.loads(capsys.readouterr().out)
    assert read["machine"]["cores"]
    ratio = next(figure for figure in read["figures"] if figure["unit"] == "x")
    assert ratio["value"] > 0
    assert "naive" in ratio["floor"]
    assert ratio["goal"] == ">= 20, aim 60"
    assert next(figure["value"] for figure in read["figures"] if figure["what"].endswith("turns with a claim")) == 100.0


def test_a_benchmark_that_does_not_exist_is_named(capsys: pytest.CaptureFixture[str]) -> None:
    """And those that do are listed."""
    with pytest.raises(SystemExit):
        main(["speed"])
    told = capsys.readouterr().err
    assert "no such benchmark: speed" in told
    assert all(name in told for name in BENCHMARKS)


def test_a_goal_bounds_from_above_or_below() -> None:
    """At most for times, at least for speed-ups."""
    assert Goal(at_most=2.0).met_by(2.0)
    assert not Goal(at_most=2.0).met_by(2.1)
    assert Goal(at_least=20, aim=60).met_by(30)
    assert str(Goal(at_least=20, aim=60)) == ">= 20, aim 60"


def test_the_corpus_is_the_same_every_time_and_says_something_now_and_then() -> None:
    """Four turns in ten of developers, three of agents, three of people; about one user turn in ten gives a claim of the patterns."""
    lines = list(corpus.lines(3_000))
    assert lines[:50] == list(corpus.lines(50))
    users = [line for line in lines if line.role == "user"]
    people = [line for line in users if line.speaker != "user"]
    assert (len(users) - len(people)) / len(lines) == pytest.approx(0.4, abs=0.03)
    assert len(people) / len(lines) == pytest.approx(0.3, abs=0.03)
    words = sorted(len(line.text.split()) for line in users)
    assert 15 <= words[len(words) // 2] <= 25
    rules = load([shipped_rules()]).rules
    telling = sum(bool(rules.claims(line.text, role="user", speaker=line.speaker, origin=3)) for line in users)
    assert 0.05 <= telling / len(users) <= 0.15


def test_what_is_told_around_a_turn_is_printed_beside_fts5() -> None:
    """Each of the two finds some of what belongs with a turn, and never the turn itself."""
    matters = [(row["text"], row["same"], row["topic"]) for row in quality.rows("likeness")[:6]]
    made = narrative.talk(matters, [row["text"] for row in quality.rows("nothing")])
    assert sorted(map(len, made.belong.values())) == [2] * 18
    assert all(turn not in narrative.bare(made.turns)(turn) for turn in made.belong)
    ours, bare = narrative.lines(matters, [row["text"] for row in quality.rows("nothing")])
    assert ours.startswith("narrative, ours:")
    assert bare.startswith("narrative, FTS5, its own words:")
    assert all(0 < float(line.split(":")[1].split()[0]) <= 1 for line in (ours, bare))


def test_a_profile_is_measured_beside_the_facts_as_they_came(tmp_path: Path) -> None:
    """With so few facts both hold all, or nearly."""
    inside, first, held = telling.in_profile(quality.rows("people")[:40], tmp_path / "profile", 40)
    assert 0.9 * held <= inside <= held == first
