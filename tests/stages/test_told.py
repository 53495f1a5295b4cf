"""Each piece of evidence keeps its own sentence of a fact, so that a fact never tells what was forgotten or undone (T-6, E-41)."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta
from pathlib import Path

import pytest

from ethos.app import Ethos
from ethos.core.history.erasure import ErasureRequest
from ethos.core.model.settings import Settings
from ethos.core.ports.queries import FactFilter
from ethos.core.rules.matcher import Rules
from tests.support import proven
from tests.support.telling import NOON, said

FIRST = "I joined a choir because of the zyxamber rain."
LATER = "I joined a choir in Kiel with my brother."


@pytest.fixture(scope="module")
def rules() -> Rules:
    """The shipped packs as commands have them, with clauses."""
    return proven.rules_by_default()


@pytest.fixture
def ethos(open_ethos: Callable[[Settings], Ethos], settings: Settings) -> Ethos:
    """An empty memory that reads with clauses."""
    return open_ethos(settings)


def tell(ethos: Ethos, *turns: str) -> list[str]:
    """Tell each turn a day after the one before, in a cycle of its own; return the runs."""
    runs: list[str] = []
    for day, words in enumerate(turns):
        ethos.capture([said(words, at=NOON + timedelta(days=day), session=f"s{day}", speaker="Ada")])
        runs.append(ethos.consolidate().run)
    return runs


def statements(ethos: Ethos) -> list[str]:
    return [fact.statement for fact in ethos.facts(FactFilter("default"))]


def test_e41_a_fact_is_told_as_the_longest_of_its_evidence_tells_it(ethos: Ethos) -> None:
    tell(ethos, FIRST)
    assert statements(ethos) == ["Ada joined a choir because of the zyxamber rain"]
    tell(ethos, FIRST, LATER)
    assert statements(ethos) == ["Ada joined a choir in Kiel with their brother"]


def test_t6_what_is_forgotten_is_told_no_more(ethos: Ethos, tmp_path: Path) -> None:
    """The fact stays, as the other episode tells it, and no file has a word of the one that is gone."""
    tell(ethos, FIRST, LATER)
    receipt = ethos.forget(ErasureRequest(matching="zyxamber"))
    assert receipt.proven
    assert statements(ethos) == ["Ada joined a choir in Kiel with their brother"]
    assert not [path for path in tmp_path.rglob("*") if path.is_file() and b"zyxamber" in path.read_bytes()]


def test_t6_a_fact_that_told_what_is_forgotten_is_told_by_what_is_left(ethos: Ethos, tmp_path: Path) -> None:
    tell(ethos, "I joined a choir.", "I joined a choir because of the zyxamber rain.")
    assert statements(ethos) == ["Ada joined a choir"]
    tell(ethos, "I joined a choir in Kiel because of zyxamber rain.")
    assert "zyxamber" in statements(ethos)[0]
    assert ethos.forget(ErasureRequest(matching="zyxamber")).proven
    assert statements(ethos) == ["Ada joined a choir"]
    assert not [path for path in tmp_path.rglob("*") if path.is_file() and b"zyxamber" in path.read_bytes()]


def test_x9_an_undo_gives_back_the_sentence(ethos: Ethos) -> None:
    first, second = tell(ethos, FIRST, LATER)
    ethos.undo(second)
    assert statements(ethos) == ["Ada joined a choir because of the zyxamber rain"]
    ethos.undo(first)
    assert statements(ethos) == []
