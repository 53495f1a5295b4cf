"""A transaction's view of the store: the questions of the port, each answered by the module that holds its SQL."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from datetime import datetime
from typing import TypeVar

from ethos.core.history.diff import Changes
from ethos.core.model.keys import FactKey, WeakClaimKey
from ethos.core.model.memories import SignalCount
from ethos.core.model.plan import Plan
from ethos.core.model.record_types import type_of
from ethos.core.model.records import Episode, EpisodeState, Evidence, Fact, Question, Record, Run, Salience, Utterance, WeakClaim
from ethos.core.model.rule_trust import RuleTrust
from ethos.core.model.traces import OldMemory
from ethos.core.ports.queries import Candidates, Counts, FactFilter, Hit, ProjectCounts, Search, Sharing
from ethos.core.ports.store import Applied
from ethos.store.sqlite import (
    audit,
    candidates,
    changes,
    consistency,
    fact_queries,
    lookup,
    naming,
    numbers,
    replayed,
    search,
    signals,
    untold,
    waiting,
)
from ethos.store.sqlite.apply import apply
from ethos.store.sqlite.checksums import RETRIEVALS, SERVED, SESSION_EVENTS, TOMBSTONES
from ethos.store.sqlite.columns import micros, moment
from ethos.store.sqlite.rows import EPISODE, MARK, QUESTION, RUN, SALIENCE, listing
from ethos.store.sqlite.sql import AMONG, Sql, select

Kept = TypeVar("Kept", bound=Record)

LOT = 500
_EPISODES = select(EPISODE.listed(), f"episodes WHERE id {AMONG}")
_MARKS = select(MARK.listed(), f"marks WHERE episode {AMONG}")
_ANSWERED = select(QUESTION.listed(), "questions WHERE resolved_at IS NOT NULL AND user = ? ORDER BY resolved_at DESC, id LIMIT ?")
_SALIENCE = select(SALIENCE.listed(), f"salience WHERE record {AMONG}")
_FADING = select(SALIENCE.listed(), "salience WHERE faded = 0 AND fades_at <= ? ORDER BY fades_at, record LIMIT ?")
_AHEAD = "SELECT EXISTS (SELECT 1 FROM runs WHERE started_at > ?)"  # a clock was set back
_FADED_AHEAD = select(SALIENCE.listed(), "salience WHERE faded = 1 AND fades_at > ? ORDER BY fades_at, record LIMIT ?")
_RUN = select(RUN.listed(), "runs WHERE id = ?")
_BEGINNING = "SELECT DISTINCT {0} FROM {1} WHERE {0} >= ? AND {0} < ? ORDER BY {0} LIMIT ?"
_RETRIEVED = f"SELECT record FROM retrievals WHERE session = ? AND record {AMONG}"  # noqa: S608 (our own names)
_RUNS_AMONG = f"SELECT id FROM runs WHERE id {AMONG}"  # noqa: S608 (our own names)
_BURIED = f"SELECT mac FROM tombstones WHERE mac {AMONG}"  # noqa: S608 (our own names)
_SERVED = f"SELECT mark, at FROM served WHERE mark {AMONG}"  # noqa: S608 (our own names)
MOST_SERVED = 200_000  # fingerprints that are kept


class SqliteWork:
    """Implement `ethos.core.ports.store.Work` in an open SQLite transaction."""

    def __init__(self, sql: Sql, refusals: tuple[type[Exception], ...], put_down: Callable[[Sql, Plan], None]) -> None:
        """Take the connection. refusals: driver errors about a row. put_down: clears the note that a plan's unit is worked on."""
        self.sql = sql  # for the store's own affairs
        self._refusals = refusals
        self._put_down = put_down

    # -- capture

    def episodes(self, ids: Collection[str]) -> Mapping[str, Episode]:
        """See the port."""
        return {episode.id: episode for episode in EPISODE.all(self.sql.rows(_EPISODES, listing(ids)))}

    # -- select

    def unscanned(self, rules: str, *, session: str | None, limit: int, skip: Collection[str] = ()) -> Sequence[Utterance]:
        """See the port."""
        return self.utterances(self.backlog(rules, session=session, limit=limit, skip=skip))

    def backlog(self, rules: str, *, session: str | None, limit: int, skip: Collection[str] = ()) -> Sequence[str]:
        """See the port."""
        return waiting.backlog(self.sql, rules, session, limit, skip)

    def utterances(self, episodes: Collection[str]) -> Sequence[Utterance]:
        """See the port."""
        return waiting.utterances(self.sql, episodes)

    def preceding(self, episodes: Collection[str]) -> Mapping[str, str]:
        """See the port."""
        return waiting.preceding(self.sql, episodes)

    def following(self, episodes: Collection[str]) -> Mapping[str, str]:
        """See the port."""
        return waiting.following(self.sql, episodes)

    def turns_with(self, words: Collection[tuple[str, str]]) -> frozenset[str]:
        """See the port."""
        return waiting.turns_with(self.sql, words)

    def latest_said(self) -> datetime | None:
        """See the port."""
        return fact_queries.latest_said(self.sql)

    def latest_turn(self, user: str) -> datetime | None:
        """See the port."""
        return waiting.latest_turn(self.sql, user)

    def facts_around(self, subjects: Collection[tuple[str, str]], sharing: Sharing | None = None) -> Sequence[Fact]:
        """See the port."""
        return fact_queries.around(self.sql, subjects, sharing)

    def weak_claims_around(
        self, subjects: Collection[tuple[str, str]], sharing: Sharing | None = None, rules: Collection[str] = ()
    ) -> Sequence[WeakClaim]:
        """See the port."""
        return fact_queries.weak_claims_around(self.sql, subjects, sharing, rules)

    def marks(self, episodes: Collection[str]) -> Mapping[str, EpisodeState]:
        """See the port."""
        return {mark.episode: mark for mark in MARK.all(self.sql.rows(_MARKS, listing(episodes)))}

    # -- resolve

    def active_facts(self, keys: Collection[FactKey]) -> Sequence[Fact]:
        """See the port."""
        return fact_queries.active(self.sql, keys)

    def active_facts_about(self, subjects: Collection[tuple[str, str, str]]) -> Sequence[Fact]:
        """See the port."""
        return fact_queries.active_about(self.sql, subjects)

    def active_facts_naming(self, named: Collection[tuple[str, str, str]]) -> Sequence[Fact]:
        """See the port."""
        return naming.active(self.sql, named)

    def facts_naming(self, named: Collection[tuple[str, str]]) -> Sequence[Fact]:
        """See the port."""
        return naming.current(self.sql, named)

    def facts_replacing(self, users: Collection[str], rules: Collection[str], words: Collection[str] | None = None) -> Sequence[Fact]:
        """See the port."""
        return fact_queries.replacing(self.sql, users, rules, words)

    def weak_claims(self, keys: Collection[WeakClaimKey]) -> Mapping[WeakClaimKey, Sequence[WeakClaim]]:
        """See the port."""
        return fact_queries.weak_claims(self.sql, keys)

    def questions(
        self, *, ids: Collection[str] | None = None, facts: Collection[str] | None = None, open_only: bool = False
    ) -> Sequence[Question]:
        """See the port."""
        where: list[str] = []
        params: list[str] = []
        if ids is not None:
            where.append(f"id {AMONG}")
            params.append(listing(ids))
        if facts is not None:
            where.append(f"(existing {AMONG} OR new {AMONG})")
            params += [listing(facts)] * 2
        if open_only:
            where.append("resolved_at IS NULL")
        rest = f"questions WHERE {' AND '.join(where)}" if where else "questions"
        return QUESTION.all(self.sql.rows(select(QUESTION.listed(), f"{rest} ORDER BY opened_at, id"), *params))

    def answered(self, user: str, *, limit: int) -> Sequence[Question]:
        """See the port."""
        return QUESTION.all(self.sql.rows(_ANSWERED, user, limit))

    def rule_trust(self, user: str) -> Mapping[str, RuleTrust]:
        """See the port."""
        return numbers.rule_trust(self.sql, user)

    # -- decay

    def fading(self, now: datetime, *, limit: int) -> Sequence[Salience]:
        """See the port."""
        fading = SALIENCE.all(self.sql.rows(_FADING, micros(now), limit))
        if self.sql.value(_AHEAD, micros(now)):  # so all of them are looked through
            fading += SALIENCE.all(self.sql.rows(_FADED_AHEAD, micros(now), limit))
        return fading[:limit]

    def salience(self, records: Collection[str]) -> Mapping[str, Salience]:
        """See the port."""
        return {one.record: one for one in SALIENCE.all(self.sql.rows(_SALIENCE, listing(records)))}

    # -- sleep

    def signal_counts(self, memories: Collection[str], since: datetime | None = None) -> Sequence[SignalCount]:
        """See the port."""
        return signals.counted(self.sql, memories, since)

    def untold(self, user: str, until: datetime, *, limit: int) -> Sequence[tuple[str, str, str]]:
        """See the port."""
        return untold.untold(self.sql, user, until, limit)

    def old_memories(self, user: str, since: datetime, until: datetime, least: float) -> Sequence[OldMemory]:
        """See the port."""
        return replayed.old_memories(self.sql, user, since, until, least)

    # -- ask

    def fact(self, fact_id: str) -> Sequence[Fact]:
        """See the port."""
        return fact_queries.history(self.sql, fact_id)

    def current(self, facts: Collection[str]) -> Mapping[str, Fact]:
        """See the port."""
        return fact_queries.current(self.sql, facts)

    def replaced(self, facts: Collection[str]) -> Sequence[Fact]:
        """See the port."""
        return fact_queries.replaced(self.sql, facts)

    def facts(self, wanted: FactFilter) -> Sequence[Fact]:
        """See the port."""
        return fact_queries.listed(self.sql, wanted)

    def projects(self, user: str) -> Sequence[ProjectCounts]:
        """See the port."""
        return numbers.projects(self.sql, user)

    def evidence(self, facts: Collection[str], *, in_force: bool = False) -> Sequence[Evidence]:
        """See the port."""
        return fact_queries.evidence(self.sql, facts, in_force=in_force)

    def evidence_in(self, episodes: Collection[str]) -> Sequence[Evidence]:
        """See the port."""
        return fact_queries.evidence_in(self.sql, episodes)

    def search(self, wanted: Search) -> Sequence[Hit]:
        """See the port, and `search.py`."""
        return search.find(self.sql, wanted)

    def candidates(self, wanted: Search, depth: int, also: Collection[str] = ()) -> Candidates:
        """See the port, and `candidates.py`."""
        return candidates.find(self.sql, wanted, depth, also)

    def shown(self, wanted: Search, rows: Collection[int]) -> Mapping[int, Hit]:
        """See the port."""
        return search.shown(self.sql, wanted, rows)

    def frequencies(self, terms: Mapping[str, Collection[str]]) -> Mapping[str, int]:
        """See the port."""
        return candidates.frequencies(self.sql, terms)

    def speakers(self, called: Collection[str]) -> Mapping[str, int]:
        """See the port."""
        return candidates.speakers(self.sql, called)

    def turns(self) -> int:
        """See the port."""
        return candidates.turns(self.sql)

    def retrieved(self, records: Collection[str], session: str) -> frozenset[str]:
        """See the port."""
        return frozenset(record for (record,) in self.sql.rows(_RETRIEVED, session, listing(records)))

    def count_retrievals(self, records: Iterable[str], session: str, now: datetime) -> None:
        """See the port."""
        at = micros(now)
        RETRIEVALS.keep(self.sql, ((record, session, at) for record in records))

    # -- any type of record, by its descriptor

    def find(self, kind: type[Kept], field: str, among: Collection[object]) -> Sequence[Kept]:
        """See the port, and `lookup.py`."""
        return lookup.find(self.sql, kind, field, among)

    def between(self, kind: type[Kept], field: str, since: object, until: object, *, limit: int | None = None) -> Sequence[Kept]:
        """See the port, and `lookup.py`."""
        return lookup.between(self.sql, kind, field, since, until, limit)

    # -- forget, move

    def records(self, kind: type[Kept]) -> Iterator[Kept]:
        """See the port."""
        return lookup.every(self.sql, kind)

    def retrievals(self) -> Iterator[tuple[str, str, datetime]]:
        """See the port."""
        for lot in self.sql.stream("SELECT record, session, retrieved_at FROM retrievals ORDER BY record, session", size=LOT):
            yield from ((record, session, moment(at)) for record, session, at in lot)

    def runs_among(self, ids: Collection[str]) -> frozenset[str]:
        """See the port."""
        return frozenset(run for (run,) in self.sql.rows(_RUNS_AMONG, listing(ids)))

    def versions(self, facts: Collection[str]) -> Sequence[Fact]:
        """See the port."""
        return fact_queries.versions(self.sql, facts)

    def referring(self, facts: Collection[str]) -> frozenset[str]:
        """See the port."""
        return fact_queries.referring(self.sql, facts)

    def weak_claims_in(self, episodes: Collection[str]) -> Sequence[WeakClaim]:
        """See the port."""
        return fact_queries.weak_claims_in(self.sql, episodes)

    def anything_served(self) -> bool:
        """See the port."""
        return bool(self.sql.value("SELECT EXISTS (SELECT 1 FROM served)"))

    def served(self, fingerprints: Collection[str]) -> Mapping[str, datetime]:
        """See the port."""
        return {one: moment(at) for one, at in self.sql.rows(_SERVED, listing(fingerprints))}

    def serve(self, fingerprints: Mapping[str, datetime]) -> None:
        """See the port."""
        SERVED.keep(self.sql, ((one, micros(at)) for one, at in fingerprints.items()))
        self.sql.run("DELETE FROM served WHERE seq <= (SELECT max(seq) FROM served) - ?", MOST_SERVED)

    def anything_buried(self) -> bool:
        """See the port."""
        return bool(self.sql.value("SELECT EXISTS (SELECT 1 FROM tombstones)"))

    def buried(self, macs: Collection[str] | None = None) -> frozenset[str]:
        """See the port."""
        if macs is None:
            return frozenset(mac for (mac,) in self.sql.rows("SELECT mac FROM tombstones"))
        return frozenset(mac for (mac,) in self.sql.rows(_BURIED, listing(macs)))

    def bury(self, macs: Iterable[str], now: datetime) -> None:
        """See the port."""
        TOMBSTONES.keep(self.sql, ((mac, micros(now)) for mac in macs))

    def redact(self, speaks: Callable[[str], bool]) -> int:
        """See the port, and `audit.py`."""
        return audit.redact(self.sql, speaks)

    # -- operate

    def runs(self, *, name: str | None = None, limit: int = 20, until: datetime | None = None) -> Sequence[Run]:
        """See the port."""
        wanted = {"name = ?": name, "started_at <= ?": until and micros(until)}
        given = {term: value for term, value in wanted.items() if value is not None}
        rest = f"runs {'WHERE ' if given else ''}{' AND '.join(given)} ORDER BY started_at DESC, id LIMIT ?"
        return RUN.all(self.sql.rows(select(RUN.listed(), rest), *given.values(), limit))

    def run(self, run_id: str) -> Run | None:
        """See the port."""
        return next(iter(RUN.all(self.sql.rows(_RUN, run_id))), None)

    def changes(self, run: str) -> Changes:
        """See the port, and `changes.py`."""
        return changes.of(self.sql, run)

    def number_of_changes(self, run: str) -> int:
        """See the port, and `changes.py`."""
        return changes.number(self.sql, run)

    def beginning_with(self, start: str, kinds: Collection[type[Record]], *, limit: int) -> Sequence[str]:
        """See the port."""
        types = map(type_of, kinds)
        statements = (_BEGINNING.format(kind.forgotten_by or kind.key[0], kind.table) for kind in types)
        return sorted({id_ for each in statements for (id_,) in self.sql.rows(each, start, start + "\U0010ffff", limit)})[:limit]

    def counts(self, rules: str, user: str | None = None) -> Counts:
        """See the port."""
        return numbers.counts(self.sql, rules, user)

    def inconsistencies(self) -> Mapping[str, int]:
        """See the port, and `consistency.py`."""
        return consistency.broken(self.sql)

    def latest_live_capture(self) -> datetime | None:
        """See the port."""
        at = self.sql.value("SELECT max(at) FROM session_events")
        return None if at is None else moment(at)

    def live_captures(self, since: datetime, until: datetime) -> int:
        """See the port."""
        return int(self.sql.value("SELECT count(*) FROM session_events WHERE at BETWEEN ? AND ?", micros(since), micros(until)))

    # -- write

    def apply(self, plan: Plan, run: str) -> Applied:
        """See the port, and `apply.py`."""
        applied = apply(self.sql, plan, run, self._refusals)
        self._put_down(self.sql, plan)
        return applied

    def record_live_capture(self, session: str, now: datetime) -> None:
        """See the port."""
        SESSION_EVENTS.keep(self.sql, [(session, micros(now))])
