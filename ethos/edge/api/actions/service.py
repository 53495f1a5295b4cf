"""Service: the dependencies of an action, and the lock that serialises changes."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from datetime import date
from functools import partial
from typing import TYPE_CHECKING, BinaryIO, Protocol, TypeVar

from ethos.edge.jsonio.shapes import Json

if TYPE_CHECKING:
    from ethos.app import Cycle, Ethos, Slept
    from ethos.edge.rulebook import Rulebook

Result = TypeVar("Result")


class Runs(Protocol):
    """Runs over the memory, one at a time in this process."""

    def consolidate(self, *, session: str | None, reason: str, dry_run: bool) -> Cycle:
        """Run one cycle, until nothing is left to read."""
        ...

    def sleep(self, day: date | None, *, seed: int | None, dry_run: bool) -> Slept:
        """Run one night."""
        ...

    def alone(self, work: Callable[[], Result]) -> Result:
        """Do what must not happen during another run."""
        ...


class Directly:
    """Runs in a process that has no daemon: nothing else changes the memory in it."""

    def __init__(self, ethos: Ethos, next_unit: Callable[[], None] | None = None) -> None:
        """next_unit: is called before each unit of a cycle, to show how far it is."""
        self._next_unit = next_unit
        self.consolidate = partial(ethos.consolidate, keep_going=self._goes_on)
        self.sleep = partial(ethos.sleep, keep_going=self._goes_on)

    def _goes_on(self) -> bool:
        if self._next_unit is not None:
            self._next_unit()
        return True

    def alone(self, work: Callable[[], Result]) -> Result:
        """Do it now."""
        return work()


def _nobody() -> Json | None:
    return None


@dataclass(frozen=True, slots=True)
class Service:
    """The dependencies of an action.

    rules_from: the rules in force, or a function that loads them when they are first needed.
    by: who answers a question ("cli", "socket"); daemon: what the daemon tells of itself; watch: sees each item that a capture reads.
    stdin: what "-" among a capture's paths stands for.
    """

    ethos: Ethos
    rules_from: Rulebook | Callable[[], Rulebook]
    runs: Runs
    by: str = "cli"
    daemon: Callable[[], Json | None] = _nobody
    stdin: BinaryIO | None = None
    watch: Callable[[object], None] | None = None

    @property
    def rulebook(self) -> Rulebook:
        """Return the rules in force, and what was wrong with the others."""
        return self.rules_from() if callable(self.rules_from) else self.rules_from
