"""Replay: compute what would be held if every captured episode had been read by other rules. No stored data is changed.

Both rule sets read all episodes, in order, into scratch memories in a folder that is removed afterwards. So a difference comes from the
rules alone, not from answers, or from what was undone or has faded since.
"""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Mapping
from pathlib import Path
from typing import NamedTuple

from ethos.app import Ethos
from ethos.core.model.records import Episode, Evidence, Fact
from ethos.core.ports.queries import FactFilter
from ethos.core.rules.matcher import Rules
from ethos.core.rules.replayed import Changed, Replayed
from ethos.edge import wiring
from ethos.edge.files import locks
from ethos.edge.rulebook import files_of

FOLDER = "replay-"


class _Held(NamedTuple):
    """The result of one rule set: facts by id, and the first evidence of each."""

    facts: Mapping[str, Fact]
    rests: Mapping[str, Evidence]


def changed_paths(in_force: tuple[Path, ...], changed: Path, names: Mapping[Path, str]) -> tuple[Path, ...]:
    """Return the pack files in force, with changed ones replacing those of the same name and new ones added at the end.

    names: of each pack file on either side.
    """
    new = list(files_of([changed]))
    instead = {names[path]: path for path in new if path in names}
    kept = [instead.pop(names.get(path, ""), path) for path in files_of(in_force)]
    return tuple(dict.fromkeys([*kept, *new]))


def replay(ethos: Ethos, before: Rules, after: Rules) -> Replayed:
    """Read every episode with both rule sets and return the differences."""
    scratch = Path(ethos.settings.ethos.state)
    with locks.hold(scratch, locks.REPLAY, "another replay is running"):
        for left in scratch.glob(f"{FOLDER}*"):  # of a replay that was killed
            shutil.rmtree(left)
        return _compared(ethos, before, after, scratch)


def _compared(ethos: Ethos, before: Rules, after: Rules, scratch: Path) -> Replayed:
    with tempfile.TemporaryDirectory(prefix=FOLDER, dir=scratch) as folder:
        count, old = _read(ethos, before, Path(folder) / "before.db")
        _, new = _read(ethos, after, Path(folder) / "after.db")
    gained = {name: fact for name, fact in new.facts.items() if name not in old.facts}
    lost = {name: fact for name, fact in old.facts.items() if name not in new.facts}
    changed = [Changed(fact, new.facts[name]) for name, fact in old.facts.items() if name in new.facts and _differ(fact, new.facts[name])]
    for name, fact in list(lost.items()):
        successor = next((each for each in gained if _same_words(old.rests.get(name), new.rests.get(each))), None)
        if successor is not None:
            changed.append(Changed(fact, gained.pop(successor)))
            del lost[name]
    return Replayed(count, tuple(gained.values()), tuple(lost.values()), tuple(changed))


def _read(ethos: Ethos, rules: Rules, database: Path) -> tuple[int, _Held]:
    """Read all episodes with one rule set into a scratch memory."""
    scratch_memory = wiring.apart(ethos.settings, rules, database, ethos.clock)
    try:
        with ethos.store.begin() as work:
            count = scratch_memory.capture(work.records(Episode)).added
        scratch_memory.consolidate(reason="replay")
        facts = {fact.id: fact for fact in scratch_memory.facts(FactFilter(ethos.settings.ethos.user))}
        rests: dict[str, Evidence] = {}
        with scratch_memory.store.begin() as work:
            for piece in work.evidence(facts.keys()):
                rests.setdefault(piece.fact, piece)
        return count, _Held(facts, rests)
    finally:
        scratch_memory.close()


def _differ(one: Fact, other: Fact) -> bool:
    return any(getattr(one, name) != getattr(other, name) for name in ("statement", "kind", "polarity", "confidence", "flagged", "rule"))


def _same_words(one: Evidence | None, other: Evidence | None) -> bool:
    """Return True if two facts rest on overlapping words of one episode."""
    if one is None or other is None:
        return False
    return one.episode == other.episode and one.start < other.end and other.start < one.end
