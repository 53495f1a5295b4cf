"""A case: one text under one rule set, and the results of its checks."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from dataclasses import replace
from functools import cached_property
from typing import NamedTuple
from zlib import crc32

from ethos.core.model.records import Claim, Origin, Role
from ethos.core.rules.matcher import Rules
from ethos.core.rules.rule import Category, Effect, Rule
from ethos.core.text.sentences import Sentence, fold, foreign, mask, sentences
from ethos.edge.cli.workbench.sets import SPEAKER, RuleSet

_OPENING = ("```", "~~~", "<private")
_FOLLOWING = "so"  # a neutral paragraph

# Paragraphs put next to a text: each would change the reading if an effect crossed a sentence or moved an offset.
_BESIDE = (
    "\u0130stanbul's na\u00efve \ufb01x cost 10 \u20ac \u2013 \U0001d518\U0001d52b\U0001d526 and \u05d0\u05d1\u05d2, they say.",
    "Run `make -j 2 all` or see https://example.org/a?b=c#d, e.g. at night.",
    "Maybe not. If so, why?\n1. one\n2. two (or so)",
    'She said "never again" and left; nobody minded. Do you?',
    "",
)


class PropertyFailed(AssertionError):
    """A property does not hold. `name`: which one; `text`: on which text; `what`: how; `rule`: "" if no single rule is the cause."""

    def __init__(self, name: str, what: str, text: str = "", rule: str = "") -> None:
        place = f" ({rule})" if rule else ""
        super().__init__(f"{name}{place}: {what}" + (f"\n  text: {text!r}" if text else ""))
        self.name = name
        self.what = what
        self.text = text
        self.rule = rule


class Wrong(NamedTuple):
    """The finding of a check."""

    what: str
    rule: str = ""


HOLDS: Wrong | None = None


class Case:
    """One text under one rule set, read as a text of `role`. Readings are cached, since properties share them."""

    def __init__(self, rules: RuleSet, text: str, role: Role = "user") -> None:
        self.set = rules
        self.text = text
        self.role: Role = role
        self._read: dict[str, tuple[Claim, ...]] = {}

    def read(self, text: str, rules: Rules | None = None, origin: Origin = Origin.OPERATOR) -> tuple[Claim, ...]:
        """Return the claims in a text, of the set or of a variant of it."""
        if rules is None and origin is Origin.OPERATOR:
            if text not in self._read:
                self._read[text] = self.set.claims(text, self.role)
            return self._read[text]
        return (rules or self.set.rules).claims(text, role=self.role, speaker=SPEAKER, origin=origin)

    @cached_property
    def claims(self) -> tuple[Claim, ...]:
        """Return the claims in the text itself."""
        return self.read(self.text)

    @cached_property
    def low(self) -> str:
        """Return the folded text."""
        return fold(self.text)

    @cached_property
    def masked(self) -> str:
        """Return the folded and masked text."""
        return mask(self.low)

    @cached_property
    def sentences(self) -> tuple[Sentence, ...]:
        """Return the sentences of the text."""
        return tuple(_sentences(self.masked))

    @cached_property
    def open(self) -> bool:
        """Return whether something in the text affects later text.

        It may be an open mark, an announcement of other people's words ("Reply in French:"), or what a program prints ("Warning: ...").
        """
        return _affects_later(self.text)

    @cached_property
    def number(self) -> int:
        """Return a number derived from the text, the same in every process, to pick a sample where not everything is tried."""
        return crc32(self.text.encode("utf-8", "surrogatepass"))

    @cached_property
    def picked(self) -> Rule:
        """Return a rule, picked by the text."""
        return self.set.rules.rules[self.number % len(self.set)]

    @cached_property
    def beside(self) -> tuple[str, ...]:
        """Return two closed paragraphs to put next to the text: one made to disturb, and one in which a rule matches."""
        examples = self.picked.examples
        other = examples[self.number % len(examples)].text if examples else ""
        return _BESIDE[self.number % len(_BESIDE)], "" if _affects_later(other) else other


def _affects_later(text: str) -> bool:
    followed = f"{text}\n\n{_FOLLOWING}"
    if any(mark in fold(text) for mark in _OPENING) or foreign(followed, len(followed) - len(_FOLLOWING), len(followed)):
        return True
    return not mask(fold(followed)).endswith(_FOLLOWING)


def _sentences(masked: str) -> Iterator[Sentence]:
    start = 0
    while start <= len(masked):
        yield from sentences(masked, start)
        end = masked.find("\n", start)
        start = len(masked) + 1 if end < 0 else end + 1


def moved(claims: Iterable[Claim], by: int) -> set[Claim]:
    """Return the claims as they are when `by` characters are put in front of the text."""
    return {replace(claim, start=claim.start + by, end=claim.end + by) for claim in claims}


def shown(claims: Iterable[Claim]) -> str:
    """Return the claims in a line."""
    return (
        "; ".join(f"{c.rule} {c.start}-{c.end} {c.subject}|{c.predicate}|{c.object} {c.polarity}{c.confidence:g}" for c in claims)
        or "nothing"
    )


def first_rule(claims: Iterable[Claim]) -> str:
    """Return the rule of the first claim; "" if there is none."""
    return next((claim.rule for claim in claims), "")


def differ(wanted: Collection[Claim], got: Collection[Claim], where: str) -> Wrong | None:
    """Return the difference between two sets of claims; None if they are the same."""
    lost, gained = set(wanted) - set(got), set(got) - set(wanted)
    if not lost and not gained:
        return HOLDS
    return Wrong(f"{where}: lost {shown(in_order(lost))}; gained {shown(in_order(gained))}", first_rule(in_order(lost | gained)))


def in_order(claims: Iterable[Claim]) -> list[Claim]:
    """Return the claims from left to right."""
    return sorted(claims, key=lambda claim: (claim.start, claim.end, claim.rule, claim.object))


def effect_of(rule: Rule, category: Category, default: Effect) -> Effect:
    """Return the effect of a category of modifiers on a rule."""
    return rule.modifiers.get(category, default)
