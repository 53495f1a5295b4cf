"""Changes: what one run made of what was held before it, told from the records themselves (TRUST, promise 3).

Every pass is a diff. Facts are versioned rows, so the two versions around a run say what it did; questions and salience are written
over, and the journal keeps what was there. `differences` makes of it what a person reads; undoing reads the same (`stages/person/undo.py`).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import NamedTuple

from ethos.core.model.records import Evidence, Fact, Question, Run, Salience


class FactChange(NamedTuple):
    """A fact as it was before the run (None: it was not there), as the run left it, and every version since."""

    before: Fact | None
    after: Fact
    later: tuple[Fact, ...] = ()

    @property
    def now(self) -> Fact:
        """The current version."""
        return self.later[-1] if self.later else self.after


class QuestionChange(NamedTuple):
    """A question as it was before the run (None: it was not there), as the run left it, and as it stands."""

    before: Question | None
    after: Question
    now: Question


class SalienceChange(NamedTuple):
    """The same of a salience that was there before."""

    before: Salience
    after: Salience
    now: Salience


@dataclass(frozen=True, slots=True)
class Changes:
    """Everything one run changed, in the order in which it was written.

    evidence: what the run laid under the facts; sides: the facts that its questions are about, as the run left them.
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
    """One line of a diff. sign: `+` what came to be held, `-` what is held no longer, `~` what changed, `?` what a person was asked.

    changed: field -> its value before and after; of what is new there is no before. Nothing in it depends on when or by which run it
    was made, so that a rehearsal gives the same as the run.
    """

    sign: str
    type: str  # "fact", "question", "salience"
    id: str
    text: str
    changed: Mapping[str, tuple[Value, Value]]
    episodes: tuple[str, ...] = ()  # where the run read it


@dataclass(frozen=True, slots=True)
class Diff:
    """What a run changed, as a person reads it. Without differences it changed nothing."""

    run: Run
    differences: tuple[Difference, ...] = ()


def differences(changes: Changes) -> tuple[Difference, ...]:
    """The diff of a run: facts, then questions, then what faded."""
    return (*_facts(changes), *_questions(changes), *_salience(changes))


def _facts(changes: Changes) -> Iterator[Difference]:
    read: dict[str, dict[str, None]] = {}
    for piece in changes.evidence:
        read.setdefault(piece.fact, {})[piece.episode] = None
    for before, after, _ in changes.facts:
        old = _shown(before) if before else {}
        changed = {name: (old.get(name), value) for name, value in _shown(after).items() if old.get(name) != value}
        yield Difference(_sign(before, after), "fact", after.id, after.statement, changed, tuple(read.get(after.id, ())))


def _sign(before: Fact | None, after: Fact) -> str:
    if before is None or before.active == after.active:
        return "+" if before is None else "~"
    return "+" if after.active else "-"


def _shown(fact: Fact) -> dict[str, Value]:
    """What a person is told of a fact; what says nothing is left out, so that it does not count as changed."""
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
        old = _told(before) if before else {}
        changed = {name: (old.get(name), value) for name, value in _told(after).items() if old.get(name) != value}
        yield Difference("?", "question", after.id, " | ".join(sides), changed)


def _told(question: Question) -> dict[str, Value]:
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
