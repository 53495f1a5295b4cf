"""The prefilter: where in a text which pattern could match, told by the literals that stand there and what stands around them."""

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

_SMALL = 40_000  # characters of literals up to which the automaton is the one that takes half the time and some hundred bytes a character

Gate = Callable[[str, int], object]  # None: no match begins there

_NO_WORD_BEFORE = r"(?<![^\W_])"
_GOES_ON = r"(?:[^\W_]|[,;:])"  # behind these no sentence begins
_MAY_BEGIN = rf"(?<!{_GOES_ON})(?<!{_GOES_ON}[ \t])"  # `may_begin`, but for more than one blank


class _Beside:
    """The strings of which one must stand directly beside a literal. Looked up by as many characters as the shortest has."""

    __slots__ = ("length", "strings", "whole")

    def __init__(self, strings: tuple[str, ...], *, before: bool) -> None:
        self.length = length = min(map(len, strings), default=0)
        self.whole = frozenset(string[-length:] if before else string[:length] for string in strings)
        self.strings = () if all(len(string) == length for string in strings) else strings  # what is to be looked at more closely


class Use:
    """How a pattern uses its literals, those that count only where a sentence may begin (`opening`) or the others: what must stand
    around one, and in the same text, or the pattern cannot match there.
    """

    __slots__ = ("_head", "_opening", "_word", "after", "also", "before", "beside", "far", "gate", "opens", "pattern", "seldom")

    def __init__(self, pattern: Pattern, seldom: frozenset[int], also: tuple[tuple[int, tuple[str, ...]], ...], *, opening: bool) -> None:
        """`seldom`: the numbers of its large further set in the automaton. `also`: its small ones, numbered."""
        literals = pattern.literals
        self.pattern = pattern
        self._word = _NO_WORD_BEFORE if literals.boundary else ""
        self._opening = _MAY_BEGIN if opening else ""
        self._head = literals.head
        self.opens = START in literals.before
        self.before = _Beside(tuple(beside for beside in literals.before if beside != START if not opening), before=True)
        self.after = _Beside(literals.after, before=False)
        self.beside = bool(self.after.length or self.before.length or (self.opens and not opening))
        self.seldom = seldom
        self.also = also
        guarded = literals.boundary or opening or self._head
        self.gate: Gate | None = self._first if guarded else None
        self.far: Gate | None = self._first_far if guarded else None

    def _first(self, low: str, at: int) -> object:
        """The gate: what a match needs before and behind its beginning, in one look. Compiled on first use, as the pattern itself is."""
        self.gate = re.compile(self._opening + self._word + self._head).match
        return self.gate(low, at)

    def _first_far(self, low: str, at: int) -> object:
        """The gate in a text that is too long for one sentence. It may be cut anywhere, so nothing is known of what stands before."""
        self.far = re.compile(self._head).match
        return self.far(low, at)

    def fits(self, low: str, at: int, end: int) -> bool:
        """Whether what must stand beside the literal does."""
        after, before = self.after, self.before
        if after.length and (
            low[end : end + after.length] not in after.whole or (after.strings and not low.startswith(after.strings, end))
        ):
            return False
        if not before.length:
            return not self.opens or may_begin(low, at)
        return (low[max(0, at - before.length) : at] in before.whole and (not before.strings or low.endswith(before.strings, 0, at))) or (
            self.opens and may_begin(low, at)
        )


def _near(low: str, at: int, sets: Sequence[tuple[int, tuple[str, ...]]], held: dict[int, bool]) -> bool:
    """Whether of each set a string stands near: no sentence is longer, so a long text is not looked through each time. `held`: what is
    known of a short one, by the sets' numbers.
    """
    if len(low) > MAX_SENTENCE:
        low, held = low[max(0, at - MAX_SENTENCE) : at + MAX_SENTENCE], {}
    for number, strings in sets:
        found = held.get(number)
        if found is None:
            found = False
            for string in strings:
                if string in low:
                    found = True
                    break
            held[number] = found
        if not found:
            return False
    return True


class Hits(NamedTuple):
    """The literals in a folded text at which some pattern could match."""

    folded: str
    standing: list[tuple[int, int, Use]]  # where they begin and end


class Prefilter:
    """One Aho-Corasick automaton over the literals of all patterns."""

    def __init__(self, patterns: Sequence[Pattern]) -> None:
        users: dict[str, list[Use]] = {string: [] for p in patterns for string in (*p.literals.strings, *p.literals.seldom)}
        self.literals = tuple(sorted(users))
        numbers = {string: number for number, string in enumerate(self.literals)}
        sets: dict[tuple[str, ...], int] = {}
        for pattern in patterns:
            seldom = frozenset(numbers[string] for string in pattern.literals.seldom)
            also = tuple((sets.setdefault(strings, len(sets)), strings) for strings in pattern.literals.also)
            opening, other = (Use(pattern, seldom, also, opening=opening) for opening in (True, False))
            opens = frozenset(pattern.literals.opening)
            for string in pattern.literals.strings:
                users[string].append(opening if string in opens else other)
        self._uses = [tuple(users[string]) for string in self.literals]
        small = sum(map(len, self.literals)) <= _SMALL
        kind = ahocorasick_rs.Implementation.DFA if small else None
        self._find = ahocorasick_rs.AhoCorasick(self.literals, store_patterns=False, implementation=kind).find_matches_as_indexes

    def hits(self, low: str) -> Hits | None:
        """Where a pattern could match in a folded text, and which; most literals that are met are refuted by what stands around them.

        Sound, because what a match consists of stands in the folded text as it does in the masked sentence: masking puts filler and line
        breaks over the rest, which are in no literal, beside none, and in no head.
        """
        if not (found := self._find(low, overlapping=True)):
            return None
        uses = self._uses
        short = len(low) <= MAX_SENTENCE
        met: set[int] = set()
        held: dict[int, bool] = {}
        standing: list[tuple[int, int, Use]] = []
        for number, at, end in found:
            for use in uses[number]:
                gate = use.gate if short else use.far
                if gate is not None and gate(low, at) is None:
                    continue
                if use.beside and not use.fits(low, at, end):
                    continue
                if use.seldom:
                    met = met or {number for number, _, _ in found}
                    if met.isdisjoint(use.seldom):
                        continue
                if use.also and not _near(low, at, use.also, held):
                    continue
                standing.append((at, end, use))
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
