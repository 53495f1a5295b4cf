"""Extraction: how much faster it is than the naive loop, which searches every turn for every pattern, case-insensitively, and no more.

The turns are those of our corpus, in which 16 of a hundred hold a claim of the fixed pack, and for that pack once more with every third of
those alone: then it is six, as in real talk (chat of two friends has five). With `--turns FILE` they are those of real talk itself (episode
lines, as `ethos capture` takes them). They are read as a cycle reads them, a unit at a time: first where literals stand in its turns, which
selects those that are worth it, and then what is claimed in these.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from datetime import datetime
from pathlib import Path

import regex

from benchmarks import corpus
from benchmarks.measure import Goal, Measured, Sizes, in_turn
from benchmarks.place import shipped
from ethos.core.model.records import Origin
from ethos.core.model.settings import ConsolidationSettings
from ethos.core.rules.matcher import Rules
from ethos.edge.rulebook import load

UNIT = ConsolidationSettings().batch_size  # turns
FIXED = Path(__file__).with_name("fixed60.toml")


def run(sizes: Sizes, scratch: Path) -> list[Measured]:  # noqa: ARG001 (every benchmark has this form)
    """Both packs, over the same user turns."""
    said = real(sizes.real) if sizes.real else corpus.lines(sizes.turns * 2)
    turns = [line for line in said if line.role == "user"][: sizes.turns]
    fixed, packs = load([FIXED]).rules, shipped().rules
    name = f"fixed pack, {len(fixed.rules)} rules"
    return [
        *_one(name, fixed, turns, sizes.rounds, Goal(at_least=20, aim=60)),
        *([] if sizes.real else _one(f"{name}, as sparse as chat", fixed, sparse(turns, fixed), sizes.rounds, Goal(at_least=60))),
        *_one(f"shipped packs, {len(packs.rules)} rules", packs, turns, sizes.rounds, Goal(at_least=30)),
    ]


def sparse(turns: Sequence[corpus.Line], rules: Rules) -> list[corpus.Line]:
    """Return the turns with every third alone of those that hold a claim."""
    holding = [turn for turn in turns if rules.claims(turn.text, role=turn.role, speaker=turn.speaker, origin=Origin.USER)]
    left_out = {turn.id for number, turn in enumerate(holding) if number % 3}
    return [turn for turn in turns if turn.id not in left_out]


def real(path: Path) -> Iterator[corpus.Line]:
    """Yield the turns of a file of episode lines."""
    for text in path.read_text(encoding="utf-8").splitlines():
        told = json.loads(text)
        said_at = datetime.fromisoformat(told["said_at"])
        yield corpus.Line(told["id"], told["session"], told["project"], told["role"], told["speaker"], told["text"], said_at)


def _one(name: str, rules: Rules, turns: list[corpus.Line], rounds: int, goal: Goal | None) -> list[Measured]:
    naive = [regex.compile(source, regex.IGNORECASE) for rule in rules.rules for source in rule.patterns]

    def search_all() -> None:
        for turn in turns:
            for pattern in naive:
                pattern.search(turn.text)

    units = [turns[at : at + UNIT] for at in range(0, len(turns), UNIT)]
    selected = read = 0

    def look() -> None:
        for turn in turns:
            rules.hits(turn.text)

    def extract() -> None:
        nonlocal selected, read
        selected = read = 0
        for unit in units:
            chosen = [(turn, hits) for turn in unit if (hits := rules.hits(turn.text)) is not None]
            selected += len(chosen)
            for turn, hits in chosen:
                if rules.claims(turn.text, role=turn.role, speaker=turn.speaker, origin=Origin.USER, hits=hits):
                    read += 1

    extract()  # patterns are compiled when they are first needed
    loop, looked, extracted = in_turn(rounds, search_all, look, extract)

    def figure(what: str, value: float, unit: str, floor: str = "", goal: Goal | None = None) -> Measured:
        return Measured("extraction", f"{name}: {what}", value, unit, floor, goal)

    return [
        figure("faster than the naive loop", loop / extracted, "x", f"naive loop, {loop / len(turns) * 1e6:.0f} us a turn", goal),
        figure("time", extracted / len(turns) * 1e6, "us a turn"),
        figure("of it the prefilter", looked / len(turns) * 1e6, "us a turn"),
        figure("turns with a literal", 100 * selected / len(turns), "%"),
        figure("turns with a claim", 100 * read / len(turns), "%"),
    ]
