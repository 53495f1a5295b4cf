"""Forgetting against its oracle: a memory that forgot something holds what a memory holds that never heard it.

Turns are told one cycle each, some are forgotten in any order, and the other memory is only told the rest. What is active, what is
doubted and what is asked must be the same in both. It is as sure, or less: A, B, A again are three facts, and stay two when B goes.
"""

from __future__ import annotations

import tempfile
from collections.abc import Sequence
from dataclasses import replace
from datetime import timedelta
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ethos.app import Ethos
from ethos.core.history.erasure import ErasureRequest
from ethos.core.model.settings import Settings
from ethos.core.ports.queries import FactFilter
from ethos.edge.erasure.known_files import Files
from ethos.edge.files.mac import Sealing
from ethos.store import open_store
from tests.conftest import SetClock
from tests.support import proven
from tests.support.telling import NOON, said

pytestmark = pytest.mark.no_cover  # the same lines, hundreds of times

TURNS = (
    "I love hiking",
    "I love hiking near Bern",
    "I love sailing",
    "We decided to use Postgres",
    "We decided to use MySQL",
    "We switched from Postgres to SQLite",
    "I prefer Rust over Python",
    "I prefer Python over Rust",
    "Lunch was late today",
)
Held = tuple[dict[str, tuple[float, bool]], int]


def memory(place: Path) -> Ethos:
    """An empty one."""
    plain, state = Settings(), place / "state"
    where = replace(
        plain,
        ethos=replace(plain.ethos, database=str(place / "ethos.db"), state=str(state)),
        conflict_resolution=replace(plain.conflict_resolution, review_inbox=str(place / "inbox.md")),
    )
    store, traces = open_store(place / "ethos.db"), Files(where, open_store)
    return Ethos(store, proven.rules(), where, SetClock(), guard=store.run_lease, traces=traces, seal=Sealing(state))


def holds(told: Sequence[int], forgotten: Sequence[int]) -> Held:
    """What is active, how sure and whether in question, and how many questions are open, when some of what was told was forgotten."""
    with tempfile.TemporaryDirectory() as place:
        ethos = memory(Path(place))
        try:
            turns = [said(TURNS[number], at=NOON + timedelta(days=at), record=str(at)) for at, number in enumerate(told)]
            for turn in turns:
                ethos.capture([turn])
                ethos.consolidate()
            for at in forgotten:
                assert ethos.forget(ErasureRequest((turns[at].id,))).proven
            assert ethos.store.check() == []
            return {fact.statement: (fact.confidence, fact.flagged) for fact in ethos.facts(FactFilter("default"))}, len(ethos.inbox())
        finally:
            ethos.close()


def forgets_as_if_never_heard(told: list[int], picks: list[int]) -> None:
    forgotten = list(dict.fromkeys(pick % len(told) for pick in picks))
    rest = [number for at, number in enumerate(told) if at not in forgotten]
    (after, asked), (never, never_asked) = holds(told, forgotten), holds(rest, [])
    assert {words: doubted for words, (_, doubted) in after.items()} == {words: doubted for words, (_, doubted) in never.items()}
    assert asked == never_asked
    assert all(sure <= never[words][0] for words, (sure, _) in after.items())


LIVES = st.lists(st.integers(0, len(TURNS) - 1), min_size=1, max_size=7)
PICKS = st.lists(st.integers(0, 6), min_size=1, max_size=3)


@given(LIVES, PICKS)
@settings(max_examples=12, derandomize=True, deadline=None)
def test_t6_what_is_forgotten_was_never_heard(told: list[int], picks: list[int]) -> None:
    """Twelve lives."""
    forgets_as_if_never_heard(told, picks)


@pytest.mark.torture
@given(LIVES, PICKS)
@settings(max_examples=400, derandomize=True, deadline=None)
def test_t6_what_is_forgotten_was_never_heard_in_four_hundred_lives(told: list[int], picks: list[int]) -> None:
    """The same, longer."""
    forgets_as_if_never_heard(told, picks)
