"""Map records to rows of the full-text index, with the features that ranking reads.

Records get row numbers in blocks of 65,536. A block holds records of one type, user, project and session (only turns have one), so
that the neighbours of a turn are the rows beside its own, rows of a session lie on the same pages, and a search is kept to a type,
a project or a session by the number of the block alone. What is noted (`core.recall.features`) is worked out once, when the record
is put. Everything here can be made anew from the records.

Between two blocks a few numbers stay free, so that no turn has a neighbour of another session. Each row bears a checksum, like those of
the records; but what is damaged here is made anew (`reindex`) and not restored.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple

from ethos.core.model.record_types import by_descriptor
from ethos.core.model.records import Role
from ethos.core.recall import features
from ethos.core.recall.terms import folded, words
from ethos.store.sqlite.checksums import Sums
from ethos.store.sqlite.rows import listing
from ethos.store.sqlite.sql import AMONG, Sql, insert, upsert

BLOCK_BITS = 16
APART = 8  # rows at the end of a block that stay free: more than any ranking looks to either side
BLOCK_ROWS = (1 << BLOCK_BITS) - APART

SCHEMA = (
    """
CREATE TABLE blocks (
    number INTEGER NOT NULL PRIMARY KEY,
    type TEXT NOT NULL,
    user TEXT NOT NULL,
    project TEXT NOT NULL,
    session TEXT NOT NULL,
    used INTEGER NOT NULL,
    checksum BIGINT DEFAULT 0 NOT NULL
)
""",
    "CREATE INDEX idx_blocks_owner ON blocks (user, session, project, type)",
    """
CREATE TABLE listed (
    "row" INTEGER NOT NULL PRIMARY KEY,
    seq INTEGER NOT NULL,
    terms BLOB NOT NULL,
    asked INTEGER NOT NULL,
    traits INTEGER NOT NULL,
    names INTEGER NOT NULL,
    speaker TEXT NOT NULL,
    said_at BIGINT NOT NULL,
    checksum BIGINT DEFAULT 0 NOT NULL
)
""",
    "CREATE INDEX idx_listed_seq ON listed (seq)",
    "CREATE INDEX idx_listed_said_at ON listed (said_at)",
    """
CREATE TABLE speakers (
    name TEXT NOT NULL PRIMARY KEY,
    first TEXT NOT NULL,
    turns INTEGER NOT NULL,
    checksum BIGINT DEFAULT 0 NOT NULL
) WITHOUT ROWID
""",
    "CREATE INDEX idx_speakers_first ON speakers (first)",
)

BLOCKS = Sums("blocks", ("number", "type", "user", "project", "session", "used"), key=["number"])
LISTED = Sums("listed", ("row", "seq", "terms", "asked", "traits", "names", "speaker", "said_at"), key=["row"])
SPEAKERS = Sums("speakers", ("name", "first", "turns"), key=["name"])

_BLOCK_OF = """
SELECT number, used FROM blocks WHERE type = ? AND user = ? AND project = ? AND session = ? ORDER BY number DESC LIMIT 1
"""
_LIST = insert("listed", LISTED.written)
_OF_TYPE = f"""listed l JOIN blocks b ON b.number = l."row" >> {BLOCK_BITS}"""
_ROWS_OF = f"""
SELECT l.seq, l."row", l.speaker FROM json_each(?) w CROSS JOIN {_OF_TYPE} WHERE l.seq = w.value AND b.type = ?
"""  # noqa: S608 (our own names)
_SEQS = f"SELECT l.seq FROM {_OF_TYPE} WHERE b.type = ?"  # noqa: S608 (our own names)
_EMPTY = f"""
DELETE FROM blocks WHERE number {AMONG} AND NOT EXISTS (
  SELECT 1 FROM listed WHERE "row" BETWEEN number << {BLOCK_BITS} AND (number + 1 << {BLOCK_BITS}) - 1)
"""  # noqa: S608 (our own names)
_LOST = f"""
SELECT EXISTS (SELECT 1 FROM listed l LEFT JOIN blocks b ON b.number = l."row" >> {BLOCK_BITS}
  WHERE b.number IS NULL OR l."row" - (b.number << {BLOCK_BITS}) >= b.used)
"""  # noqa: S608 (our own names)
_SPEAKING = f"SELECT name, turns FROM speakers WHERE name {AMONG}"  # noqa: S608 (our own names)
_SPEAKER_IN = upsert("speakers", SPEAKERS.written, key="name")
_MISCOUNTED = f"""
SELECT EXISTS (
  SELECT name, turns FROM speakers EXCEPT SELECT l.speaker, count(*) FROM {_OF_TYPE} WHERE b.type = 'episode' GROUP BY l.speaker)
OR (SELECT coalesce(sum(turns), 0) FROM speakers) <> (SELECT count(*) FROM {_OF_TYPE} WHERE b.type = 'episode')
"""  # noqa: S608 (our own names)


class Entry(NamedTuple):
    """Describe a record that is to be indexed. seq: its number in its own table."""

    type: str  # `RecordType.name`
    seq: int
    user: str
    project: str
    session: str
    text: str
    role: Role = "user"
    speaker: str = ""
    said_at: int = 0


class _Block:
    """Hold a block that is being filled."""

    __slots__ = ("known", "number", "owner", "used")

    def __init__(self, number: int, owner: tuple[str, ...], used: int, *, known: bool) -> None:
        self.number, self.owner, self.used, self.known = number, owner, used, known


class Places:
    """Give out rows, block by block, for one transaction; `keep` stores how far the blocks are used."""

    def __init__(self, sql: Sql) -> None:
        self._sql = sql
        self._open: dict[tuple[str, ...], _Block] = {}
        self._touched: dict[int, _Block] = {}
        self._next: int | None = None

    def row(self, entry: Entry) -> int:
        """Return the next free row for this record."""
        owner = (entry.type, entry.user, entry.project, entry.session)
        block = self._open.get(owner) or self._found(owner)
        if block.used >= BLOCK_ROWS:
            block = self._new(owner)
        self._open[owner] = self._touched[block.number] = block
        block.used += 1
        return (block.number << BLOCK_BITS) + block.used - 1

    def keep(self) -> None:
        """Write the blocks down."""
        BLOCKS.keep(self._sql, [(b.number, *b.owner, b.used) for b in self._touched.values() if not b.known])
        grown = [b for b in self._touched.values() if b.known]
        self._sql.many(
            "UPDATE blocks SET used = ?, checksum = ? WHERE number = ?",
            [(b.used, BLOCKS.of((b.number, *b.owner, b.used)), b.number) for b in grown],
        )

    def _found(self, owner: tuple[str, ...]) -> _Block:
        held = self._sql.rows(_BLOCK_OF, *owner)
        return _Block(held[0][0], owner, held[0][1], known=True) if held else self._new(owner)

    def _new(self, owner: tuple[str, ...]) -> _Block:
        if self._next is None:
            self._next = int(self._sql.value("SELECT coalesce(max(number), 0) + 1 FROM blocks"))
        self._next += 1
        return _Block(self._next - 1, owner, 0, known=False)


def put(sql: Sql, entries: Sequence[Entry]) -> list[int]:
    """List these records and return their rows, in the same order."""
    places = Places(sql)
    rows = [places.row(entry) for entry in entries]
    places.keep()
    sql.many(_LIST, LISTED.added(map(_noted, rows, entries)))
    _count(sql, Counter(_speaker(entry) for entry in entries if entry.type == "episode"))
    return rows


def take(sql: Sql, type_: str, seqs: Iterable[int]) -> dict[int, int]:
    """Take these records out of the list; the row of each, by its number."""
    found = sql.rows(_ROWS_OF, listing(seqs), type_)
    rows = listing(row for _, row, _ in found)
    sql.run(f'DELETE FROM listed WHERE "row" {AMONG}', rows)  # noqa: S608 (our own names)
    if type_ == "episode":
        gone = Counter(speaker for _, _, speaker in found)
        _count(sql, Counter({speaker: -turns for speaker, turns in gone.items()}))
    blocks = listing({row >> BLOCK_BITS for _, row, _ in found})
    sql.run(_EMPTY, blocks)
    return {seq: row for seq, row, _ in found}


def clear(sql: Sql) -> None:
    """Empty the list."""
    for table in ("listed", "blocks", "speakers"):
        sql.run(f"DELETE FROM {table}")  # noqa: S608 (our own names)


def check(sql: Sql) -> list[str]:
    """Tell in words what in the list does not fit the records."""
    found = [f"full-text index: {line.removeprefix('damaged: ')}" for sums in (BLOCKS, LISTED, SPEAKERS) for line in sums.check(sql)]
    others = ((kind.name, kind.table) for kind in by_descriptor() if kind.indexed is not None)
    for type_, records in (("episode", "episodes"), ("fact", "facts WHERE closed_at IS NULL"), *others):
        wanted = {seq for (seq,) in sql.rows(f"SELECT seq FROM {records}")}  # noqa: S608 (our own names)
        held = Counter(seq for (seq,) in sql.rows(_SEQS, type_))
        missing, odd = len(wanted - held.keys()), len(held.keys() - wanted) + sum(count - 1 for count in held.values())
        if missing or odd:
            found.append(f"full-text index: {missing} {type_}s have no row in it, {odd} rows too many")
    if sql.value(_LOST):
        found.append("full-text index: there are rows outside any block")
    if sql.value(_MISCOUNTED):
        found.append("full-text index: the turns of some speaker are miscounted")
    return found


def _noted(row: int, entry: Entry) -> tuple[Any, ...]:
    noted = features.of_turn(entry.text, entry.role) if entry.type == "episode" else features.of_fact(entry.text)
    return (row, entry.seq, *noted, _speaker(entry), entry.said_at)


def _speaker(entry: Entry) -> str:
    return folded(entry.speaker)


def _count(sql: Sql, changes: Mapping[str, int]) -> None:
    """Add to the turns of each speaker, and strike whoever has none left."""
    if not changes:
        return
    held = dict(sql.rows(_SPEAKING, listing(changes)))
    counts = {name: held.get(name, 0) + change for name, change in changes.items()}
    rows = [(name, (words(name) or [""])[0], turns) for name, turns in counts.items() if turns > 0]
    sql.many(_SPEAKER_IN, SPEAKERS.added(rows))
    sql.run(f"DELETE FROM speakers WHERE name {AMONG}", listing(name for name, turns in counts.items() if turns <= 0))  # noqa: S608
