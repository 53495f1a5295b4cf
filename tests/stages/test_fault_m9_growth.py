"""Many statements on one matter cost near their number, not its square (FAULTS M9). Times are compared, so this is torture."""

from __future__ import annotations

import time
from datetime import timedelta
from pathlib import Path

import pytest

from ethos.core.facts.changes import ReadTurn
from ethos.core.model.records import Fact
from ethos.core.rules.matcher import Rules
from tests.stages.test_fault_h3_order import Memory
from tests.support.telling import NOON, said

MOST = 2.5  # times as long for twice the statements


def seconds(place: Path, rules: Rules, form: str, count: int) -> float:
    """Processor time of one capture and cycle."""
    memory = Memory(place / f"{count}.db", rules)
    turns = [said(form.format(at, at + 1), at=NOON + timedelta(seconds=at), record=str(at)) for at in range(count)]
    begun = time.process_time()
    memory.tell(turns)
    taken = time.process_time() - begun
    memory.store.close()
    return taken


@pytest.mark.torture
@pytest.mark.parametrize("form", ["I live in City{}x.", "We switched from Db{} to Db{}."])
def test_fault_m9_twice_the_statements_on_one_key_cost_little_more_than_twice(tmp_path: Path, rules: Rules, form: str) -> None:
    """Of 4,000 questions on one key, and of a chain of 4,000 changes."""
    half, whole = (seconds(tmp_path, rules, form, count) for count in (2_000, 4_000))
    print(f"{form} 2,000: {half:.1f} s, 4,000: {whole:.1f} s, x{whole / half:.2f}")  # noqa: T201 (what a run is judged by)
    assert whole / half <= MOST


def test_fault_m9_a_long_chain_that_comes_in_late_is_followed_once(tmp_path: Path, rules: Rules, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each turn is held beside each fact a few times, and not once more for every way to come from one value to another."""
    asked: list[None] = []
    speaks_of = ReadTurn.speaks_of

    def counted(turn: ReadTurn, fact: Fact) -> bool:
        asked.append(None)
        return speaks_of(turn, fact)

    monkeypatch.setattr(ReadTurn, "speaks_of", counted)
    memory = Memory(tmp_path / "late.db", rules)
    memory.tell([said("We switched from Db41 to Db42.", at=NOON + timedelta(hours=1), record="last")])
    memory.tell([said(f"We switched from Db{at} to Db{at + 1}.", at=NOON + timedelta(seconds=at), record=str(at)) for at in range(41)])
    assert [fact[1] for fact in memory.outcome().facts] == ["team uses Db42"]
    memory.store.close()
    assert len(asked) < 6 * 41**2
