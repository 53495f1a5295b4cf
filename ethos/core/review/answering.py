"""What an answer comes to that changes nothing: no such question, an answer that does not fit, or one that was given before."""

from __future__ import annotations

from ethos.core.model.events import Answered, AnswerOutcome
from ethos.core.model.questions import MemoryQuestion
from ethos.core.model.records import Question
from ethos.core.ports.review_file import Decision
from ethos.core.review.kinds import kind_of


def without_effect(
    decision: Decision, question: Question | MemoryQuestion | None, *, can_answer: bool, closed_by: str | None
) -> Answered | None:
    """Return why a decision changes nothing; None if it applies.

    can_answer: the question still takes an answer. closed_by: what closed it, if nobody answered it.
    """
    action = decision.action
    if question is None:
        return Answered(decision.question, AnswerOutcome.UNKNOWN, "no such question")
    if (kind := kind_of(question.id)) is None or action not in kind.actions:
        return Answered(question.id, AnswerOutcome.UNFIT, f"{action} is no answer to it")
    if can_answer:
        return None
    if question.action == action:
        return Answered(question.id, AnswerOutcome.AGAIN, f"already answered: {action}")
    if question.action is None:
        return Answered(question.id, AnswerOutcome.MOOT, f"no longer open: {closed_by}")
    return Answered(question.id, AnswerOutcome.OTHER, f"already answered with {question.action}; this choice was not applied")


def applied(decision: Decision) -> Answered:
    """Return that a decision was applied."""
    return Answered(decision.question, AnswerOutcome.APPLIED, f"{decision.action} applied")
