"""What a person retired stays retired, whatever comes in late that was said before."""

from __future__ import annotations

import random
from collections.abc import Iterable, Iterator
from dataclasses import replace
from datetime import timedelta
from pathlib import Path

import pytest

from ethos import engine
from ethos.core.model import ids
from ethos.core.model.records import RETIRE, Episode
from ethos.core.ports.queries import FactFilter
from ethos.stages.person.retire import retire
from tests.stages import test_changes as changes
from tests.stages import test_fault_h3_order as order
from tests.stages.test_fault_h3_order import Memory, Outcome, told_in
from tests.support import proven
from tests.support.telling import NOON

pytestmark = pytest.mark.no_cover  # the same lines, hundreds of times

Content = tuple[object, ...]  # project, statement, polarity, slot
ONCE_WRONG = (1_241, 1_328, 1_358)  # what came in late said the same as what was retired


@pytest.fixture
def memory(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Memory]:
    """An empty one with both readers; histories are made of all forms."""
    monkeypatch.setattr(order, "FORMS", order.FORMS + changes.FORMS + changes.MEETING + changes.EVERYDAY)
    made = Memory(tmp_path / "ethos.db", proven.rules_by_default())
    yield made
    made.store.close()


def history(chance: random.Random) -> list[Episode]:
    """Return up to ten statements, no two of them at one time."""
    return [replace(turn, said_at=turn.said_at + timedelta(seconds=at)) for at, turn in enumerate(order.history(chance, 10))]


def retire_one(memory: Memory, run: str, content: Content) -> bool:
    """Retire the one fact with this content; return whether there is one."""
    with memory.store.begin() as work:
        meant = [
            fact.id for fact in work.facts(FactFilter("default")) if (fact.project, fact.statement, fact.polarity, fact.slot) == content
        ]
    if len(meant) == 1:
        ctx = replace(memory._context, run=ids.run_id(RETIRE, run, meant[0]), now=NOON + timedelta(days=2))
        engine.run_unit(memory.store, (retire(meant[0]),), ctx)
    return len(meant) == 1


def held(outcome: Outcome) -> tuple[object, ...]:
    """Return what is held and asked; the time since when a fact is held may be that of other words that say it."""
    return sorted(fact[:3] + fact[4:5] for fact in outcome.facts), outcome.questions


def differing(memory: Memory, seeds: Iterable[int]) -> list[str]:
    """Return the histories that end otherwise where a statement or two come in after a fact was retired, each with its seed."""
    wrong: list[str] = []
    for seed in seeds:
        chance = random.Random(seed)
        told = history(chance)
        facts = sorted({(*fact[:3], fact[4]) for fact in told_in(memory, told, 100).facts}, key=repr)
        if not facts or len(told) < 3:
            continue
        content, late = chance.choice(facts), chance.sample(told, chance.choice((1, 1, 2)))
        if not retire_one(memory, "in order", content):
            continue
        wanted = held(memory.outcome())
        memory.empty()
        memory.tell([turn for turn in told if turn not in late])
        if not retire_one(memory, "before the rest", content):
            continue
        memory.tell([turn for turn in told if turn in late])
        if (found := held(memory.outcome())) != wanted:
            words = "\n".join(f"  {turn.said_at:%H:%M} {turn.project}: {turn.text}" for turn in told)
            came = [turn.text for turn in late]
            wrong.append(f"seed {seed}, {content} retired, late {came}\n{words}\n  wanted {wanted}\n  found  {found}")
    return wrong


def test_fault_h3_what_a_person_retired_does_not_come_back_by_late_words(memory: Memory) -> None:
    """A hundred and twenty histories, and those that once ended otherwise."""
    wrong = differing(memory, (*range(120), *ONCE_WRONG))
    assert not wrong, "\n".join(wrong[:3])


@pytest.mark.torture
def test_fault_h3_what_was_retired_stays_so_in_five_thousand_histories(memory: Memory) -> None:
    """Other seeds."""
    wrong = differing(memory, range(10_000, 15_000))
    assert not wrong, f"{len(wrong)} of 5,000 differ\n" + "\n".join(wrong[:3])
