"""What ranking needs of the index: candidates with their neighbours, how common a term is, and who speaks."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from functools import partial

from ethos.core.model.candidates import Noted, Resting
from ethos.core.model.records import Fact
from ethos.core.ports.queries import Candidates, Search
from ethos.core.recall.ranking import NEIGHBOURS
from ethos.core.recall.stemming import stem
from ethos.core.recall.terms import folded
from ethos.store.sqlite import search
from ethos.store.sqlite.columns import micros
from ethos.store.sqlite.listed import BLOCK_BITS
from ethos.store.sqlite.rows import listing
from ethos.store.sqlite.sql import AMONG, Sql

_MOST_DATED = 400  # of each span
_NOTED = 'l."row", l.terms, l.asked, l.traits, l.names, l.speaker, l.said_at'
_TURNS_BETWEEN = f"""
SELECT {_NOTED} FROM json_each(?) w CROSS JOIN listed l ON l."row" BETWEEN w.value ->> 0 AND w.value ->> 1
"""  # noqa: S608 (our own names)
_TURNS = f'SELECT {_NOTED} FROM listed l WHERE l."row" {AMONG}'  # noqa: S608 (our own names)

_RESTING = f"""
SELECT {_NOTED}, f.id, (
  SELECT turn."row" FROM listed turn CROSS JOIN blocks b ON b.number = turn."row" >> {BLOCK_BITS} AND b.type = 'episode'
  WHERE turn.seq = (SELECT e.seq FROM episodes e WHERE e.id = {search.FIRST_EVIDENCE}))
FROM listed l CROSS JOIN facts f ON f.seq = l.seq WHERE l."row"
"""  # noqa: S608 (our own names)
_FACTS = f"{_RESTING} {AMONG}"
_FACTS_NAMED = f"""
{_RESTING} IN (
  SELECT named."row" FROM facts held CROSS JOIN listed named ON named.seq = held.seq
  CROSS JOIN blocks b ON b.number = named."row" >> {BLOCK_BITS} AND b.type = 'fact'
  WHERE held.closed_at IS NULL AND held.id {AMONG})
"""  # noqa: S608 (our own names)
_FACTS_SAID = f"""
{_RESTING} IN (
  SELECT named."row" FROM listed told CROSS JOIN episodes t ON t.seq = told.seq CROSS JOIN evidence v ON v.episode = t.id
  CROSS JOIN facts held ON held.id = v.fact AND held.closed_at IS NULL CROSS JOIN listed named ON named.seq = held.seq
  CROSS JOIN blocks b ON b.number = named."row" >> {BLOCK_BITS} AND b.type = 'fact'
  WHERE told."row" {AMONG})
"""  # noqa: S608 (our own names)
_DATED = f"""
SELECT l."row" FROM listed l CROSS JOIN blocks b ON b.number = l."row" >> {BLOCK_BITS}
WHERE l.said_at >= :since AND l.said_at < :until AND (:speaker IS NULL OR l.speaker = :speaker) AND b.type = 'episode'
  AND b.user = :user AND (:project IS NULL OR b.project IN (:project, '')) AND (:session IS NULL OR b.session = :session)
ORDER BY l.said_at, l."row" LIMIT :most
"""  # noqa: S608 (our own names)
_NOTE = partial(tuple.__new__, Noted)  # `Noted._make` without its check of the length: there are hundreds of them in each answer
_HAVING = "SELECT t.term, t.doc FROM json_each(?) w CROSS JOIN word_terms t ON t.term = w.value"
_SPEAKERS = f"SELECT name, turns FROM speakers WHERE first {AMONG} OR name {AMONG}"  # noqa: S608 (our own names)
_TURNS_HELD = "SELECT coalesce(sum(turns), 0) FROM speakers"


def find(sql: Sql, wanted: Search, depth: int, also: Collection[str]) -> Candidates:
    """Return the best `depth` by BM25, the facts with the ids `also`, the turns of the days asked for and what is held of them, the turns
    of facts, and the neighbours of every turn that was found by a word.
    """
    found = search.ranked(sql, wanted, depth)
    by_type = search.parted(sql, found.words.keys() | found.grams.keys())
    facts = _resting(sql, _FACTS, by_type["fact"]) if "fact" in by_type else []
    if also:
        facts += [fact for fact in _resting(sql, _FACTS_NAMED, also) if fact.fact.row not in found.words]
    if (dated := _dated(sql, wanted)) and Fact in wanted.types:
        known = {fact.fact.row for fact in facts}
        facts += [fact for fact in _resting(sql, _FACTS_SAID, dated) if fact.fact.row not in known]
    having = by_type.get("episode", [])
    turns = {*having, *(fact.turn for fact in facts if fact.turn is not None)}
    return Candidates(_with_neighbours(sql, turns, dated), facts, dated.union(having), found.grams, found.complete)


def _dated(sql: Sql, wanted: Search) -> set[int]:
    """Return the rows of turns said in the spans asked for, by the speaker asked for; the earliest of each span."""
    found: set[int] = set()
    for since, until in wanted.around:
        span = {"since": micros(since), "until": micros(until), "speaker": wanted.around_speaker, "most": _MOST_DATED}
        rows = sql.named(_DATED, {**span, "user": wanted.user, "project": wanted.project, "session": wanted.only.session})
        found.update(row for (row,) in rows)
    return found


def _resting(sql: Sql, statement: str, wanted: Collection[int] | Collection[str]) -> list[Resting]:
    return [Resting(Noted._make(noted), id_, turn) for *noted, id_, turn in sql.rows(statement, listing(wanted))]


def _around(rows: Iterable[int]) -> Iterator[tuple[int, int]]:
    """Yield the first and the last row of each run of rows that are beside these; the runs do not overlap."""
    first = last = -1
    for row in sorted(rows):
        if row - NEIGHBOURS <= last + 1 and last >= 0:
            last = row + NEIGHBOURS
            continue
        if last >= 0:
            yield first, last
        first, last = row - NEIGHBOURS, row + NEIGHBOURS
    if last >= 0:
        yield first, last


def _with_neighbours(sql: Sql, rows: Collection[int], alone: Collection[int]) -> Sequence[Noted]:
    """Return these rows with those beside them, and the others without."""
    found = sql.rows(_TURNS_BETWEEN, listing(_around(rows)))
    if alone:
        found = list({turn[0]: turn for turn in found + sql.rows(_TURNS, listing(alone))}.values())
    return list(map(_NOTE, found))


def frequencies(sql: Sql, terms: Mapping[str, Collection[str]]) -> dict[str, int]:
    """Return how many texts have one of the forms of each term; a text with two of them counts twice."""
    stems = {term: {stem(form) for form in forms} for term, forms in terms.items()}
    having = dict(sql.rows(_HAVING, listing({each for found in stems.values() for each in found})))
    return {term: sum(having.get(each, 0) for each in found) for term, found in stems.items()}


def speakers(sql: Sql, called: Collection[str]) -> dict[str, int]:
    """Return the speakers that go by one of these names, folded, with the number of their turns."""
    names = listing(dict.fromkeys(map(folded, called)))
    return dict(sql.rows(_SPEAKERS, names, names))


def turns(sql: Sql) -> int:
    """Return how many turns there are in all."""
    return int(sql.value(_TURNS_HELD))
