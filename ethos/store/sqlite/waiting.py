"""Find the episodes that are to be read, as the stages take them."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from datetime import datetime

from ethos.core.model.records import Utterance
from ethos.store.sqlite.columns import PENDING, moment
from ethos.store.sqlite.listed import BLOCK_BITS
from ethos.store.sqlite.rows import listing, made_of
from ethos.store.sqlite.sql import AMONG, Sql, select

_HASHES = f"""
WITH RECURSIVE hashes (hash) AS (
  SELECT (SELECT min(scanned_rules) FROM marks WHERE {PENDING} AND scanned_rules > '')
  UNION ALL SELECT (SELECT min(scanned_rules) FROM marks WHERE {PENDING} AND scanned_rules > hash) FROM hashes WHERE hash IS NOT NULL
)
SELECT hash FROM hashes WHERE hash IS NOT NULL AND hash <> ?
"""  # noqa: S608 (our own names)
_UTTERANCE = (
    "e.id, e.text, e.said_at, e.user, e.project, e.session, e.role, e.speaker, e.origin,"
    " max(e.importance, coalesce(s.consolidated_importance, 0.0)), e.importance_given,"
    " coalesce(s.retrievals, 0), m.attempts, e.source, e.seq"
)
_IN_ORDER = "e.said_at, e.source, e.seq"  # `Utterance.place`
_MARKED = "CROSS JOIN episodes e ON e.id = m.episode LEFT JOIN salience s ON s.record = m.episode"
_WAITING = f"marks m CROSS JOIN episodes e ON e.id = m.episode WHERE {PENDING} AND m.scanned_rules IS ?"
_UNTRIED = select("e.said_at, e.source, e.seq, e.id", f"{_WAITING} AND m.attempts = 0 ORDER BY {_IN_ORDER} LIMIT ?")
_TRIED = select("m.attempts, e.said_at, e.source, e.seq, e.id", f"{_WAITING} AND m.attempts > 0 ORDER BY m.attempts, {_IN_ORDER} LIMIT ?")
_OF_SESSION = f"episodes e CROSS JOIN marks m ON m.episode = e.id WHERE e.session = ? AND {PENDING} AND m.scanned_rules IS NOT ?"
_UNTRIED_IN_SESSION = select("e.said_at, e.source, e.seq, e.id", f"{_OF_SESSION} AND m.attempts = 0 ORDER BY {_IN_ORDER} LIMIT ?")
_TRIED_IN_SESSION = select(
    "m.attempts, e.said_at, e.source, e.seq, e.id", f"{_OF_SESSION} AND m.attempts > 0 ORDER BY m.attempts, {_IN_ORDER} LIMIT ?"
)
_TAKEN = f"(SELECT episode, attempts FROM marks WHERE episode {AMONG}) m"  # noqa: S608 (our own names)
_UTTERANCES = select(_UTTERANCE, f"{_TAKEN} {_MARKED} ORDER BY {_IN_ORDER}")
_FIELDS_OUT_OF = ((Utterance._fields.index("said_at"), moment), (Utterance._fields.index("importance_given"), bool))

_BEFORE = """
SELECT e.id, (
  SELECT p.id FROM episodes p
  WHERE p.session = e.session AND p.user = e.user AND p.project = e.project AND p.role = 'user'
    AND p.said_at <= e.said_at AND (p.said_at, p.source, p.seq) < (e.said_at, e.source, e.seq)
  ORDER BY p.said_at DESC, p.source DESC, p.seq DESC LIMIT 1
) before FROM json_each(?) k CROSS JOIN episodes e ON e.id = k.value WHERE before IS NOT NULL
"""
_AFTER = """
SELECT e.id, (
  SELECT n.id FROM episodes n
  WHERE n.session = e.session AND n.user = e.user AND n.project = e.project AND n.role = 'user'
    AND n.said_at >= e.said_at AND (n.said_at, n.source, n.seq) > (e.said_at, e.source, e.seq)
  ORDER BY n.said_at, n.source, n.seq LIMIT 1
) after FROM json_each(?) k CROSS JOIN episodes e ON e.id = k.value
WHERE EXISTS (SELECT 1 FROM marks m WHERE m.episode = after AND m.scanned_rules IS NOT NULL)
"""

_WITH_WORDS = f"""
SELECT DISTINCT e.id FROM json_each(?) k CROSS JOIN words w ON w.words MATCH k.value ->> 1
CROSS JOIN blocks b ON b.number = w.rowid >> {BLOCK_BITS} AND b.type = 'episode'
CROSS JOIN listed l ON l."row" = w.rowid CROSS JOIN episodes e ON e.seq = l.seq CROSS JOIN marks m ON m.episode = e.id
WHERE e.user = k.value ->> 0 AND e.role = 'user' AND m.scanned_rules IS NOT NULL
"""  # noqa: S608 (our own names)
_LATEST_OF = "SELECT said_at FROM episodes WHERE user = ? ORDER BY said_at DESC LIMIT 1"


def backlog(sql: Sql, rules: str, session: str | None, limit: int, skip: Collection[str]) -> Sequence[str]:
    """Return the ids of episodes that wait, as the port has it. The index is asked once for each rules hash in it but the present one:
    usually once or twice.
    """
    reach = limit + len(skip)
    if session is None:
        asked: list[tuple[str | None, ...]] = [(hash_,) for hash_ in (None, *(hash_ for (hash_,) in sql.rows(_HASHES, rules)))]
        statements = ((_UNTRIED, limit), (_TRIED, min(1, limit)))
    else:
        asked = [(session, rules)]
        statements = ((_UNTRIED_IN_SESSION, limit), (_TRIED_IN_SESSION, min(1, limit)))
    for statement, most in statements:
        if len(asked) == 1:
            found = sql.rows(statement, *asked[0], reach)
        else:
            found = sorted(row for params in asked for row in sql.rows(statement, *params, reach))
        if ids := [row[-1] for row in found if row[-1] not in skip]:
            return ids[:most]
    return ()


def utterances(sql: Sql, episodes: Collection[str]) -> Sequence[Utterance]:
    """Return these episodes in the order in which they were said."""
    if not episodes:
        return ()
    return made_of(sql.rows(_UTTERANCES, listing(episodes)), Utterance, len(Utterance._fields), _FIELDS_OUT_OF)


def preceding(sql: Sql, episodes: Collection[str]) -> Mapping[str, str]:
    """Return the user's turn before each of these, by their ids."""
    return dict(sql.rows(_BEFORE, listing(episodes)))


def following(sql: Sql, episodes: Collection[str]) -> Mapping[str, str]:
    """Return the user's turn after each of these, where it was read, by their ids."""
    return dict(sql.rows(_AFTER, listing(episodes)))


def turns_with(sql: Sql, words: Collection[tuple[str, str]]) -> frozenset[str]:
    """Return the turns that have one of the words, as the port has it."""
    asked = [(user, f'"{word}"*') for user, word in sorted(words)]
    return frozenset(id_ for (id_,) in sql.rows(_WITH_WORDS, listing(asked)))


def latest_turn(sql: Sql, user: str) -> datetime | None:
    """Return when the latest episode of a user was said."""
    at = sql.value(_LATEST_OF, user)
    return None if at is None else moment(at)
