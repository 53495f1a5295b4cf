"""Taking stock: the state of the memory in numbers, for `status` and `doctor`."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from itertools import islice

from ethos.app.dependencies import Dependencies
from ethos.core.model.records import Fact, Run
from ethos.core.passes.night import REAL, SHADOW
from ethos.core.ports.queries import Counts, FactFilter
from ethos.core.text import folding

NIGHTS = 1_000  # of which calls are counted
LOOKED_AT = 100  # versions of facts, for whose they are


@dataclass(frozen=True, slots=True)
class Status:
    """The state of the memory."""

    counts: Counts
    runs: tuple[Run, ...]  # the last ones, whatever they were
    cycle: Run | None  # the last consolidation
    store: Mapping[str, str | int | bool]
    rules: str
    last_event: datetime | None
    events_recently: int  # session events within idle_threshold_seconds
    unread_important: tuple[tuple[str, float, str], ...] = ()  # top 10 unconsolidated: id, importance, start of text
    review_problem: str = ""  # why the review file could not be read or written when it was last tried, and what to do
    model_calls: int = 0  # how often nights asked a language model; there is none unless the user names one


@dataclass(frozen=True, slots=True)
class Elsewhere:
    """That nothing is held for this user, and something for others. facts: held for all of them; others: some of their names."""

    user: str
    facts: int
    others: tuple[str, ...]


def other_users(deps: Dependencies) -> Elsewhere | None:
    """Return the users whose facts are held where this user has none; None where this one has some, which is quick to tell."""
    others = set()
    with deps.store.begin() as work:
        for fact in islice(work.records(Fact), LOOKED_AT):
            if fact.active and fact.user == deps.user:
                return None
            if fact.active:
                others.add(fact.user)
        if not others or work.facts(FactFilter(deps.user, limit=1)):
            return None
        return Elsewhere(deps.user, work.counts(deps.rules.hash).facts, tuple(sorted(others)))


def status(deps: Dependencies, review_problem: str, *, runs: int) -> Status:
    """Return the memory in numbers, as of now. runs: how many of the last ones."""
    now = deps.clock.now()
    since = now - timedelta(seconds=deps.settings.consolidation.idle_threshold_seconds)
    store = dict(deps.store.describe())
    with deps.store.begin() as work:
        counts = work.counts(deps.rules.hash, deps.user)
        left = work.unscanned(deps.rules.hash, session=None, limit=10) if counts.unscanned else ()
        return Status(
            counts,
            tuple(work.runs(limit=runs)),
            next(iter(work.runs(name="consolidate", limit=1)), None),
            store,
            deps.rules.hash,
            work.latest_live_capture(),
            work.live_captures(since, now),
            tuple((utterance.id, utterance.importance, folding.truncate(utterance.text, 60)) for utterance in left),
            review_problem,
            sum(run.counts.get("model_calls", 0) for run in work.runs(name="sleep", limit=NIGHTS)),
        )


def in_shadow(deps: Dependencies) -> bool:
    """Return whether nights have been run, and none of them for real: whoever has run one for real has switched them on."""
    with deps.store.begin() as work:
        return bool(work.runs(name=SHADOW, limit=1)) and not work.runs(name=REAL, limit=1)
