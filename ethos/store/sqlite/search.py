"""Full text: one FTS5 index over episodes and current facts, and a trigram index beside it for scripts without spaces.

Both kinds of record stand in one index, so that BM25 weighs them with one set of statistics and one query ranks them together.
The row of an episode is `2 * seq`, that of a fact version `2 * seq + 1`. The index keeps no text: it reads the view `searchable`,
and can be rebuilt from it. It is kept up by the statements of `apply.py`, not by triggers, which a migration may drop unseen.

Only text with a script of `SPACELESS` goes into the trigram index; a store without any pays nothing for it. A word in such a
script is looked up by its trigrams, OR-ed, so that a question need not stand in a text letter by letter. Words of one or two
letters have no trigram: they are looked up as the beginning of trigrams, in the index's own vocabulary.

A search in a project finds also what belongs to no project but to the user (preferences: SPEC, What collides).
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import zip_longest

import regex

from ethos.core.model.records import Origin
from ethos.core.ports.store import Hit, Search
from ethos.store.sqlite.columns import micros, moment
from ethos.store.sqlite.rows import listing
from ethos.store.sqlite.sql import Sql

SCHEMA = (
    """
CREATE VIEW searchable (id, text) AS
SELECT seq * 2, text FROM episodes UNION ALL SELECT seq * 2 + 1, statement || ' ' || slot FROM facts WHERE closed_at IS NULL
""",
    """
CREATE VIRTUAL TABLE words
USING fts5(text, content='searchable', content_rowid='id', tokenize='porter unicode61 remove_diacritics 2')
""",
    "CREATE VIRTUAL TABLE grams USING fts5(text, content='', tokenize='trigram')",
    "CREATE VIRTUAL TABLE gram_terms USING fts5vocab('grams', 'row')",
)

SPACELESS = regex.compile(
    r"[\p{Han}\p{Hiragana}\p{Katakana}\p{Hangul}\p{Thai}\p{Lao}\p{Khmer}\p{Myanmar}\p{Tibetan}\u3005-\u3007\u30fc]+", regex.V1
)
PAD = "  "  # so that the last letters of a text begin trigrams too
MOST_GRAMS = 500  # a letter that begins more is looked up by its 500 commonest
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
substr(e.text, max(1, (
  SELECT coalesce(min(nullif(instr(lower(e.text), value), 0)), 1) FROM json_each(:words)
) - :longest / 4), :longest)
"""  # around the first of the words

# `ORDER BY bm25()` and not `ORDER BY rank`, which looks up every row a second time (1.6 times the cost, measured)
_RANKED = "SELECT rowid, -bm25(words) AS score FROM words WHERE words MATCH ? ORDER BY score DESC LIMIT ?"
_RANKED_FACTS = _RANKED.replace(" ORDER", " AND rowid & 1 ORDER")
_RANKED_GRAMS = "SELECT rowid, -bm25(grams) AS score FROM grams WHERE grams MATCH ? ORDER BY score DESC LIMIT ?"
_BEGINNING = "SELECT term FROM gram_terms WHERE term >= ? AND term < ? ORDER BY doc DESC, term LIMIT ?"

_EPISODES = """
SELECT e.seq * 2, e.id, 'episode', {text}, length(e.text), e.id, e.said_at, e.session, e.project, e.origin
FROM json_each(:rows) w CROSS JOIN episodes e ON e.seq = w.value LEFT JOIN salience s ON s.record = e.id
WHERE e.user = :user AND (:project IS NULL OR e.project IN (:project, '')) AND (:as_of IS NULL OR e.captured_at <= :as_of)
  AND (:all OR :as_of IS NOT NULL OR s.faded IS NOT 1)
"""
_FACTS = """
SELECT found.seq * 2 + 1, f.id, 'fact', f.statement, length(f.statement),
  coalesce(e.id, ''), coalesce(e.said_at, f.valid_from), coalesce(e.session, ''), f.project, f.origin
FROM json_each(:rows) w CROSS JOIN facts found ON found.seq = w.value
CROSS JOIN facts f ON f.id = found.id AND CASE WHEN :as_of IS NULL THEN f.version = found.version
  ELSE f.recorded_at <= :as_of AND (f.closed_at IS NULL OR f.closed_at > :as_of) END
LEFT JOIN salience s ON s.record = f.id
LEFT JOIN episodes e ON e.id = (
  SELECT v.episode FROM evidence v LEFT JOIN runs r ON r.id = v.run WHERE v.fact = f.id
  ORDER BY r.undone_by IS NOT NULL, v.said_at, v.episode LIMIT 1
)
WHERE f.user = :user AND (:project IS NULL OR f.project IN (:project, ''))
  AND NOT (f.retired_at IS NOT NULL AND f.valid_to IS f.valid_from)
  AND (:all OR (f.superseded_by IS NULL AND f.retired_at IS NULL AND (:as_of IS NOT NULL OR s.faded IS NOT 1)))
"""


def has_grams(text: str) -> bool:
    """Whether a text belongs in the trigram index too."""
    return not text.isascii() and SPACELESS.search(text) is not None


def add(sql: Sql, rows: Sequence[tuple[int, str]]) -> None:
    """Put (row, text) pairs into the index."""
    sql.many(_ADD, rows)
    sql.many(_ADD_GRAMS, [(row, text + PAD) for row, text in rows if has_grams(text)])


def drop(sql: Sql, rows: Sequence[tuple[int, str]]) -> None:
    """Take (row, text) pairs out of the index; the text must be the one that was put in."""
    sql.many(_DROP, rows)
    sql.many(_DROP_GRAMS, [(row, text + PAD) for row, text in rows if has_grams(text)])


def rebuild(sql: Sql) -> None:
    """Make the whole index anew from the records."""
    sql.run("INSERT INTO words (words) VALUES ('rebuild')")
    sql.run("INSERT INTO grams (grams) VALUES ('delete-all')")
    for lot in sql.stream("SELECT id, text FROM searchable", size=LOT):
        sql.many(_ADD_GRAMS, [(row, text + PAD) for row, text in lot if has_grams(text)])


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
    words: set[int] = set()
    grams: list[tuple[int, str]] = []
    for lot in sql.stream("SELECT id, coalesce(CAST(text AS TEXT), '') FROM searchable", size=LOT):  # damage makes NULL and blobs, too
        words.update(row for row, _ in lot)
        grams += [(row, text + PAD) for row, text in lot if has_grams(text)]
    problems = []
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

    The ranking is asked for without regard to who may see what, because that is what the index is fast at: a few times deeper than
    the limit, and where too few of it may be shown, deeper and at last to the bottom.
    """
    words = [word.replace("\0", " ").encode("utf-8", "replace").decode("utf-8") for word in wanted.words]
    if wanted.limit < 1 or not any(words):
        return []
    asked = " OR ".join(_quoted(word) for word in words if word)
    ranking, grams = _RANKED_FACTS if wanted.facts_only else _RANKED, _gram_query(sql, words)
    hits: list[Hit] = []
    seen = 0
    for depth in (max(wanted.limit * OVERFETCH, 50), wanted.limit * DEEPER, TO_THE_BOTTOM):
        ranked = sql.rows(ranking, asked, depth)
        complete = len(ranked) < depth
        if grams:
            also = sql.rows(_RANKED_GRAMS, grams, depth)
            complete = complete and len(also) < depth
            also = [scored for scored in also if not wanted.facts_only or scored[0] & 1]
            ranked, seen, hits = _merged(ranked, also), 0, []
        while seen < len(ranked) and len(hits) < wanted.limit:
            lot = ranked[seen : seen + (LOT if seen else 2 * wanted.limit)]
            hits += _shown(sql, wanted, lot)
            seen += len(lot)
        if complete or len(hits) >= wanted.limit:
            break
    return hits[: wanted.limit]


def _merged(one: Iterable[tuple[int, float]], other: Iterable[tuple[int, float]]) -> list[tuple[int, float]]:
    """Two rankings as one; what stands in both has both scores."""
    scores: dict[int, float] = {}
    for ranking in (one, other):
        for row, score in ranking:
            scores[row] = scores.get(row, 0.0) + score
    return sorted(scores.items(), key=lambda scored: -scored[1])


def _shown(sql: Sql, wanted: Search, ranked: Sequence[tuple[int, float]]) -> list[Hit]:
    """Those of the ranked rows that may be shown, as hits."""
    scores = dict(ranked)
    filters = {
        "user": wanted.user,
        "project": wanted.project,
        "as_of": None if wanted.as_of is None else micros(wanted.as_of),
        "all": wanted.faded,
    }
    part = {} if wanted.longest is None else {"longest": wanted.longest, "words": listing(wanted.words)}
    episodes, facts = _EPISODES.format(text=_PART if part else "e.text"), _FACTS
    found = []
    for statement, kind, more in ((episodes, 0, part), (facts, 1, {})):
        seqs = [row >> 1 for row in scores if row & 1 == kind]
        found += sql.named(statement, {**filters, **more, "rows": listing(seqs)}) if seqs else []
    hits = [
        Hit(id_, type_, scores[row], text, episode, moment(said_at), session, project, Origin(origin), length=length)
        for row, id_, type_, text, length, episode, said_at, session, project, origin in found
    ]
    hits.sort(key=lambda hit: (-hit.score, hit.id))
    return hits


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
