"""Rules as data: patterns, what they emit, what lowers their confidence, and the examples that prove them.

`edge/rulebook` reads these values from TOML, and `core/rules/matcher.py` compiles them. `rules/README.md` describes the language.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

from ethos.core.model.records import Cardinality, Claim, Kind, Polarity, Role
from ethos.core.rules.clauses.frame import Frame
from ethos.core.rules.validators import SlotForm

ENGINE_VERSION = "1"  # part of the rules hash: raise it whenever the same packs read a text differently

Status = Literal["stable", "experimental", "deprecated"]
Category = Literal["hedge", "question", "negation", "hypothetical", "quote", "third_party", "past", "sarcasm"]
# A number multiplies the confidence. "outside": the default, but only for words in front of the match, where the pattern has its own.
Effect = float | Literal["drop", "flip", "keep", "tag", "past", "outside"]
Engine = Literal[
    "portable", "regex"
]  # "regex": anything that `regex` reads; such a rule runs in a process of its own (core.rules.time_limits)
# weighed: held where it is worth holding (core.rules.worth). agreed: the same, and only where both readers, patterns and clauses, make the
# claim, or its worth is high. named: as agreed, and where its object has a value.
HoldingPolicy = Literal["held", "weighed", "agreed", "named"]
ALONE: tuple[HoldingPolicy, ...] = ("held", "weighed")  # of rules that need no second reader
Inside = Literal["code"]  # what is masked for most rules: fences and inline code
Pronoun = Literal["i", "we", "my", "our"]
Direction = Literal["forward", "backward", "both"]  # where the rule's match stands, seen from the trigger (ConText)

CATEGORIES: tuple[Category, ...] = ("question", "hypothetical", "quote", "third_party", "negation", "hedge", "past", "sarcasm")
DEFAULT_EFFECTS: Mapping[Category, Effect] = {
    "hedge": 0.6,
    "question": "drop",
    "hypothetical": "drop",
    "negation": "flip",
    "quote": "drop",
    "third_party": "drop",
    "past": "past",
    "sarcasm": "keep",
}
SLOTS: tuple[str, ...] = ("subject", "predicate", "object", "over", "supersedes", "purpose")
NEEDED_SLOTS: tuple[str, ...] = ("subject", "predicate", "object")


@dataclass(frozen=True, slots=True)
class Example:
    """A sentence and the claims expected of it. An empty `want` is a counter-example; `todo` is a known miss that does not fail."""

    text: str
    want: tuple[Mapping[str, str | float], ...]
    why: str = ""
    mark: str | None = None  # the exact text of the span
    todo: bool = False


@dataclass(frozen=True, slots=True)
class Unless:
    """An antipattern: where its match overlaps the rule's, the rule is suppressed (LanguageTool calls it immunisation)."""

    pattern: str
    reason: str


@dataclass(frozen=True, slots=True)
class Rule:
    """One rule, with every fragment already expanded in its patterns. `id` is `<pack>/<id>`."""

    id: str
    pack_version: str
    kind: Kind
    summary: str
    version: int
    since: str
    status: Status
    priority: int
    patterns: tuple[str, ...]
    emit: Mapping[str, str]
    confidence: float
    polarity: Polarity = "+"
    cardinality: Cardinality = "single"
    roles: tuple[Role, ...] = ("user",)
    modifiers: Mapping[Category, Effect] = field(default_factory=dict)
    unless: tuple[Unless, ...] = ()
    proper: tuple[str, ...] = ()  # slots that must be capitalised in the text as it was written: names
    valid: Mapping[str, SlotForm] = field(default_factory=dict)  # slots that must be of a form, and are held in its one way to be written
    keywords: tuple[str, ...] = ()
    enabled: bool = True
    examples: tuple[Example, ...] = ()
    inside: tuple[Inside, ...] = ()  # where, besides plain text, the rule reads
    engine: Engine = "portable"
    clause: Frame | None = None  # in the place of patterns: what a clause must be
    grade: HoldingPolicy = "held"  # of what the rule reads alone


@dataclass(frozen=True, slots=True)
class Fallback:
    """What is stored of an episode that was selected by importance or retrievals and in which no rule matches (E-18)."""

    id: str
    when: Literal["importance", "retrieval"]
    kind: Kind
    subject: str
    predicate: str
    confidence: float
    version: int
    pack_version: str
    cardinality: Cardinality = "multi"
    enabled: bool = True


@dataclass(frozen=True, slots=True)
class Modifier:
    """Words that change the certainty, polarity or tense of a claim in their sentence, in ConText form (Harkema et al. 2009)."""

    category: Category
    direction: Direction
    triggers: tuple[str, ...]  # folded words; a `^` in front binds one to the beginning of the sentence
    stop: tuple[str, ...] = ()  # words that end the trigger's reach
    pseudo: tuple[str, ...] = ()  # what looks like a trigger and is none
    max_chars: int = 120


@dataclass(frozen=True, slots=True)
class Pack:
    """A rule file. `renamed`: former full ids of rules -> current ids; `classes`: folded object -> class."""

    name: str
    version: str
    rules: tuple[Rule, ...]
    fallbacks: tuple[Fallback, ...] = ()
    languages: tuple[str, ...] = ("en",)
    renamed: Mapping[str, str] = field(default_factory=dict)
    classes: Mapping[str, str] = field(default_factory=dict)
    modifiers: tuple[Modifier, ...] = ()  # of its own rules only
    pronouns: Mapping[str, Pronoun] = field(default_factory=dict)  # its language's words for the speaker


@dataclass(frozen=True, slots=True)
class RuleProblem:
    """An error or warning in a rule file, with its place: enough to print the line and a caret under the spot."""

    code: str  # stable: E-TOML, E-SCHEMA, E-UNKNOWN-KEY ...; `W-` is only a warning
    path: str
    what: str
    line: int = 0  # counted from 1; 0: the file as a whole
    column: int = 0
    rule: str = ""
    source: str = ""  # the line itself
    width: int = 1
    hint: str = ""

    @property
    def fatal(self) -> bool:
        """Return whether the problem disables its pack."""
        return self.code.startswith("E-")

    def __str__(self) -> str:
        place = f"{self.path}:{self.line}:{self.column}" if self.line else self.path
        lines = [f"{place}  {self.code}" + (f"  rule {self.rule}" if self.rule else "") + ("" if self.source else f"  {self.what}")]
        if self.source:
            gutter = f"{self.line:>6} | "
            margin = " " * (len(gutter) - 2) + "| " + " " * (self.column - 1)
            lines += [gutter + self.source, margin + "^" * max(1, self.width) + " " + self.what]
        if self.hint:
            lines.append("help: " + self.hint)
        return "\n".join(lines)


def shortfall(example: Example, claims: tuple[Claim, ...], text_of: str) -> str:
    """Return how the claims of a rule differ from what its example expects; "" if the example holds."""
    if len(claims) != len(example.want):
        got = "; ".join(_shown(claim) for claim in claims) or "nothing"
        return f"wanted {len(example.want)} claim(s), got {got}"
    for want, claim in zip(example.want, claims, strict=True):
        for name, value in want.items():
            held = getattr(claim, name)
            same = abs(held - value) < 1e-9 if isinstance(held, float) and isinstance(value, int | float) else held == value
            if not same:
                return f"wanted {name} = {value!r}, got {held!r}"
    if example.mark is not None and claims and text_of[claims[0].start : claims[0].end] != example.mark:
        return f"wanted the span {example.mark!r}, got {text_of[claims[0].start : claims[0].end]!r}"
    return ""


def _shown(claim: Claim) -> str:
    return f"{claim.subject} | {claim.predicate} | {claim.object} ({claim.polarity}, {claim.confidence:.2f})"
