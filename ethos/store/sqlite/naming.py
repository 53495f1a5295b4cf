"""Find facts by a phrase in their subject, predicate, object or purpose, through the full-text index.

A scan of every fact of a user grows with the store: at 30,000 episodes it was a third of the SQL of a cycle (benchmarks). The index holds
the sentence of each current fact, which tells all of them; so only facts whose sentence has the words of the phrase are
looked at. A phrase of which no word is sure to stand in a sentence (`phrasing.sure_words`) is looked for in every fact.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Sequence

from ethos.core.model.records import Fact
from ethos.core.text.language.phrasing import sure_words
from ethos.store.sqlite.columns import ACTIVE, SET_APART
from ethos.store.sqlite.listed import BLOCK_BITS
from ethos.store.sqlite.rows import FACT, listing
from ethos.store.sqlite.sql import Sql, select

# an element k of what is asked: the user, the project or null for any, the word that the index is asked for, and the phrases with it, each
# with what else the index has to hold for it, or null
_IN_INDEX = f"""
json_each(?) k CROSS JOIN blocks b
  ON b.user = k.value ->> 0 AND b.session = '' AND b.type = 'fact' AND (k.value ->> 1 IS NULL OR b.project = k.value ->> 1)
CROSS JOIN words w ON w.words MATCH k.value ->> 2 AND w.rowid >= b.number << {BLOCK_BITS} AND w.rowid < (b.number + 1) << {BLOCK_BITS}
CROSS JOIN listed l ON l."row" = w.rowid CROSS JOIN facts f ON f.seq = l.seq
"""
_IN_ALL = "json_each(?) k CROSS JOIN facts f ON f.user = k.value ->> 0 AND (k.value ->> 1 IS NULL OR f.project = k.value ->> 1)"
_WHERE = " OR ".join(f"instr(f.{key}, json_each.value ->> 0)" for key in ("object_key", "subject_key", "predicate_key"))
_SPOKEN = "instr(lower(f.subject), json_each.value ->> 0)"  # another noun may stand for it in the key
_PURPOSE = "f.predicate_key = 'use' AND instr(lower(f.statement), json_each.value ->> 0)"
_NAMED = f"SELECT 1 FROM json_each(k.value -> 3) WHERE ({_WHERE} OR {_SPOKEN} OR {_PURPOSE})"  # noqa: S608 (our own names)
_REST = "SELECT 1 FROM words WHERE words.words MATCH json_each.value ->> 1 AND words.rowid = w.rowid"
_WITH_THE_REST = f"(json_each.value ->> 1 IS NULL OR EXISTS ({_REST}))"
_LOOK_UPS = ((_IN_INDEX, f"{_NAMED} AND {_WITH_THE_REST}"), (_IN_ALL, _NAMED))
_HELD = f"f.closed_at IS NULL AND NOT {SET_APART}"


def active(sql: Sql, named: Collection[tuple[str, str, str]]) -> Sequence[Fact]:
    """Return the active facts of these users and projects with the phrase among their folded words."""
    return _found(sql, ACTIVE, named)


def current(sql: Sql, named: Collection[tuple[str, str]]) -> Sequence[Fact]:
    """Return the current versions of these users' facts with the phrase among their folded words, but none set apart."""
    return _found(sql, _HELD, [(user, None, phrase) for user, phrase in named])


def _found(sql: Sql, condition: str, named: Collection[tuple[str, str | None, str]]) -> Sequence[Fact]:
    asked: dict[tuple[str, str | None, str], list[tuple[str, str | None]]] = {}
    for user, project, phrase in _without_plurals(dict.fromkeys(named)):
        word, rest = _asked_for(phrase)
        asked.setdefault((user, project, word), []).append((phrase, rest))
    facts: dict[str, Fact] = {}
    for source, naming in _LOOK_UPS:
        if those := [(*by, phrases) for by, phrases in asked.items() if bool(by[2]) == (source is _IN_INDEX)]:
            statement = select(FACT.listed("f."), f"{source} WHERE {condition} AND EXISTS ({naming}) GROUP BY f.id ORDER BY f.id")
            facts |= {fact.id: fact for fact in FACT.all(sql.rows(statement, listing(those)))}
    return [facts[id_] for id_ in sorted(facts)]


def _asked_for(phrase: str) -> tuple[str, str | None]:
    """Return what the index is asked for a phrase: the longer of its first and its last sure word, and of what that finds the other one.

    Where both stand, those between them stand too. To ask for both at once costs more, because the index looks from its first text on for
    one that has them; and some words, such as "and", are in so many texts that they cost as much as all others.
    """
    words = sure_words(phrase)
    if not words:
        return "", None
    first, last = f'"{words[0]}"', f'"{words[-1]}"'
    longer, other = (first, last) if len(first) > len(last) else (last, first)
    return longer, other if other != longer else None


def _without_plurals(named: Collection[tuple[str, str | None, str]]) -> Iterator[tuple[str, str | None, str]]:
    """Yield what is asked for, without the plural of a word that is itself asked for, and finds all that the plural does: it is a part of
    it, and the index reads both as one word.
    """
    for user, project, phrase in named:
        if not (_PLURAL.fullmatch(phrase) and (user, project, phrase[:-1]) in named):
            yield user, project, phrase


_PLURAL = re.compile(r"[a-z]{3,30}(?<!s)(?<!ie)(?<!sse)s")  # of which the stemmer of the index cuts off the "s", and no more
