"""The prefilter: find where in a text which pattern could match, by its literals and their surroundings."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from operator import itemgetter
from typing import NamedTuple

import ahocorasick_rs

from ethos.core.model.records import Role
from ethos.core.rules.compiled import Pattern
from ethos.core.rules.regex.frequency import START
from ethos.core.text.sentences import MAX_SENTENCE, Sentence, may_begin, sentences

_SMALL = 40_000  # characters of literals; up to here a DFA is used: half the time, for some hundred bytes a character

Gate = Callable[[str, int], object]  # returns None if no match starts there

_NO_WORD_BEFORE = r"(?<![^\W_])"
_GOES_ON = r"(?:[^\W_]|[,;:])"  # no sentence starts after these
_MAY_BEGIN = rf"(?<!{_GOES_ON})(?<!{_GOES_ON}[ \t])"  # `may_begin`, except after more than one space


class _Adjacent:
    """The strings one of which must be directly next to a literal. The lookup uses as many characters as the shortest string has."""

    __slots__ = ("length", "strings", "whole")

    def __init__(self, strings: tuple[str, ...], *, before: bool) -> None:
        self.length = length = min(map(len, strings), default=0)
        self.whole = frozenset(string[-length:] if before else string[:length] for string in strings)
        self.strings = () if all(len(string) == length for string in strings) else strings  # empty if `whole` decides


class Use:
    """How a pattern uses its literals, those that count only where a sentence may start (`opening`) or the others.

    It holds the conditions on the text around a literal, and on the rest of the text, without which the pattern cannot match there.
    """

    __slots__ = (
        "_first_pattern",
        "_sentence_start",
        "_word",
        "beside",
        "far",
        "followed_by",
        "gate",
        "opens",
        "pattern",
        "preceded_by",
        "required_rare",
        "required_small",
    )

    def __init__(
        self, pattern: Pattern, required_rare: frozenset[int], required_small: tuple[tuple[int, tuple[str, ...]], ...], *, opening: bool
    ) -> None:
        """Set the conditions.

        required_rare: the automaton's numbers of its large further set. required_small: its small further sets, numbered.
        """
        literals = pattern.literals
        self.pattern = pattern
        self._word = _NO_WORD_BEFORE if literals.boundary else ""
        self._sentence_start = _MAY_BEGIN if opening else ""
        self._first_pattern = literals.first_pattern
        self.opens = START in literals.preceded_by
        self.preceded_by = _Adjacent(tuple(beside for beside in literals.preceded_by if beside != START if not opening), before=True)
        self.followed_by = _Adjacent(literals.followed_by, before=False)
        self.beside = bool(self.followed_by.length or self.preceded_by.length or (self.opens and not opening))
        self.required_rare = required_rare
        self.required_small = required_small
        guarded = literals.boundary or opening or self._first_pattern
        self.gate: Gate | None = self._first if guarded else None
        self.far: Gate | None = self._first_far if guarded else None

    def _first(self, low: str, at: int) -> object:
        """Check what a match needs before and after its start, with one pattern, which is compiled on first use."""
        self.gate = re.compile(self._sentence_start + self._word + self._first_pattern).match
        return self.gate(low, at)

    def _first_far(self, low: str, at: int) -> object:
        """Check the start of a match in a text too long for one sentence. It may be cut anywhere, so the text before is not checked."""
        self.far = re.compile(self._first_pattern).match
        return self.far(low, at)

    def fits(self, low: str, at: int, end: int) -> bool:
        """Return whether the strings that must be next to the literal are there."""
        after, before = self.followed_by, self.preceded_by
        if after.length and (
            low[end : end + after.length] not in after.whole or (after.strings and not low.startswith(after.strings, end))
        ):
            return False
        if not before.length:
            return not self.opens or may_begin(low, at)
        return (low[max(0, at - before.length) : at] in before.whole and (not before.strings or low.endswith(before.strings, 0, at))) or (
            self.opens and may_begin(low, at)
        )


def _near(low: str, at: int, sets: Sequence[tuple[int, tuple[str, ...]]], known: dict[int, bool]) -> bool:
    """Return whether one string of each set is near the offset. Long texts are searched only within the length of a sentence.

    known: results for a short text, by the numbers of the sets.
    """
    if len(low) > MAX_SENTENCE:
        low, known = low[max(0, at - MAX_SENTENCE) : at + MAX_SENTENCE], {}
    for number, strings in sets:
        found = known.get(number)
        if found is None:
            found = False
            for string in strings:
                if string in low:
                    found = True
                    break
            known[number] = found
        if not found:
            return False
    return True


class Hits(NamedTuple):
    """The literals in a folded text at which some pattern could match."""

    folded: str
    literals: list[tuple[int, int, Use]]  # start, end, and the pattern that uses it
    clauses: bool = False  # whether a clause rule that is held by itself could read something
    naming: int = 0  # what the text may name, so that the second reader reads it (`specific.signs`)
    sober: bool = False  # it states things, so that the second reader reads what names nothing, too (`register.is_sober`)


class Prefilter:
    """One Aho-Corasick automaton over the literals of all patterns."""

    def __init__(self, patterns: Sequence[Pattern]) -> None:
        users: dict[str, list[Use]] = {string: [] for p in patterns for string in (*p.literals.strings, *p.literals.required_rare)}
        self.literals = tuple(sorted(users))
        numbers = {string: number for number, string in enumerate(self.literals)}
        sets: dict[tuple[str, ...], int] = {}
        for pattern in patterns:
            required_rare = frozenset(numbers[string] for string in pattern.literals.required_rare)
            required_small = tuple((sets.setdefault(strings, len(sets)), strings) for strings in pattern.literals.required_small)
            opening, other = (Use(pattern, required_rare, required_small, opening=opening) for opening in (True, False))
            opens = frozenset(pattern.literals.at_sentence_start)
            for string in pattern.literals.strings:
                users[string].append(opening if string in opens else other)
        self._uses = [tuple(users[string]) for string in self.literals]
        small = sum(map(len, self.literals)) <= _SMALL
        kind = ahocorasick_rs.Implementation.DFA if small else None
        self._find = ahocorasick_rs.AhoCorasick(self.literals, store_patterns=False, implementation=kind).find_matches_as_indexes

    def hits(self, low: str, *, first: bool = False) -> Hits | None:
        """Return where a pattern could match in a folded text, and which one; conditions around a literal refute most hits.

        first: the first one alone, which is enough to tell that there are some.
        This is sound: the characters of a match are the same in the folded text and in the masked sentence. Masking replaces the
        others with filler and line breaks, which are in no literal, no neighbour and no first pattern.
        """
        if not (found := self._find(low, overlapping=True)):
            return None
        uses = self._uses
        short = len(low) <= MAX_SENTENCE
        met: set[int] = set()
        known: dict[int, bool] = {}
        literals: list[tuple[int, int, Use]] = []
        for number, at, end in found:
            for use in uses[number]:
                gate = use.gate if short else use.far
                if gate is not None and gate(low, at) is None:
                    continue
                if use.beside and not use.fits(low, at, end):
                    continue
                if use.required_rare:
                    met = met or {number for number, _, _ in found}
                    if met.isdisjoint(use.required_rare):
                        continue
                if use.required_small and not _near(low, at, use.required_small, known):
                    continue
                literals.append((at, end, use))
                if first:
                    return Hits(low, literals)
        return Hits(low, literals) if literals else None


def candidates(masked: str, literals: list[tuple[int, int, Use]], role: Role) -> Iterator[tuple[Sentence, dict[Pattern, list[int] | None]]]:
    """Yield the patterns to try in each sentence, from left to right: anchored at these offsets of the sentence, or (None) anywhere in it.

    Only lines with a literal are cut into sentences, up to their last literal.
    """
    if len(literals) > 1:
        literals.sort(key=itemgetter(0))
    cut: Iterator[Sentence] = iter(())
    sentence: Sentence | None = None
    wanted: dict[Pattern, list[int] | None] = {}
    start = end = line_end = -1
    for at, _, use in literals:
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
    """Return the next sentence that ends after the offset."""
    for sentence in cut:
        if sentence.end > at:
            return sentence
    return None
