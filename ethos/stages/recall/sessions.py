"""Recall by session: the sessions that speak of what is asked, best first, each with its best hits.

A session is worth its best hit and most of the next two. Fitted on recorded conversations (LoCoMo), each time leaving one out: the best
hit alone brings one of the sessions sought among the first five less often, and more than three hits favour long sessions.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import replace

from ethos.core.facts.statement import EVERYWHERE
from ethos.core.ports.queries import FoundSession, Hit, Search

WEIGHTS = (1.0, 0.75, 0.75)  # of a session's best hits; so many of them are shown, too
_DEPTH = 20  # hits for each session that is wanted,
_LEAST_DEPTH = 100
ENOUGH = 4  # for each session; so many hits do, where more would need a deeper search

_Place = tuple[str, str]  # project and session: a session's name may stand in two projects


def deep(wanted: Search) -> Search:
    """Return the search for the hits of the sessions that are wanted."""
    return replace(wanted, limit=max(_LEAST_DEPTH, _DEPTH * wanted.limit), enough=ENOUGH * wanted.limit)


def sessions(hits: Sequence[Hit], limit: int) -> tuple[FoundSession, ...]:
    """Return the sessions of these hits, best first; of equals, the one whose hit stands first.

    A hit without a session, such as a fact that was imported, belongs to none and is left out.
    """
    by_place: dict[_Place, list[Hit]] = defaultdict(list)
    where = _projects(hits)
    for hit in hits:
        if hit.session:
            by_place[_place(hit, where)].append(hit)
    found = [
        FoundSession(session, project, _score(each), each[0].said_at, tuple(each[: len(WEIGHTS)]))
        for (project, session), each in by_place.items()
    ]
    return tuple(sorted(found, key=lambda each: -each.score))[:limit]


def _score(hits: Sequence[Hit]) -> float:
    best = sorted((max(hit.score, 0.0) for hit in hits), reverse=True)
    return sum(weight * score for weight, score in zip(WEIGHTS, best, strict=False))


def _projects(hits: Sequence[Hit]) -> Mapping[str, str]:
    """Return the project of each session; of one that stands in several, that of its best turn."""
    return {hit.session: hit.project for hit in reversed(hits) if hit.type == "episode"}


def _place(hit: Hit, where: Mapping[str, str]) -> _Place:
    """Return where a hit was said: a fact that holds everywhere was said in the project of its session."""
    return (where.get(hit.session, EVERYWHERE) if hit.project == EVERYWHERE else hit.project), hit.session
