"""Retirement: which facts a person retired, and since when.

A retirement is a run, and counts as long as the run does. What was said before it stays as it was said, and brings nothing of it back.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime

from ethos.core.facts.containment import compatible
from ethos.core.facts.statement import Statement
from ethos.core.model.records import RETIRING
from ethos.core.ports.store import Work


@dataclass(frozen=True, slots=True)
class Retirement:
    """When a fact was retired, and the episodes in which it was ever read."""

    at: datetime
    turns: frozenset[str]


def retired_by_person(work: Work, undone: Mapping[str, str | None] | None = None) -> dict[str, datetime]:
    """Return the facts that a person retired, and when. undone: by what some runs are to be undone, or None where they are to count."""
    changed = undone or {}
    runs = [run for name in RETIRING for run in work.runs(name=name, limit=-1)]
    return {run.reason: run.started_at for run in runs if changed.get(run.id, run.undone_by) is None}


def says_the_same(one: Statement, other: Statement) -> bool:
    """Return whether two statements say the same of the same, or one says more of it; in whatever slot."""
    left, right = ((each.key.user, each.key.subject, each.key.predicate, each.polarity) for each in (one, other))
    return left == right and compatible(one.object_key, other.object_key)
