"""Canaries: words that stand nowhere else, told to a memory, asked about, answered, backed up and exported, then forgotten.

Afterwards the raw bytes of every file are searched, by the test's own hand and not by the program's: database, log, index, inbox,
history, journal, backups, exports, state. `make torture` does it with a thousand.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from dataclasses import replace
from datetime import timedelta
from pathlib import Path

import pytest

from ethos.app import Ethos
from ethos.core.history.erasure import ErasureRequest
from ethos.core.model.settings import Settings
from ethos.core.ports.queries import FactFilter
from ethos.edge.exchange import lines, notes
from ethos.edge.files import backups
from ethos.edge.files.outputs import Outputs
from tests.conftest import SetClock
from tests.support.asking import ticked
from tests.support.telling import NOON, said

_CANARY = re.compile(rb"zyx[a-z]{4,5}qv\d{5}")
COLOURS = ("amber", "teal", "ochre", "mauve", "sepia")


def canary(number: int) -> str:
    """A name that nobody else says: letters, a digit and a sign, in mixed case."""
    return f"Zyx{COLOURS[number % 5]}qv{number:05d}"


def turns(count: int) -> Iterator[tuple[str, str]]:
    """What is said of each canary, two or three turns each: decisions that replace, preferences that quarrel, loves that are refined."""
    for number in range(count):
        name = canary(number)
        match number % 4:
            case 0:
                yield name, f"We decided to use {name} for caching in service {number}"
                yield name, f"We switched from {name} to Redis{number} for caching in service {number}"
            case 1:
                yield name, f"I prefer {name} over Plain{number}"
                yield name, f"I prefer Plain{number} over {name}"
            case 2:
                yield name, f"I love sport{number}"
                yield name, f"I love sport{number} near {name} 鸭嘴兽{number}"
            case _:
                yield name, f"Remember this: the code of house {number} is {name}, and {name} alone"


def everything(place: Path) -> dict[str, bytes]:
    """Every file below, by name."""
    return {str(path.relative_to(place)): path.read_bytes() for path in sorted(place.rglob("*")) if path.is_file()}


def found(place: Path, names: list[str]) -> set[tuple[str, str]]:
    """Which names stand in which files: in any case, and in UTF-16 of either kind, which is these bytes with zeros between them."""
    wanted = {name.lower() for name in names}
    hits: set[tuple[str, str]] = set()
    for file, data in everything(place).items():
        for seen in (data.lower(), data.replace(b"\0", b"").lower()):
            hits |= {(match.decode(), file) for match in _CANARY.findall(seen) if match.decode() in wanted}
    return hits


def live(ethos: Ethos, clock: SetClock, count: int, place: Path) -> None:
    """A life with canaries: told over weeks, read, asked about, ticked, saved by hand, backed up, exported."""
    file = Path(ethos.settings.conflict_resolution.review_inbox)
    told = list(turns(count))
    third = len(told) // 3
    for part, start in enumerate((0, third, 2 * third)):
        stop = start + third if part < 2 else len(told)
        ethos.capture(
            said(words, at=NOON + timedelta(hours=at), session=f"s{at % 7}") for at, (_, words) in enumerate(told[start:stop], start)
        )
        ethos.consolidate(reason=f"about {canary(start)}")
        clock.move(days=1)
        if open_ones := ethos.inbox():
            text = ticked(file.read_text("utf-8"), "keep-new", open_ones[-1])
            file.write_text(
                text.replace("\nnote:", f"\nnote: {canary(1)} it is", 1) + f"\nMy own words about {canary(1)}.\nAnd others.\n", "utf-8"
            )
            ethos.settle()
        made, _ = backups.take(ethos)
        assert made.exists()
    out = place / "out"
    out.mkdir()
    outputs = Outputs(Path(ethos.settings.ethos.state))
    lines.write(out / "memory.jsonl", ethos.everything(), ethos.clock.now(), outputs)
    notes.write(out / "notes", ethos.facts(FactFilter("default", history=True)), outputs)
    file.with_name("memory-review.sync-conflict-2026.md").write_text(file.read_text("utf-8") + f"\n{canary(1)}\n", "utf-8")


def forget_all(ethos: Ethos, place: Path, count: int) -> None:
    """Each by its name; then nothing of any is found, and what else was said still stands."""
    names = [canary(number) for number in range(count)]
    assert {name for name, _ in found(place, names)} == {name.lower() for name in names}
    kept = said("I love Kiel", at=NOON - timedelta(days=1))
    ethos.capture([kept])
    ethos.consolidate()
    receipt = ethos.forget(ErasureRequest(matching="zyx"))
    assert found(place, names) == set()
    assert receipt.proven, receipt
    assert receipt.copies >= 3
    assert receipt.counts["episodes"] >= count
    assert "zyx" not in json.dumps([receipt.run, dict(receipt.counts), receipt.seal])
    assert ethos.store.check() == []
    assert kept.id in {hit.episode for hit in ethos.recall("Kiel")}
    assert "And others." in Path(ethos.settings.conflict_resolution.review_inbox).read_text("utf-8")
    again = ethos.capture(said(words, at=NOON + timedelta(hours=at), session=f"s{at % 7}") for at, (_, words) in enumerate(turns(count)))
    assert again.forgotten == receipt.counts["episodes"]
    ethos.consolidate()
    assert found(place, names) == set()


@pytest.fixture
def cautious(settings: Settings) -> Settings:
    """Two decisions without a class are a question, so that there is something to tick."""
    return replace(settings, consolidation=replace(settings.consolidation, batch_size=20))


def test_t6_canaries_are_nowhere_after_they_are_forgotten(
    open_ethos: Callable[[Settings], Ethos], cautious: Settings, clock: SetClock, tmp_path: Path
) -> None:
    """Forty of them, each told in several turns, with questions answered and notes written about them."""
    ethos = open_ethos(cautious)
    live(ethos, clock, 40, tmp_path)
    forget_all(ethos, tmp_path, 40)


@pytest.mark.torture
def test_t6_a_thousand_canaries(open_ethos: Callable[[Settings], Ethos], cautious: Settings, clock: SetClock, tmp_path: Path) -> None:
    """The same with a thousand."""
    ethos = open_ethos(cautious)
    live(ethos, clock, 1_000, tmp_path)
    forget_all(ethos, tmp_path, 1_000)
