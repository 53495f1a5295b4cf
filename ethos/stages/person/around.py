"""Find the questions around facts, and the facts on their other sides."""

from __future__ import annotations

from collections.abc import Collection, Iterable

from ethos.core.model.records import Question
from ethos.core.ports.store import Work


def questions_around(work: Work, facts: Collection[str], *, rounds: int) -> tuple[dict[str, Question], set[str]]:
    """Return the questions about these facts, about the other sides of those, and so on; and the ids of all these facts.

    rounds: how often the other sides are followed. A question that closes may leave another open about its other side.
    """
    around = set(facts)
    questions: dict[str, Question] = {}
    for _ in range(rounds if around else 0):
        questions |= {question.id: question for question in work.questions(facts=around)}
        around |= sides_of(questions.values())
    return questions, around


def sides_of(questions: Iterable[Question]) -> set[str]:
    """Return the ids of the facts in these questions."""
    return {side for question in questions for side in (question.existing, question.new) if side}
