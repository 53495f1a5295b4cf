"""The full-text index: which texts stand in it, how it is kept up, and whether it is sound.

One FTS5 index covers episodes, current facts and the records of other indexed types, and a trigram index beside it covers scripts
without spaces. So BM25 weighs all of them with one set of statistics and one query ranks them together. `listed.py` says which record a
row is. The index keeps no text: it reads the view `searchable`, and can be built again from the records. The statements that write
records keep it up, not triggers, which a migration may drop unseen.

Only text with a script of `SPACELESS` goes into the trigram index; a store without any pays nothing for it.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from itertools import zip_longest

import regex

from ethos.core.model.record_types import RecordType, by_descriptor
from ethos.core.model.records import Role
from ethos.store.sqlite import listed
from ethos.store.sqlite.listed import Entry
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
_EVERY_EPISODE = "SELECT seq, user, project, session, text, role, speaker, said_at FROM episodes ORDER BY seq"
_EVERY_FACT = "SELECT seq, user, project, statement, slot, valid_from FROM facts WHERE closed_at IS NULL ORDER BY seq"
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


def schema() -> tuple[str, ...]:
    """Return the statements that make the index: a view of the texts of every indexed type, and the tables above it."""
    more = (_VIEW_MORE.format(text=text_of(kind), table=kind.table, name=kind.name) for kind in _indexed())
    return (*listed.SCHEMA, "".join((_VIEW, *more)), *_INDEXES)


def _indexed() -> list[RecordType]:
    """Return the types whose entries follow from the descriptor."""
    return [kind for kind in by_descriptor() if kind.indexed is not None]


def text_of(kind: RecordType) -> str:
    """Return the SQL of the text by which records of a type are found."""
    return " || ' ' || ".join(f'{kind.table}."{field}"' for field in kind.text)


def entries(sql: Sql, kind: RecordType, where: str = "", *params: str) -> list[Entry]:
    """Return the records of a type as they are indexed: all, or those that a condition picks."""
    assert kind.indexed is not None  # noqa: S101 (by the callers)
    columns = f'seq, user, project, {text_of(kind)}, "{kind.indexed.at}"'
    found = sql.rows(select(columns, f"{kind.table} {where} ORDER BY seq"), *params)
    return [Entry(kind.name, seq, user, project, "", text, said_at=at) for seq, user, project, text, at in found]


def texts(sql: Sql, kind: RecordType, where: str, *params: str) -> dict[int, str]:
    """Return the indexed text of the records that a condition picks, by their numbers."""
    return dict(sql.rows(select(f"seq, {text_of(kind)}", f"{kind.table} {where}"), *params))


def has_grams(text: str) -> bool:
    """Return True if a text belongs in the trigram index too."""
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
    """Return the faults of the index, in words: texts that it holds and should not, or should and does not.

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
    """Return a fault if `words` does not fit the texts, by the check of FTS5 itself. errors: those of the driver.

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
    """Return a fault if `grams` is not what it would be if it were built now. FTS5 cannot tell: this half keeps no texts."""
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
