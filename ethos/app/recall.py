"""Recalling: episodes and facts found by their words, ranked, dated, and counted as retrieved (E-09)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from typing import TYPE_CHECKING

from ethos import engine
from ethos.app.dependencies import Means
from ethos.core.facts.weighing import EVERYWHERE
from ethos.core.model.errors import refuse
from ethos.core.model.records import Fact
from ethos.core.ports.store import Hit, Search, Work
from ethos.stages.recall.count_retrievals import count, kinds_named

if TYPE_CHECKING:
    from ethos.core.rules.matcher import Rules


FAR_BELOW = 0.2  # of the best score: what has less is far below it


def search(means: Means, wanted: Search, context: str = "") -> tuple[Hit, ...]:
    """Return the hits, best first. context: a project; what holds there comes first. Raises Refused where more are wanted than may be."""
    most = means.settings.recall.max_limit
    if not 1 <= wanted.limit <= most:
        raise refuse("usage", f"limit is {wanted.limit}", hint=f"a limit lies between 1 and {most}")
    if not wanted.words:
        return ()
    with means.store.begin() as work:
        hits = _with_kin(work, wanted, tuple(work.search(wanted)), means.rules)
        if context and not wanted.project:
            hits = _near_first(hits, work.search(replace(wanted, project=context)), context, wanted.limit)
        hits = _marked(work, hits, wanted.as_of)
    means.served.show((hit.text for hit in hits), means.clock.now())
    return hits


def counted(means: Means, hits: Sequence[Hit], session: str) -> None:
    """Count these as retrieved in this session, once a record."""
    ctx = means.context("", means.clock.now())
    with means.store.begin(write=True) as work:
        plan = engine.decide(work, (count(hits, session),), ctx)
        work.apply(plan, ctx.run)
        work.count_retrievals([hit.id for hit in hits], session, ctx.now)
        means.served.write(work)


def _with_kin(work: Work, wanted: Search, hits: tuple[Hit, ...], rules: Rules) -> tuple[Hit, ...]:
    """The hits with the facts about things of the kind that was asked for: no word of "we use Postgres for sessions" is "database"."""
    kinds = kinds_named(wanted.words, rules.class_of)
    if not kinds:
        return hits
    names = tuple(name for kind in sorted(kinds) for name in rules.names_in(kind))
    found = work.search(replace(wanted, words=names, facts_only=True))
    held = work.current([hit.id for hit in found])
    ranked = {hit.id: hit for hit in hits}
    for hit in found:
        if hit.id in held and rules.class_of(held[hit.id].object_key) in kinds:
            ranked[hit.id] = hit._replace(score=hit.score + (ranked[hit.id].score if hit.id in ranked else 0.0))
    return tuple(sorted(ranked.values(), key=lambda hit: (-hit.score, hit.id))[: wanted.limit])


def _near_first(hits: Sequence[Hit], near: Sequence[Hit], context: str, limit: int) -> tuple[Hit, ...]:
    """Return the hits and those of a project as one ranking: first what holds in the project, as far as it is not far below the best."""
    ranked = {hit.id: hit for hit in (*near, *hits)}
    best = max((hit.score for hit in ranked.values()), default=0.0)

    def rank(hit: Hit) -> tuple[bool, float, str]:
        holds_here = hit.project in (context, EVERYWHERE) and hit.score >= FAR_BELOW * best
        return not holds_here, -hit.score, hit.id

    return tuple(sorted(ranked.values(), key=rank)[:limit])


def _marked(work: Work, hits: tuple[Hit, ...], as_of: datetime | None) -> tuple[Hit, ...]:
    """The hits with those in question flagged, and what is out of date marked and put last: an episode all of whose facts have a
    successor misleads who asks now. Who asks for a time before (`as_of`) gets the flags of then, and nothing that came later.
    """
    rests: dict[str, list[str]] = {hit.id: [hit.id] for hit in hits if hit.type == "fact"}
    for piece in work.evidence_in([hit.id for hit in hits if hit.type == "episode"]):
        rests.setdefault(piece.episode, []).append(piece.fact)
    facts = _versions(work, {fact for each in rests.values() for fact in each}, as_of)
    marked = []
    for hit in hits:
        behind = [facts[fact] for fact in rests.get(hit.id, ()) if fact in facts]
        successors = [fact.superseded_by for fact in behind] if hit.type == "episode" and as_of is None else []
        replaced_by = (successors[-1] or "") if successors and all(successors) else ""
        flagged = any(fact.flagged and fact.superseded_by is None and fact.retired_at is None for fact in behind)
        marked.append(hit._replace(replaced_by=replaced_by, flagged=flagged))
    return tuple(sorted(marked, key=lambda hit: bool(hit.replaced_by)))


def _versions(work: Work, facts: set[str], as_of: datetime | None) -> Mapping[str, Fact]:
    """These facts as they are, or as they were held then."""
    if as_of is None:
        return work.current(facts)
    versions = (fact for fact in work.versions(facts) if fact.recorded_at <= as_of)
    return {fact.id: fact for fact in versions if fact.closed_at is None or fact.closed_at > as_of}
