"""Recalling: episodes and facts found by their words, ranked, dated, and counted as retrieved (E-09)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from datetime import datetime

from ethos import engine
from ethos.app.dependencies import Dependencies
from ethos.core.model.errors import Refused, refuse
from ethos.core.model.records import Fact
from ethos.core.ports.queries import FoundSession, Hit, Outdated, Search
from ethos.core.ports.store import Work
from ethos.core.recall.question import read
from ethos.core.recall.terms import folded
from ethos.stages.recall.count_retrievals import count
from ethos.stages.recall.search import Nearness, answers
from ethos.stages.recall.sessions import deep
from ethos.stages.recall.sessions import sessions as by_session


def search(deps: Dependencies, query: str, wanted: Search, context: str = "") -> tuple[Hit, ...]:
    """Return the hits, best first. context: a project; what holds there comes first. Raises Refused where more are wanted than may be."""
    _check(deps, wanted.limit)
    hits = _found(deps, query, wanted, context)
    deps.served.show(_words(hits), deps.clock.now())
    return hits


def sessions(deps: Dependencies, query: str, wanted: Search) -> tuple[FoundSession, ...]:
    """Return the sessions that speak of it, best first, each with its best hits. Raises Refused where more are wanted than may be."""
    _check(deps, wanted.limit)
    hits = _found(deps, query, deep(wanted), "")
    found = by_session(hits, wanted.limit)
    deps.served.show(_words([hit for each in found for hit in each.hits]), deps.clock.now())
    return found


def _words(hits: Sequence[Hit]) -> Iterator[str]:
    """Give all that is shown of hits: their texts, and the statements of facts that are held no more, with those of their successors."""
    for hit in hits:
        yield hit.text
        for each in hit.outdated:
            yield from filter(None, (each.statement, each.now))


def _check(deps: Dependencies, limit: int) -> None:
    most = deps.settings.recall.max_limit
    if not 1 <= limit <= most:
        raise refuse("usage", f"limit is {limit}", hint=f"a limit lies between 1 and {most}")


def _found(deps: Dependencies, query: str, wanted: Search, context: str) -> tuple[Hit, ...]:
    question = read(query, (wanted.as_of or deps.clock.now()).date())
    if not question.words:
        return ()
    with deps.store.begin() as work:
        near = Nearness({"user", folded(wanted.user)}, context, deps.encoder)
        hits = answers(question, replace(wanted, words=question.words), work, deps.rules, near)
        return _marked(work, hits, wanted.as_of)


def counted(deps: Dependencies, hits: Sequence[Hit], session: str) -> None:
    """Count these as retrieved in this session, once a record. Where the store cannot be written (a full disk) nothing is counted."""
    ctx = deps.context("", deps.clock.now())
    try:
        with deps.store.begin(write=True) as work:
            plan = engine.plan_of(work, (count(hits, session),), ctx)
            work.apply(plan, ctx.run)
            work.count_retrievals([hit.id for hit in hits], session, ctx.now)
            deps.served.write(work)
    except Refused as refused:
        if refused.problem.code != "store":
            raise


def _marked(work: Work, hits: tuple[Hit, ...], as_of: datetime | None) -> tuple[Hit, ...]:
    """Return the hits with those in question flagged, and of each episode what it says that is held no more. An episode all of whose
    facts have a successor misleads who asks now, and is put last. Who asks for a time before (`as_of`) gets the marks of then, and
    nothing that came later.
    """
    rests: dict[str, list[str]] = {hit.id: [hit.id] for hit in hits if hit.type == "fact"}
    for piece in work.evidence_in([hit.id for hit in hits if hit.type == "episode"]):
        rests.setdefault(piece.episode, []).append(piece.fact)
    facts = _versions(work, {fact for each in rests.values() for fact in each}, as_of)
    missing = {fact.superseded_by for fact in facts.values() if fact.superseded_by} - facts.keys()
    known = {**facts, **(_versions(work, missing, as_of) if missing else {})}
    marked = []
    for hit in hits:
        behind = [facts[fact] for fact in dict.fromkeys(rests.get(hit.id, ())) if fact in facts]
        successors = [fact.superseded_by for fact in behind] if hit.type == "episode" else []
        replaced_by = (successors[-1] or "") if successors and all(successors) else ""
        flagged = any(fact.flagged and fact.superseded_by is None and fact.retired_at is None for fact in behind)
        outdated = _outdated(behind, known) if hit.type == "episode" else ()
        marked.append(hit._replace(replaced_by=replaced_by, flagged=flagged, outdated=outdated))
    return tuple(sorted(marked, key=lambda hit: bool(hit.replaced_by)))


def _outdated(facts: Sequence[Fact], known: Mapping[str, Fact]) -> tuple[Outdated, ...]:
    """Return which facts of a turn are held no more; those that the same turn replaces ("we moved from X to Y") are no news."""
    own = {fact.id for fact in facts}
    ended = (fact for fact in facts if fact.superseded_by is not None or (fact.retired_at is not None and not fact.quarantined))
    gone = [fact for fact in ended if fact.superseded_by not in own]
    return tuple(Outdated(fact.id, fact.statement, *_successor(fact, known)) for fact in gone)


def _successor(fact: Fact, known: Mapping[str, Fact]) -> tuple[str, str]:
    """Return the id and the statement of what replaced a fact; "" where nothing did."""
    by = known.get(fact.superseded_by or "")
    return ("", "") if by is None else (by.id, by.statement)


def _versions(work: Work, facts: set[str], as_of: datetime | None) -> Mapping[str, Fact]:
    """Return these facts as they are, or as they were held then."""
    if as_of is None:
        return work.current(facts)
    versions = (fact for fact in work.versions(facts) if fact.recorded_at <= as_of)
    return {fact.id: fact for fact in versions if fact.closed_at is None or fact.closed_at > as_of}
