"""Compiled patterns of rules: on `re`, on `regex` with a time limit, or in another process (`time_limits`)."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from functools import cached_property
from weakref import WeakValueDictionary

from ethos.core.rules.regex.literals import Literals, derive
from ethos.core.rules.regex.syntax import parse
from ethos.core.rules.rule import Rule
from ethos.core.rules.templates import fill, is_plain, sole_group
from ethos.core.rules.time_limits import Limits, Match, RemoteMatch, TimedRegex
from ethos.core.text.sentences import FILLER, MASKED

Accept = Callable[[Match], bool]  # whether a match counts


_IN_USE: WeakValueDictionary[str, re.Pattern[str]] = WeakValueDictionary()


def compile_shared(source: str) -> re.Pattern[str]:
    """Return the pattern compiled by `re`; the same one for all rule sets that use it, for as long as one does.

    Compiling takes a hundredth of a second for a large pattern, and `re` itself remembers 512.
    """
    found = _IN_USE.get(source)
    if found is None:
        _IN_USE[source] = found = re.compile(source)
    return found


class Pattern:
    """One pattern of a rule. It is compiled on first use: a pack loads in milliseconds, and most runs use few rules."""

    __slots__ = ("_compiled", "anchored", "fixed", "literals", "plain", "required_small", "roles", "rule", "source", "worded")

    def __init__(self, rule: Rule, source: str, literals: Literals) -> None:
        self.rule = rule
        self.source = source
        self.literals = literals
        self.anchored = literals.anchored
        self.roles = rule.roles
        self.required_small = [(*needed, FILLER) if set(needed) & set(MASKED) else needed for needed in literals.required_small]
        self.plain = [(slot, group) for slot, template in rule.emit.items() if (group := sole_group(template))]
        self.fixed = {slot: fill(template, {}) for slot, template in rule.emit.items() if is_plain(template)}
        self.worded = [(slot, template) for slot, template in rule.emit.items() if not sole_group(template) and slot not in self.fixed]
        self._compiled: re.Pattern[str] | TimedRegex | None = None

    @property
    def compiled(self) -> re.Pattern[str] | TimedRegex:
        """Return the compiled pattern; compile it on first use."""
        if self._compiled is None:
            self._compiled = compile_shared(self.source)
        return self._compiled

    def possible(self, sentence: str) -> bool:
        """Return whether the masked sentence has the further literals that every match has."""
        for needed in self.required_small:
            for string in needed:
                if string in sentence:
                    break
            else:
                return False
        return True

    def find(self, sentence: str, positions: Sequence[int] | None, accept: Accept | None) -> Sequence[Match]:
        """Return the accepted matches from left to right, without overlaps.

        positions: the offsets of its anchored literals in the sentence; None to search all of it.
        """
        compiled = self._compiled or self.compiled
        if positions is not None:
            found: list[Match] = []
            free = 0
            for position in positions:
                match = compiled.match(sentence, position) if position >= free else None
                if match is not None and (accept is None or accept(match)):
                    found.append(match)
                    free = match.end()
            return found
        match = compiled.search(sentence)
        if match is None:
            return ()
        found = []
        while match is not None:
            accepted = accept is None or accept(match)
            if accepted:
                found.append(match)
            match = compiled.search(sentence, match.end() if accepted else match.start() + 1)
        return found


class TimedPattern(Pattern):
    """A user's pattern whose cost estimate is inconclusive: it runs with a time limit."""

    __slots__ = ("_limits",)

    def __init__(self, rule: Rule, source: str, literals: Literals, limits: Limits) -> None:
        super().__init__(rule, source, literals)
        self._limits = limits

    @property
    def compiled(self) -> re.Pattern[str] | TimedRegex:
        """Return the compiled pattern with its time limit; compile it on first use."""
        if self._compiled is None:
            self._compiled = TimedRegex(self.source)
        return self._compiled

    def find(self, sentence: str, positions: Sequence[int] | None, accept: Accept | None) -> Sequence[Match]:
        """Return the matches; none if the search exceeds the time limit."""
        if not self._limits.allows(self.rule.id):
            return ()
        try:
            return super().find(sentence, positions, accept)
        except TimeoutError:
            self._limits.overran(self.rule.id)
            return ()


class SubprocessPattern(Pattern):
    """A pattern of a rule with `engine = "regex"`. It runs in another process, on sentences that contain one of the rule's keywords."""

    __slots__ = ("_limits",)

    def __init__(self, rule: Rule, source: str, limits: Limits) -> None:
        super().__init__(rule, source, Literals(tuple(sorted(set(rule.keywords))), anchored=False, boundary=False))
        self._limits = limits

    def possible(self, sentence: str) -> bool:
        """Return whether a keyword is in the sentence itself, not only in code next to it."""
        return any(word in sentence for word in self.literals.strings)

    def find_all(self, sentences: Sequence[str]) -> Sequence[Sequence[RemoteMatch]]:
        """Return the matches in each of an episode's sentences."""
        return self._limits.find(self.rule.id, self.source, sentences)


class Antipattern:
    """A pattern that suppresses its rule where it matches.

    It is parsed and compiled on first use, as most sentences have none of its literals.
    """

    def __init__(self, source: str, *, timed: bool) -> None:
        self.source = source
        self._timed = timed
        self._last: tuple[str, list[tuple[int, int]]] = ("", [])  # cache: the last sentence searched, and the spans found

    @cached_property
    def literals(self) -> tuple[str, ...]:
        """Return strings of which one is in each match; ("",) if none is known."""
        literals = derive(parse(self.source).tree)
        return literals.strings if literals and not set(literals.strings) & set(MASKED) else ("",)

    @cached_property
    def compiled(self) -> re.Pattern[str] | TimedRegex:
        """Return the compiled pattern; compile it on first use."""
        return TimedRegex(self.source) if self._timed else compile_shared(self.source)

    def overlaps(self, sentence: str, start: int, end: int) -> bool:
        """Return whether a match overlaps the span. Raise TimeoutError if the search exceeds the time limit."""
        last, spans = self._last
        if last is not sentence:
            spans = []
            if any(map(sentence.__contains__, self.literals)):
                spans = [found.span() for found in self.compiled.finditer(sentence)]
            self._last = (sentence, spans)
        return any(low < end and start < high for low, high in spans)
