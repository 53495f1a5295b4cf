"""Find what one run changed, by its id: versions of facts by their index, other records by the journal.

Asked by `diff` and `undo`, never by a cycle. What is read is in proportion to what the run changed. A night asks how much it changed:
then what it made is counted and not read.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Any, TypeVar

from ethos.core.history.diff import SALIENCE_SHOWN, Changes, FactChange, QuestionChange, RecordChange, SalienceChange, differences, is_shown
from ethos.core.model.record_types import by_descriptor
from ethos.core.model.records import Evidence, Fact, Question, Salience
from ethos.store.sqlite import lookup
from ethos.store.sqlite.rows import EVIDENCE, FACT, QUESTION, SALIENCE, Shape, listing, shape_of
from ethos.store.sqlite.sql import AMONG, Sql, select

R = TypeVar("R", Question, Salience)

_TOUCHED = "SELECT id FROM facts WHERE run = ? ORDER BY seq"
_VERSIONS = select(FACT.listed(), f"facts WHERE id {AMONG} ORDER BY id, version")
_EVIDENCE = select(EVIDENCE.listed(), f"evidence WHERE fact {AMONG} AND run = ? ORDER BY fact, said_at, episode, rule, start")
_QUESTIONS = select(QUESTION.listed(), f"questions WHERE existing {AMONG} OR new {AMONG} OR id {AMONG} ORDER BY opened_at, id")
_SALIENCE = select(SALIENCE.listed(), f"salience WHERE record {AMONG} ORDER BY record")
_JOURNALLED = "SELECT DISTINCT id FROM journal WHERE run = ? AND kind = ?"
_REPLACED = f"{_JOURNALLED} AND before <> 'null'"
_MADE = f"""
SELECT count(*) FROM ({_JOURNALLED} EXCEPT {_REPLACED}) AS made
WHERE EXISTS (SELECT 1 FROM {{table}} AS held WHERE held."{{key}}" = made.id)
"""  # noqa: S608 (our own names)
_SALIENCE_REPLACED = select(
    f"j.before, {', '.join(f's.{name}' for name in SALIENCE_SHOWN)}",
    "journal AS j JOIN salience AS s ON s.record = j.id WHERE j.run = ? AND j.kind = 'salience'",
)
_WRITTEN_SINCE = """
SELECT EXISTS (SELECT 1 FROM journal WHERE seq > (SELECT min(seq) FROM journal WHERE run = ?) AND run <> ?)
"""
_IMAGES = f"SELECT id, run, before FROM journal WHERE kind = ? AND id {AMONG} ORDER BY seq"  # noqa: S608 (our own names)


def of(sql: Sql, run: str) -> Changes:
    """Return everything that the run changed."""
    facts = _facts(sql, run)
    touched = listing(change.after.id for change in facts)
    questions = _questions(sql, run, QUESTION.all(sql.rows(_QUESTIONS, touched, touched, _noted(sql, run, QUESTION.table))))
    proposed = {change.after.new for change in questions}  # proposed again, a claim in quarantine does not change, only its question
    sides = {change.after.id: change.after for change in facts}
    evidence = EVIDENCE.all(sql.rows(_EVIDENCE, listing(sides.keys() | proposed), run))
    missing = {side for change in questions for side in (change.after.existing, change.after.new)} - sides.keys()
    for fact in FACT.all(sql.rows(_VERSIONS, listing(sorted(missing)))):
        sides[fact.id] = fact
    return Changes(facts, questions, _salience(sql, run), _in_order(facts, evidence), sides, _described(sql, run))


def number(sql: Sql, run: str) -> int:
    """Return how many differences the diff of this run has."""
    if sql.value(_TOUCHED, run) is not None or sql.value(_WRITTEN_SINCE, run, run):
        return len(differences(of(sql, run)))
    made = 0
    for kind in (kind for kind in by_descriptor() if kind.journalled and is_shown(kind)):
        made += int(sql.value(_MADE.format(table=kind.table, key=kind.key[0]), run, kind.table, run, kind.table))
    questions = _questions(sql, run, QUESTION.all(sql.rows(_QUESTIONS, "[]", "[]", _noted(sql, run, QUESTION.table))))
    replaced = _described(sql, run, _REPLACED)
    return made + _saliences_changed(sql, run) + len(differences(Changes(questions=questions, records=replaced)))


def _saliences_changed(sql: Sql, run: str) -> int:
    rows = sql.rows(_SALIENCE_REPLACED, run)
    images = _parsed([before for before, *_ in rows])
    return sum([image.get(name) for name in SALIENCE_SHOWN] != now for image, (_, *now) in zip(images, rows, strict=True))


def _facts(sql: Sql, run: str) -> tuple[FactChange, ...]:
    order = dict.fromkeys(id_ for (id_,) in sql.rows(_TOUCHED, run))
    versions: dict[str, list[Fact]] = {id_: [] for id_ in order}
    for fact in FACT.all(sql.rows(_VERSIONS, listing(order))):
        versions[fact.id].append(fact)
    changes = []
    for history in versions.values():
        own = [at for at, fact in enumerate(history) if fact.run == run]
        first, last = own[0], own[-1]
        changes.append(FactChange(_then(history[first - 1]) if first else None, _then(history[last]), tuple(history[last + 1 :])))
    return tuple(changes)


def _then(version: Fact) -> Fact:
    """Return a version as it was while it was current."""
    return replace(version, closed_at=None)


def _in_order(facts: Iterable[FactChange], evidence: Iterable[Evidence]) -> tuple[Evidence, ...]:
    place = {change.after.id: at for at, change in enumerate(facts)}
    return tuple(sorted(evidence, key=lambda piece: place.get(piece.fact, len(place))))


def _questions(sql: Sql, run: str, about: list[Question]) -> tuple[QuestionChange, ...]:
    changes = []
    for lives in _lives(sql, QUESTION, "id", about).values():
        makers = [lives[0][1].run, *(replacer for replacer, _ in lives[:-1])]
        images = [image for _, image in lives]
        own = [at for at, maker in enumerate(makers) if maker == run]
        if own:
            changes.append(QuestionChange(images[own[0] - 1] if own[0] else None, images[own[-1]], images[-1]))
    return tuple(changes)


def _salience(sql: Sql, run: str) -> tuple[SalienceChange, ...]:
    changes = []
    held = SALIENCE.all(sql.rows(_SALIENCE, _noted(sql, run, SALIENCE.table)))
    for lives in _lives(sql, SALIENCE, "record", held).values():
        own = [at for at, (replacer, _) in enumerate(lives) if replacer == run]
        changes.append(SalienceChange(lives[own[0]][1], lives[own[-1] + 1][1], lives[-1][1]))
    return tuple(changes)


def _noted(sql: Sql, run: str, table: str, which: str = _JOURNALLED) -> str:
    return listing(id_ for (id_,) in sql.rows(which, run, table))


def _described(sql: Sql, run: str, which: str = _JOURNALLED) -> tuple[RecordChange, ...]:
    """Return the changes of the described types. Each entry of the journal is a record before the change of a run."""
    changes = []
    journalled = [kind for kind in by_descriptor() if kind.journalled]
    for kind in journalled if sql.value("SELECT EXISTS (SELECT 1 FROM journal WHERE run = ?)", run) else ():
        (key,) = kind.key
        shape, noted = shape_of(kind.record), _noted(sql, run, kind.table, which)
        held = {getattr(record, key): record for record in lookup.find(sql, kind.record, key, json.loads(noted))}
        found: dict[str, list[tuple[str, Any]]] = {}
        entries_of = sql.rows(_IMAGES, kind.table, noted)
        for (id_, by, _), image in zip(entries_of, _images(shape, [before for *_, before in entries_of]), strict=True):
            found.setdefault(id_, []).append((by, image))
        for id_, entries in found.items():
            lives = [*entries, ("", held.get(id_))]
            own = [at for at, (by, _) in enumerate(lives) if by == run]
            before, after, now = lives[own[0]][1], lives[own[-1] + 1][1], lives[-1][1]
            if before != after:
                earlier = tuple((by, lives[at + 1][1]) for at, (by, _) in reversed([*enumerate(lives[: own[0]])]))
                changes.append(RecordChange(kind, id_, before, after, now, lives[0][1], earlier))
    return tuple(changes)


def _lives(sql: Sql, shape: Shape[R], key: str, current: list[R]) -> dict[str, list[tuple[str, R]]]:
    """Return each record's images, oldest first, each with the run that replaced it; the last is the current row, which none replaced."""
    lives: dict[str, list[tuple[str, R]]] = {getattr(record, key): [] for record in current}
    entries = sql.rows(_IMAGES, shape.table, listing(lives))
    for (id_, replacer, _), image in zip(entries, _images(shape, [before for *_, before in entries]), strict=True):
        lives[id_].append((replacer, image))
    for record in current:
        lives[getattr(record, key)].append(("", record))
    return lives


def _parsed(entries: Iterable[str]) -> list[Any]:
    """Return what these entries of the journal hold; read at once, in less time than one by one."""
    found: list[Any] = json.loads(f"[{','.join(entries)}]")
    return found


def _images(shape: Shape[R], journalled: Sequence[str]) -> list[Any]:
    """Return the records of these entries of the journal; None where there was none."""
    columns = _parsed(journalled)
    rows = [[each.get(name) for name in shape.columns] for each in columns if each is not None]  # old entries lack what migrations added
    records = iter(shape.all(rows))
    return [None if each is None else next(records) for each in columns]
