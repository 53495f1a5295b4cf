"""The properties of any rule set on any text, each a check with a name and a number.

A check takes a `Case` (a rule set, a text, a role) and returns a finding, or None. It knows nothing of the matcher's internals: it
compares the reading with that of a changed text, and with the patterns tried one by one, by `re` and by `regex`.

    case        a text under a rule set, and the findings of checks
    matching    spans, engines, prefilter, determinism, totality, linear time
    meaning     surrounding text: fences, quotes, paragraphs, doubt, denial, capitals
    packs       examples, disabled rules, rules written as TOML
    elsewhere   another process
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass

from ethos.edge.cli.workbench.properties import matching, meaning, packs
from ethos.edge.cli.workbench.properties.case import Case, PropertyFailed, Wrong
from ethos.edge.cli.workbench.properties.elsewhere import assert_same_elsewhere
from ethos.edge.cli.workbench.properties.packs import assert_round_trip
from ethos.edge.cli.workbench.sets import RuleSet

__all__ = [
    "PROPERTIES",
    "TIMED",
    "Case",
    "Property",
    "PropertyFailed",
    "Wrong",
    "assert_properties",
    "assert_round_trip",
    "assert_same_elsewhere",
]


@dataclass(frozen=True, slots=True)
class Property:
    """One property. `number`: its number in RULES.md, What must hold for any rule set."""

    number: int
    name: str
    says: str
    check: Callable[[Case], Wrong | None]


PROPERTIES: Mapping[str, Property] = {
    each.name: each
    for each in (
        Property(
            1, "spans", "a span lies in the text, a pattern of the rule matches there, and slots are what is written there", matching.spans
        ),
        Property(
            2, "deterministic", "the same text gives the same claims, again and with the packs in another order", matching.deterministic
        ),
        Property(3, "idempotent", "no claim is made twice, and what is known before changes nothing", matching.idempotent),
        Property(4, "examples", "each example holds, alone and after other text", packs.examples),
        Property(5, "prefilter", "the literals never hide a match", matching.prefilter),
        Property(6, "engines", "the regex package matches the same", matching.engines),
        Property(7, "masking", "what is fenced, quoted or private, or said by others, gives nothing", meaning.masking),
        Property(8, "monotone", "what is added in other paragraphs or sentences takes nothing away", meaning.monotone),
        Property(9, "locality", "paragraphs are read one by one", meaning.locality),
        Property(10, "bounds", "confidence lies in 0..1, a hedge never raises it, a denial never leaves the polarity", meaning.bounds),
        Property(11, "invariance", "capitals, curly quotes and composed letters change nothing", meaning.invariance),
        Property(12, "linear", "twice the text takes at most 2.5 times as long", matching.linear),
        Property(13, "total", "no text makes the rules raise", matching.total),
        Property(14, "disable", "a rule switched off is gone and nothing else; a confidence overridden changes that alone", packs.disable),
        Property(15, "round-trip", "a rule written down and read again is the same; unknown keys are refused", packs.round_trip),
    )
}

TIMED = frozenset({"linear"})  # run by name only, because it measures time


def assert_properties(rules: RuleSet, text: str, only: Collection[str] | None = None) -> None:
    """Check the properties on one text; raise `PropertyFailed` with the property, the finding and the rule.

        assert_properties(rules, "Maybe I grow leeks?")
        assert_properties(rules, text, only={"spans", "prefilter", "monotone"})

    only: names from `PROPERTIES`; by default all but `linear`, which measures time.
    """
    unknown = sorted(set(only or ()) - PROPERTIES.keys())
    if unknown:
        raise ValueError(f"no such property: {', '.join(unknown)}; there are {', '.join(PROPERTIES)}")
    chosen = [each for each in PROPERTIES.values() if (each.name in only if only is not None else each.name not in TIMED)]
    chosen.sort(key=lambda each: each.name != "total")  # what raises is that property's to say
    for role in rules.roles:
        case = Case(rules, text, role)
        for each in chosen:
            if wrong := each.check(case):
                raise PropertyFailed(each.name, wrong.what, text, wrong.rule)
