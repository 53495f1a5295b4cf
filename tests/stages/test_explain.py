"""Why, history and as-of: what led to a fact, what it was weighed against, and what was held on a day (docs/threats.md, promise 4)."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from io import StringIO

import pytest
from rich.console import Console, RenderableType

from ethos.app import Ethos
from ethos.core.model.records import Verdict
from ethos.core.ports.queries import FactFilter
from ethos.edge.api.actions.ask import Recall
from ethos.edge.api.actions.held import Facts
from ethos.edge.api.arguments import take
from ethos.edge.jsonio.shapes import plain
from ethos.edge.render import tables
from ethos.edge.render import why as story
from tests.conftest import SetClock
from tests.support import other_rules
from tests.support.telling import NOON, said

RUST, GO = "We decided to use Rust", "We decided to use Go"


def tell(ethos: Ethos, words: str, day: int = 0) -> str:
    """Say it, and read it; the run."""
    ethos.capture([said(words, at=NOON + timedelta(days=day))])
    return ethos.consolidate().run


def shown(what: RenderableType) -> str:
    """As a person sees it."""
    out = StringIO()
    Console(file=out, width=200, color_system=None).print(what)
    return out.getvalue()


def why(ethos: Ethos, statement: str) -> str:
    """The story of the fact that says so."""
    (found,) = [f for f in ethos.facts(FactFilter("default", history=True)) if f.closed_at is None and f.statement == statement]
    return shown(story.tell({**plain(ethos.why(found.id)), "standings": {}}))


def test_t3_why_tells_what_each_verdict_was_weighed_against(ethos: Ethos) -> None:
    """In the version of then: what was confirmed had not been confirmed yet, what was replaced still stood."""
    tell(ethos, RUST)
    tell(ethos, RUST, day=1)
    tell(ethos, GO, day=2)
    told = why(ethos, "team uses Rust")
    assert "said again: rule" in told
    assert "weighed against team uses Rust (0.90, said 2026-06-01)" in told
    assert "confidence 0.90 + 1 x 0.05 (said again) = 0.95" in told
    assert "weighed against team uses Rust (0.95, said 2026-06-02)" in why(ethos, "team uses Go")


def test_every_verdict_has_words() -> None:
    """`why` shows no stored code in place of words."""
    assert story.VERDICTS.keys() == set(Verdict)


def test_t3_why_tells_what_a_contradiction_was_weighed_against_and_who_answered(ethos: Ethos) -> None:
    """Both claims, and the person's word."""
    tell(ethos, "Michael prefers Rust over Python")
    tell(ethos, "Michael prefers Python over Rust", day=1)
    (entry,) = ethos.inbox()
    ethos.answer(entry.question.id, "keep-new", note="since May")
    told = why(ethos, "Michael prefers Python")
    assert "weighed against Michael prefers Rust (0.80, said 2026-06-01)" in told
    assert "answered keep-new through the cli" in told
    assert '"since May"' in told


def test_t3_why_tells_what_no_longer_counts(ethos: Ethos) -> None:
    """Evidence of a run that was undone is shown, and left out of the arithmetic."""
    tell(ethos, RUST)
    second = tell(ethos, RUST, day=1)
    undo = ethos.undo(second).run.id
    told = why(ethos, "team uses Rust")
    assert f"does not count: its run {second} was undone by {undo}" in told
    assert "confidence 0.90\n" in told.replace(" \n", "\n")


def test_t3_why_tells_what_was_read_twice_and_counts_once(ethos: Ethos) -> None:
    """Read, undone, read anew by other rules, and the undo taken back: both readings count, and the turn was said once."""
    first = tell(ethos, RUST)
    undo = ethos.undo(first).run.id
    ethos.rules = other_rules.rules(times=0.8)
    ethos.consolidate()
    ethos.undo(undo)
    told = why(ethos, "team uses Rust")
    assert told.count(f"counts once: {first} had read it before") == 1
    assert "confidence 0.90\n" in told.replace(" \n", "\n")


def test_history_shows_both_times_and_no_version_twice(ethos: Ethos, clock: SetClock) -> None:
    """When it was true, and when it was held to be."""
    tell(ethos, RUST)
    clock.move(days=10)
    tell(ethos, GO, day=5)
    table = shown(tables.history(plain(ethos.facts(FactFilter("default", history=True)))))
    rows = [line for line in table.splitlines() if "team uses Rust" in line]
    assert len(set(rows)) == len(rows) == 2
    assert "since 2026-06-01" in rows[0]
    assert "2026-06-01 12:00 UTC to 2026-06-11 12:00 UTC" in rows[0]
    assert "2026-06-01 to 2026-06-06" in rows[1]
    assert "since 2026-06-11 12:00 UTC" in rows[1]


@pytest.mark.parametrize("action", [("facts", Facts, {}), ("recall", Recall, {"query": "rust"})], ids=lambda action: action[0])
def test_as_of_a_day_means_all_of_it(ethos: Ethos, action: tuple[str, type, dict[str, str]]) -> None:
    """What was learned at noon was held on that day; a time of day means just then."""
    tell(ethos, RUST)
    name, made, given = action
    day: datetime = take(name, made, {**given, "as_of": "2026-06-01"}).as_of
    assert day == datetime(2026, 6, 1, 23, 59, 59, 999_999, tzinfo=UTC)
    assert take(name, made, {**given, "as_of": "2026-06-01T11:00:00Z"}).as_of == datetime(2026, 6, 1, 11, tzinfo=UTC)
    assert [fact.object for fact in ethos.facts(FactFilter("default", as_of=day))] == ["Rust"]
    assert [hit.text for hit in ethos.recall("rust", as_of=day)] == ["team uses Rust"]
    assert ethos.facts(FactFilter("default", as_of=datetime(2026, 6, 1, 11, tzinfo=UTC))) == ()
