"""Clauses that are not said to be so: they hang on a condition, on what is denied, or on what somebody else says."""

from __future__ import annotations

from collections.abc import Sequence

from ethos.core.text.language.clause import After, Clause, Form, Who
from ethos.core.text.language.clauses import reach
from ethos.core.text.language.lexicon import word_class

CONDITIONS = frozenset({"if", "unless", "whether", "once", "lest"})  # what they open is not said to be so


def hangs(found: Sequence[Clause], number: int, tags: str) -> bool:
    """Return whether a clause hangs on a condition, on what is denied, or on what somebody else says: "he says the maximum is 40"."""
    before, clause = found[number - 1], found[number]
    if before.opener in CONDITIONS and not clause.opener and not before.relative:
        return True  # "if it rains, we move into the barn"
    if clause.opener not in {"", "that"}:
        return False
    denied = before.form & Form.NEGATED
    said = not before.question and not before.who & (Who.I | Who.WE | Who.UNSAID | Who.ORDER) and before.verb in word_class("saying")
    if not denied and not said:
        return False
    reach(found, number - 1, tags)
    return bool(denied and clause.opener) or before.after == After.CLAUSE
