"""Dependencies: what every verb works with: the store, the rules, the clock, and the run lease."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from contextlib import AbstractContextManager
from dataclasses import replace
from datetime import datetime
from functools import cached_property
from typing import TYPE_CHECKING, Protocol

from ethos.app.first_use import at_first_use
from ethos.app.shown import Served
from ethos.core.history.salience import estimate_importance
from ethos.core.model import ids
from ethos.core.model.keys import Mac
from ethos.core.model.plan import one
from ethos.core.model.records import Claim, Role, Run, Utterance
from ethos.core.model.settings import Settings
from ethos.core.ports.store import Store
from ethos.core.ports.traces import Traces

if TYPE_CHECKING:
    from ethos.core.facts import extraction
    from ethos.core.passes import context as passes
    from ethos.core.ports.encoder import Encoder
    from ethos.core.rules.matcher import Rules
else:
    extraction = at_first_use("ethos.core.facts.extraction")
    passes = at_first_use("ethos.core.passes.context")


class Clock(Protocol):
    """Where `now` comes from."""

    def now(self) -> datetime:
        """Return the time now, aware, in UTC."""
        ...


class Extractor:
    """Read claims out of a text; keep nothing."""

    def __init__(self, rules: Rules | Callable[[], Rules], settings: Settings, clock: Clock) -> None:
        """Keep the rules, or a function that loads them when they are first needed: most questions need none."""
        self._rules = rules
        self.settings = settings
        self.clock = clock

    @cached_property
    def rules(self) -> Rules:
        """Return the rules in force."""
        return self._rules() if callable(self._rules) else self._rules

    def importance_of(self, said: str, role: Role) -> float:
        """Return the importance that an episode without one is given (core.history.salience.estimate_importance)."""
        return estimate_importance(has_literal=self.rules.may_read(said), role=role)

    def extract(self, utterance: Utterance) -> tuple[Claim, ...]:
        """Return the claims that the rules read in one turn. Touch no store."""
        self.rules.renew()
        return extraction.read_claims(utterance, self.context("", self.clock.now()))

    def context(self, run: str, now: datetime, *, session: str | None = None) -> passes.Context:
        """Return the context of a run for its stages."""
        return passes.Context(now, self.settings, self.rules, run, session)


class Dependencies(Extractor):
    """Hold what the verbs of one user's memory work with.

    guard: the run lease, entered for what changes the memory; raises `Refused("busy")` while another process holds it. traces: where else
    this memory leaves something. seal: a keyed hash, for what must be known again and not be told. encoder: loads the word vectors of the
    extra `semantic`, if it is on.
    """

    def __init__(
        self,
        store: Store,
        rules: Rules | Callable[[], Rules],
        settings: Settings,
        clock: Clock,
        *,
        guard: Callable[[], AbstractContextManager[None]],
        traces: Traces,
        seal: Mac,
        encoder: Callable[[], Encoder] | None = None,
    ) -> None:
        super().__init__(rules, settings, clock)
        self._encoder = encoder
        self.store = store
        self.guard = guard
        self.traces = traces
        self.seal = seal
        self.served = Served(store, seal)

    @cached_property
    def encoder(self) -> Encoder | None:
        """Return the word vectors, or None if `[recall] semantic` is off. Raises Refused if the extra is not installed."""
        return self._encoder() if self._encoder is not None else None

    @property
    def user(self) -> str:
        """Return the user whose memory this is."""
        return self.settings.ethos.user

    def context(self, run: str, now: datetime, *, session: str | None = None) -> passes.Context:
        """Return the context of a run for its stages, with the key of hashes."""
        return replace(super().context(run, now, session=session), seal=self.seal)

    def put(self, run: Run) -> None:
        """Remember a run, in a transaction of its own."""
        with self.store.begin(write=True) as work:
            work.apply(one("", run), run.id)

    def note(self, name: str, path: str) -> None:
        """Store a run that did nothing but this."""
        now = self.clock.now()
        self.put(Run(ids.run_id(name, now.isoformat(), path), name, path, None, now, now, outcome="done"))

    def mend(self) -> None:
        """Count an attempt of the episodes that were at work when a process died, and set those aside that killed too many."""
        self.store.recover(self.settings.consolidation.max_attempts)

    def show(self, texts: Iterable[str]) -> None:
        """Remember that these were shown, from this moment on."""
        self.served.show(texts, self.clock.now())
        self.served.write()
