"""Query facts, their evidence, and weak claims."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from datetime import datetime
from typing import Any

from ethos.core.facts.fact_keys import NAMED, subject_key
from ethos.core.model.keys import FactKey, WeakClaimKey
from ethos.core.model.records import Evidence, Fact, WeakClaim
from ethos.core.ports.queries import FactFilter, Sharing
from ethos.store.sqlite.columns import ACTIVE, SET_APART, micros, moment
from ethos.store.sqlite.rows import EVIDENCE, FACT, WEAK_CLAIM, listing
from ethos.store.sqlite.sql import AMONG, Sql, select

_COUNTS_STILL = "NOT EXISTS (SELECT 1 FROM runs r WHERE r.id = {0}.run AND r.undone_by IS NOT NULL)"
_READ_BY = "EXISTS (SELECT 1 FROM evidence e WHERE e.fact = f.id AND e.rule IN (SELECT value FROM json_each(?)))"
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
_OUTSIDE_ASCII = "GLOB '*[^ -~]*'"  # such words fold otherwise than `lower` does, so they are taken for any
_SHARING = """
  EXISTS (SELECT 1 FROM json_each(?) w WHERE instr({0}.object_key, w.value) {1})
  OR EXISTS (SELECT 1 FROM json_each(?) t WHERE instr(t.value, {0}.object_key))
  OR EXISTS (SELECT 1 FROM json_each(?) c WHERE {0}.predicate_key = c.value ->> 3 AND {0}.slot = c.value ->> 4
    AND {0}.project = c.value ->> 1 AND {0}.subject_key = c.value ->> 2 AND {0}.user = c.value ->> 0)
"""
_BESIDE = "coalesce(f.over || ' ', '') || coalesce(f.replaces, '')"  # what a fact names besides its object
_FACTS_SHARING = _FACTS_AROUND.replace(
    " ORDER", f" AND ({_SHARING.format('f', f'OR instr(lower({_BESIDE}), w.value)')} OR {_BESIDE} {_OUTSIDE_ASCII}) ORDER"
)
# of what names the thing that it replaces: all, or that with one of some words. What gives a thing its one value may be about part of it
_NAMES_OLD = "f.replaces IS NOT NULL"
_NAMES_ONE = (
    "(f.replaces IS NOT NULL AND (EXISTS (SELECT 1 FROM json_each(?) w WHERE instr(lower(f.replaces), w.value))"
    " OR f.replaces GLOB '*[^ -~]*' OR (f.cardinality = 'single' AND f.predicate_key LIKE 'be%')))"
)
_FACTS_REPLACING, _FACTS_REPLACING_ONE = (
    select(
        FACT.listed("f."),
        f"facts f WHERE f.user {AMONG} AND f.closed_at IS NULL AND NOT {SET_APART}"
        f" AND ({those} OR f.slot = '{NAMED}' OR (f.affirmed_at IS NOT NULL AND {_READ_BY})) ORDER BY f.id",
    )
    for those in (_NAMES_OLD, _NAMES_ONE)
)
_WEAK_CLAIMS_AROUND = select(
    WEAK_CLAIM.listed("s."),
    "json_each(?) k CROSS JOIN suspects s ON s.user = k.value ->> 0 AND s.subject_key = k.value ->> 1"
    f" WHERE {_COUNTS_STILL.format('s')} ORDER BY s.said_at, s.episode, s.run",
)
_WEAK_CLAIMS_SHARING = _WEAK_CLAIMS_AROUND.replace(" ORDER", f" AND (s.rule {AMONG} OR {_SHARING.format('s', '')}) ORDER")
_LATEST_FACT = "SELECT max(max(valid_from, coalesce(affirmed_at, valid_from))) FROM facts WHERE closed_at IS NULL"
_LATEST_WEAK_CLAIM = "SELECT max(said_at) FROM suspects"
_LATEST_TURN = """
SELECT e.said_at FROM listed l CROSS JOIN episodes e ON e.seq = l.seq CROSS JOIN marks m ON m.episode = e.id
WHERE m.scanned_rules IS NOT NULL AND e.role = 'user' ORDER BY l.said_at DESC LIMIT 1
"""  # that was read: it may say of what comes in now that it has changed
_WEAK_CLAIMS = select(
    WEAK_CLAIM.listed("s."),
    "json_each(?) k CROSS JOIN suspects s ON s.user = k.value ->> 0 AND s.project = k.value ->> 1 AND s.subject_key = k.value ->> 2"
    " AND s.predicate_key = k.value ->> 3 AND s.slot = k.value ->> 4 AND s.object_key = k.value ->> 5 AND s.polarity = k.value ->> 6"
    f" WHERE {_COUNTS_STILL.format('s')} ORDER BY s.said_at, s.episode, s.run",
)
_VERSIONS = select(FACT.listed(), "facts WHERE id = ? ORDER BY version")
_CURRENT = select(FACT.listed(), f"facts WHERE closed_at IS NULL AND id {AMONG}")
_REPLACED = select(FACT.listed(), f"facts WHERE superseded_by {AMONG} AND closed_at IS NULL ORDER BY id")
_EVIDENCE = select(EVIDENCE.listed(), f"evidence WHERE fact {AMONG} ORDER BY fact, said_at, episode, rule, start, run")
_EVIDENCE_IN_FORCE = _EVIDENCE.replace(" ORDER", f" AND {_COUNTS_STILL.format('evidence')} ORDER")
_EVIDENCE_IN = select(EVIDENCE.listed(), f"evidence WHERE episode {AMONG} ORDER BY episode, fact, start, run")
_ALL_VERSIONS = select(FACT.listed(), f"facts WHERE id {AMONG} ORDER BY id, version")
_REFERRING = f"SELECT DISTINCT id FROM facts WHERE superseded_by {AMONG}"  # noqa: S608 (our own names)
_WEAK_CLAIMS_IN = select(WEAK_CLAIM.listed(), f"suspects WHERE episode {AMONG}")


def latest_said(sql: Sql) -> datetime | None:
    """Return when the latest fact, weak claim or turn that was read was said."""
    times = (sql.value(each) for each in (_LATEST_FACT, _LATEST_WEAK_CLAIM, _LATEST_TURN))
    return max((moment(at) for at in times if at is not None), default=None)


def around(sql: Sql, subjects: Collection[tuple[str, str]], sharing: Sharing | None = None) -> Sequence[Fact]:
    """Return the current versions of the facts about these subjects, but none set apart."""
    if not subjects:
        return ()
    asked = listing(dict.fromkeys(subjects))
    return FACT.all(sql.rows(_FACTS_AROUND, asked) if sharing is None else sql.rows(_FACTS_SHARING, asked, *map(listing, sharing)))


def weak_claims_around(
    sql: Sql, subjects: Collection[tuple[str, str]], sharing: Sharing | None = None, rules: Collection[str] = ()
) -> Sequence[WeakClaim]:
    """Return the weak claims about these subjects, by runs that are not undone."""
    if not subjects:
        return ()
    asked = listing(dict.fromkeys(subjects))
    if sharing is None:
        return WEAK_CLAIM.all(sql.rows(_WEAK_CLAIMS_AROUND, asked))
    return WEAK_CLAIM.all(sql.rows(_WEAK_CLAIMS_SHARING, asked, listing(rules), *map(listing, sharing)))


def active(sql: Sql, keys: Collection[FactKey]) -> Sequence[Fact]:
    """Return the active facts under these keys."""
    return FACT.all(sql.rows(_FACTS_UNDER, listing(dict.fromkeys(keys)))) if keys else ()


def active_about(sql: Sql, subjects: Collection[tuple[str, str, str]]) -> Sequence[Fact]:
    """Return the active facts of these subjects."""
    return FACT.all(sql.rows(_FACTS_ABOUT, listing(dict.fromkeys(subjects)))) if subjects else ()


def replacing(sql: Sql, users: Collection[str], rules: Collection[str], words: Collection[str] | None = None) -> Sequence[Fact]:
    """Return the current versions of these users' facts that said what they replace, or what a thing is called; or that one of these rules
    read again. words: of what is replaced.
    """
    if not users:
        return ()
    if words is None:
        return FACT.all(sql.rows(_FACTS_REPLACING, listing(users), listing(rules)))
    return FACT.all(sql.rows(_FACTS_REPLACING_ONE, listing(users), listing(words), listing(rules)))


def weak_claims(sql: Sql, keys: Collection[WeakClaimKey]) -> Mapping[WeakClaimKey, Sequence[WeakClaim]]:
    """Return the weak claims under these keys, by runs that are not undone."""
    found: dict[WeakClaimKey, list[WeakClaim]] = {}
    for row in sql.rows(_WEAK_CLAIMS, listing(dict.fromkeys(keys))) if keys else ():
        found.setdefault(WeakClaimKey(*row[:7]), []).append(WEAK_CLAIM.restored(row))
    return found


def history(sql: Sql, fact_id: str) -> Sequence[Fact]:
    """Return every version of a fact, oldest first."""
    return FACT.all(sql.rows(_VERSIONS, fact_id))


def current(sql: Sql, facts: Collection[str]) -> Mapping[str, Fact]:
    """Return the current versions of these facts."""
    return {fact.id: fact for fact in FACT.all(sql.rows(_CURRENT, listing(facts)))} if facts else {}


def replaced(sql: Sql, facts: Collection[str]) -> Sequence[Fact]:
    """Return the current versions of the facts that these superseded."""
    return FACT.all(sql.rows(_REPLACED, listing(facts))) if facts else ()


def listed(sql: Sql, wanted: FactFilter) -> Sequence[Fact]:
    """Return the facts that a filter picks."""
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
    return FACT.all(sql.rows(select(FACT.listed(), rest), *params, -1 if wanted.limit is None else wanted.limit))


def evidence(sql: Sql, facts: Collection[str], in_force: bool = False) -> Sequence[Evidence]:
    """Return the evidence of these facts. in_force: only by runs that are not undone."""
    return EVIDENCE.all(sql.rows(_EVIDENCE_IN_FORCE if in_force else _EVIDENCE, listing(facts)))


def evidence_in(sql: Sql, episodes: Collection[str]) -> Sequence[Evidence]:
    """Return the evidence that was read in these episodes."""
    return EVIDENCE.all(sql.rows(_EVIDENCE_IN, listing(episodes)))


def versions(sql: Sql, facts: Collection[str]) -> Sequence[Fact]:
    """Return every version of these facts."""
    return FACT.all(sql.rows(_ALL_VERSIONS, listing(facts))) if facts else ()


def referring(sql: Sql, facts: Collection[str]) -> frozenset[str]:
    """Return the facts of which some version was superseded by one of these."""
    return frozenset(fact for (fact,) in sql.rows(_REFERRING, listing(facts))) if facts else frozenset()


def weak_claims_in(sql: Sql, episodes: Collection[str]) -> Sequence[WeakClaim]:
    """Return the weak claims that were read in these episodes."""
    return WEAK_CLAIM.all(sql.rows(_WEAK_CLAIMS_IN, listing(episodes))) if episodes else ()
