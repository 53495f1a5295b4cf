"""Stage: one step of a pass, in two halves. `gather` asks the store, `decide` is pure; a stage never writes."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Generic, TypeVar

from ethos.core.model.plan import Plan
from ethos.core.passes.context import Context
from ethos.core.ports.store import Work

Needs = TypeVar("Needs")


@dataclass(frozen=True, slots=True)
class Stage(Generic[Needs]):
    """`decide(gather(work, ctx), ctx)` is the stage's plan."""

    name: str
    gather: Callable[[Work, Context], Needs]
    decide: Callable[[Needs, Context], Plan]

    def plan(self, work: Work, ctx: Context) -> Plan:
        """Gather, and return what is decided."""
        return self.decide(self.gather(work, ctx), ctx)
