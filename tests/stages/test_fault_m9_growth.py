"""Many statements on one matter cost near their number, not its square (fault M9). Times are compared, so this is torture."""

from __future__ import annotations

import gc
import time
from collections.abc import Callable, Hashable, Iterator, Sequence
from dataclasses import replace
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest

from ethos import engine
from ethos.core.facts import rereading, timeline
from ethos.core.facts.changes import ReadTurn
from ethos.core.facts.extraction import read_claims
from ethos.core.facts.related import kin
from ethos.core.facts.statement import Statement, statement_of
from ethos.core.model.records import Claim, EpisodeState, Fact, Utterance
from ethos.core.model.settings import ConflictSettings, Settings
from ethos.core.passes.context import Context
from ethos.core.passes.definition import Pass
from ethos.core.rules.matcher import Rules
from ethos.engine import Outcome, Transactions, drain
from tests.stages.test_fault_h3_order import Memory
from tests.support.telling import NOON, fact, said

MOST = 2.5  # times as long for twice the statements


def seconds(place: Path, rules: Rules, form: str, count: int, *, late: bool = False) -> float:
    """Processor time of one capture and cycle. late: the last of the statements was read before.

    What is loaded is kept from the search for garbage, as the daemon does.
    """
    memory = Memory(place / f"{count}.db", rules)
    turns = [said(form.format(at, at + 1), at=NOON + timedelta(seconds=at), record=str(at)) for at in range(count)]
    if late:
        memory.tell([turns.pop()])
    gc.collect()
    gc.freeze()
    begun = time.process_time()
    memory.tell(turns)
    taken = time.process_time() - begun
    gc.unfreeze()
    memory.store.close()
    return taken


@pytest.mark.torture
@pytest.mark.parametrize("form", ["I live in City{}x.", "We switched from Db{} to Db{}."])
def test_fault_m9_twice_the_statements_on_one_key_cost_little_more_than_twice(tmp_path: Path, rules: Rules, form: str) -> None:
    """Of 4,000 questions on one key, and of a chain of 4,000 changes."""
    half, whole = (seconds(tmp_path, rules, form, count) for count in (2_000, 4_000))
    print(f"{form} 2,000: {half:.1f} s, 4,000: {whole:.1f} s, x{whole / half:.2f}")  # noqa: T201 (what a run is judged by)
    assert whole / half <= MOST


@pytest.mark.torture
@pytest.mark.parametrize("form", ["I live in City{}x.", "We switched from Db{} to Db{}.", "We decided to use Db{} for job{}."])
def test_fault_m9_twice_the_statements_that_come_in_late_cost_little_more_than_twice(tmp_path: Path, rules: Rules, form: str) -> None:
    """What was said last of all is known already. The least of two times counts: what else runs on the machine only adds to it."""
    places = [tmp_path / name for name in ("once", "again")]
    for place in places:
        place.mkdir()
    half, whole = (min(seconds(place, rules, form, count, late=True) for place in places) for count in (1_000, 2_000))
    print(f"late: {form} 1,000: {half:.1f} s, 2,000: {whole:.1f} s, x{whole / half:.2f}")  # noqa: T201 (what a run is judged by)
    assert whole / half <= MOST


def test_fault_m9_what_comes_in_late_is_read_again_once_in_a_pass(tmp_path: Path, rules: Rules, monkeypatch: pytest.MonkeyPatch) -> None:
    """Though each unit weighs the whole matter anew; and each unit is twice as large as the one before it."""
    read: list[str] = []
    units: list[int] = []

    def counted(utterance: Utterance, *args: Any, **more: Any) -> tuple[Claim, ...]:
        read.append(utterance.id)
        return read_claims(utterance, *args, **more)

    def drained(within: Transactions, one_pass: Pass, ctx: Context, keep_going: Callable[[], bool]) -> Iterator[Outcome]:
        for outcome in drain(within, one_pass, ctx, keep_going):
            units.append(len({put.episode for put in outcome.plan.puts() if isinstance(put, EpisodeState)}))
            yield outcome

    monkeypatch.setattr(rereading, "read_claims", counted)
    monkeypatch.setattr(engine, "drain", drained)
    plain = Settings()
    memory = Memory(tmp_path / "late.db", rules)
    memory.tell([said("We switched from Db41 to Db42.", at=NOON + timedelta(hours=1), record="last")])
    late = [said(f"We switched from Db{at} to Db{at + 1}.", at=NOON + timedelta(seconds=at), record=str(at)) for at in range(41)]
    memory.tell(late, replace(plain, consolidation=replace(plain.consolidation, batch_size=3)))
    assert [fact[1] for fact in memory.outcome().facts] == ["team uses Db42"]
    memory.store.close()
    assert units == [1, 3, 6, 12, 20]
    assert len(read) == len(set(read))


def test_fault_m9_turns_of_one_time_that_are_read_in_order_are_not_late(
    tmp_path: Path, rules: Rules, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A history that tells no more than the day of each turn is weighed once, in however many units it is read."""
    weighed: list[int] = []

    def counted(statements: Sequence[Statement], settings: ConflictSettings, said_by: Sequence[Hashable]) -> list[int]:
        weighed.append(len(statements))
        return kin(statements, settings, said_by)

    monkeypatch.setattr(timeline, "kin", counted)
    plain = Settings()
    units = replace(plain, consolidation=replace(plain.consolidation, batch_size=3))
    memory = Memory(tmp_path / "one-time.db", rules)
    memory.tell([said(f"We decided to use Db{at} for job{at}.", at=NOON, record=str(at)) for at in range(12)], units)
    assert len(memory.outcome().facts) == 12
    assert not weighed
    memory.tell([said("We decided to use Db12 for job12.", at=NOON, record="12")], units)
    memory.store.close()
    assert weighed


def test_fault_m9_a_late_word_loads_what_it_has_a_word_in_common_with(
    tmp_path: Path, rules: Rules, monkeypatch: pytest.MonkeyPatch
) -> None:
    """However many statements there are about its subject, and though some of them say what they replace."""
    loaded: list[int] = []

    def counted(statements: Sequence[Statement], settings: ConflictSettings, said_by: Sequence[Hashable]) -> list[int]:
        loaded.append(len(statements))
        return kin(statements, settings, said_by)

    monkeypatch.setattr(timeline, "kin", counted)
    memory = Memory(tmp_path / "many.db", rules)
    forms = ("We decided to use Db{} for job{}.", "We switched from Tool{} to Kit{}.", "Our service{} runs on Form{}.")
    many = [said(form.format(at, at), at=NOON + timedelta(minutes=at), record=f"{form}{at}") for at in range(40) for form in forms]
    memory.tell([*many, said("We switched from Mandrill to Postmark.", at=NOON + timedelta(hours=2), record="last")])
    for at, late in enumerate(
        (
            "We decided to use Kafka for streams.",
            "We no longer use Db7.",
            "We use Kit9.",
            "We switched from Sketch to Mandrill.",
            "We use Form3.",
            "I love green tea.",
        )
    ):
        loaded.clear()
        memory.tell([said(late, at=NOON + timedelta(seconds=at + 1), record=f"late {at}")])
        assert loaded
        assert max(loaded) <= 10, late  # of some 120
    held = [fact[1] for fact in memory.outcome().facts]
    memory.store.close()
    assert "team uses Postmark" in held
    assert not {"team uses Sketch", "team uses Mandrill", "Michael uses Sketch"} & set(held)


def test_fault_m9_what_has_two_purposes_is_two_matters_until_it_is_given_up() -> None:
    """A late word about the one does not weigh the other anew."""

    def group(*told: Statement) -> list[list[int]]:
        numbers = kin(told, Settings().conflict_resolution)
        return [[at for at, number in enumerate(numbers) if number == first] for first in dict.fromkeys(numbers)]

    caching, sessions = (statement_of(fact("team", "uses", "Redis", 0.8, kind="decision", slot=slot)) for slot in ("caching", "sessions"))
    other = statement_of(fact("team", "uses", "Valkey", 0.8, kind="decision", slot="sessions"))
    over = statement_of(fact("team", "uses", "Redis", 0.8, kind="negation", polarity="-"))
    instead = statement_of(fact("team", "uses", "Valkey", 0.8, kind="decision", replaces="Redis"))
    assert group(caching, sessions, other) == [[0], [1, 2]]
    assert group(caching, sessions, over) == [[0, 1, 2]]
    assert group(caching, sessions, other, instead) == [[0, 1, 2, 3]]


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
