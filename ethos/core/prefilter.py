"""The prefilter: where in a text which pattern could match, told by the literals that stand there and what stands around them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from operator import itemgetter
from typing import NamedTuple

import ahocorasick_rs

from ethos.core.frequency import START
from ethos.core.patterns import Pattern
from ethos.core.records import Role
from ethos.core.sentences import MAX_SENTENCE, Sentence, may_begin, sentences


class _Beside:
    """The strings of which one must stand directly beside a literal. Looked up by as many characters as the shortest has."""

    __slots__ = ("length", "strings", "whole")

    def __init__(self, strings: tuple[str, ...], *, before: bool) -> None:
        self.length = length = min(map(len, strings), default=0)
        self.whole = frozenset(string[-length:] if before else string[:length] for string in strings)
        self.strings = () if all(len(string) == length for string in strings) else strings  # what is to be looked at more closely


class Use:
    """How a pattern uses its literals, those that count only where a sentence may begin (`opening`) or the others: what must stand
    around one, or the pattern cannot match there.
    """

    __slots__ = ("after", "also", "before", "bound", "opening", "opens", "pattern", "word")

    def __init__(self, pattern: Pattern, *, opening: bool) -> None:
        literals = pattern.literals
        self.pattern = pattern
        self.word = literals.boundary
        self.opening = opening
        self.opens = START in literals.before
        self.bound = bool(literals.before) and not self.opening
        self.before = _Beside(tuple(beside for beside in literals.before if beside != START), before=True)
        self.after = _Beside(literals.after, before=False)
        self.also = literals.also

    def stands(self, low: str, at: int, end: int, present: dict[tuple[str, ...], bool]) -> bool:
        """Whether the pattern could match with the literal that stands here in the folded text.

        Sound, because what a match consists of stands in the folded text as it does in the masked sentence: masking puts filler and line
        breaks over the rest, which are in no literal and beside none. `present` remembers which sets of strings a short text holds.
        """
        after = self.after
        if after.length and (
            low[end : end + after.length] not in after.whole or (after.strings and not low.startswith(after.strings, end))
        ):
            return False
        if self.bound:
            before = self.before
            if (
                not before.length
                or low[max(0, at - before.length) : at] not in before.whole
                or (before.strings and not low.endswith(before.strings, 0, at))
            ) and not (self.opens and may_begin(low, at)):
                return False
        elif self.opening and not may_begin(low, at):
            return False
        if self.word and at and (low[at - 1].isalnum() or low[at - 1] == "_"):
            return False
        for needed in self.also:
            held = present.get(needed)
            if held is None:
                held = _holds(low, needed, at)
                if len(low) <= MAX_SENTENCE:
                    present[needed] = held
            if not held:
                return False
        return True


def _holds(low: str, needed: tuple[str, ...], at: int) -> bool:
    """Whether one of the strings stands near: no sentence is longer, so a long text is not looked through each time."""
    if len(low) > MAX_SENTENCE:
        low = low[max(0, at - MAX_SENTENCE) : at + MAX_SENTENCE]
    for string in needed:  # noqa: SIM110 (any() with a generator takes three times as long)
        if string in low:
            return True
    return False


class Hits(NamedTuple):
    """The literals in a folded text at which some pattern could match."""

    folded: str
    standing: list[tuple[int, int, Use]]  # where they begin and end


class Prefilter:
    """One Aho-Corasick automaton over the literals of all patterns."""

    def __init__(self, patterns: Iterable[Pattern]) -> None:
        users: dict[str, list[Use]] = {}
        for pattern in patterns:
            opening, other = Use(pattern, opening=True), Use(pattern, opening=False)
            opens = frozenset(pattern.literals.opening)
            for string in pattern.literals.strings:
                users.setdefault(string, []).append(opening if string in opens else other)
        self.literals = tuple(sorted(users))
        self._uses = [tuple(users[string]) for string in self.literals]
        self._automaton = ahocorasick_rs.AhoCorasick(self.literals, store_patterns=False) if self.literals else None

    def hits(self, low: str) -> Hits | None:
        """Where a pattern could match in a folded text, and which; most literals that are met are refuted by what stands beside them."""
        if self._automaton is None or not (found := self._automaton.find_matches_as_indexes(low, overlapping=True)):
            return None
        uses = self._uses
        present: dict[tuple[str, ...], bool] = {}
        standing = [(at, end, use) for number, at, end in found for use in uses[number] if use.stands(low, at, end, present)]
        return Hits(low, standing) if standing else None


def candidates(masked: str, standing: list[tuple[int, int, Use]], role: Role) -> Iterator[tuple[Sentence, dict[Pattern, list[int] | None]]]:
    """Which patterns to try in which sentences, from left to right: anchored at these offsets of the sentence, or (None) anywhere in it.

    Sentences are cut in lines in which something stands, up to the last place where it does.
    """
    if len(standing) > 1:
        standing.sort(key=itemgetter(0))
    cut: Iterator[Sentence] = iter(())
    sentence: Sentence | None = None
    wanted: dict[Pattern, list[int] | None] = {}
    start = end = line_end = -1
    for at, _, use in standing:
        pattern = use.pattern
        if role not in pattern.roles:
            continue
        if at >= end:
            if wanted and sentence is not None:
                yield sentence, wanted
                wanted = {}
            if at >= line_end:
                cut = sentences(masked, at)
                line_end = masked.find("\n", at)
                line_end = len(masked) if line_end < 0 else line_end
            sentence = _reaching(cut, at)
            start, end = (line_end, line_end) if sentence is None else sentence[:2]
        if start > at:
            continue
        if not pattern.anchored:
            wanted[pattern] = None
            continue
        positions = wanted.setdefault(pattern, [])
        if positions is not None and at - start not in positions[-1:]:
            positions.append(at - start)
    if wanted and sentence is not None:
        yield sentence, wanted


def _reaching(cut: Iterator[Sentence], at: int) -> Sentence | None:
    """The next sentence that ends behind the offset."""
    for sentence in cut:
        if sentence.end > at:
            return sentence
    return None
