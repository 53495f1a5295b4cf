"""Try properties on many texts with Hypothesis, for the property items of the pytest plugin."""

from __future__ import annotations

from collections.abc import Sequence

from hypothesis import HealthCheck, Phase, given, seed, settings

from ethos.core.rules.rule import Rule
from ethos.edge.cli.workbench.properties import PropertyFailed, assert_properties
from ethos.edge.cli.workbench.sets import RuleSet
from ethos.edge.cli.workbench.strategies import texts_about

_STEADY = settings(derandomize=True, database=None, deadline=None, suppress_health_check=list(HealthCheck))


def draw_texts(own: Sequence[Rule], cases: int, number: int | None = None) -> tuple[str, ...]:
    """Return `cases` texts about these rules, the same in each run.

        draw_texts(list(rules), cases=200)

    They are drawn once for all properties, since drawing takes longer than most checks. number: a seed for other texts.
    """
    drawn: dict[str, None] = {}

    @given(texts_about(own))
    def collect(text: str) -> None:
        drawn[text] = None

    steady = settings(_STEADY, max_examples=cases, phases=[Phase.generate], derandomize=number is None)(collect)
    (steady if number is None else seed(number)(steady))()
    return tuple(drawn)


def try_property(rules: RuleSet, own: Sequence[Rule], name: str, texts: Sequence[str]) -> None:
    """Try one property on the texts; raise `PropertyFailed`, with a smaller text if Hypothesis finds one.

    try_property(rules, list(rules), "prefilter", draw_texts(list(rules), 200))
    """
    try:
        for text in texts:
            assert_properties(rules, text, only={name})
    except PropertyFailed:
        _shrink(rules, own, name, len(texts))
        raise


def _shrink(rules: RuleSet, own: Sequence[Rule], name: str, cases: int) -> None:
    @settings(_STEADY, max_examples=cases)
    @given(texts_about(own))
    def holds(text: str) -> None:
        assert_properties(rules, text, only={name})

    holds()
