"""The ledger from unit to unit: what it drops, and the questions that then stand between other facts."""

from __future__ import annotations

from ethos.core.facts.ledger import Ledger
from ethos.core.model.records import Question
from tests.support.telling import NOON, fact


def test_fault_h3_a_question_between_other_facts_now_is_dropped_with_them() -> None:
    """A matter that is weighed anew may put a question between other facts; those it stood between before know it no more."""
    first, second, third = (fact("team", "uses", name, 0.9) for name in ("Redis", "Valkey", "Kafka"))
    ledger = Ledger([first, second, third], [Question("c-1", "default", "default", first.id, second.id, NOON, "r-1")], now=NOON, run="r-2")
    ledger.adopt([], [Question("c-1", "default", "default", third.id, second.id, NOON, "r-1")])
    assert ledger.open_questions(first.id) == []
    assert [question.id for question in ledger.open_questions(third.id)] == ["c-1"]
    assert not ledger.keep([])
    assert ledger.fact(first.id) is None
