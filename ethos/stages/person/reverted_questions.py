"""How an undo leaves a question that the run opened, answered or repeated."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import replace

from ethos.core.history.diff import QuestionChange
from ethos.core.model.records import Question
from ethos.core.passes.context import Context

_UNDONE_BY = "undone by "


def reverted(change: QuestionChange, stood: Collection[str], ctx: Context) -> Question:
    """Return the question without the run's part in it. stood: the facts that were active when the run began."""
    before, after, now = change
    as_left = _asked_and_answered(now) == _asked_and_answered(after)
    if before is None:
        if as_left and now.repeats == after.repeats and {now.existing, now.new} <= set(stood):
            return closed(now, ctx)  # both were held before it was asked: an undo had asked, and that is taken back
        return now  # where a side of it is gone it closes with the others
    repeats = max(0, now.repeats - (after.repeats - before.repeats))
    if not as_left:
        return replace(now, repeats=repeats)
    return replace(before, repeats=repeats)  # about other facts, too, where an undo had asked it of a claim that says the same


def closed(question: Question, ctx: Context) -> Question:
    """Return the question, closed by this undo."""
    return replace(question, resolved_at=ctx.now, by=_UNDONE_BY + ctx.run)


def closed_by_another(question: Question, ctx: Context) -> bool:
    """Return True if an undo before this one closed the question, and no person answered it."""
    by = question.by or ""
    return question.resolved_at is not None and question.action is None and by.startswith(_UNDONE_BY) and by != _UNDONE_BY + ctx.run


def _asked_and_answered(question: Question) -> tuple[object, ...]:
    return question.existing, question.new, question.resolved_at, question.action, question.by
