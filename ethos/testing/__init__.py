"""Tools for rule authors: texts generated from a rule, and properties that hold for any rule set on any text.

    from hypothesis import given
    from ethos.testing import assert_properties, rule_sets, texts_for

    rules = rule_sets("rules/")

    @given(texts_for(rules["mine/garden.grows"]))
    def test_mine(text):
        assert_properties(rules, text)

The pytest plugin (`ethos.testing.plugin`) makes such tests of a rule file without a line of Python: `pytest rules/mine.toml`.
Names are imported on first use, so that the plugin costs nothing in runs without rules.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from ethos.core.model.tally import Tally
    from ethos.edge.cli.workbench.corpus import CorpusReport, corpus_report
    from ethos.edge.cli.workbench.dumping import dump
    from ethos.edge.cli.workbench.properties import (
        PROPERTIES,
        Case,
        Property,
        PropertyFailed,
        assert_properties,
        assert_round_trip,
        assert_same_elsewhere,
    )
    from ethos.edge.cli.workbench.sets import RuleError, RuleSet, rule_sets
    from ethos.edge.cli.workbench.strategies import chat_turns, hostile_texts, near_misses, rule_variants, texts_about, texts_for

_HOMES = {
    "corpus": ("CorpusReport", "Tally", "corpus_report"),
    "dumping": ("dump",),
    "properties": (
        "PROPERTIES",
        "Case",
        "Property",
        "PropertyFailed",
        "assert_properties",
        "assert_round_trip",
        "assert_same_elsewhere",
    ),
    "sets": ("RuleError", "RuleSet", "rule_sets"),
    "strategies": ("chat_turns", "hostile_texts", "near_misses", "rule_variants", "texts_about", "texts_for"),
}
_HOME = {name: home for home, names in _HOMES.items() for name in names}

__all__ = [
    "PROPERTIES",
    "Case",
    "CorpusReport",
    "Property",
    "PropertyFailed",
    "RuleError",
    "RuleSet",
    "Tally",
    "assert_properties",
    "assert_round_trip",
    "assert_same_elsewhere",
    "chat_turns",
    "corpus_report",
    "dump",
    "hostile_texts",
    "near_misses",
    "rule_sets",
    "rule_variants",
    "texts_about",
    "texts_for",
]


def __getattr__(name: str) -> Any:
    if name not in _HOME:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"ethos.edge.cli.workbench.{_HOME[name]}"), name)
