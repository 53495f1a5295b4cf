"""Replaying: what is held would be, had every captured episode been read by other rules. Nothing that is kept is touched.

Both rule sets read all episodes, in order, into memories of their own in a folder that is removed; so a difference is one of rules alone,
and not of answers, or of what was undone or has faded since.
"""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Mapping
from pathlib import Path
from typing import NamedTuple

from ethos.app import Ethos
from ethos.core.model.records import Episode, Evidence, Fact
from ethos.core.ports.store import FactFilter
from ethos.core.rules.matcher import Rules
from ethos.core.rules.replayed import Changed, Replayed
from ethos.edge import wiring
from ethos.edge.files import locks
from ethos.edge.rulebook import files_of

FOLDER = "replay-"


class _Held(NamedTuple):
    """What came of one rule set: facts by id, and the words on which each rests first."""

    facts: Mapping[str, Fact]
    rests: Mapping[str, Evidence]


def changed_paths(in_force: tuple[Path, ...], changed: Path, names: Mapping[Path, str]) -> tuple[Path, ...]:
    """The files in force, with those of the changed set in place of the packs of the same names, and the others behind them.

    names: of each pack file on either side.
    """
    new = list(files_of([changed]))
    instead = {names[path]: path for path in new if path in names}
    kept = [instead.pop(names.get(path, ""), path) for path in files_of(in_force)]
    return tuple(dict.fromkeys([*kept, *new]))


def replay(ethos: Ethos, before: Rules, after: Rules) -> Replayed:
    """Read every episode by both; what that changes."""
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
    """What one rule set makes of all episodes, in a memory of its own."""
    apart = wiring.apart(ethos.settings, rules, database, ethos.clock)
    try:
        with ethos.store.begin() as work:
            count = apart.capture(work.records(Episode)).added
        apart.consolidate(reason="replay")
        facts = {fact.id: fact for fact in apart.facts(FactFilter(ethos.settings.ethos.user))}
        rests: dict[str, Evidence] = {}
        with apart.store.begin() as work:
            for piece in work.evidence(facts.keys()):
                rests.setdefault(piece.fact, piece)
        return count, _Held(facts, rests)
    finally:
        apart.close()


def _differ(one: Fact, other: Fact) -> bool:
    return any(getattr(one, name) != getattr(other, name) for name in ("statement", "kind", "polarity", "confidence", "flagged", "rule"))


def _same_words(one: Evidence | None, other: Evidence | None) -> bool:
    """Whether two facts rest on words of one episode that overlap."""
    if one is None or other is None:
        return False
    return one.episode == other.episode and one.start < other.end and other.start < one.end
