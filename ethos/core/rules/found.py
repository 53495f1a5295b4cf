"""Claims as they are found: rank those that compete for the same words, and put what two readers read beside each other."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import NamedTuple

from ethos.core.model.records import Claim, Grade, Kind
from ethos.core.rules.captures import subject_of
from ethos.core.rules.modifiers import Weighed
from ethos.core.rules.rule import Rule
from ethos.core.text.folding import key, tokens


class Turn(NamedTuple):
    """A turn: its text, the folded and masked forms that patterns see, and its speaker."""

    text: str
    masked: str
    speaker: str


class Found(NamedTuple):
    """A claim with the keys that rank competing claims: its sentence, the priority of its rule, and the span of its object."""

    sentence: int
    claim: Claim
    priority: int
    start: int
    end: int
    alone: bool = True  # the rule's claims are held whatever another reader makes of the same words


def claim_of(
    rule: Rule, slots: Mapping[str, str], weighed: Weighed, speaker: str, start: int, end: int, grade: Grade, replaced: str | None = None
) -> Claim:
    """Return the claim that a rule makes of its filled slots. start, end: its span in the text; replaced: what it says it replaces."""
    return Claim(
        kind=weighed.kind,
        subject=subject_of(slots["subject"], speaker),
        predicate=slots["predicate"],
        object=slots["object"],
        polarity=weighed.polarity,
        cardinality=rule.cardinality,
        confidence=weighed.confidence,
        rule=rule.id,
        rule_version=rule.version,
        pack_version=rule.pack_version,
        start=start,
        end=end,
        tense="past" if slots.get("tense") == "past" else weighed.tense,
        over=slots.get("over") or None,
        supersedes=replaced,
        purpose=slots.get("purpose") or None,
        modifiers=weighed.modifiers,
        grade=grade,
    )


_KINDS: Mapping[Kind, int] = {"decision": 0, "preference": 1, "negation": 2, "fact": 3}


def settled(found: Sequence[Found]) -> tuple[Claim, ...]:
    """Resolve overlaps of claims of one kind: the higher priority wins, then the longer, then the earlier, then the smaller id.

    This is a total order, so the result does not depend on the order of the rules. Claims compete for their object: "never use A but B"
    is two claims, although their matches overlap. One that says nothing new competes like any other, and is left out then.
    """
    if len(found) < 2:
        return tuple(each.claim for each in found if not _says_nothing_new(each.claim))
    ranked = sorted(
        found,
        key=lambda f: (
            *(-f.priority, f.claim.start - f.claim.end, f.claim.start),
            *(f.claim.rule, f.claim.object, f.claim.subject, f.claim.predicate),  # two patterns of a rule may read the same words apart
        ),
    )
    kept: dict[tuple[int, Kind], list[Found]] = {}
    for each in ranked:
        held = kept.setdefault((each.sentence, each.claim.kind), [])
        if not any(each.start < other.end and other.start < each.end for other in held):
            held.append(each)
    return tuple(
        sorted(
            (each.claim for held in kept.values() for each in held if not _says_nothing_new(each.claim)),
            key=lambda claim: (claim.start, claim.end, _KINDS[claim.kind], claim.rule),
        )
    )


def _says_nothing_new(claim: Claim) -> bool:
    """Return whether the object takes its own place, or is put above itself: "we switched from Penpot to Penpot"."""
    return claim.polarity == "+" and key(claim.object) in {key(words) for words in (claim.supersedes, claim.over) if words}


def agreed(ours: tuple[Claim, ...], theirs: tuple[Claim, ...]) -> tuple[Claim, ...]:
    """Return the claims of the patterns and of the clauses as one list.

    What both read is held, in the words of the pattern, and takes the place of what the clause says it does. Where they read the same
    words apart, only the pattern's claim is kept.
    """
    if not theirs:
        return ours
    held = confirmed(ours, theirs)
    rest = [other for other in theirs if not any(other.start < one.end and one.start < other.end and _shares(one, other) for one in ours)]
    return tuple(sorted((*held, *rest), key=lambda claim: (claim.start, claim.end, _KINDS[claim.kind], claim.rule)))


def confirmed(ours: tuple[Claim, ...], theirs: tuple[Claim, ...]) -> tuple[Claim, ...]:
    """Return the claims of the patterns, held where the clauses make the same claim, and with their cue of now where they have none."""
    return tuple(_confirmed(one, [other for other in theirs if alike(one, other)]) for one in ours)


def _confirmed(one: Claim, others: Sequence[Claim]) -> Claim:
    """Return a claim of the patterns, held if a clause says it, too, with the clause's cue of now if it has none itself."""
    if not others or (one.grade == "held" and (one.supersedes or not others[0].supersedes)):
        return one
    return replace(one, grade="held", supersedes=one.supersedes or others[0].supersedes)


def alike(one: Claim, other: Claim) -> bool:
    """Return whether two readers make the same claim: in the same words of the text, of the same polarity, about the same object."""
    return one.polarity == other.polarity and one.start < other.end and other.start < one.end and _shares(one, other)


def _shares(one: Claim, other: Claim) -> bool:
    """Return whether half of the words of the shorter object stand in the longer, too."""
    left, right = set(tokens(one.object)), set(tokens(other.object))
    return 2 * len(left & right) >= min(len(left), len(right)) > 0
