"""Explanations: why a rule reads a text as it does, or reads nothing in it.

They are counterfactual: a pattern whose literal is in the text is tried again with its rule relaxed in one respect at a time (its
antipatterns, one category of modifiers, the capitals of names, the form of slots, the roles). The relaxation that brings the claim back
names what had dropped it. So nothing here repeats the matcher, and the answer is the matcher's own.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Literal

from ethos.core.model.records import Claim, Origin, Role
from ethos.core.rules.clauses.names import AFTER, FORMS, WHO, named_bits
from ethos.core.rules.matcher import LEAST_ORIGIN, Rules
from ethos.core.rules.rule import CATEGORIES, Category, Effect, Rule, Unless
from ethos.core.rules.validators import CALLED, SlotForm
from ethos.core.text.language.clause import Form
from ethos.core.text.language.clauses import clauses
from ethos.core.text.language.clefts import plainly
from ethos.core.text.language.tagging import tag
from ethos.core.text.sentences import all_sentences, fold, mask

Outcome = Literal["claimed", "outdone", "unless", "modifier", "name", "form", "role", "origin", "no match"]

_FREE: Mapping[Category, Effect] = dict.fromkeys(CATEGORIES, "keep")
_ANY: Mapping[str, SlotForm] = {}


@dataclass(frozen=True, slots=True)
class LiteralHit:
    """A literal of the automaton in the folded text. `rules`: those whose conditions on its neighbours hold, too."""

    literal: str
    start: int
    rules: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Candidate:
    """The outcome of one pattern at one place. `because`: the rule that won, the reason of the antipattern, or the categories that drop."""

    rule: str
    pattern: str
    outcome: Outcome
    because: str = ""
    start: int = 0  # span in the text; 0, 0 if the pattern matches nowhere
    end: int = 0
    claim: Claim | None = None  # the claim, or the claim it would be if nothing dropped it


@dataclass(frozen=True, slots=True)
class ClauseSeen:
    """A clause as the second reader sees it: its words, and what it is taken for."""

    opener: str
    subject: str
    who: str  # the kind of subject, by its name in frames
    verb: str
    form: str  # "past", "present would denied"
    object: str
    after: str  # the kind of object, by its name in frames
    asked: bool


@dataclass(frozen=True, slots=True)
class Explanation:
    """A text explained: `claims` is what the rules read in it, `candidates` every pattern that was tried, from left to right."""

    literals: tuple[LiteralHit, ...]
    candidates: tuple[Candidate, ...]
    claims: tuple[Claim, ...]
    clauses: tuple[ClauseSeen, ...] = ()


def clauses_seen(text: str) -> Iterator[ClauseSeen]:
    """Yield the clauses of a text, sentence by sentence."""
    low = mask(fold(text))
    for place in all_sentences(low):
        tagged = plainly(tag(low[place.start : place.end]))
        for clause in clauses(tagged):
            yield ClauseSeen(
                clause.opener,
                " ".join(tagged.words[slice(*clause.subject)]),
                named_bits(WHO, clause.who),
                clause.verb,
                " ".join(filter(None, (named_bits(FORMS, clause.form), "denied" * (clause.form & Form.NEGATED > 0)))),
                " ".join(tagged.words[slice(*clause.object)]),
                named_bits(AFTER, clause.after),
                clause.question,
            )


def explain(rules: Rules, text: str, *, role: Role = "user", speaker: str = "user", origin: int = Origin.OPERATOR) -> Explanation:
    """Return an explanation of what these rules read in a text."""
    claims = rules.claims(text, role=role, speaker=speaker, origin=origin)
    low = fold(text)
    met = [] if (hits := rules.hits(text)) is None else hits.literals
    users: dict[tuple[int, str], set[str]] = {}
    wanted: dict[tuple[str, str], Rule] = {}
    for at, end, use in met:
        users.setdefault((at, low[at:end]), set()).add(use.pattern.rule.id)
        wanted[use.pattern.rule.id, use.pattern.source] = use.pattern.rule
    literals = tuple(
        LiteralHit(literal, at, tuple(sorted(users.get((at, literal), ())))) for literal in rules.literals for at in _places(low, literal)
    )
    bench = _Bench(rules, text, role, speaker, origin, claims)
    found = [each for (_, pattern), rule in wanted.items() for each in bench.candidates(replace(rule, patterns=(pattern,)), pattern)]
    return Explanation(
        tuple(sorted(literals, key=lambda hit: (hit.start, hit.literal))),
        tuple(sorted(found, key=lambda each: (each.outcome == "no match", each.start, each.end, each.rule, each.pattern))),
        claims,
        tuple(clauses_seen(text)),
    )


def _places(low: str, literal: str) -> Iterator[int]:
    at = low.find(literal)
    while at >= 0:
        yield at
        at = low.find(literal, at + 1)


class _Bench:
    """One text, on which rules of one pattern each are tried alone."""

    def __init__(self, rules: Rules, text: str, role: Role, speaker: str, origin: int, claims: Sequence[Claim]) -> None:
        self.rules = rules
        self.text = text
        self.role: Role = role
        self.speaker = speaker
        self.origin = origin
        self.held = claims

    def _read(self, rule: Rule) -> dict[tuple[int, int], Claim]:
        """Return what the rule reads alone, for any role, by span."""
        claims = self.rules.alone(rule).every_claim(self.text, role=rule.roles[0], speaker=self.speaker, origin=Origin.OPERATOR)
        return {(claim.start, claim.end): claim for claim in claims}

    def candidates(self, rule: Rule, pattern: str) -> Iterator[Candidate]:
        """Yield the outcome of a rule of one pattern at each place where it matches if nothing suppresses it."""
        alone = self._read(rule)
        freed = self._read(_only(rule))
        if not freed:
            yield Candidate(rule.id, pattern, "no match")
        for (start, end), claim in sorted(freed.items()):
            own = alone.get((start, end))
            outcome, because = self._judged(rule, own) if own else self._dropped(rule, (start, end))
            yield Candidate(rule.id, pattern, outcome, because, start, end, own or claim)

    def _judged(self, rule: Rule, claim: Claim) -> tuple[Outcome, str]:
        """Return the outcome of a claim that the rule makes alone."""
        if any(_same(claim, held) for held in self.held):
            return "claimed", ""
        if self.role not in rule.roles:
            return "role", f"it listens to {' and '.join(rule.roles)}, and {self.role} says it"
        if self.origin < LEAST_ORIGIN[self.role]:
            return "origin", f"{Origin(self.origin).name.lower()} is trusted less than what {self.role} says must be"
        rivals = [held for held in self.held if held.kind == claim.kind and held.start < claim.end and claim.start < held.end]
        return "outdone", ", ".join(dict.fromkeys(held.rule for held in rivals))

    def _dropped(self, rule: Rule, span: tuple[int, int]) -> tuple[Outcome, str]:
        """Return the outcome of a match that makes no claim even alone, and its cause."""
        stopped = [each.reason or each.pattern for each in rule.unless if span not in self._read(_only(rule, unless=(each,)))]
        if stopped:
            return "unless", "; ".join(stopped)
        if rule.proper and span not in self._read(replace(rule, unless=(), modifiers=_FREE, valid={})):
            return "name", f"a name begins with a capital: {', '.join(rule.proper)}"
        wrong = {slot: form for slot, form in rule.valid.items() if span not in self._read(_only(rule, valid={slot: form}))}
        if wrong:
            return "form", "; ".join(f"{slot} is no {CALLED[form]}" for slot, form in wrong.items())
        effects = {each: rule.modifiers[each] for each in CATEGORIES if each in rule.modifiers}
        dropping = [each for each in CATEGORIES if span not in self._read(_only(rule, modifiers=_but(each, effects)))]
        return "modifier", ", ".join(dropping)


def _only(
    rule: Rule,
    *,
    unless: tuple[Unless, ...] = (),
    modifiers: Mapping[Category, Effect] = _FREE,
    valid: Mapping[str, SlotForm] = _ANY,
) -> Rule:
    """Return the rule with all its restrictions lifted but this one."""
    return replace(rule, unless=unless, modifiers=modifiers, proper=(), valid=valid)


def _but(category: Category, effects: dict[Category, Effect]) -> dict[Category, Effect]:
    """Return effects that keep every category but one, which has the effect of the rule or the default."""
    kept: dict[Category, Effect] = {each: "keep" for each in CATEGORIES if each != category}
    return {**kept, category: effects[category]} if category in effects else kept


def _same(one: Claim, other: Claim) -> bool:
    return (one.rule, one.start, one.end, one.object) == (other.rule, other.start, other.end, other.object)
