"""What a unit leaves to the next of its pass is as the store has it, and gone where the unit is not committed (fault M9)."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from copy import copy
from dataclasses import replace
from datetime import timedelta
from pathlib import Path

import pytest

from ethos import engine
from ethos.core.facts import ledger as ledgers
from ethos.core.facts.ledger import Ledger
from ethos.core.facts.statement import key_of
from ethos.core.model.keys import FactKey
from ethos.core.model.plan import ChangeSet, Plan
from ethos.core.model.records import Episode, Fact, Run
from ethos.core.model.settings import Settings
from ethos.core.passes.carried import Carried
from ethos.core.passes.context import Context
from ethos.core.ports.queries import FactFilter
from ethos.core.ports.store import Store
from ethos.core.rules.matcher import Rules
from ethos.stages.passes import CONSOLIDATE
from ethos.store.sqlite.work import SqliteWork
from tests.stages.test_fault_h3_order import Memory, Outcome, arrival, history
from tests.support.telling import NOON, said

HISTORIES = 60
PLAIN = Settings()


@pytest.fixture
def memory(tmp_path: Path, rules: Rules) -> Iterator[Memory]:
    """An empty one."""
    made = Memory(tmp_path / "ethos.db", rules)
    yield made
    made.store.close()


def in_units(size: int) -> Settings:
    """Settings with units of so many episodes."""
    return replace(PLAIN, consolidation=replace(PLAIN.consolidation, batch_size=size))


class Forgetful(Carried):
    """Leaves nothing to the next unit."""

    def commit(self) -> None:
        """Keep nothing."""
        self.drop()


def watched(store: Store, seen: list[int]) -> type[Carried]:
    """What compares each ledger that is left with the store. seen: the number of facts in each."""

    class Watched(Carried):
        def commit(self) -> None:
            """Keep it, and compare."""
            super().commit()
            ledger = self.take(Ledger)
            if ledger is None:
                return
            seen.append(compare(ledger, store))
            self.offer(ledger)
            super().commit()

    return Watched


def compare(ledger: Ledger, store: Store) -> int:
    """See that a ledger has everything that is held in the places it has kept, and nothing else; how many facts that is."""
    with store.begin() as work:
        held: dict[object, dict[str, Fact]] = {place: {} for place in ledger.kept}
        for fact in work.facts(FactFilter("default")):
            key = key_of(fact)
            for place in (key, tuple(key[:3])):
                if place in held:
                    held[place][fact.id] = fact
        for place in ledger.kept:
            found = ledger.active(place) if isinstance(place, FactKey) else ledger.active_about(place)
            assert {fact.id: fact for fact in found} == held[place]
            for id_ in held[place]:
                asked = {q.id: q for q in work.questions(facts={id_}, open_only=True) if not q.of_quarantine}
                assert {q.id: q for q in ledger.open_questions(id_)} == asked
    return sum(map(len, held.values()))


def told(memory: Memory, turns: Sequence[Episode], settings: Settings) -> Outcome:
    """What comes of it in an empty memory."""
    memory.empty()
    memory.tell(turns, settings)
    return memory.outcome()


@pytest.mark.no_cover  # the same lines, hundreds of times
def test_fault_m9_what_is_left_to_the_next_unit_is_as_the_store_has_it(memory: Memory, monkeypatch: pytest.MonkeyPatch) -> None:
    """In units of one to three, in order and out of order, it ends as where each unit asks for everything itself."""
    monkeypatch.setattr(ledgers, "MANY", 2)
    seen: list[int] = []
    for seed in range(HISTORIES):
        chance = random.Random(seed)
        turns, size = history(chance, most=24), chance.randint(1, 3)
        before, after = turns, list[Episode]()
        if seed % 3 == 0:  # some of it comes in late
            came = arrival(turns, chance)
            before, after = came[: len(came) // 2], came[len(came) // 2 :]
        outcomes = []
        for kind in (Forgetful, watched(memory.store, seen)):
            monkeypatch.setattr(engine, "Carried", kind)
            told(memory, before, in_units(size))
            memory.tell(after, in_units(size))
            outcomes.append(memory.outcome())
        assert outcomes[0] == outcomes[1], f"seed {seed}"
    assert sum(seen) > HISTORIES


def test_fault_m9_a_matter_is_read_once_and_not_with_every_unit(memory: Memory, monkeypatch: pytest.MonkeyPatch) -> None:
    """Of six hundred contradictions on one key, in six units, the facts are asked for once."""
    read: list[int] = []
    ask = SqliteWork.active_facts

    def counted(work: SqliteWork, keys: Sequence[FactKey]) -> Sequence[Fact]:
        found = ask(work, keys)
        read.append(len(found))
        return found

    monkeypatch.setattr(SqliteWork, "active_facts", counted)
    turns = [said(f"I live in City{at}x.", at=NOON + timedelta(seconds=at), record=str(at)) for at in range(600)]
    assert len(told(memory, turns, in_units(100)).questions) == 599
    assert sum(read) < 100


def test_e36_a_unit_that_the_store_refuses_leaves_nothing(memory: Memory, rules: Rules, monkeypatch: pytest.MonkeyPatch) -> None:
    """The episode that is refused is left out, and the units after it find what the store has."""
    monkeypatch.setattr(ledgers, "MANY", 2)
    seen: list[int] = []
    monkeypatch.setattr(engine, "Carried", watched(memory.store, seen))
    no_more = "CREATE TRIGGER refusing BEFORE INSERT ON facts WHEN NEW.object_key = 'city17x' BEGIN SELECT RAISE(ABORT, 'no'); END"
    with memory.store.begin(write=True) as work:
        work.sql.run(no_more)
    turns = [said(f"I live in City{at}x.", at=NOON + timedelta(seconds=at), record=str(at)) for at in range(40)]
    ctx = Context(NOON + timedelta(days=1), in_units(5), rules, "r-refused")
    run = Run(ctx.run, "consolidate", "", None, ctx.now, rules=rules.hash)
    with memory.store.begin(write=True) as work:
        work.apply(Plan((ChangeSet("", (run, *turns)),)), ctx.run)
    outcomes = list(engine.drain(memory.store, CONSOLIDATE, ctx, lambda: True))
    assert [failure.cause for outcome in outcomes for failure in outcome.failures] == [turns[17].id]
    assert sum(seen) > 0
    with memory.store.begin(write=True) as work:
        work.sql.run("DROP TRIGGER refusing")
    memory.tell((), in_units(5))
    assert {fact[1] for fact in memory.outcome().facts} == {f"Michael lives in City{at}x" for at in range(40)}


def test_e36_a_fact_that_begins_anew_is_numbered_as_the_store_does(memory: Memory, rules: Rules) -> None:
    """Its run was undone, and other rules read the same: its next version, in the next unit, follows on that of the store."""
    turns = [said("I live in Cityx.", at=NOON + timedelta(seconds=at), record=str(at)) for at in range(2)]
    memory.undo(memory.tell(turns[:1]))
    other = copy(rules)
    other.hash = "other"
    ctx = Context(NOON + timedelta(days=2), in_units(1), other, "r-other")
    run = Run(ctx.run, "consolidate", "", None, ctx.now, rules=other.hash)
    with memory.store.begin(write=True) as work:
        work.apply(Plan((ChangeSet("", (run, turns[1])),)), ctx.run)
    assert not [failure for outcome in engine.drain(memory.store, CONSOLIDATE, ctx, lambda: True) for failure in outcome.failures]
    with memory.store.begin() as work:
        [fact] = work.facts(FactFilter("default"))
    assert fact.affirmed_at == turns[1].said_at
    assert fact.version > 2
