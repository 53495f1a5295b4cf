"""Observations: what one episode says that can be counted. How it went, and what was there."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Literal, NamedTuple

Value = bool | float | str
Operator = Literal["is", "has", "above", "below"]


@dataclass(frozen=True, slots=True)
class Observation:
    """One episode. good: whether it went well. features: a field that is missing is unknown, and the episode does not count for it."""

    episode: str
    at: datetime
    session: str
    good: bool
    features: Mapping[str, Value]


class Condition(NamedTuple):
    """What may be so of an observation: "side is short", "funding above 0.05"; "has" asks for a mark, which is there or not."""

    field: str
    operator: Operator
    value: bool | float | str

    def holds(self, value: Value | None) -> bool | None:
        """Return whether it is so of this value of the field; None where the value is not known, or of another type."""
        if self.operator == "has":
            return value is not None
        if self.operator == "is":
            return value == self.value if isinstance(value, type(self.value)) else None
        if not isinstance(value, float) or not isinstance(self.value, float):
            return None
        return value > self.value if self.operator == "above" else value <= self.value

    def __str__(self) -> str:
        if self.value is True:  # as it is of every mark
            return self.field
        if self.value is False:
            return f"no {self.field}"
        shown = f"{self.value:g}" if isinstance(self.value, float) else str(self.value)
        return f"{self.field} {'at most' if self.operator == 'below' else self.operator} {shown}"
