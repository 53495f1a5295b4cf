"""Search the full-text index and tell the records of its rows (`full_text.py`).

A word in a script without spaces is looked up by its trigrams, OR-ed, so that a question need not stand in a text letter by letter.
Words of one or two letters have no trigram: they are looked up as the beginning of trigrams, in the index's own vocabulary.

A search in a project finds also the records that belong to no project but to the user (preferences).
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from functools import cache
from typing import NamedTuple

from ethos.core.model.record_types import RecordType, type_of
from ethos.core.model.records import CORRECT, Episode, Fact, Origin, Record
from ethos.core.ports.queries import Hit, Search
from ethos.core.recall.terms import folded
from ethos.store.sqlite import full_text
from ethos.store.sqlite.columns import micros, moment
from ethos.store.sqlite.listed import BLOCK_BITS
from ethos.store.sqlite.rows import listing
from ethos.store.sqlite.sql import Sql

_MOST_GRAMS = 500  # a letter that begins more is looked up by its 500 commonest
_OVERFETCH = 5  # how many times deeper than the limit the ranking is asked for at first,
_DEEPER = 100  # and then
_TO_THE_BOTTOM = -1
LOT = 500
_PART = """
iif(:longest IS NULL, {0}, substr({0}, max(1, (
  SELECT coalesce(min(nullif(instr(lower({0}), value), 0)), 1) FROM json_each(:words)
) - :longest / 4), :longest))
"""  # the part of a text around the first of the words

# `ORDER BY bm25()` and not `ORDER BY rank`, which looks up every row a second time (1.6 times the cost, measured)
_RANKED = "SELECT rowid, -bm25({0}) AS score FROM {0} WHERE {0} MATCH :match{1} ORDER BY score DESC LIMIT :depth"
_OTHERS = """
SELECT EXISTS (SELECT 1 FROM blocks WHERE user < :user) OR EXISTS (SELECT 1 FROM blocks WHERE user > :user)
OR EXISTS (SELECT 1 FROM blocks WHERE user = :user AND session = '' AND type NOT IN (SELECT value FROM json_each(:types)))
"""  # another user's, or of another type: only turns have a session
_BEGINNING = "SELECT term FROM gram_terms WHERE term >= ? AND term < ? ORDER BY doc DESC, term LIMIT ?"

_AMONG_TYPES = "IN (SELECT value FROM json_each(:types))"
_TYPES = "SELECT number, type FROM blocks WHERE number IN (SELECT value FROM json_each(?))"
_TAKEN_BACK = f"""(
  e.source = '{CORRECT}' AND EXISTS (
    SELECT 1 FROM evidence v JOIN runs r ON r.id = v.run WHERE v.episode = e.id AND r.name = '{CORRECT}' AND r.undone_by IS NOT NULL
  ) AND NOT EXISTS (SELECT 1 FROM evidence v JOIN runs r ON r.id = v.run WHERE v.episode = e.id AND r.undone_by IS NULL)
)"""  # noqa: S608 (our own names); the words of a correction that was undone
_EPISODES = f"""
SELECT l."row", e.id, 'episode', {_PART.format("e.text")}, length(e.text), e.id, e.said_at, e.session, e.project, e.origin, ''
FROM json_each(:rows) w CROSS JOIN listed l ON l."row" = w.value CROSS JOIN episodes e ON e.seq = l.seq
LEFT JOIN salience s ON s.record = e.id
WHERE e.user = :user AND (:project IS NULL OR e.project IN (:project, '')) AND (:as_of IS NULL OR e.captured_at <= :as_of)
  AND (:all OR :as_of IS NOT NULL OR s.faded IS NOT 1) AND (:all OR NOT {_TAKEN_BACK})
  AND (:session IS NULL OR e.session = :session) AND (:kind IS NULL OR e.kind = :kind)
  AND (:speaker IS NULL OR l.speaker = :speaker OR e.role = :speaker)
  AND (:after IS NULL OR e.said_at > :after) AND (:before IS NULL OR e.said_at < :before)
"""  # noqa: S608 (our own names)
FIRST_EVIDENCE = """(
  SELECT v.episode FROM evidence v LEFT JOIN runs r ON r.id = v.run WHERE v.fact = f.id
  ORDER BY r.undone_by IS NOT NULL, v.said_at, v.episode LIMIT 1
)"""
_FACTS = f"""
SELECT l."row", f.id, 'fact', {_PART.format("f.statement")}, length(f.statement),
  coalesce(e.id, ''), coalesce(e.said_at, f.valid_from) AS said, coalesce(e.session, ''), f.project, f.origin, f.slot
FROM json_each(:rows) w CROSS JOIN listed l ON l."row" = w.value CROSS JOIN facts found ON found.seq = l.seq
CROSS JOIN facts f ON f.id = found.id AND CASE WHEN :as_of IS NULL THEN f.version = found.version
  ELSE f.recorded_at <= :as_of AND (f.closed_at IS NULL OR f.closed_at > :as_of) END
LEFT JOIN salience s ON s.record = f.id
LEFT JOIN episodes e ON e.id = {FIRST_EVIDENCE}
LEFT JOIN listed turn ON turn.seq = e.seq AND EXISTS (SELECT 1 FROM blocks WHERE number = turn."row" >> {BLOCK_BITS} AND type = 'episode')
WHERE f.user = :user AND (:project IS NULL OR f.project IN (:project, ''))
  AND NOT (f.retired_at IS NOT NULL AND f.valid_to IS f.valid_from)
  AND (:all OR (f.superseded_by IS NULL AND f.retired_at IS NULL AND (:as_of IS NOT NULL OR s.faded IS NOT 1)))
  AND (:session IS NULL OR e.session = :session) AND (:kind IS NULL OR f.kind = :kind)
  AND (:speaker IS NULL OR turn.speaker = :speaker OR e.role = :speaker)
  AND (:after IS NULL OR said > :after) AND (:before IS NULL OR said < :before)
"""  # noqa: S608 (our own names)
_SHOWN: Mapping[type[Record], str] = {Episode: _EPISODES, Fact: _FACTS}


@cache
def _shown(kind: RecordType) -> str:
    """Return the statement that picks those records of a type that may be shown; it has no session and no speaker."""
    assert kind.indexed is not None  # noqa: S101 (it stands in the index)
    at, ended, origin = f'{kind.table}."{kind.indexed.at}"', kind.indexed.ended, int(Origin.USER)
    text = full_text.text_of(kind)
    holds = f'AND (:all OR {kind.table}."{ended}" IS NULL)' if ended else ""
    return f"""
SELECT l."row", {kind.table}.id, '{kind.name}', {_PART.format(text)}, length({text}), '', {at}, '', project, {origin}, ''
FROM json_each(:rows) w CROSS JOIN listed l ON l."row" = w.value CROSS JOIN {kind.table} ON {kind.table}.seq = l.seq
WHERE user = :user AND (:project IS NULL OR project IN (:project, '')) {holds} AND (:as_of IS NULL OR {at} <= :as_of)
  AND :session IS NULL AND :speaker IS NULL AND (:kind IS NULL OR :kind = '{kind.name}')
  AND (:after IS NULL OR {at} > :after) AND (:before IS NULL OR {at} < :before)
"""  # noqa: S608 (our own names)


def find(sql: Sql, wanted: Search) -> list[Hit]:
    """Return the best hits, best first.

    The ranking is asked for a few times deeper than the limit, and where too few of it may be shown, deeper and at last to the bottom.
    """
    hits: list[Hit] = []
    seen = 0
    if wanted.limit < 1:
        return []
    for depth in (max(wanted.limit * _OVERFETCH, 50), wanted.limit * _DEEPER, _TO_THE_BOTTOM):
        found = ranked(sql, wanted, depth)
        if found.grams:
            seen, hits = 0, []
        scores = found.merged()
        rows = list(scores)
        while seen < len(rows) and len(hits) < wanted.limit:
            lot = rows[seen : seen + (LOT if seen else 2 * wanted.limit)]
            seen += len(lot)
            shown_now = [hit._replace(score=scores[row]) for row, hit in shown(sql, wanted, lot).items()]
            hits += sorted(shown_now, key=lambda hit: (-hit.score, hit.id))
        if found.complete or len(hits) >= wanted.limit:
            break
    return hits[: wanted.limit]


class Found(NamedTuple):
    """Hold the rankings of both indexes, best first: row -> BM25. complete: there is nothing below."""

    words: Mapping[int, float]
    grams: Mapping[int, float]
    complete: bool

    def merged(self) -> dict[int, float]:
        """Return both rankings as one; a row in both has the sum of its scores."""
        if not self.grams:
            return dict(self.words)
        scores = {row: self.words.get(row, 0.0) + self.grams.get(row, 0.0) for row in (*self.words, *self.grams)}
        return dict(sorted(scores.items(), key=lambda scored: -scored[1]))


def ranked(sql: Sql, wanted: Search, depth: int) -> Found:
    """Rank whatever has one of the words, within the user, project, session and type asked for; each index to this depth."""
    words = [_clean(word) for word in wanted.words]
    if not any(words):
        return Found({}, {}, complete=True)
    scope = _scope(sql, wanted)
    asked = {"user": wanted.user, "project": wanted.project, "session": wanted.only.session, "types": _types(wanted), "depth": depth}
    match = " AND ".join(f"({_any_of(group)})" for group in wanted.each_of) or _any_of(words)
    by_words = dict(sql.named(_RANKED.format("words", scope), {**asked, "match": match}))
    grams = "" if wanted.types == (Fact,) else _gram_query(sql, words)
    by_grams = dict(sql.named(_RANKED.format("grams", scope), {**asked, "match": grams})) if grams else {}
    return Found(by_words, by_grams, complete=depth < 0 or max(len(by_words), len(by_grams)) < depth)


def _scope(sql: Sql, wanted: Search) -> str:
    """Return the condition that keeps a ranking to some blocks; empty where every block fits."""
    fits = []
    if wanted.project is not None:
        fits.append("project IN (:project, '')")
    if wanted.only.session is not None:
        fits.append("(session = :session OR type <> 'episode')")
    if not fits and Episode in wanted.types and not sql.named(_OTHERS, {"user": wanted.user, "types": _types(wanted)})[0][0]:
        return ""
    fits = ["user = :user", f"type {_AMONG_TYPES}", *fits]
    return f" AND rowid >> {BLOCK_BITS} IN (SELECT number FROM blocks WHERE {' AND '.join(fits)})"  # noqa: S608 (our own names)


def _types(wanted: Search) -> str:
    return listing(type_of(each).name for each in wanted.types)


def shown(sql: Sql, wanted: Search, rows: Collection[int]) -> dict[int, Hit]:
    """Return those of these rows that may be shown, by row; without scores."""
    by_type = parted(sql, rows)
    filters = {
        "user": wanted.user,
        "project": wanted.project,
        "as_of": None if wanted.as_of is None else micros(wanted.as_of),
        "all": wanted.faded,
        "session": wanted.only.session,
        "kind": wanted.only.kind,
        "speaker": None if wanted.only.speaker is None else folded(wanted.only.speaker),
        "after": None if wanted.only.after is None else micros(wanted.only.after),
        "before": None if wanted.only.before is None else micros(wanted.only.before),
        "longest": wanted.longest,
        "words": listing(wanted.words),
    }
    found = []
    for record in wanted.types:
        kind = type_of(record)
        if of_type := by_type.get(kind.name):
            found += sql.named(_SHOWN.get(record) or _shown(kind), {**filters, "rows": listing(of_type)})
    return {
        row: Hit(id_, type_, 0.0, text, episode, moment(said_at), session, project, Origin(origin), length=length, slot=slot)
        for row, id_, type_, text, length, episode, said_at, session, project, origin, slot in found
    }


def parted(sql: Sql, rows: Iterable[int]) -> Mapping[str, list[int]]:
    """Return these rows by the type of their record, in order."""
    rows = list(rows)
    types = dict(sql.rows(_TYPES, listing({row >> BLOCK_BITS for row in rows})))
    found: dict[str, list[int]] = {}
    for row in rows:
        if (type_ := types.get(row >> BLOCK_BITS)) is not None:
            found.setdefault(type_, []).append(row)
    return found


def _any_of(words: Iterable[str]) -> str:
    """Return the query for a text with any of these words."""
    return " OR ".join(_quoted(word) for word in map(_clean, words) if word)


def _clean(word: str) -> str:
    """Return a word as SQLite takes it."""
    return word.replace("\0", " ").encode("utf-8", "replace").decode("utf-8")


def _quoted(word: str) -> str:
    """Return a word quoted for FTS5, whatever is in it."""
    return '"' + word.replace('"', '""') + '"'


def _gram_query(sql: Sql, words: Iterable[str]) -> str:
    """Return the trigrams of the words in scripts without spaces, OR-ed; empty if there are none."""
    grams: dict[str, None] = {}
    for word in words:
        for run in () if word.isascii() else full_text.SPACELESS.findall(word):
            if len(run) >= 3:
                grams.update(dict.fromkeys(run[start : start + 3] for start in range(len(run) - 2)))
            else:
                grams.update(dict.fromkeys(term for (term,) in sql.rows(_BEGINNING, run, run + "\U0010ffff", _MOST_GRAMS)))
    return " OR ".join(_quoted(gram) for gram in grams)
