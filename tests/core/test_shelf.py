"""Many facts under one key are weighed as few are, and without a look at each (fault M9)."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import replace
from datetime import timedelta

import pytest

from ethos.core.facts import weighing
from ethos.core.facts.shelf import Shelf
from ethos.core.facts.statement import Statement, statement_of
from ethos.core.facts.weighing import weigh
from ethos.core.model.records import Cardinality, Fact, Kind, Polarity
from ethos.core.model.settings import ConflictSettings, Settings
from tests.support.telling import NOON, fact

PLACES = (("uses", ""), ("uses", "database"), ("uses", "value"), ("prefers", ""), ("like", ""), ("lives in", ""), ("works at", ""))
OBJECTS = ("Redis", "Redis 7", "Postgres", "Postgres 16", "green tea", "tea", "☕", "🍵", "Lisbon", "7", "80")
KINDS: tuple[Kind, ...] = ("fact", "decision", "negation")
POLARITIES: tuple[Polarity, ...] = ("+", "+", "+", "-")
CARDINALITIES: tuple[Cardinality, ...] = ("single", "multi")
REPLACED = (None, None, None, "now", "Redis", "tea", "☕")


def drawn(chance: random.Random, place: tuple[str, str], days: float) -> Fact:
    """One that could be held under this key."""
    predicate, slot = place
    over = chance.choice((None, None, *OBJECTS)) if predicate == "prefers" else None
    made = fact(
        "team",
        predicate,
        chance.choice(OBJECTS),
        chance.choice((0.5, 0.7, 0.9)),
        kind=chance.choice(KINDS),
        slot=slot,
        days=days,
        polarity=chance.choice(POLARITIES),
        cardinality=chance.choice(CARDINALITIES),
        over=over,
        replaces=chance.choice(REPLACED),
    )
    return replace(made, id=f"f-{days}")


def settings_of(containment: str) -> ConflictSettings:
    plain = Settings().conflict_resolution
    return replace(plain, literal=True) if containment == "literal" else plain


@pytest.mark.parametrize("how", ["slots", "literal"])
@pytest.mark.parametrize("place", PLACES)
def test_fault_m9_a_shelf_gives_the_verdict_that_a_look_at_each_gives(place: tuple[str, str], how: str) -> None:
    """Of any claim against any facts, also after some of them have left, and less those that are left out."""
    settings = settings_of(how)
    for seed in range(400):
        chance = random.Random(f"{place} {seed}")
        held = [drawn(chance, place, at) for at in range(chance.randint(1, 9))]
        new = statement_of(drawn(chance, place, 20))
        shelf = Shelf(held)
        for old in chance.sample(held, len(held) // 3):
            gone = chance.random() < 0.5
            later = replace(old, retired_at=NOON) if gone else replace(old, cardinality="single", confidence=0.8, version=2)
            shelf.put(later)
            held = [later if each.id == old.id else each for each in held]
        held = [each for each in held if each.active]
        without = [each for each in held if chance.random() < 0.1]
        plain = weigh(new, [each for each in held if each not in without], settings)
        assert shelf.weigh(new, without, settings) == plain, f"seed {seed}: {new}\n{held}"


@pytest.mark.parametrize("statement", ["multi", "single"])
def test_fault_m9_what_cannot_collide_is_not_looked_at(statement: Cardinality, monkeypatch: pytest.MonkeyPatch) -> None:
    """A thousand things that may be used beside each other: one more is not held beside each of them."""
    looked: list[Statement] = []
    collide = weighing._collide

    def counted(new: weighing._Weighed, other: Statement) -> bool:
        looked.append(other)
        return collide(new, other)

    monkeypatch.setattr(weighing, "_collide", counted)
    held: Sequence[Fact] = [fact("team", "uses", f"Db{at}", 0.8, cardinality="multi", days=at / 2_000) for at in range(1_000)]
    new = fact("team", "uses", "Db1000", 0.8, cardinality=statement)
    shelf = Shelf(held)
    shelf.weigh(replace(statement_of(new), said_at=NOON + timedelta(days=1)), (), settings_of("slots"))
    assert len(looked) < 10
