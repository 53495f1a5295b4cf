"""Diffs: the changes of one run, derived from the records (docs/threats.md, promise 4).

Every run has a diff. Facts are versioned rows, so the two versions around a run give its change; other records are overwritten, and
the journal keeps their previous values. `differences` renders the changes for people; undo reads the same changes
(`stages/person/undo.py`).
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, field, fields, replace
from datetime import datetime
from typing import Any, NamedTuple

from ethos.core.model.record_types import RecordType
from ethos.core.model.records import Evidence, Fact, Question, Record, Removed, Run, Salience

REPLAYED = ("consolidated_salience_score", "consolidated_importance", "breakthrough_score", "last_consolidated_at")  # what a replay sets


class FactChange(NamedTuple):
    """A fact before the run (None: it did not exist), after the run, and every version since."""

    before: Fact | None
    after: Fact
    later: tuple[Fact, ...] = ()

    @property
    def now(self) -> Fact:
        """Return the current version."""
        return self.later[-1] if self.later else self.after


class QuestionChange(NamedTuple):
    """A question before the run (None: it did not exist), after the run, and now."""

    before: Question | None
    after: Question
    now: Question


class SalienceChange(NamedTuple):
    """An existing salience before the run, after the run, and now."""

    before: Salience
    after: Salience
    now: Salience

    def undone(self) -> Salience:
        """Return the salience now, less the run's part in it; `fades_at` is still to be worked out.

        What the run gave a value first has none again, whatever later runs added to it; of what it only raised, its share is taken off.
        """
        back = {name: self._without(name) for name in REPLAYED}
        faded = self.before.faded if self.now.faded == self.after.faded else self.now.faded
        return replace(self.now, faded=faded, **back)

    def _without(self, name: str) -> Any:
        before, after, now = (getattr(salience, name) for salience in self)
        if before == after:
            return now
        if now == after or before is None:
            return before
        if now is None or after is None or isinstance(now, datetime):
            return now
        return min(1.0, max(0.0, now - (after - before)))


@dataclass(frozen=True, slots=True)
class RecordChange:
    """A record of a described type: before the run, after it, and now. None: there is no such record.

    first: the record before any run wrote it. earlier: the runs that wrote it before this one, the last first, each with what it left.
    """

    kind: RecordType
    key: str
    before: Any
    after: Any
    now: Any
    first: Any = None
    earlier: tuple[tuple[str, Any], ...] = ()

    def undone(self, in_force: Collection[str]) -> Record | None:
        """Return what to write so that the run's part in the record is taken back; None where nothing is left of it.

        A record that the run made is taken away, whatever later runs made of it. One that it took away comes back, unless the run that
        made it is undone; `in_force` names those of the earlier runs that are neither undone nor undos themselves. Of a record
        that it changed, each field that is as the run left it gets its value from before; a counter loses what the run added.
        """
        if self.before is None:
            return None if self.now is None else Removed(self.kind.record, self.key)
        if self.after is None or self.now is None:
            restored: Record | None = self.before if self.after is self.now is None and self._stood(in_force) else None
            return restored
        values = {name: self._value(name) for name in (field.name for field in fields(self.now))}
        reverted: Record = replace(self.now, **values)
        return None if reverted == self.now else reverted

    def _stood(self, in_force: Collection[str]) -> bool:
        """Return whether the record existed before the run, if only the earlier runs in force count."""
        return next((left for run, left in self.earlier if run in in_force), self.first) is not None

    def _value(self, name: str) -> Any:
        before, after, now = (getattr(record, name) for record in (self.before, self.after, self.now))
        if before == after:
            return now
        if name in self.kind.counters:
            return now - (after - before)
        return before if now == after else now


@dataclass(frozen=True, slots=True)
class Changes:
    """Everything that one run changed, in the order in which it was written.

    evidence: what the run added to the facts; sides: the facts of its questions, as the run left them; records: those of the other
    types, type by type.
    """

    facts: tuple[FactChange, ...] = ()
    questions: tuple[QuestionChange, ...] = ()
    salience: tuple[SalienceChange, ...] = ()
    evidence: tuple[Evidence, ...] = ()
    sides: Mapping[str, Fact] = field(default_factory=dict)
    records: tuple[RecordChange, ...] = ()

    def __bool__(self) -> bool:
        return bool(self.facts or self.questions or self.salience or self.records)


Value = str | float | bool | None
SALIENCE_SHOWN = ("faded", *REPLAYED[:3])  # when the day was replayed says the run


class Difference(NamedTuple):
    """One line of a diff. sign: `+` a record now held, `-` one no longer held, `~` a change, `?` a question to a person.

    changed: field -> its value before and after; a new record has no value before. No field depends on when or by which run it was made, so
    a dry run gives the same as the run.
    """

    sign: str
    type: str  # "fact", "question", "salience", or the name of another type of record
    id: str
    text: str
    changed: Mapping[str, tuple[Value, Value]]
    episodes: tuple[str, ...] = ()  # the source of the change in this run


@dataclass(frozen=True, slots=True)
class Diff:
    """The changes of a run, as shown to a person. Without differences it changed nothing."""

    run: Run
    differences: tuple[Difference, ...] = ()


def differences(changes: Changes) -> tuple[Difference, ...]:
    """Return the diff of a run: facts, then questions, then faded records, then the records of other types."""
    return (*_facts(changes), *_questions(changes), *_salience(changes), *_records(changes))


def is_shown(kind: RecordType) -> bool:
    """Return whether diffs show records of this type."""
    return bool(kind.text or kind.shown)


def _facts(changes: Changes) -> Iterator[Difference]:
    read: dict[str, dict[str, None]] = {}
    for piece in changes.evidence:
        read.setdefault(piece.fact, {})[piece.episode] = None
    for before, after, _ in changes.facts:
        old = _fact_fields(before) if before else {}
        changed = {name: (old.get(name), value) for name, value in _fact_fields(after).items() if old.get(name) != value}
        yield Difference(_sign(before, after), "fact", after.id, after.statement, changed, tuple(read.get(after.id, ())))


def _sign(before: Fact | None, after: Fact) -> str:
    if before is None or before.active == after.active:
        return "+" if before is None else "~"
    return "+" if after.active else "-"


def _fact_fields(fact: Fact) -> dict[str, Value]:
    """Return the fields of a fact that a person is shown; empty ones are None, so that they do not count as changed."""
    told: dict[str, Value] = {
        "kind": fact.kind,
        "statement": fact.statement,
        "confidence": fact.confidence,
        "superseded_by": fact.superseded_by,
        "retired": fact.retired_at is not None or None,
        "in_question": fact.flagged or None,
        "true_from": fact.valid_from.isoformat(),
        "true_to": fact.valid_to.isoformat() if fact.valid_to else None,
        "said_again": fact.affirmed_at.isoformat() if fact.affirmed_at else None,
    }
    return told


def _questions(changes: Changes) -> Iterator[Difference]:
    for before, after, _ in changes.questions:
        sides = [changes.sides[side].statement if side in changes.sides else side for side in (after.existing, after.new)]
        old = _question_fields(before) if before else {}
        changed = {name: (old.get(name), value) for name, value in _question_fields(after).items() if old.get(name) != value}
        yield Difference("?", "question", after.id, " | ".join(sides), changed)


def _question_fields(question: Question) -> dict[str, Value]:
    return {
        "open": question.resolved_at is None,
        "answer": question.action,
        "closed_by": question.by,
        "heard_again": question.repeats or None,
        "note": question.note or None,
    }


def _salience(changes: Changes) -> Iterator[Difference]:
    for before, after, _ in changes.salience:
        changed = {name: (_shown(before, name), _shown(after, name)) for name in SALIENCE_SHOWN}
        changed = {name: values for name, values in changed.items() if values[0] != values[1]}
        if changed:
            yield Difference("~", "salience", after.record, "", changed)


def _records(changes: Changes) -> Iterator[Difference]:
    for change in changes.records:
        kind, before, after = change.kind, change.before, change.after
        if not is_shown(kind):
            continue
        changed = {name: (_shown(before, name), _shown(after, name)) for name in kind.shown}
        changed = {name: values for name, values in changed.items() if values[0] != values[1]}
        was, text = (" ".join(kind.words(record)) if record is not None else None for record in (before, after))
        if was is not None and text is not None and was != text:
            changed["text"] = (was, text)
        sign = "+" if before is None else "-" if after is None else "~"
        if changed or sign != "~":
            yield Difference(sign, kind.name, change.key, (was if text is None else text) or "", changed)


def _shown(record: Any, name: str) -> Value:
    """Return the value of a field as a diff shows it; an empty one is None, so that it does not count as changed."""
    value = None if record is None else getattr(record, name)
    match value:
        case datetime():
            return value.isoformat()
        case tuple():
            return ", ".join(map(str, value)) or None
        case None | bool() | int() | float():
            return value
        case _:
            return str(value) or None
