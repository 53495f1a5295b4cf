"""Interleave old memories with the new chains, so that the new ones do not crowd them out (L-18 to L-21, X-L13, X-L14).

The idea of replaying old with new is from complementary learning systems (McClelland, McNaughton and O'Reilly, 1995).
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from random import Random
from typing import TypeVar

from ethos.core.model.settings import ReplaySettings
from ethos.core.model.traces import OldMemory

Item = TypeVar("Item")

TOLERANCE = 1e-9  # 7 * 0.3 / 0.7 is 3, not a little less


def wanted(new: int, settings: ReplaySettings) -> int:
    """Return how many old memories go with so many new chains: 30 % of the whole, never over 40 %."""
    ratio = min(settings.old_ratio, settings.max_old_ratio)
    exact = new * ratio / (1 - ratio)
    return int(exact + TOLERANCE)


def sample(memories: Sequence[OldMemory], count: int, chance: Random) -> tuple[OldMemory, ...]:
    """Return up to `count` old memories, of as many sessions as there are: one of each session before a second of any."""
    by_session: dict[str, list[OldMemory]] = defaultdict(list)
    for memory in sorted(memories):
        by_session[memory.session].append(memory)
    sessions = list(by_session.values())
    chance.shuffle(sessions)
    for each in sessions:
        chance.shuffle(each)
    chosen: list[OldMemory] = []
    while sessions and len(chosen) < count:
        chosen += [each.pop() for each in sessions]
        sessions = [each for each in sessions if each]
    return tuple(chosen[:count])


def refreshed(consolidated: float, settings: ReplaySettings) -> float:
    """Return the consolidated salience of an old memory that was replayed: a little more, at most 1."""
    return min(consolidated + settings.refresh, 1.0)


def interleaved(new: Sequence[Item], old: Sequence[Item], chance: Random) -> tuple[Item, ...]:
    """Return new and old in one random order."""
    mixed = [*new, *old]
    chance.shuffle(mixed)
    return tuple(mixed)
