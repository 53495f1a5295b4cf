"""Prove rules by their own examples, each pack alone, and find rules of a user's pack that other rules override.

Telephone numbers in examples have no region: a pack that passes here passes everywhere.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from ethos.core.model.records import Claim, Origin
from ethos.core.rules.matcher import Rules
from ethos.core.rules.regex.literals import Literals
from ethos.core.rules.rule import Example, Modifier, Pack, Rule, RuleProblem, shortfall
from ethos.core.rules.time_limits import Limits
from ethos.edge.rulebook.contacts import Contacts
from ethos.edge.rulebook.packs import PackReader
from ethos.edge.rulebook.source import Source, Trail


def prove(pack: Pack, reader: PackReader, modifiers: Sequence[Modifier], limits: Limits) -> None:
    """Run every example against the pack alone; complain to the reader about failures."""
    rules = Rules((pack,), modifiers, {}, derived=derived(reader), doubtful=doubtful(reader), limits=limits, forms=Contacts())
    for index, rule in enumerate(pack.rules):
        if rule.enabled:
            _prove(rules, rule, reader, ("rule", index))


def prove_changed(rule: Rule, trail: Trail, reader: PackReader, modifiers: Sequence[Modifier], limits: Limits) -> None:
    """Run the examples of an override against the changed rule."""
    pack = Pack("changed", rule.pack_version, (rule,))
    rules = Rules((pack,), modifiers, {}, derived=derived(reader), doubtful=doubtful(reader), limits=limits, forms=Contacts())
    for example in rule.examples:
        if missed := shortfall(example, _claims(rules, rule, example), example.text):
            _complain(reader, rule, example, missed, trail)


def _prove(rules: Rules, rule: Rule, reader: PackReader, trail: Trail) -> None:
    results = [(example, _claims(rules, rule, example)) for example in rule.examples]
    wanted = [claims for example, claims in results if example.want]
    if rule.status == "stable" and wanted and not any(wanted):
        hint = "the first example that should: " + repr(next(example.text for example, _ in results if example.want))
        reader.complain("E-NEVER-FIRES", "none of its examples makes this rule fire", (*trail, "patterns"), rule=rule.id, hint=hint)
        return
    for number, (example, claims) in enumerate(results):
        if missed := shortfall(example, claims, example.text):
            _complain(reader, rule, example, missed, (*trail, "example", number, "text"))


def _complain(reader: PackReader, rule: Rule, example: Example, missed: str, trail: Trail) -> None:
    what = f"{example.text!r}: {missed}" + (f" ({example.why})" if example.why else "")
    hint = "" if example.todo else "correct the rule or the example; `todo = true` marks a known miss"
    code = "W-TODO" if example.todo else "E-EXAMPLE"
    reader.complain(code, what, trail, rule=rule.id, hint=hint, find=example.text, width=len(example.text.partition("\n")[0]))


def _claims(rules: Rules, rule: Rule, example: Example) -> tuple[Claim, ...]:
    rules.renew()
    claims = rules.claims(example.text, role=rule.roles[0], speaker="speaker", origin=Origin.OPERATOR)
    return tuple(claim for claim in claims if claim.rule == rule.id)


def derived(reader: PackReader) -> Mapping[str, Literals]:
    """Return the literals of each checked pattern."""
    return {pattern: known.literals for pattern, known in reader.known.items() if known.literals is not None}


def doubtful(reader: PackReader) -> frozenset[str]:
    """Return the patterns for which the cost check was unsure."""
    return frozenset(pattern for pattern, known in reader.known.items() if known.doubtful)


def overlaps(pack: Pack, source: Source, rules: Rules) -> Iterator[RuleProblem]:
    """Yield W-OVERLAP for examples in which, with all packs loaded, another rule takes the words that this pack's rule reads alone."""
    for index, rule in enumerate(pack.rules):
        for number, example in enumerate(rule.examples):
            if not rule.enabled or not example.want or example.todo:
                continue
            claims = rules.claims(example.text, role=rule.roles[0], speaker="speaker", origin=Origin.OPERATOR)
            if any(claim.rule == rule.id for claim in claims):
                continue
            winner = next((claim.rule for claim in claims if claim.kind == rule.kind), "")
            if winner:
                priority = next((each.priority for each in rules.rules if each.id == winner), 0)
                yield source.problem(
                    "W-OVERLAP",
                    f"{winner!r} (priority {priority}) takes these words from this rule (priority {rule.priority})",
                    ("rule", index, "example", number, "text"),
                    rule=rule.id,
                    hint="raise `priority`, or drop the rule",
                    find=example.text,
                    width=len(example.text),
                )
                break
