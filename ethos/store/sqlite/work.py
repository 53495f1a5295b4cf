"""A transaction's view of the store: every question of the port, in SQL."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from datetime import datetime
from typing import Any, TypeVar

from ethos.core.facts.fact_keys import subject_key
from ethos.core.history.diff import Changes
from ethos.core.model.keys import FactKey, SuspectKey
from ethos.core.model.plan import Plan
from ethos.core.model.records import Episode, Evidence, Fact, Heard, Mark, Question, Record, Run, Salience, Suspect
from ethos.core.model.rule_trust import Standing
from ethos.core.ports.store import Applied, Candidates, Counts, FactFilter, Hit, IdKind, ProjectCounts, Search
from ethos.store.sqlite import audit, candidates, changes, consistency, lookup, search, untold
from ethos.store.sqlite.apply import apply
from ethos.store.sqlite.checksums import RETRIEVALS, SERVED, SESSION_EVENTS, TOMBSTONES
from ethos.store.sqlite.columns import ACTIVE, PENDING, SET_APART, micros, moment
from ethos.store.sqlite.rows import EPISODE, EVIDENCE, FACT, MARK, QUESTION, RUN, SALIENCE, SUSPECT, Row, listing, made_of
from ethos.store.sqlite.sql import Sql, select

Kept = TypeVar("Kept", bound=Record)

_AMONG = "IN (SELECT value FROM json_each(?))"
_PROJECTS = f"""
SELECT project, sum(facts), sum(episodes), max(last) FROM (
  SELECT project, count(*) AS facts, 0 AS episodes, NULL AS last FROM facts WHERE user = ? AND {ACTIVE} GROUP BY project
  UNION ALL SELECT project, 0, count(*), max(said_at) FROM episodes WHERE user = ? GROUP BY project
) GROUP BY project ORDER BY project = '', max(last) DESC, project
"""  # noqa: S608 (our own names)
_COUNTS_STILL = "NOT EXISTS (SELECT 1 FROM runs r WHERE r.id = {0}.run AND r.undone_by IS NOT NULL)"

_EPISODES = select(EPISODE.listed(), f"episodes WHERE id {_AMONG}")
_MARKS = select(MARK.listed(), f"marks WHERE episode {_AMONG}")

_HASHES = f"""
WITH RECURSIVE hashes (hash) AS (
  SELECT (SELECT min(scanned_rules) FROM marks WHERE {PENDING} AND scanned_rules > '')
  UNION ALL SELECT (SELECT min(scanned_rules) FROM marks WHERE {PENDING} AND scanned_rules > hash) FROM hashes WHERE hash IS NOT NULL
)
SELECT hash FROM hashes WHERE hash IS NOT NULL AND hash <> ?
"""  # noqa: S608 (our own names)
_HEARD = (
    "e.id, e.text, e.said_at, e.user, e.project, e.session, e.role, e.speaker, e.origin, e.importance, e.importance_given,"
    " coalesce(s.retrievals, 0), m.attempts, e.source, e.seq"
)
_IN_ORDER = "e.said_at, e.source, e.seq"  # `Heard.place`
_MARKED = "CROSS JOIN episodes e ON e.id = m.episode LEFT JOIN salience s ON s.record = m.episode"
_WAITING = f"marks m CROSS JOIN episodes e ON e.id = m.episode WHERE {PENDING} AND m.scanned_rules IS ?"
_UNTRIED = select("e.said_at, e.source, e.seq, e.id", f"{_WAITING} AND m.attempts = 0 ORDER BY {_IN_ORDER} LIMIT ?")
_TRIED = select("m.attempts, e.said_at, e.source, e.seq, e.id", f"{_WAITING} AND m.attempts > 0 ORDER BY m.attempts, {_IN_ORDER} LIMIT ?")
_OF_SESSION = f"episodes e CROSS JOIN marks m ON m.episode = e.id WHERE e.session = ? AND {PENDING} AND m.scanned_rules IS NOT ?"
_UNTRIED_IN_SESSION = select("e.said_at, e.source, e.seq, e.id", f"{_OF_SESSION} AND m.attempts = 0 ORDER BY {_IN_ORDER} LIMIT ?")
_TRIED_IN_SESSION = select(
    "m.attempts, e.said_at, e.source, e.seq, e.id", f"{_OF_SESSION} AND m.attempts > 0 ORDER BY m.attempts, {_IN_ORDER} LIMIT ?"
)
_TAKEN = f"(SELECT episode, attempts FROM marks WHERE episode {_AMONG}) m"  # noqa: S608 (our own names)
_HEARD_AGAIN = select(_HEARD, f"{_TAKEN} {_MARKED} ORDER BY {_IN_ORDER}")

_FACTS_UNDER = select(
    FACT.listed("f."),
    "json_each(?) k CROSS JOIN facts f ON f.user = k.value ->> 0 AND f.project = k.value ->> 1 AND f.subject_key = k.value ->> 2"
    f" AND f.predicate_key = k.value ->> 3 AND f.slot = k.value ->> 4 WHERE {ACTIVE} ORDER BY f.id",
)
_FACTS_ABOUT = select(
    FACT.listed("f."),
    "json_each(?) k CROSS JOIN facts f ON f.user = k.value ->> 0 AND f.project = k.value ->> 1 AND f.subject_key = k.value ->> 2"
    f" WHERE {ACTIVE} ORDER BY f.id",
)
_FACTS_AROUND = select(
    FACT.listed("f."),
    "json_each(?) k CROSS JOIN facts f ON f.user = k.value ->> 0 AND f.subject_key = k.value ->> 1"
    f" WHERE f.closed_at IS NULL AND NOT {SET_APART} ORDER BY f.id",
)
_SUSPECTS_AROUND = select(
    SUSPECT.listed("s."),
    "json_each(?) k CROSS JOIN suspects s ON s.user = k.value ->> 0 AND s.subject_key = k.value ->> 1"
    f" WHERE {_COUNTS_STILL.format('s')} ORDER BY s.said_at, s.episode, s.run",
)
_LATEST_FACT = "SELECT max(max(valid_from, coalesce(affirmed_at, valid_from))) FROM facts WHERE closed_at IS NULL"
_LATEST_SUSPECT = "SELECT max(said_at) FROM suspects"
_SUSPECTS = select(
    SUSPECT.listed("s."),
    "json_each(?) k CROSS JOIN suspects s ON s.user = k.value ->> 0 AND s.project = k.value ->> 1 AND s.subject_key = k.value ->> 2"
    " AND s.predicate_key = k.value ->> 3 AND s.slot = k.value ->> 4 AND s.object_key = k.value ->> 5 AND s.polarity = k.value ->> 6"
    f" WHERE {_COUNTS_STILL.format('s')} ORDER BY s.said_at, s.episode, s.run",
)
_ANSWERED = select(QUESTION.listed(), "questions WHERE resolved_at IS NOT NULL AND user = ? ORDER BY resolved_at DESC, id LIMIT ?")
_VERSIONS = select(FACT.listed(), "facts WHERE id = ? ORDER BY version")
_CURRENT = select(FACT.listed(), f"facts WHERE closed_at IS NULL AND id {_AMONG}")
_REPLACED = select(FACT.listed(), "facts WHERE superseded_by = ? AND closed_at IS NULL ORDER BY id")
_EVIDENCE = select(EVIDENCE.listed(), f"evidence WHERE fact {_AMONG} ORDER BY fact, said_at, episode, rule, start, run")
_EVIDENCE_STANDING = _EVIDENCE.replace(" ORDER", f" AND {_COUNTS_STILL.format('evidence')} ORDER")
_EVIDENCE_IN = select(EVIDENCE.listed(), f"evidence WHERE episode {_AMONG} ORDER BY episode, fact, start, run")
_SALIENCE = select(SALIENCE.listed(), f"salience WHERE record {_AMONG}")
_FADING = select(SALIENCE.listed(), "salience WHERE faded = 0 AND fades_at <= ? ORDER BY fades_at, record LIMIT ?")
_RUN = select(RUN.listed(), "runs WHERE id = ?")
_FROM_TO = "SELECT DISTINCT id FROM {} WHERE id >= :from AND id < :to ORDER BY id LIMIT :limit"
_BEGINNING: Mapping[IdKind, str] = {
    "fact": _FROM_TO.format("facts"),
    "question": _FROM_TO.format("questions"),
    "run": _FROM_TO.format("runs"),
    "episode": _FROM_TO.format("episodes"),
}
_RETRIEVED = f"SELECT record FROM retrievals WHERE session = ? AND record {_AMONG}"  # noqa: S608 (our own names)
_ALL_VERSIONS = select(FACT.listed(), f"facts WHERE id {_AMONG} ORDER BY id, version")
_REFERRING = f"SELECT DISTINCT id FROM facts WHERE superseded_by {_AMONG}"  # noqa: S608 (our own names)
_SUSPECTS_IN = select(SUSPECT.listed(), f"suspects WHERE episode {_AMONG}")
_RUNS_AMONG = f"SELECT id FROM runs WHERE id {_AMONG}"  # noqa: S608 (our own names)
_BURIED = f"SELECT mac FROM tombstones WHERE mac {_AMONG}"  # noqa: S608 (our own names)
LOT = 500
_HEARD_OUT_OF = ((Heard._fields.index("said_at"), moment), (Heard._fields.index("importance_given"), bool))
_SERVED = f"SELECT mark, at FROM served WHERE mark {_AMONG}"  # noqa: S608 (our own names)
_STANDINGS = """
SELECT f.rule, sum(q.action IN ('keep-new', 'keep-both', 'accept')), sum(q.action IN ('keep-old', 'reject'))
FROM questions q JOIN facts f ON f.id = q.new AND f.version = 1
WHERE q.action IS NOT NULL AND q.id NOT LIKE 'q-%' AND f.origin >= 3 AND q.user = ? GROUP BY f.rule
UNION ALL SELECT f.rule, 0, count(*)
FROM runs r JOIN questions q ON q.id = r.reason JOIN facts f ON f.id = iif(q.action = 'keep-new', q.existing, q.new) AND f.version = 1
WHERE r.name = 'promote' AND r.undone_by IS NULL AND q.action IS NOT NULL AND q.user = ? GROUP BY f.rule
UNION ALL SELECT reason, sum(coalesce(json_extract(counts, '$.accepted'), 0)), sum(coalesce(json_extract(counts, '$.rejected'), 0))
FROM runs WHERE name = 'standing' AND undone_by IS NULL GROUP BY reason
"""
_COUNTS = f"""
SELECT (SELECT count(*) FROM episodes),
  (SELECT count(*) FROM marks WHERE consolidated_at IS NULL AND pruned = 0),
  (SELECT count(*) FROM marks WHERE {PENDING} AND scanned_rules IS NOT ?),
  (SELECT count(*) FROM marks WHERE set_aside IS NOT NULL),
  (SELECT count(*) FROM facts WHERE {ACTIVE}),
  (SELECT count(*) FROM facts WHERE closed_at IS NULL AND NOT (superseded_by IS NULL AND retired_at IS NULL) AND NOT {SET_APART}),
  (SELECT count(*) FROM facts WHERE {ACTIVE} AND flagged = 1), (SELECT count(*) FROM questions WHERE resolved_at IS NULL),
  (SELECT count(*) FROM salience) - (SELECT count(*) FROM salience WHERE faded = 0),
  (SELECT count(*) FROM evidence)
"""  # noqa: S608 (our own names)

MOST_SERVED = 200_000  # marks that are kept


class SqliteWork:
    """`ethos.core.ports.store.Work` in an open SQLite transaction."""

    def __init__(self, sql: Sql, refusals: tuple[type[Exception], ...], put_down: Callable[[Sql, Plan], None]) -> None:
        """`refusals`: driver errors about a row. `put_down`: takes a plan's unit out of hand, in this transaction."""
        self.sql = sql  # for the store's own affairs
        self._refusals = refusals
        self._put_down = put_down

    # -- capture

    def episodes(self, ids: Collection[str]) -> Mapping[str, Episode]:
        """See the port."""
        return {episode.id: episode for episode in EPISODE.all(self.sql.rows(_EPISODES, listing(ids)))}

    # -- select

    def unscanned(self, rules: str, *, session: str | None, limit: int, skip: Collection[str] = ()) -> Sequence[Heard]:
        """See the port."""
        return self.heard(self.backlog(rules, session=session, limit=limit, skip=skip))

    def backlog(self, rules: str, *, session: str | None, limit: int, skip: Collection[str] = ()) -> Sequence[str]:
        """See the port. Asked of the index once for each rules hash in it but the present one: usually once or twice."""
        reach = limit + len(skip)
        if session is None:
            asked: list[tuple[str | None, ...]] = [(hash_,) for hash_ in (None, *(hash_ for (hash_,) in self.sql.rows(_HASHES, rules)))]
            statements = ((_UNTRIED, limit), (_TRIED, min(1, limit)))
        else:
            asked = [(session, rules)]
            statements = ((_UNTRIED_IN_SESSION, limit), (_TRIED_IN_SESSION, min(1, limit)))
        for statement, most in statements:
            if len(asked) == 1:
                found = self.sql.rows(statement, *asked[0], reach)
            else:
                found = sorted(row for params in asked for row in self.sql.rows(statement, *params, reach))
            if ids := [row[-1] for row in found if row[-1] not in skip]:
                return ids[:most]
        return ()

    def heard(self, episodes: Collection[str]) -> Sequence[Heard]:
        """See the port."""
        return _heard(self.sql.rows(_HEARD_AGAIN, listing(episodes))) if episodes else ()

    def latest_said(self) -> datetime | None:
        """See the port."""
        facts, suspects = self.sql.value(_LATEST_FACT), self.sql.value(_LATEST_SUSPECT)
        return max((moment(at) for at in (facts, suspects) if at is not None), default=None)

    def facts_around(self, subjects: Collection[tuple[str, str]]) -> Sequence[Fact]:
        """See the port."""
        return FACT.all(self.sql.rows(_FACTS_AROUND, listing(dict.fromkeys(subjects)))) if subjects else ()

    def suspects_around(self, subjects: Collection[tuple[str, str]]) -> Sequence[Suspect]:
        """See the port."""
        return SUSPECT.all(self.sql.rows(_SUSPECTS_AROUND, listing(dict.fromkeys(subjects)))) if subjects else ()

    def marks(self, episodes: Collection[str]) -> Mapping[str, Mark]:
        """See the port."""
        return {mark.episode: mark for mark in MARK.all(self.sql.rows(_MARKS, listing(episodes)))}

    # -- resolve

    def active_facts(self, keys: Collection[FactKey]) -> Sequence[Fact]:
        """See the port."""
        return FACT.all(self.sql.rows(_FACTS_UNDER, listing(dict.fromkeys(keys)))) if keys else ()

    def active_facts_about(self, subjects: Collection[tuple[str, str, str]]) -> Sequence[Fact]:
        """See the port."""
        return FACT.all(self.sql.rows(_FACTS_ABOUT, listing(dict.fromkeys(subjects)))) if subjects else ()

    def suspects(self, keys: Collection[SuspectKey]) -> Mapping[SuspectKey, Sequence[Suspect]]:
        """See the port."""
        found: dict[SuspectKey, list[Suspect]] = {}
        for row in self.sql.rows(_SUSPECTS, listing(dict.fromkeys(keys))) if keys else ():
            found.setdefault(SuspectKey(*row[:7]), []).append(SUSPECT.restored(row))
        return found

    def questions(
        self, *, ids: Collection[str] | None = None, facts: Collection[str] | None = None, open_only: bool = False
    ) -> Sequence[Question]:
        """See the port."""
        where: list[str] = []
        params: list[str] = []
        if ids is not None:
            where.append(f"id {_AMONG}")
            params.append(listing(ids))
        if facts is not None:
            where.append(f"(existing {_AMONG} OR new {_AMONG})")
            params += [listing(facts)] * 2
        if open_only:
            where.append("resolved_at IS NULL")
        rest = f"questions WHERE {' AND '.join(where)}" if where else "questions"
        return QUESTION.all(self.sql.rows(select(QUESTION.listed(), f"{rest} ORDER BY opened_at, id"), *params))

    def answered(self, user: str, *, limit: int) -> Sequence[Question]:
        """See the port."""
        return QUESTION.all(self.sql.rows(_ANSWERED, user, limit))

    def standings(self, user: str) -> Mapping[str, Standing]:
        """See the port."""
        found: dict[str, Standing] = {}
        for rule, accepted, rejected in self.sql.rows(_STANDINGS, user, user):
            held = found.get(rule, Standing())
            found[rule] = Standing(held.accepted + accepted, held.rejected + rejected)
        return found

    # -- decay

    def fading(self, now: datetime, *, limit: int) -> Sequence[Salience]:
        """See the port."""
        return SALIENCE.all(self.sql.rows(_FADING, micros(now), limit))

    def salience(self, records: Collection[str]) -> Mapping[str, Salience]:
        """See the port."""
        return {one.record: one for one in SALIENCE.all(self.sql.rows(_SALIENCE, listing(records)))}

    # -- sleep

    def untold(self, user: str, until: datetime, *, limit: int) -> Sequence[tuple[str, str, str]]:
        """See the port."""
        return untold.untold(self.sql, user, until, limit)

    # -- ask

    def fact(self, fact_id: str) -> Sequence[Fact]:
        """See the port."""
        return FACT.all(self.sql.rows(_VERSIONS, fact_id))

    def current(self, facts: Collection[str]) -> Mapping[str, Fact]:
        """See the port."""
        return {fact.id: fact for fact in FACT.all(self.sql.rows(_CURRENT, listing(facts)))} if facts else {}

    def replaced(self, fact_id: str) -> Sequence[Fact]:
        """See the port."""
        return FACT.all(self.sql.rows(_REPLACED, fact_id))

    def facts(self, wanted: FactFilter) -> Sequence[Fact]:
        """See the port."""
        where = ["user = ?"]
        params: list[Any] = [wanted.user]
        for column, value in (
            ("subject_key", None if wanted.subject is None else subject_key(wanted.subject)),
            ("kind", wanted.kind),
            ("flagged", wanted.flagged),
        ):
            if value is not None:
                where.append(f"{column} = ?")
                params.append(value)
        if wanted.project is not None:
            where.append("project IN (?, '')")
            params.append(wanted.project)
        if wanted.as_of is not None:
            where.append("recorded_at <= ?")
            params.append(micros(wanted.as_of))
        if wanted.history:
            where.append(f"NOT {SET_APART}")
        elif wanted.as_of is None:
            where.append(ACTIVE)
        else:
            where.append("(closed_at IS NULL OR closed_at > ?) AND superseded_by IS NULL AND retired_at IS NULL")
            params.append(params[-1])
        rest = f"facts WHERE {' AND '.join(where)} ORDER BY valid_from DESC, id, version LIMIT ?"
        return FACT.all(self.sql.rows(select(FACT.listed(), rest), *params, -1 if wanted.limit is None else wanted.limit))

    def projects(self, user: str) -> Sequence[ProjectCounts]:
        """See the port."""
        found = self.sql.rows(_PROJECTS, user, user)
        return [ProjectCounts(name, facts, episodes, None if last is None else moment(last)) for name, facts, episodes, last in found]

    def evidence(self, facts: Collection[str], *, standing: bool = False) -> Sequence[Evidence]:
        """See the port."""
        return EVIDENCE.all(self.sql.rows(_EVIDENCE_STANDING if standing else _EVIDENCE, listing(facts)))

    def evidence_in(self, episodes: Collection[str]) -> Sequence[Evidence]:
        """See the port."""
        return EVIDENCE.all(self.sql.rows(_EVIDENCE_IN, listing(episodes)))

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
        return FACT.all(self.sql.rows(_ALL_VERSIONS, listing(facts))) if facts else ()

    def referring(self, facts: Collection[str]) -> frozenset[str]:
        """See the port."""
        return frozenset(fact for (fact,) in self.sql.rows(_REFERRING, listing(facts))) if facts else frozenset()

    def suspects_in(self, episodes: Collection[str]) -> Sequence[Suspect]:
        """See the port."""
        return SUSPECT.all(self.sql.rows(_SUSPECTS_IN, listing(episodes))) if episodes else ()

    def anything_served(self) -> bool:
        """See the port."""
        return bool(self.sql.value("SELECT EXISTS (SELECT 1 FROM served)"))

    def served(self, marks: Collection[str]) -> Mapping[str, datetime]:
        """See the port."""
        return {mark: moment(at) for mark, at in self.sql.rows(_SERVED, listing(marks))}

    def serve(self, marks: Mapping[str, datetime]) -> None:
        """See the port."""
        SERVED.keep(self.sql, ((mark, micros(at)) for mark, at in marks.items()))
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

    def runs(self, *, name: str | None = None, limit: int = 20) -> Sequence[Run]:
        """See the port."""
        of_name = "" if name is None else "WHERE name = ? "
        rest = f"runs {of_name}ORDER BY started_at DESC, id LIMIT ?"
        return RUN.all(self.sql.rows(select(RUN.listed(), rest), *(() if name is None else (name,)), limit))

    def run(self, run_id: str) -> Run | None:
        """See the port."""
        return next(iter(RUN.all(self.sql.rows(_RUN, run_id))), None)

    def changes(self, run: str) -> Changes:
        """See the port, and `changes.py`."""
        return changes.of(self.sql, run)

    def beginning_with(self, start: str, kinds: Collection[IdKind], *, limit: int) -> Sequence[str]:
        """See the port."""
        reach = {"from": start, "to": start + "\U0010ffff", "limit": limit}
        return sorted({id_ for kind in kinds for (id_,) in self.sql.named(_BEGINNING[kind], reach)})[:limit]

    def counts(self, rules: str) -> Counts:
        """See the port."""
        return Counts(*self.sql.rows(_COUNTS, rules)[0])

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


def _heard(rows: Sequence[Row]) -> list[Heard]:
    return made_of(rows, Heard, len(Heard._fields), _HEARD_OUT_OF)
