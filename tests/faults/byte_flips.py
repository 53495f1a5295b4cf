"""Bytes of the database that turned: `python -m tests.faults.byte_flips --flips 5000 --seed 1` (TRUST, test 14).

Each time one bit of one byte of a sound store is turned. Then either the store says that something is wrong (when it is opened, looked
over or read), or every row still reads as it was. What reads otherwise and is not told would be a silent lie.
"""

from __future__ import annotations

import argparse
import random
import sys
import tempfile
from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

from ethos.core.errors import Refused
from ethos.core.settings import Settings
from ethos.edge import wiring
from ethos.store import open_store
from tests import offline, proven
from tests.faults.story import Story, talk

Rows = dict[str, list[tuple[Any, ...]]]


def rows(path: Path) -> Rows:
    """Every row of every table that holds records. Raises `Refused`, and whatever the driver raises."""
    store = open_store(path)
    try:
        with store.begin() as work:
            listed = work.sql.rows("SELECT name FROM sqlite_master WHERE type = 'table' AND sql NOT LIKE '%VIRTUAL%' ORDER BY name")
            names = [name for (name,) in listed if not name.startswith(("search_", "sqlite_", "trigram_"))]
            return {name: sorted(work.sql.rows(f"SELECT * FROM {name}"), key=repr) for name in names}  # noqa: S608 (its own tables)
    finally:
        store.close()


def told(path: Path) -> str:
    """What the store says is wrong with it; empty when nothing."""
    try:
        store = open_store(path)
    except Refused as refused:
        return refused.problem.what
    try:
        return "; ".join(store.check())
    finally:
        store.close()


def outcome(path: Path, truth: Rows) -> str:
    """What came of a flip: "told", "harmless", or what is silently otherwise."""
    if told(path):
        return "told"
    try:
        found = rows(path)
    except Refused:
        return "told"
    if found == truth:
        return "harmless"
    wrong = {name: set(map(repr, found.get(name, []))) ^ set(map(repr, truth[name])) for name in truth if found.get(name) != truth[name]}
    return f"silent: {wrong}"


def run(flips: int, seed: int, tell: Callable[[str], object]) -> tuple[Counter[str], list[str]]:
    """Turn so many bytes, one at a time; how they came out, and those that nobody would have noticed."""
    chance = random.Random(seed)
    counts: Counter[str] = Counter()
    silent: list[str] = []
    with tempfile.TemporaryDirectory(prefix="ethos-flips-") as top:
        proven.seed(Path(top))
        rulebook = wiring.rules(replace(Settings(), ethos=replace(Settings().ethos, state=top)))
        folder = Path(top, "whole")
        folder.mkdir(mode=0o700)
        Story(folder, rulebook, lambda _: None).tell(talk(seed), None)
        whole = (folder / "ethos.db").read_bytes()
        truth = rows(folder / "ethos.db")
        for number in range(flips):
            data = bytearray(whole)
            at = chance.randrange(len(data))
            data[at] ^= 1 << chance.randrange(8)
            path = Path(top, f"flip-{number}", "ethos.db")
            path.parent.mkdir(mode=0o700)
            path.write_bytes(data)
            path.chmod(0o600)
            found = outcome(path, truth)
            counts[found.split(":")[0]] += 1
            if found.startswith("silent"):
                silent.append(f"byte {at}: {found}")
            for each in path.parent.iterdir():
                each.unlink()
            path.parent.rmdir()
            if (number + 1) % 500 == 0:
                tell(f"{number + 1} flips: {dict(counts)}\n")
    return counts, silent


def main() -> int:
    """The long version."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--flips", type=int, default=5_000)
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args()
    offline.enter()
    counts, silent = run(given.flips, given.seed, sys.stderr.write)
    sys.stdout.write("\n".join(silent[:20]) + f"\n{given.flips} flips (seed {given.seed}): {dict(counts)}\n")
    return 1 if silent else 0


if __name__ == "__main__":
    sys.exit(main())
