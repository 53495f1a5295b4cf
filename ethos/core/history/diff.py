"""Diffs: the changes of one run, derived from the records (TRUST, promise 3).

Every pass has a diff. Facts are versioned rows, so the two versions around a run give its change; questions and salience are
overwritten, and the journal keeps their previous values. `differences` renders the changes for people; undo reads the same changes
(`stages/person/undo.py`).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import NamedTuple

from ethos.core.model.records import Evidence, Fact, Question, Run, Salience


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


@dataclass(frozen=True, slots=True)
class Changes:
    """Everything that one run changed, in the order in which it was written.

    evidence: what the run added to the facts; sides: the facts of its questions, as the run left them.
    """

    facts: tuple[FactChange, ...] = ()
    questions: tuple[QuestionChange, ...] = ()
    salience: tuple[SalienceChange, ...] = ()
    evidence: tuple[Evidence, ...] = ()
    sides: Mapping[str, Fact] = field(default_factory=dict)

    def __bool__(self) -> bool:
        return bool(self.facts or self.questions or self.salience)


Value = str | float | bool | None


class Difference(NamedTuple):
    """One line of a diff. sign: `+` a fact now held, `-` a fact no longer held, `~` a change, `?` a question to a person.

    changed: field -> its value before and after; a new record has no value before. No field depends on when or by which run it was made, so
    a dry run gives the same as the run.
    """

    sign: str
    type: str  # "fact", "question", "salience"
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
    """Return the diff of a run: facts, then questions, then faded records."""
    return (*_facts(changes), *_questions(changes), *_salience(changes))


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
        if before.faded != after.faded:
            yield Difference("~", "salience", after.record, "", {"faded": (before.faded, after.faded)})
