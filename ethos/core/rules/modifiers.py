"""Modifiers: the effect of the rest of a sentence on a claim.

They are hedges, questions, negation, supposition, quotes, other people's words and the past.

After ConText (Harkema et al. 2009): a trigger reaches forward or backward over the sentence until a stop word; a pseudo trigger looks
like a trigger and is none. Two deviations: the reach also ends after `max_chars`, and the rule chooses the effect (drop, flip, weaken,
keep). Everything is bounded by the sentence, which makes extraction monotone (property 8).
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from functools import cached_property
from operator import itemgetter
from typing import Final, NamedTuple

import ahocorasick_rs

from ethos.core.model.records import Kind, Polarity, Tense
from ethos.core.model.value import value
from ethos.core.rules.rule import DEFAULT_EFFECTS, Category, Effect, Modifier

_PAST_WEIGHT = 0.5
GUESSED: Final = "pronoun"  # the modifier of a claim whose subject a pronoun stands for, by a guess


class Reach(NamedTuple):
    """A match inside its sentence, in offsets of the sentence.

    head: the start of its first slot; the text before it may be just the phrase that introduces the claim.
    """

    start: int
    head: int
    object_start: int
    object_end: int
    question: bool  # it stands in a question: not in a statement that one follows
    quoted: bool  # the match begins inside quotation marks


@value
class Weighed:
    """A claim's certainty after the modifiers."""

    kind: Kind
    polarity: Polarity
    tense: Tense
    confidence: float
    modifiers: tuple[str, ...]


def is_hedged(modifiers: Iterable[str]) -> bool:
    """Return whether one of the modifiers of a claim is a hedge: "I think"."""
    return any(each.startswith("hedge") for each in modifiers)


def _words(words: Iterable[str]) -> str:
    """Return an alternation of whole words, longest first; `^` anchors one at the start of the sentence, `...` matches up to four words."""
    parts = []
    for word in sorted(words, key=lambda w: (-len(w), w)):
        bound = word.startswith("^")
        body = re.escape(word.removeprefix("^")).replace(r"\.\.\.", r"(?:[^\s,;]+ ){0,4}?")
        begin = "^" if bound else r"(?<!\w)" if word[0].isalnum() else ""
        parts.append(begin + body + (r"(?!\w)" if word[-1].isalnum() else ""))
    return "|".join(parts)


# Somebody's own statement behind a question without a mark: "what's the best way to export it, I use Pocket Casts"
_STATES_ANEW = re.compile(r", (?:i|i'm|i've|we|we're|we've|my|our|he|he's|she|she's|they|they're|it's) ")


class _Trigger:
    """One modifier, compiled on first use: most runs of most rules never need it."""

    def __init__(self, modifier: Modifier) -> None:
        self.modifier = modifier
        self.anywhere = {trigger.partition("...")[0].strip() for trigger in modifier.triggers if trigger[0] != "^"}
        lengths = [len(words) if "..." not in words else 1_000_000 for words in modifier.pseudo]
        self._widest = max(lengths, default=0)  # characters of a pseudo trigger
        self.opening = {trigger[1:].partition("...")[0].strip() for trigger in modifier.triggers if trigger[0] == "^"}

    @cached_property
    def triggers(self) -> re.Pattern[str]:
        return re.compile(_words(self.modifier.triggers))

    @cached_property
    def stop(self) -> re.Pattern[str] | None:
        return re.compile(_words(self.modifier.stop)) if self.modifier.stop else None

    @cached_property
    def pseudo(self) -> re.Pattern[str] | None:
        return re.compile(_words(self.modifier.pseudo)) if self.modifier.pseudo else None

    def spans_at(self, sentence: str, places: Sequence[int]) -> list[tuple[int, int]]:
        """Return the spans of its triggers, without pseudo triggers.

        places: the offsets of trigger words, in order; a trigger matches only there.
        """
        spans: list[tuple[int, int]] = []
        free = 0
        for place in places:
            found = self.triggers.match(sentence, place) if place >= free else None
            if found is not None:
                start, free = found.span()
                spans.append((start, free))
        if not spans or self.pseudo is None:
            return spans
        low, high = spans[0][0] - self._widest, spans[-1][0] + self._widest + 2
        excuses = [found.span() for found in self.pseudo.finditer(sentence, max(0, low), high)]
        return [(start, end) for start, end in spans if not any(low <= start < high for low, high in excuses)]

    def reaches(self, sentence: str, at: Reach, spans: Sequence[tuple[int, int]]) -> bool:
        """Return whether one of the triggers found reaches the match."""
        for start, end in spans:
            forward = self.modifier.direction != "backward" and end <= at.object_start
            if forward and self._open(sentence, end, at.head) and not self._stated_anew(sentence, start, at):
                return True
            if self.modifier.direction != "forward" and start >= at.object_end and self._open(sentence, at.object_end, start):
                return True
        return False

    def _stated_anew(self, sentence: str, start: int, at: Reach) -> bool:
        """Return whether a trigger opens a question, and the match is a statement of somebody's own behind its comma."""
        return self.modifier.category == "question" and not start and _STATES_ANEW.match(sentence, at.head - 2, at.object_start) is not None

    def _open(self, sentence: str, low: int, high: int) -> bool:
        """Return whether no stop word ends the reach between the two offsets."""
        if high - low > self.modifier.max_chars:
            return False
        return low >= high or self.stop is None or self.stop.search(sentence, low, high) is None


_Present = dict[Category, list[tuple[_Trigger, list[tuple[int, int]]]]]  # the triggers that stand in a sentence, and their spans


class Modifiers:
    """All modifiers, by category, with their default effects."""

    def __init__(self, modifiers: Sequence[Modifier]) -> None:
        triggers = [_Trigger(modifier) for modifier in modifiers]
        users: dict[str, list[_Trigger]] = {word: [] for trigger in triggers for word in (*trigger.anywhere, *trigger.opening)}
        for trigger in triggers:
            for word in trigger.anywhere:
                users[word].append(trigger)
        self._users = [tuple(each) for each in users.values()]
        self._openers = [tuple(each for each in triggers if word in each.opening | each.anywhere) for word in users]
        kind = ahocorasick_rs.Implementation.DFA  # a few hundred words
        self._automaton = ahocorasick_rs.AhoCorasick(list(users), store_patterns=False, implementation=kind) if users else None
        self._last: tuple[str, _Present] = ("", {})  # the sentence that was last looked at

    def _present(self, sentence: str) -> _Present:
        """Return the triggers in the sentence: one pass for all of them, and for all claims of a sentence."""
        last, present = self._last
        if last is sentence:
            return present
        places: dict[_Trigger, list[int]] = {}
        if self._automaton is not None and (found := self._automaton.find_matches_as_indexes(sentence, overlapping=True)):
            for number, place, _ in sorted(found, key=itemgetter(1)):
                if place and sentence[place].isalnum() and sentence[place - 1].isalnum():
                    continue  # inside a word
                for trigger in self._users[number] if place else self._openers[number]:
                    places.setdefault(trigger, []).append(place)
        present = {}
        for trigger, where in places.items():
            if spans := trigger.spans_at(sentence, where):
                present.setdefault(trigger.modifier.category, []).append((trigger, spans))
        self._last = (sentence, present)
        return present

    def weigh(
        self, sentence: str, at: Reach, effects: Mapping[Category, Effect], kind: Kind, polarity: Polarity, confidence: float
    ) -> Weighed | None:
        """Return the claim's certainty after all modifiers; None if the claim is dropped. Confidence stays in 0..1 and never rises."""
        present = self._present(sentence)
        if not present and not at.question and not at.quoted:
            return Weighed(kind, polarity, "present", min(1.0, max(0.0, round(confidence, 6))), ())
        sure = ("question",) * at.question + ("quote",) * at.quoted
        tense: Tense = "present"
        applied: list[str] = []
        for category, default in DEFAULT_EFFECTS.items():
            certain = category in sure
            if not certain and category not in present:
                continue
            effect: Effect = effects.get(category, default)
            if effect == "keep":
                continue
            reach = at
            if effect == "outside":
                effect, reach = default, at._replace(head=at.start, object_start=at.start)
            if not certain and not any(trigger.reaches(sentence, reach, spans) for trigger, spans in present[category]):
                continue
            if effect == "drop":
                return None
            if effect == "flip":
                polarity = "-" if polarity == "+" else "+"
                kind = "negation" if kind == "fact" else kind
                applied.append(category)
            elif effect == "tag":
                applied.append(category)
            else:
                tense = "past" if effect == "past" or category == "past" else tense
                weight = _PAST_WEIGHT if effect == "past" else float(effect)
                confidence *= weight
                applied.append(f"{category} x{weight:.2f}")
        return Weighed(kind, polarity, tense, min(1.0, max(0.0, round(confidence, 6))), tuple(applied))
