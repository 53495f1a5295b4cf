"""Properties of packs: examples hold, disabling a rule removes its claims only, and rules survive a round trip through TOML."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import replace
from pathlib import Path

from ethos.core.model.records import Claim
from ethos.core.rules.compiled import compile_shared
from ethos.core.rules.matcher import Rules
from ethos.core.rules.rule import Example, Pack, Rule, RuleProblem, shortfall
from ethos.edge.cli.workbench.dumping import dump
from ethos.edge.cli.workbench.properties.case import HOLDS, Case, PropertyFailed, Wrong, differ, first_rule, in_order, moved, shown
from ethos.edge.cli.workbench.sets import WEIGHT, RuleSet
from ethos.edge.rulebook.budgets import Budgets
from ethos.edge.rulebook.cache import Cache
from ethos.edge.rulebook.packs import PackReader
from ethos.edge.rulebook.patterns import Known
from ethos.edge.rulebook.proving import derived, doubtful
from ethos.edge.rulebook.source import Broken, Source

TOGETHER = 4  # rules in one round trip
_ITSELF = re.compile(r"\b(.+) (?:over|instead of|rather than|to) \1\b")
_UNKNOWN = re.compile(r"^ *\[\[[a-z.]+\]\]$", re.MULTILINE)  # an unknown key is inserted after these headers


def examples(case: Case) -> Wrong | None:
    """Check that each example holds, alone and after other text (property 4)."""
    if "examples" not in case.set.remembered:
        found = [(rule.id, missed) for rule in case.set for missed in _missed(case.set, rule)]
        case.set.remembered["examples"] = "\n".join(": ".join(each) for each in found)
    if case.set.remembered["examples"]:
        return Wrong(case.set.remembered["examples"].splitlines()[0])
    rule = case.picked
    if not rule.examples or case.open or case.role != rule.roles[0]:
        return HOLDS
    example = rule.examples[case.number % len(rule.examples)]
    shift = len(case.text) + 2
    around = f"{case.text}\n\n{example.text}"
    own = tuple(claim for claim in case.read(around) if claim.start >= shift and claim.rule == rule.id)
    alone = tuple(claim for claim in case.read(example.text) if claim.rule == rule.id)
    return differ(moved(alone, shift), own, f"its example {example.text!r}, after the text")


def _missed(rules: RuleSet, rule: Rule) -> Iterator[str]:
    """Yield the examples that fail. With other packs a positive example may lose claims to a stronger rule, and never gains any."""
    for example in rule.examples:
        missed = _example_missed(rules, rule, example)
        if missed and not example.todo:
            yield f"{example.text!r}: {missed}"
    if rule.status == "stable" and not any(example.want and not example.todo for example in rule.examples):
        yield "no example makes this stable rule fire"


def _example_missed(rules: RuleSet, rule: Rule, example: Example) -> str:
    claims = rules.claims(example.text, rule.roles[0])
    own = tuple(claim for claim in claims if claim.rule == rule.id)
    if example.want and not own and any(rules[other.rule].priority >= rule.priority for other in claims):
        return ""
    return shortfall(example, own, example.text)


def disable(case: Case) -> Wrong | None:
    """Check that disabled rules make no claims and change no others, and that a confidence override changes only that (property 14)."""
    spoken = {claim.rule for claim in case.claims} | {case.picked.id}
    for number, group in enumerate(case.set.groups):
        if group & spoken and (wrong := _disabled(case, number)):
            return wrong
    half = {replace(claim, confidence=0.0): claim.confidence for claim in case.read(case.text, case.set.reweighed)}
    whole = {replace(claim, confidence=0.0): claim.confidence for claim in case.claims}
    if half.keys() != whole.keys():
        return differ(whole.keys(), half.keys(), "with other confidences")
    for claim, confidence in whole.items():
        if abs(half[claim] - WEIGHT * confidence) > 2e-6:
            return Wrong(f"half the confidence of the rule makes {half[claim]:g} of {confidence:g}", claim.rule)
    return HOLDS


def _disabled(case: Case, number: int) -> Wrong | None:
    """Check that without a group of rules only their claims are gone.

    Other claims may change only where, of one kind, a rule of the group had won over the strongest new one.
    """
    group = case.set.groups[number]
    without = case.read(case.text, case.set.without(number))
    own = [claim for claim in case.claims if claim.rule in group]
    others = {replace(claim, grade="held") for claim in case.claims if claim.rule not in group}  # what is gone may have confirmed them
    still = {replace(claim, grade="held") for claim in without}
    lost = others - still
    gained = {claim for claim in still - others if not any(_read_apart(case, claim, old) for old in own)}
    gained = {claim for claim in gained if not _ITSELF.search(claim.object)}  # "tea over tea", which the rule that is gone had left out
    if leaked := [claim for claim in without if claim.rule in group]:
        return Wrong(f"switched off, and still says {shown(leaked)}", leaked[0].rule)
    for kind in {claim.kind for claim in lost | gained}:
        newcomers = [claim for claim in gained if claim.kind == kind]
        strongest = max((case.set[claim.rule].priority for claim in newcomers), default=0)
        freed = any(
            case.set[new.rule].priority == strongest <= case.set[old.rule].priority and new.start < old.end and old.start < new.end
            for new in newcomers
            for old in own
        )
        if not freed:
            off = first_rule(own) or case.picked.id
            return Wrong(f"switched off: lost {shown(in_order(lost))}; gained {shown(in_order(gained))}", off)
    return HOLDS


def _read_apart(case: Case, new: Claim, old: Claim) -> bool:
    """Return whether a clause rule reads what a pattern had read."""
    clause, pattern = case.set[new.rule].clause, case.set[old.rule].clause
    return clause is not None and pattern is None and new.start < old.end and old.start < new.end


def round_trip(case: Case) -> Wrong | None:
    """Check that a rule written to TOML and read again is the same, and that unknown keys are refused (property 15)."""
    if "round-trip" not in case.set.remembered:
        case.set.remembered["round-trip"] = ""
        known = _known(case.set)
        try:
            for rules in case.set.by_pack.values():
                for start in range(0, len(rules), TOGETHER):
                    few = rules[start : start + TOGETHER]
                    assert_round_trip(
                        *few, known={pattern: known[pattern] for rule in few for pattern in rule.patterns if pattern in known}
                    )
        except PropertyFailed as failed:
            case.set.remembered["round-trip"] = failed.what
    found = case.set.remembered["round-trip"]
    return Wrong(found) if found else HOLDS


def _known(rules: RuleSet) -> Mapping[str, Known]:
    """Return what loading found out about the patterns of the set."""
    literals = rules.rules.derived
    portable = {pattern for rule in rules if rule.engine == "portable" for pattern in rule.patterns}
    return {pattern: Known(tuple(compile_shared(pattern).groupindex), literals[pattern]) for pattern in portable}


def assert_round_trip(*rules: Rule, known: Mapping[str, Known] | None = None) -> None:
    """Check that rules of a pack survive a round trip through TOML, and that unknown keys are refused at every place.

        assert_round_trip(rules["mine/garden.grows"])

    Their examples are written but not checked: an override may have changed their claims.
    known: analysed patterns, which need no further analysis.
    """
    if not rules:
        return
    carried = [replace(rule, examples=tuple(replace(example, todo=True) for example in rule.examples)) for rule in rules]
    pack = Pack(rules[0].id.partition("/")[0], rules[0].pack_version, tuple(carried))
    again, problems = _read(dump(pack), known or {})
    if wrong := [str(problem) for problem in problems if problem.fatal]:
        raise PropertyFailed("round-trip", f"written down, it is refused: {wrong[0]}")
    for rule in carried:
        if again.get(rule.id) != rule:
            raise PropertyFailed("round-trip", f"read again, it is {again.get(rule.id)!r}, and was {rule!r}", rule=rule.id)
    plain = (replace(rule, patterns=("colour",), clause=None) for rule in carried)  # keys are checked independently of the patterns
    strange, places = _UNKNOWN.subn(r"\g<0>\ncolour = 1", dump(replace(pack, rules=tuple(plain))))
    _, problems = _read(f"colour = 1\n{strange}", known or {})
    refused = sum(problem.code == "E-UNKNOWN-KEY" for problem in problems)
    if refused != places + 1:
        raise PropertyFailed("round-trip", f"of {places + 1} keys nobody knows {refused} are refused")


def _read(text: str, known: Mapping[str, Known]) -> tuple[Mapping[str, Rule], list[RuleProblem]]:
    """Return the rules of a user's pack, by id, as the rulebook reads them and the matcher takes them; and the problems of the pack."""
    try:
        reader = PackReader(Source(Path("one.toml"), text.encode()), dict(known))
        pack = reader.pack()
    except Broken as broken:
        return {}, [broken.problem]
    if reader.broken:
        return {}, reader.problems
    rules = Rules((pack,), derived=derived(reader), doubtful=doubtful(reader), limits=Budgets(Cache(None)))
    return {rule.id: rule for pack in rules.packs for rule in pack.rules}, reader.problems
