"""Claims as they are found: make one of the slots of a rule, and rank those that compete for the same words."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache
from typing import NamedTuple

from ethos.core.model.records import Claim, Grade, Kind
from ethos.core.rules.captures import claim_subject
from ethos.core.rules.modifiers import Weighed
from ethos.core.rules.rule import Rule
from ethos.core.text.blanks import is_blank
from ethos.core.text.folding import key
from ethos.core.text.language.contrast import is_put_right, without_contrast
from ethos.core.text.language.cues import is_cue, is_followed_by_cue, is_opened_by_cue, without_cue, without_inner_cue
from ethos.core.text.language.inflection import predicate_key
from ethos.core.text.language.lexicon import pattern_of, word_class
from ethos.core.text.language.pronouns import AGENT
from ethos.core.text.language.relative_times import without_past_time
from ethos.core.text.language.signs_of_change import changes_nothing, is_for_once
from ethos.core.text.language.tagging import possible_tags, words_of


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


def claim_of(
    rule: Rule, slots: Mapping[str, str], weighed: Weighed, speaker: str, start: int, end: int, grade: Grade, replaced: str | None = None
) -> Claim:
    """Return the claim that a rule makes of its filled slots. start, end: its span in the text; replaced: what it says it replaces."""
    return Claim(
        kind=weighed.kind,
        subject=claim_subject(slots["subject"], speaker),
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
        over=_named(slots.get("over")),
        supersedes=_named(replaced),
        purpose=_named(slots.get("purpose")),
        modifiers=weighed.modifiers,
        grade=grade,
    )


def _named(words: str | None) -> str | None:
    """Return the words, None if they name nothing; "*" stands for anything."""
    return words if words and (words == "*" or not is_blank(words)) else None


def take_contrast(slots: dict[str, str], weighed: Weighed, behind: str) -> str:
    """Take what the object of a claim replaces out of its slots, and return it; of a preference it becomes what it is put above.

    behind: the folded text behind the object, up to the end of its sentence.
    """
    if weighed.polarity == "-" or slots.get("supersedes"):
        return ""
    slots["object"], old = without_contrast(slots["object"], behind, liked=weighed.kind == "preference")
    if weighed.kind != "preference":
        return old
    slots["over"] = slots.get("over") or without_cue(old)[0]
    return ""


def take_cue(slots: dict[str, str], before: str, behind: str) -> str:
    """Take the cue of now out of the slots of a claim, and return it; "" if it has none.

    before, behind: the folded sentence before and behind the claim, where a cue may stand, too.
    """
    slots["object"], cue = without_cue(slots["object"])
    for slot in ("subject", "predicate"):
        slots[slot], inner = without_inner_cue(slots[slot])
        cue = cue or inner
    told = slots["predicate"] in _BE and is_put_right(behind)
    if not cue and (told or is_opened_by_cue(before) or is_followed_by_cue(behind)):
        cue = "now"
    captured = is_cue(slots.get("supersedes", "").lower())  # by the rule
    if cue or slots.get("supersedes"):
        take_past_time(slots)
    if (cue or captured) and changes_nothing(words_of(f"{before} {slots['object']} {behind}".lower())):
        if captured:
            slots["supersedes"] = ""
        return ""
    return cue


_BE = ("is", "are")


def take_past_time(slots: dict[str, str]) -> None:
    """Take the time that has passed out of a claim that something is so since then: "uses Zulip" for "switched to Zulip last month"."""
    if possible_tags(slots["predicate"].partition(" ")[0].lower())[:1] != "d":
        slots["object"] = without_past_time(slots["object"])


@cache
def _occasion() -> re.Pattern[str]:
    opened = pattern_of("occasion")
    return re.compile(
        rf"(?:\A|[;,(-] |\b(?:and|so|but) )(?P<occasion>(?:{opened}) [^,;:.!?()\n]{{3,60}}),?(?: (?:you|please|then|just))*\s*\Z"
    )


def is_occasion(before: str, behind: str) -> bool:
    """Return whether a claim only says when an order holds. before, behind: the folded sentence before and behind it."""
    return behind.startswith(", ") and before.rpartition(",")[2].strip() in word_class("occasion")


def orders_once(slots: Mapping[str, str], sentence: str) -> bool:
    """Return whether a claim is an order for this once: "for this one mail, answer in French". sentence: folded."""
    return slots["subject"] == AGENT and is_for_once(words_of(sentence))


def take_occasion(slots: dict[str, str], before: str, written: str) -> None:
    """Put the occasion of an order, which stands before it, into its predicate: "when working with JSON, never use grep".

    before: the folded sentence before the claim; written: the same as it was written.
    """
    verb = slots["predicate"].removeprefix("should ")
    if slots["subject"] != AGENT or verb == slots["predicate"] or (found := _occasion().search(before)) is None:
        return
    low, high = found.span("occasion")
    slots["predicate"] = f"should, {written[low].lower()}{written[low + 1 : high]}, {verb}"


def take_purpose(slots: dict[str, str], before: str, written: str) -> None:
    """Take what a thing is used for, where it stands before the claim: "for the staging hosts, let's use Nomad".

    before: the folded sentence before the claim; written: the same as it was written.
    """
    if slots.get("purpose") or predicate_key(slots["predicate"]) not in word_class("serving"):
        return
    if (found := _PURPOSE.search(before)) is not None:
        slots["purpose"] = written[slice(*found.span("purpose"))]


_STRETCH = 200  # characters
_PURPOSE = re.compile(r"(?:\A|[;,] )for (?!now|example|instance|sure)(?P<purpose>[^,;:.!?()\n]{2,40}),(?: (?:please|just|let'?s))* ?\Z")
_KINDS: Mapping[Kind, int] = {"decision": 0, "preference": 1, "negation": 2, "fact": 3}


def settled(found: Sequence[Found]) -> tuple[Claim, ...]:
    """Resolve overlaps of claims of one kind: the higher priority wins, then the longer, then the earlier, then the smaller id.

    This is a total order, so the result does not depend on the order of the rules. Claims compete for their object: "never use A but B"
    is two claims, although their matches overlap. One that says nothing competes like any other, and is left out then.
    """
    if len(found) < 2:
        return tuple(each.claim for each in found if not _says_nothing(each.claim))
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
    claims = [each.claim for held in kept.values() for each in held if not _says_nothing(each.claim)]
    return tuple(sorted(without_ends(claims), key=position))


def without_ends(claims: Iterable[Claim]) -> Iterator[Claim]:
    """Yield the claims but for those that tell no more than that something has ended, where another one tells that."""
    claims = tuple(claims)
    ends = ClaimsByPlace([claim for claim in claims if claim.kind == "negation" and claim.predicate == "has"])
    yield from (claim for claim in claims if not _is_told_by_end(claim, ends.beside(claim)))


def _is_told_by_end(claim: Claim, ends: Sequence[Claim]) -> bool:
    """Return whether a claim tells no more than the end of something, which one in the same words tells: "sold the canoe"."""
    if not ends:
        return False
    if claim.kind == "fact" and claim.predicate.startswith(("has been ", "have been ")):  # "the beta has been taken down"
        return any(key(end.object) == key(claim.subject) for end in ends)
    if claim.kind != "fact" or claim.tense != "past":
        return False
    first, _, rest = claim.object.partition(" ")
    thing = key(rest if first.lower() in word_class("determiner") else claim.object)
    return any(key(end.object) == thing for end in ends)


class ClaimsByPlace:
    """Claims by the stretches of the text that they reach into: a long text has thousands, and few of them in one place."""

    def __init__(self, claims: Sequence[Claim]) -> None:
        self._claims = claims
        self._at: dict[int, list[int]] = {}
        for number, claim in enumerate(claims):
            for stretch in _stretches(claim):
                self._at.setdefault(stretch, []).append(number)

    def beside(self, claim: Claim) -> list[Claim]:
        """Return those that have words of the text in common with a claim, in their order."""
        numbers = {number for stretch in _stretches(claim) for number in self._at.get(stretch, ())}
        return [self._claims[number] for number in sorted(numbers) if overlaps(claim, self._claims[number])]


def _stretches(claim: Claim) -> range:
    return range(claim.start // _STRETCH, claim.end // _STRETCH + 1)


def overlaps(one: Claim, other: Claim) -> bool:
    """Return whether two claims have words of the text in common."""
    return one.start < other.end and other.start < one.end


def position(claim: Claim) -> tuple[int, int, int, str]:
    """Return the place of a claim among those of its turn, to sort them by."""
    return claim.start, claim.end, _KINDS[claim.kind], claim.rule


def _says_nothing(claim: Claim) -> bool:
    """Return whether the object takes its own place, or is put above itself ("we switched from Penpot to Penpot"), or names nothing."""
    if is_blank(claim.object) or is_blank(claim.subject.rpartition("'s ")[2]) or is_blank(claim.predicate):
        return True
    return claim.polarity == "+" and key(claim.object) in {key(words) for words in (claim.supersedes, claim.over) if words}
