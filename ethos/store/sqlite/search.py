"""Full text: one FTS5 index over episodes and current facts, and a trigram index beside it for scripts without spaces.

Both kinds of record stand in one index, so that BM25 weighs them with one set of statistics and one query ranks them together.
`listed.py` says which record a row is. The index keeps no text: it reads the view `searchable`, and can be rebuilt from the records.
It is kept up by the statements of `apply.py`, not by triggers, which a migration may drop unseen.

Only text with a script of `SPACELESS` goes into the trigram index; a store without any pays nothing for it. A word in such a
script is looked up by its trigrams, OR-ed, so that a question need not stand in a text letter by letter. Words of one or two
letters have no trigram: they are looked up as the beginning of trigrams, in the index's own vocabulary.

A search in a project finds also what belongs to no project but to the user (preferences: SPEC, What collides).
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from functools import cache
from itertools import zip_longest
from typing import NamedTuple

import regex

from ethos.core.model.record_types import RecordType, by_descriptor, type_of
from ethos.core.model.records import Episode, Fact, Origin, Record, Role
from ethos.core.ports.queries import Hit, Search
from ethos.core.recall.terms import folded
from ethos.store.sqlite import listed
from ethos.store.sqlite.columns import micros, moment
from ethos.store.sqlite.listed import BLOCK_BITS, Entry
from ethos.store.sqlite.rows import listing
from ethos.store.sqlite.sql import Sql, select

_VIEW = """
CREATE VIEW searchable (id, text) AS
SELECT l."row", e.text FROM listed l JOIN blocks b ON b.number = l."row" >> 16 JOIN episodes e ON e.seq = l.seq WHERE b.type = 'episode'
UNION ALL SELECT l."row", f.statement || ' ' || f.slot
FROM listed l JOIN blocks b ON b.number = l."row" >> 16 JOIN facts f ON f.seq = l.seq WHERE b.type = 'fact'
"""
_VIEW_MORE = """UNION ALL SELECT l."row", {text}
FROM listed l JOIN blocks b ON b.number = l."row" >> 16 JOIN {table} ON {table}.seq = l.seq WHERE b.type = '{name}'
"""
_INDEXES = (
    """
CREATE VIRTUAL TABLE words
USING fts5(text, content='searchable', content_rowid='id', tokenize='porter unicode61 remove_diacritics 2')
""",
    "CREATE VIRTUAL TABLE grams USING fts5(text, content='', tokenize='trigram')",
    "CREATE VIRTUAL TABLE gram_terms USING fts5vocab('grams', 'row')",
    "CREATE VIRTUAL TABLE word_terms USING fts5vocab('words', 'row')",
)

SPACELESS = regex.compile(
    r"[\p{Han}\p{Hiragana}\p{Katakana}\p{Hangul}\p{Thai}\p{Lao}\p{Khmer}\p{Myanmar}\p{Tibetan}\u3005-\u3007\u30fc]+", regex.V1
)
PAD = "  "  # so that the last letters of a text begin trigrams too
MOST_GRAMS = 500  # a letter that begins more is looked up by its 500 commonest
_EVERY_EPISODE = "SELECT seq, user, project, session, text, role, speaker, said_at FROM episodes ORDER BY seq"
_EVERY_FACT = "SELECT seq, user, project, statement, slot, valid_from FROM facts WHERE closed_at IS NULL ORDER BY seq"
OVERFETCH = 5  # how many times deeper than the limit the ranking is asked for at first,
DEEPER = 100  # and then
TO_THE_BOTTOM = -1
LOT = 500

_ADD = "INSERT INTO words (rowid, text) VALUES (?, ?)"
_DROP = "INSERT INTO words (words, rowid, text) VALUES ('delete', ?, ?)"
_ADD_GRAMS = "INSERT INTO grams (rowid, text) VALUES (?, ?)"
_DROP_GRAMS = "INSERT INTO grams (grams, rowid, text) VALUES ('delete', ?, ?)"

# which words, how long each text is, and how long all of them
_WHAT_GRAMS_SAY = (
    'SELECT term, doc, "offset" FROM temp.{1}_held',
    "SELECT id, sz FROM {0}.{1}_docsize ORDER BY id",
    "SELECT iif(block = x'0000', x'', block) FROM {0}.{1}_data WHERE id = 1",  # no texts any more are as none ever
)
DIFFERS = "full-text index: {} does not say what the records say"

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
_EPISODES = f"""
SELECT l."row", e.id, 'episode', {_PART.format("e.text")}, length(e.text), e.id, e.said_at, e.session, e.project, e.origin
FROM json_each(:rows) w CROSS JOIN listed l ON l."row" = w.value CROSS JOIN episodes e ON e.seq = l.seq
LEFT JOIN salience s ON s.record = e.id
WHERE e.user = :user AND (:project IS NULL OR e.project IN (:project, '')) AND (:as_of IS NULL OR e.captured_at <= :as_of)
  AND (:all OR :as_of IS NOT NULL OR s.faded IS NOT 1)
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
  coalesce(e.id, ''), coalesce(e.said_at, f.valid_from) AS said, coalesce(e.session, ''), f.project, f.origin
FROM json_each(:rows) w CROSS JOIN listed l ON l."row" = w.value CROSS JOIN facts found ON found.seq = l.seq
CROSS JOIN facts f ON f.id = found.id AND CASE WHEN :as_of IS NULL THEN f.version = found.version
  ELSE f.recorded_at <= :as_of AND (f.closed_at IS NULL OR f.closed_at > :as_of) END
LEFT JOIN salience s ON s.record = f.id
LEFT JOIN episodes e ON e.id = {FIRST_EVIDENCE}
LEFT JOIN listed turn ON turn.seq = e.seq AND turn."row" >> {BLOCK_BITS} IN (SELECT number FROM blocks WHERE type = 'episode')
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
    holds = f'AND (:all OR {kind.table}."{ended}" IS NULL)' if ended else ""
    return f"""
SELECT l."row", {kind.table}.id, '{kind.name}', {_PART.format(_text(kind))}, length({_text(kind)}), '', {at}, '', project, {origin}
FROM json_each(:rows) w CROSS JOIN listed l ON l."row" = w.value CROSS JOIN {kind.table} ON {kind.table}.seq = l.seq
WHERE user = :user AND (:project IS NULL OR project IN (:project, '')) {holds} AND (:as_of IS NULL OR {at} <= :as_of)
  AND :session IS NULL AND :speaker IS NULL AND (:kind IS NULL OR :kind = '{kind.name}')
  AND (:after IS NULL OR {at} > :after) AND (:before IS NULL OR {at} < :before)
"""  # noqa: S608 (our own names)


def schema() -> tuple[str, ...]:
    """Return the statements that make the index: a view of the texts of every indexed type, and the tables above it."""
    more = (_VIEW_MORE.format(text=_text(kind), table=kind.table, name=kind.name) for kind in _indexed())
    return (*listed.SCHEMA, "".join((_VIEW, *more)), *_INDEXES)


def _indexed() -> list[RecordType]:
    """Return the types whose entries follow from the descriptor."""
    return [kind for kind in by_descriptor() if kind.indexed is not None]


def _text(kind: RecordType) -> str:
    return " || ' ' || ".join(f'{kind.table}."{field}"' for field in kind.text)


def entries(sql: Sql, kind: RecordType, where: str = "", *params: str) -> list[Entry]:
    """Return the records of a type as they are indexed: all, or those that a condition picks."""
    assert kind.indexed is not None  # noqa: S101 (by the callers)
    columns = f'seq, user, project, {_text(kind)}, "{kind.indexed.at}"'
    found = sql.rows(select(columns, f"{kind.table} {where} ORDER BY seq"), *params)
    return [Entry(kind.name, seq, user, project, "", text, said_at=at) for seq, user, project, text, at in found]


def texts(sql: Sql, kind: RecordType, where: str, *params: str) -> dict[int, str]:
    """Return the indexed text of the records that a condition picks, by their numbers."""
    return dict(sql.rows(select(f"seq, {_text(kind)}", f"{kind.table} {where}"), *params))


def has_grams(text: str) -> bool:
    """Whether a text belongs in the trigram index too."""
    return not text.isascii() and SPACELESS.search(text) is not None


def add(sql: Sql, entries: Iterable[Entry]) -> None:
    """Put records into the index."""
    entries = list(entries)
    rows = sorted((row, entry.text) for row, entry in zip(listed.put(sql, entries), entries, strict=True))  # FTS5 likes rows in order
    sql.many(_ADD, rows)
    sql.many(_ADD_GRAMS, [(row, text + PAD) for row, text in rows if has_grams(text)])


def drop(sql: Sql, type_: str, held: Mapping[int, str]) -> None:
    """Take records out of the index: number in their table -> text, which must be the one that was put in."""
    if not held:
        return
    rows = [(row, held[seq]) for seq, row in listed.take(sql, type_, held).items()]
    sql.many(_DROP, rows)
    sql.many(_DROP_GRAMS, [(row, text + PAD) for row, text in rows if has_grams(text)])


def rebuild(sql: Sql) -> None:
    """Make the whole index anew from the records."""
    listed.clear(sql)
    for statement, entry in ((_EVERY_EPISODE, episode_entry), (_EVERY_FACT, fact_entry)):
        for lot in sql.stream(statement, size=LOT):
            listed.put(sql, [entry(*row) for row in lot])
    for kind in _indexed():
        listed.put(sql, entries(sql, kind))
    sql.run("INSERT INTO words (words) VALUES ('rebuild')")
    sql.run("INSERT INTO grams (grams) VALUES ('delete-all')")
    for lot in sql.stream("SELECT id, text FROM searchable", size=LOT):
        sql.many(_ADD_GRAMS, [(row, text + PAD) for row, text in lot if has_grams(text)])


def episode_entry(seq: int, user: str, project: str, session: str, text: str, role: Role, speaker: str, said_at: int) -> Entry:
    """Return an episode as it is indexed."""
    return Entry("episode", seq, user, project, session, text, role, speaker, said_at)


def fact_entry(seq: int, user: str, project: str, statement: str, slot: str, valid_from: int) -> Entry:
    """Return a version of a fact as it is indexed."""
    return Entry("fact", seq, user, project, "", fact_text(statement, slot), said_at=valid_from)


def fact_text(statement: str, slot: str) -> str:
    """Return what a fact is found by: its statement, and its slot, so that "which database" finds Postgres. As the view has it."""
    return f"{statement} {slot}"


def look_again(sql: Sql) -> None:
    """Let this connection see what others have written to the index: SQLite's own check of it does not, and would find a segment missing
    that another connection has merged into the next (seen with 3.53; a query looks, `PRAGMA integrity_check` does not).
    """
    for name in ("words", "grams"):
        sql.rows(f"SELECT rowid FROM {name} LIMIT 1")  # noqa: S608 (our own names)


def check(sql: Sql) -> list[str]:
    """What is wrong with the index, in words: which texts stand in it and should not, or should and do not.

    Whether each half is sound in itself, `PRAGMA integrity_check` says; whether `words` fits the texts, `compare`.
    """
    if problems := listed.check(sql):
        return problems
    words: set[int] = set()
    grams: list[tuple[int, str]] = []
    for lot in sql.stream("SELECT id, coalesce(CAST(text AS TEXT), '') FROM searchable", size=LOT):  # damage makes NULL and blobs, too
        words.update(row for row, _ in lot)
        grams += [(row, text + PAD) for row, text in lot if has_grams(text)]
    for name, wanted in (("words", words), ("grams", {row for row, _ in grams})):
        held = {row for (row,) in sql.rows(f"SELECT id FROM {name}_docsize")}  # noqa: S608 (our own names)
        if held != wanted:
            problems.append(f"full-text index: {len(wanted - held)} records are missing from {name}, {len(held - wanted)} too many")
    return problems or _grams_differ(sql, grams)


def compare(sql: Sql, errors: tuple[type[Exception], ...]) -> list[str]:
    """Whether `words` says of each text what is in it, as FTS5 itself looks it over; errors: those of the driver.

    In no transaction, and for a moment as the one writer, though it writes nothing; raises what the driver does where it cannot be that.
    """
    sql.run("BEGIN IMMEDIATE")
    try:
        sql.run("INSERT INTO words (words, rank) VALUES ('integrity-check', 1)")
    except errors as error:
        return [f"{DIFFERS.format('words')} ({error})"]
    finally:
        sql.run("ROLLBACK")
    return []


def _grams_differ(sql: Sql, texts: Sequence[tuple[int, str]]) -> list[str]:
    """Whether `grams` is what it would be if it were made now. FTS5 cannot tell: this half has no texts of its own to look at."""
    sql.run("CREATE VIRTUAL TABLE temp.fresh USING fts5(text, content='', tokenize='trigram')")
    sql.run("CREATE VIRTUAL TABLE temp.fresh_held USING fts5vocab('temp', 'fresh', 'instance')")
    sql.run("CREATE VIRTUAL TABLE temp.grams_held USING fts5vocab('main', 'grams', 'instance')")
    try:
        sql.many("INSERT INTO temp.fresh (rowid, text) VALUES (?, ?)", texts)
        for question in _WHAT_GRAMS_SAY:
            fresh, held = (sql.stream(question.format(*names), size=LOT) for names in (("temp", "fresh"), ("main", "grams")))
            if any(one != other for one, other in zip_longest(fresh, held)):
                return [DIFFERS.format("grams")]
    finally:
        for name in ("grams_held", "fresh_held", "fresh"):
            sql.run(f"DROP TABLE temp.{name}")
    return []


def find(sql: Sql, wanted: Search) -> list[Hit]:
    """The best hits, best first.

    The ranking is asked for a few times deeper than the limit, and where too few of it may be shown, deeper and at last to the bottom.
    """
    hits: list[Hit] = []
    seen = 0
    if wanted.limit < 1:
        return []
    for depth in (max(wanted.limit * OVERFETCH, 50), wanted.limit * DEEPER, TO_THE_BOTTOM):
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
    """What the two indexes rank, best first: row -> BM25. complete: there is nothing below."""

    words: Mapping[int, float]
    grams: Mapping[int, float]
    complete: bool

    def merged(self) -> dict[int, float]:
        """Both rankings as one; what stands in both has both scores."""
        if not self.grams:
            return dict(self.words)
        scores = {row: self.words.get(row, 0.0) + self.grams.get(row, 0.0) for row in (*self.words, *self.grams)}
        return dict(sorted(scores.items(), key=lambda scored: -scored[1]))


def ranked(sql: Sql, wanted: Search, depth: int) -> Found:
    """Rank whatever has one of the words, within the user, project, session and type asked for; each index to this depth."""
    words = [word.replace("\0", " ").encode("utf-8", "replace").decode("utf-8") for word in wanted.words]
    if not any(words):
        return Found({}, {}, complete=True)
    scope = _scope(sql, wanted)
    asked = {"user": wanted.user, "project": wanted.project, "session": wanted.only.session, "types": _types(wanted), "depth": depth}
    match = " OR ".join(_quoted(word) for word in words if word)
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
    if Episode not in wanted.types:
        fits.append("type <> 'episode'")
    if not fits and not sql.named(_OTHERS, {"user": wanted.user, "types": _types(wanted)})[0][0]:
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
        row: Hit(id_, type_, 0.0, text, episode, moment(said_at), session, project, Origin(origin), length=length)
        for row, id_, type_, text, length, episode, said_at, session, project, origin in found
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


def _quoted(word: str) -> str:
    """A word as FTS5 takes it for data, whatever is in it."""
    return '"' + word.replace('"', '""') + '"'


def _gram_query(sql: Sql, words: Iterable[str]) -> str:
    """The trigrams that stand for the words in scripts without spaces, OR-ed; empty when there are none."""
    grams: dict[str, None] = {}
    for word in words:
        for run in () if word.isascii() else SPACELESS.findall(word):
            if len(run) >= 3:
                grams.update(dict.fromkeys(run[start : start + 3] for start in range(len(run) - 2)))
            else:
                grams.update(dict.fromkeys(term for (term,) in sql.rows(_BEGINNING, run, run + "\U0010ffff", MOST_GRAMS)))
    return " OR ".join(_quoted(gram) for gram in grams)
