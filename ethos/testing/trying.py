"""One property on many texts, by Hypothesis: what the pytest plugin runs for each of its property items."""

from __future__ import annotations

from collections.abc import Sequence

from hypothesis import HealthCheck, given, settings

from ethos.core.rule import Rule
from ethos.testing.properties import assert_properties
from ethos.testing.sets import RuleSet
from ethos.testing.strategies import texts_about


def try_property(rules: RuleSet, own: Sequence[Rule], name: str, cases: int) -> None:
    """Try it on texts about these rules, the same in each run; raises `PropertyFailed` with the smallest text that was found.

    try_property(rules, list(rules), "prefilter", cases=200)
    """

    @settings(max_examples=cases, derandomize=True, database=None, deadline=None, suppress_health_check=list(HealthCheck))
    @given(texts_about(own))
    def holds(text: str) -> None:
        assert_properties(rules, text, only={name})

    holds()
