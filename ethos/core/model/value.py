"""A value: a dataclass that nobody changes.

The type checker sees to that, not the running program: a class that guards its fields takes three times as long to make, and a cycle
makes tens of thousands of values.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeVar, dataclass_transform

Class = TypeVar("Class")


@dataclass_transform(frozen_default=True)
def value(cls: type[Class]) -> type[Class]:
    """Make a class as `dataclass(frozen=True, slots=True)` does, for classes of which many are made."""
    return dataclass(slots=True, unsafe_hash=True)(cls)
