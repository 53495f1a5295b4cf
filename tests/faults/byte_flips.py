"""Bytes of the database that turned: `python -m tests.faults.byte_flips --flips 5000 --seed 1`.

Each time one bit of one byte of a sound store is turned. Then either the store says that something is wrong (when it is opened, looked
over or read), or everything in it still reads as it was: every row of every table, the schema, and what the full-text index answers to
each word in it. What reads otherwise and is not told would be a silent lie; there may be none.
"""

from __future__ import annotations

import random
import sys
from collections import Counter
from dataclasses import MISSING, fields, replace
from datetime import datetime, timedelta
from enum import Enum
from pathlib import Path
from typing import Any, get_args, get_origin, get_type_hints

from ethos.core.history.erasure import ErasureRequest
from ethos.core.model.errors import Refused
from ethos.core.model.plan import ChangeSet, Plan
from ethos.core.model.record_types import by_descriptor
from ethos.core.model.records import WeakClaim
from ethos.core.model.settings import Settings
from ethos.edge import wiring
from ethos.store import open_store
from ethos.store.sqlite.checksums import every_sum
from ethos.store.sqlite.sql import Sql
from tests.faults import runner
from tests.faults.story import Story, talk
from tests.support import proven
from tests.support.telling import NOON, said

Reading = dict[str, list[tuple[Any, ...]]]
INDEXES = ("words", "grams")


def read(path: Path) -> Reading:
    """Everything in a store. Raises `Refused`."""
    store = open_store(path)
    try:
        with store.begin() as work:
            sql = work.sql
            schema = sql.rows("SELECT type, name, tbl_name, sql FROM sqlite_master ORDER BY name")
            tables = [name for kind, name, _, text in schema if kind == "table" and "VIRTUAL" not in text]
            stored = [name for name in tables if not name.startswith(INDEXES) or name.endswith("_config")]
            reading = {name: sorted(sql.rows(f"SELECT * FROM {name}"), key=repr) for name in stored}  # noqa: S608 (its own tables)
            return reading | {"schema": schema} | {name: _answers(sql, name) for name in INDEXES}
    finally:
        store.close()


def _answers(sql: Sql, index: str) -> list[tuple[Any, ...]]:
    """What an index holds, and what it answers, and how surely, when it is asked for each of its words."""
    sql.run(f"CREATE VIRTUAL TABLE temp.{index}_instances USING fts5vocab('main', '{index}', 'instance')")
    held = sql.rows(f'SELECT term, doc, col, "offset" FROM temp.{index}_instances')  # noqa: S608 (its own tables)
    asked = f"SELECT rowid, bm25({index}) FROM {index} WHERE {index} MATCH ? ORDER BY rowid"  # noqa: S608 (its own tables)
    return held + [(term, *sql.rows(asked, f'"{term}"')) for term in sorted({term for term, *_ in held})]


def told(path: Path) -> str:
    """What the store says is wrong with it; empty when nothing."""
    try:
        store = open_store(path)
    except Refused as refused:
        return refused.problem.what
    try:
        return "; ".join(store.check())
    finally:
        store.close()


def outcome(path: Path, truth: Reading) -> str:
    """What came of a flip: "told", "harmless", or what is silently otherwise."""
    if told(path):
        return "told"
    try:
        found = read(path)
    except Refused:
        return "told"
    if found == truth:
        return "harmless"
    wrong = {name: set(map(repr, found.get(name, []))) ^ set(map(repr, truth[name])) for name in truth if found.get(name) != truth[name]}
    return f"silent: {wrong}"


def lived(folder: Path, seed: int) -> Path:
    """A store with rows in every table: a story told to its end, a run taken back, a turn forgotten, and a unit left in hand."""
    state = folder / "state"
    proven.seed(state)
    story = Story(folder, wiring.rules(replace(Settings(), ethos=replace(Settings().ethos, state=str(state)))), lambda _: None)
    story.tell(talk(seed), None)
    weak = said("我们决定使用 Postgres 数据库。", at=NOON + timedelta(days=50))
    with story.opened() as ethos:
        decided = [said(f"We decided to use tool{n} for purpose{n}.", at=NOON + timedelta(minutes=n)) for n in range(60)]
        quarrel = [said(f"Ada prefers {tongue}.", at=NOON + timedelta(days=day)) for day, tongue in enumerate(("Rust", "Python"))]
        ethos.capture([*decided, *quarrel])
        ethos.consolidate()
        ethos.capture([weak, said("Lunch with the heron.", at=NOON + timedelta(days=51)), said("今天没有什么新闻", at=NOON)], live=True)
        ethos.consolidate()
        ethos.recall("Postgres", session="s2")
        run = next(run for run in ethos.status().runs if run.counts.get("facts_created"))
        ethos.undo(run.id)
        ethos.forget(ErasureRequest(matching="heron"))
        rising = [said(f"Step {hour}", at=NOON + timedelta(hours=hour), importance=hour / 5, session="s9") for hour in range(5)]
        ethos.capture(rising)
        ethos.sleep(NOON.date())
        slot = ("default", "default", "team", "use", "", "zig")
        weak_claim = WeakClaim(*slot, "+", weak.id, "r", 1, 0, 4, "Zig", 0.2, weak.said_at, run.id)
        with ethos.store.begin(write=True) as work:
            added = [sample(kind.record, weak.id) for kind in by_descriptor() if not any(work.records(kind.record))]
            work.apply(Plan((ChangeSet("", (weak_claim, *added)),)), run.id)
        ethos.store.begin_unit([weak.id])
    return folder / "ethos.db"


def sample(made: type[Any], id_: str) -> Any:
    """Return a record of this class: each field without a default has a value of its type, the id of an episode if it is text."""
    types = get_type_hints(made)
    needed = (field.name for field in fields(made) if field.default is field.default_factory is MISSING)
    return made(**{name: _value(types[name], id_) for name in needed})


def _value(kind: Any, id_: str) -> Any:
    if get_origin(kind) is tuple:
        return (_value(get_args(kind)[0], id_),)
    if kind is datetime:
        return NOON
    if isinstance(kind, type) and issubclass(kind, Enum):
        return next(iter(kind))
    return id_ if kind is str else kind(1)


def run(top: Path, flips: int, seed: int, tell: runner.Tell) -> tuple[Counter[str], list[str]]:
    """Turn so many bytes, one at a time; how they came out, and those that nobody would have noticed."""
    chance, progress = random.Random(seed), runner.Progress("flips", flips, tell)
    counts: Counter[str] = Counter()
    silent: list[str] = []
    folder = top / "whole"
    folder.mkdir(mode=0o700)
    sound = lived(folder, seed)
    assert told(sound) == ""
    truth = read(sound)
    assert all(truth[sums.table] for sums in every_sum()), "a table without a row shows nothing"
    whole = sound.read_bytes()
    path = top / "turned" / "ethos.db"
    path.parent.mkdir(mode=0o700)
    for number in range(1, flips + 1):
        data = bytearray(whole)
        at = chance.randrange(len(data))
        data[at] ^= 1 << chance.randrange(8)
        path.write_bytes(data)
        path.chmod(0o600)
        found = outcome(path, truth)
        counts[found.split(":")[0]] += 1
        if found.startswith("silent"):
            silent.append(f"byte {at}: {found}")
        for each in path.parent.iterdir():
            each.unlink()
        progress.at(number, dict(counts))
    return counts, silent


def silent_ones(top: Path, flips: int, seed: int, tell: runner.Tell) -> list[str]:
    """What `run` finds that nobody would have noticed, with the rest told."""
    counts, silent = run(top, flips, seed, tell)
    tell(f"in the end: {dict(counts)}\n")
    return silent


PROGRAM = runner.Program(
    name="tests.faults.byte_flips",
    about=__doc__,
    unit="flips",
    most=5_000,
    run=silent_ones,
    kept="each is told, or changes nothing that is read",
)

if __name__ == "__main__":
    sys.exit(PROGRAM.main())
