"""Certainty: what the confidence of a claim comes to, and how it is measured."""

from __future__ import annotations

import pytest

from benchmarks import grades
from benchmarks.quality import right_of
from ethos.core.rules.certainty import certainty
from ethos.core.rules.matcher import Rules


def test_certainty_never_falls_as_confidence_rises() -> None:
    """And a held claim is surer than a weak one of the same confidence."""
    steps = [number / 20 for number in range(21)]
    for grade in ("held", "weak"):
        shares = [certainty(grade, confidence) for confidence in steps]
        assert shares == sorted(shares)
    assert all(certainty("held", confidence) >= certainty("weak", confidence) for confidence in steps)


def test_a_wilson_interval_is_the_published_one() -> None:
    """Wilson 1927: 8 of 10 give .49 to .94."""
    assert grades.wilson(8, 10) == pytest.approx((0.490, 0.943), abs=1e-3)


def test_claims_are_right_by_what_both_annotators_saw(rules: Rules) -> None:
    """What only one saw counts neither way; a bracket in the label need not be found."""
    wanted = {"kind": "preference", "subject": "Ada", "object": "rye bread (warm)", "polarity": "+", "durable": True, "agreed": True}
    row = {"conv": "talk-01", "text": "I love rye bread.", "role": "user", "speaker": "Ada", "facts": [wanted]}
    other = {**row, "conv": "talk-02", "facts": [{**wanted, "agreed": False}]}
    wrong = {**row, "conv": "talk-03", "facts": []}
    assert [each.right for each in grades.graded(rules, [row, other, wrong], right_of)] == [True, False]
    assert grades.halves([row, other, wrong]) == ([row, wrong], [other])
    (line,) = grades.table([grades.Graded("held", 0.87, right=True)])
    assert line.startswith("  held 0.87  right 1 of 1: 1.00")
