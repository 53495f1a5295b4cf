"""Executing: a run over the memory from its beginning to its end, for real or as a rehearsal. `consolidate` and `sleep` are such runs."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, replace
from typing import Generic, Literal, NamedTuple, Protocol, TypeVar

from ethos import engine
from ethos.app import erase
from ethos.app.collecting import seldom_collected
from ethos.app.dependencies import Dependencies
from ethos.core.facts.invariants import NotConserved
from ethos.core.history.diff import Difference, differences
from ethos.core.model.errors import Refused, refuse
from ethos.core.model.plan import one
from ethos.core.model.records import Run


class RunCounts(Protocol):
    """Counts outcomes one by one, so that plans can be freed."""

    @property
    def counts(self) -> Mapping[str, int]:
        """Return the counts so far, by name."""
        ...


Counted = TypeVar("Counted", bound=RunCounts)
Result = TypeVar("Result")


class Rehearsed(NamedTuple, Generic[Result]):
    """What a rehearsal counted, what it would change, and (cause, why) of what the store refused."""

    counted: Result
    diff: tuple[Difference, ...]
    refused: tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True)
class Execution(Generic[Counted]):
    """A run on its way. counter: makes an empty count. A `loop` does everything within a store or a rehearsal, and counts it."""

    deps: Dependencies
    run: Run
    counter: Callable[[], Counted]

    def prepare(self) -> None:
        """Finish what an earlier process left undone."""
        self.deps.mend()
        erase.finish(self.deps.store, self.run.started_at)
        self.deps.served.write()

    def begin(self) -> None:
        """Finish what an earlier process left undone, and store that the run began."""
        self.prepare()
        self.deps.put(self.run)

    @contextmanager
    def counted(self) -> Iterator[Counted]:
        """Give an empty count to a loop that runs for real. Raises Refused where a unit of it would have lost something."""
        counted = self.counter()
        try:
            with seldom_collected():
                yield counted
        except NotConserved as violation:
            failed = replace(self.run, ended_at=self.deps.clock.now(), counts=counted.counts, outcome="failed", problem=str(violation))
            self.deps.put(failed)
            raise _not_conserved(violation) from violation

    def rehearse(
        self, loop: Callable[[engine.Transactions, Counted], None], keep: Callable[[tuple[Difference, ...]], bool] = lambda _: False
    ) -> Rehearsed[Counted]:
        """Run everything in one transaction that is rolled back; return what it would change. Raises Refused as `counted` does.

        keep: whether it is committed after all, by what it would change; the run is then stored as begun.
        """

        def all_of_it(within: engine.Rehearsal) -> tuple[Counted, tuple[Difference, ...]]:
            counted = self.counter()
            with within.begin() as work:
                work.apply(one("", self.run), self.run.id)
            loop(within, counted)
            with within.begin() as work:
                return counted, tuple(differences(work.changes(self.run.id)))

        try:
            with seldom_collected():
                (counted, changed), failures = engine.rehearse(self.deps.store, all_of_it, lambda seen: keep(seen[1]))
        except NotConserved as violation:
            raise _not_conserved(violation) from violation
        return Rehearsed(counted, changed, tuple((failure.cause, failure.error) for failure in failures))

    def end(self, counts: Mapping[str, int], outcome: Literal["done", "stopped"]) -> None:
        """Store that the run ended."""
        self.deps.put(replace(self.run, ended_at=self.deps.clock.now(), counts=counts, outcome=outcome))
        if (file := self.deps.store.file) is not None:
            file.compact()


def _not_conserved(violation: NotConserved) -> Refused:
    what = f"a unit of the pass failed a check, so nothing of it was stored: {violation}"
    return refuse("store", what, hint="this is a bug: please report it, with `ethos doctor --json`")
