"""What the stages of one unit leave to those of the next in the same pass, so that they need not ask the store for it again.

It must be as the store has it. So it is kept only once the unit is committed, and dropped otherwise. During a run nobody else changes
what is held: the run has the lease (`core.ports.store`).
"""

from __future__ import annotations

from typing import TypeVar

Value = TypeVar("Value")


class Carried:
    """Hold at most one value of each class."""

    def __init__(self) -> None:
        self._kept: dict[type, object] = {}
        self._offered: dict[type, object] = {}

    def take(self, kind: type[Value]) -> Value | None:
        """Return what was left by the last unit. It belongs to the caller, who may change it and offer it again."""
        found = self._kept.pop(kind, None)
        return found if isinstance(found, kind) else None

    def offer(self, value: object) -> None:
        """Leave a value, as it will be once the plan of this unit is committed."""
        self._offered[type(value)] = value

    def commit(self) -> None:
        """Keep what was offered: the unit is committed, just as it was planned."""
        self._kept, self._offered = self._offered, {}

    def drop(self) -> None:
        """Keep nothing: the unit was rolled back, or came out otherwise than planned."""
        self._kept, self._offered = {}, {}
