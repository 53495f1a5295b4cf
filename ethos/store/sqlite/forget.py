"""Erase records with everything that depends on them, and their last bytes from the file.

An id is looked for among episodes, facts and questions. A fact that the same plan puts again is only written anew: what rests on it
stays. Taking out is one transaction; the file is made anew after it, because what SQLite frees it does not at once overwrite: a
full-text index keeps a word until its segments are merged, and the log keeps a page until it is folded back.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence

from ethos.core.model.record_types import RecordType, by_descriptor, record_types
from ethos.store.sqlite import full_text, lookup
from ethos.store.sqlite.rows import listing
from ethos.store.sqlite.sql import AMONG, Sql

_EPISODES = f"SELECT seq, text FROM episodes WHERE id {AMONG}"  # noqa: S608 (our own names)
_SESSIONS = f"SELECT DISTINCT session FROM episodes WHERE id {AMONG}"  # noqa: S608 (our own names)
_FACTS = f"SELECT seq, statement || ' ' || slot FROM facts WHERE closed_at IS NULL AND id {AMONG}"  # noqa: S608 (our own names)

_PROBE = "CREATE VIRTUAL TABLE temp.{0} USING fts5(text, content='', tokenize='{1}')"
_TERMS = "CREATE VIRTUAL TABLE temp.{0}_terms USING fts5vocab('temp', '{0}', 'row')"
_INDEX = "CREATE VIRTUAL TABLE temp.{0}_held USING fts5vocab('main', '{0}', '{1}')"
_INDEXES = (("words", "porter unicode61 remove_diacritics 2"), ("grams", "trigram"))


def forget(sql: Sql, ids: Collection[str], rewritten: Collection[str]) -> None:
    """Take these out. rewritten: those among them that are put again, with what rests on them left where it is."""
    if not ids:
        return
    every, lost = listing(ids), listing(set(ids) - set(rewritten))
    sessions = listing(session for (session,) in sql.rows(_SESSIONS, every))
    full_text.drop(sql, "episode", dict(sql.rows(_EPISODES, every)))
    full_text.drop(sql, "fact", dict(sql.rows(_FACTS, every)))
    for kind in record_types():  # what goes with another is gone before it: its table may refer to the other
        for column in kind.goes_with:
            _delete_with(sql, kind, column, lost)
        _forget_images(sql, kind, lost)
    for kind in record_types():
        if kind.forgotten_by:
            _delete_with(sql, kind, kind.forgotten_by, every)
    for table, column in (("retrievals", "record"), ("journal", "id")):
        sql.run(_delete(table, column), lost)
    for table in ("session_events", "retrievals"):
        sql.run(_delete(table, "session NOT IN (SELECT session FROM episodes) AND session"), sessions)


def _delete_with(sql: Sql, kind: RecordType, column: str, ids: str) -> None:
    """Delete the rows that name one of these ids in this column, and what the journal and the index hold of them."""
    condition = lookup.holds(f'"{column}"', several=column in kind.lists)
    if kind.journalled:
        gone = f"SELECT {kind.key[0]} FROM {kind.table} WHERE {condition}"  # noqa: S608 (our own names)
        sql.run(f"DELETE FROM journal WHERE kind = ? AND id IN ({gone})", kind.table, ids)  # noqa: S608 (our own names)
    if kind.indexed is not None and kind in by_descriptor():
        full_text.drop(sql, kind.name, full_text.texts(sql, kind, f"WHERE {condition}", ids))
    sql.run(f"DELETE FROM {kind.table} WHERE {condition}", ids)  # noqa: S608 (our own names)


def _forget_images(sql: Sql, kind: RecordType, ids: str) -> None:
    """Delete what the journal holds of records that rested on one of these ids, and no longer do or are no longer held."""
    if not kind.journalled or kind not in by_descriptor():
        return
    for column in kind.goes_with:
        rests = lookup.holds(f"before ->> '$.\"{column}\"'", several=column in kind.lists)
        sql.run(f"DELETE FROM journal WHERE kind = ? AND {rests}", kind.table, ids)  # noqa: S608 (our own names)


def _delete(table: str, column: str) -> str:
    return f"DELETE FROM {table} WHERE {column} {AMONG}"  # noqa: S608 (our own names)


def merge(sql: Sql) -> None:
    """Write each index as one segment, so that it holds no word that was taken out."""
    for index, _ in _INDEXES:
        sql.run(f"INSERT INTO {index} ({index}) VALUES ('optimize')")  # noqa: S608 (our own names)


def left_in_index(sql: Sql, texts: Sequence[str]) -> int:
    """Return how many terms of these texts the index holds though no record has them. To be asked outside a transaction."""
    found = 0
    for index, tokenizer in _INDEXES:
        probe = f"probe_{index}"
        sql.run(_PROBE.format(probe, tokenizer))
        sql.run(_TERMS.format(probe))
        sql.run(_INDEX.format(index, "row"))
        wanted = texts if index == "words" else [text + full_text.PAD for text in texts if full_text.has_grams(text)]
        sql.many(f"INSERT INTO temp.{probe} (rowid, text) VALUES (?, ?)", list(enumerate(wanted, 1)))  # noqa: S608 (our own names)
        query = f"SELECT term FROM temp.{probe}_terms INTERSECT SELECT term FROM temp.{index}_held"  # noqa: S608 (our own names)
        terms = [term for (term,) in sql.rows(query)]
        sql.run(f"DROP TABLE temp.{index}_held")
        sql.run(_INDEX.format(index, "instance"))  # by MATCH the term would be stemmed again: the stem of "databas" is another
        held = f"SELECT 1 FROM temp.{index}_held WHERE term = ? AND doc IN (SELECT id FROM searchable) LIMIT 1"  # noqa: S608 (our own names)
        found += sum(not sql.rows(held, term) for term in terms)
        for name in (f"{probe}_terms", f"{index}_held", probe):
            sql.run(f"DROP TABLE temp.{name}")
    return found
