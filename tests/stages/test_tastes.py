"""A taste is said, turns, and is withdrawn, in whatever words (E-20, E-23)."""

from __future__ import annotations

import os
from collections.abc import Iterator
from datetime import timedelta
from itertools import permutations
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

from tests.stages import test_fault_h3_order as order
from tests.stages.test_fault_h3_order import Memory, differing, held_after, told_in
from tests.support import proven
from tests.support.telling import NOON, said

TURNED = [  # what is told, what is held at the end, and what no longer is
    (("I'm a big fan of oysters.", "I've gone right off oysters since May."), "off oysters", "fan"),
    (("Karaoke bores me.", "Karaoke has really grown on me."), "likes Karaoke", "dislikes"),
    (("I love horror films.", "Since the accident I can't stand horror films."), "stand horror", "love"),
    (("I hate rye bread.", "I've come round to rye bread, of all things."), "rye bread", "hate"),
    (("I'm fond of opera.", "I used to love opera."), "", "fond"),
]
BOTH_STAND = [
    ("I love coffee.", "I hate instant coffee."),
    ("I'm fond of opera.", "I'm sick of karaoke."),
    ("I'm keen on jazz.", "My sister hates jazz."),
]
OPPOSITE = ("I'm fond of opera.", "Opera leaves me cold.")
FORMS = (
    "I'm fond of {e}.",
    "I've gone off {e}.",
    "{e} leaves me cold.",
    "I'm sick of {e} these days.",
    "{f} has really grown on me.",
    "I'm not a fan of {f}.",
    "I used to love {e}.",
    "Who'd have thought, I enjoy {e} more than ever.",
)


@pytest.fixture
def memory(tmp_path: Path) -> Iterator[Memory]:
    """An empty memory that reads with the shipped packs, by both readers."""
    quick = Path("/dev/shm")
    with TemporaryDirectory(dir=quick if os.access(quick, os.W_OK) else tmp_path) as folder:
        made = Memory(Path(folder) / "ethos.db", proven.rules_by_default())
        yield made
        made.store.close()


@pytest.mark.parametrize(("told", "held", "gone"), TURNED)
def test_e20_a_taste_that_turned_replaces_the_one_before(memory: Memory, told: tuple[str, ...], held: str, gone: str) -> None:
    """A cue of change, or words that tell one, decide; nobody is asked."""
    assert any(gone in str(each) for each in held_after(memory, told[0])[0])
    statements, asked = held_after(memory, *told)
    assert any(held in str(each) for each in statements)
    assert not any(gone in str(each) for each in statements)
    assert asked == 0


@pytest.mark.parametrize("told", BOTH_STAND)
def test_e21_tastes_of_two_things_or_two_people_stand_together(memory: Memory, told: tuple[str, ...]) -> None:
    """Who loves coffee may hate instant coffee; a sister's taste is her own."""
    statements, asked = held_after(memory, *told)
    assert len(statements) == len(told)
    assert asked == 0


def test_e21_two_opposite_tastes_without_a_cue_ask(memory: Memory) -> None:
    """Neither says that it is new."""
    assert held_after(memory, *OPPOSITE)[1] == 1


def test_e23_one_taste_in_other_words_is_one_fact(memory: Memory) -> None:
    """It is confirmed, not held twice."""
    assert len(held_after(memory, "I'm a fan of rye bread.", "I'm fond of rye bread.", "I adore rye bread.")[0]) == 1


@pytest.mark.parametrize("told", [told for told, _, _ in TURNED] + [OPPOSITE])
def test_h3_a_taste_ends_the_same_in_every_order(memory: Memory, told: tuple[str, ...]) -> None:
    """Also where the turn comes in before the taste that it ends."""
    turns = [said(words, at=NOON + timedelta(minutes=at), record=str(at)) for at, words in enumerate(told)]
    wanted = told_in(memory, turns, 100)
    for came in permutations(turns):
        assert told_in(memory, came, 1) == wanted


@pytest.mark.no_cover  # the same lines, hundreds of times
def test_h3_every_order_of_tastes_ends_alike(memory: Memory, monkeypatch: pytest.MonkeyPatch) -> None:
    """Histories of two to six statements, most of them tastes."""
    monkeypatch.setattr(order, "FORMS", (*FORMS, *(form for form in order.FORMS if "{e}" in form)))
    wrong = differing(memory, range(150))
    assert not wrong, f"{len(wrong)} differ\n" + "\n".join(wrong[:3])
