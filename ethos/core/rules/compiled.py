"""The patterns of rules, ready to be tried on a sentence: on `re`, with a time limit, or in another process (`limits.py`)."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from functools import cached_property

from ethos.core.rules.regex.literals import Literals, derive
from ethos.core.rules.regex.syntax import parse
from ethos.core.rules.rule import Rule
from ethos.core.rules.templates import fill, is_plain, sole_group
from ethos.core.rules.time_limits import Limits, Match, Timed, Told
from ethos.core.text.sentences import FILLER, MASKED

Accept = Callable[[Match], bool]  # whether a match counts


class Pattern:
    """One pattern of a rule. Compiled when a literal of it is first met: a pack loads in milliseconds, and most runs use few rules."""

    __slots__ = ("_compiled", "also", "anchored", "fixed", "literals", "plain", "roles", "rule", "source", "worded")

    def __init__(self, rule: Rule, source: str, literals: Literals) -> None:
        self.rule = rule
        self.source = source
        self.literals = literals
        self.anchored = literals.anchored
        self.roles = rule.roles
        self.also = [(*needed, FILLER) if set(needed) & set(MASKED) else needed for needed in literals.also]
        self.plain = [(slot, group) for slot, template in rule.emit.items() if (group := sole_group(template))]
        self.fixed = {slot: fill(template, {}) for slot, template in rule.emit.items() if is_plain(template)}
        self.worded = [(slot, template) for slot, template in rule.emit.items() if not sole_group(template) and slot not in self.fixed]
        self._compiled: re.Pattern[str] | Timed | None = None

    @property
    def compiled(self) -> re.Pattern[str] | Timed:
        """Compiled, once it is asked for."""
        if self._compiled is None:
            self._compiled = re.compile(self.source)
        return self._compiled

    def possible(self, sentence: str) -> bool:
        """Whether the further literals that every match has are in the masked sentence."""
        for needed in self.also:
            for string in needed:
                if string in sentence:
                    break
            else:
                return False
        return True

    def find(self, sentence: str, positions: Sequence[int] | None, accept: Accept | None) -> Sequence[Match]:
        """Accepted matches from left to right that do not overlap. `positions`: where its anchored literals stand in the sentence."""
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


class Watched(Pattern):
    """A pattern of a user's own of which the gate is not sure: it runs with a time limit."""

    __slots__ = ("_limits",)

    def __init__(self, rule: Rule, source: str, literals: Literals, limits: Limits) -> None:
        super().__init__(rule, source, literals)
        self._limits = limits

    @property
    def compiled(self) -> re.Pattern[str] | Timed:
        """Compiled with the limit, once it is asked for."""
        if self._compiled is None:
            self._compiled = Timed(self.source)
        return self._compiled

    def find(self, sentence: str, positions: Sequence[int] | None, accept: Accept | None) -> Sequence[Match]:
        """The matches; none where it took too long."""
        if not self._limits.allows(self.rule.id):
            return ()
        try:
            return super().find(sentence, positions, accept)
        except TimeoutError:
            self._limits.overran(self.rule.id)
            return ()


class Apart(Pattern):
    """A pattern of a rule with `engine = "regex"`: it is looked for in sentences with one of the rule's keywords, in another process."""

    __slots__ = ("_limits",)

    def __init__(self, rule: Rule, source: str, limits: Limits) -> None:
        super().__init__(rule, source, Literals(tuple(sorted(set(rule.keywords))), anchored=False, boundary=False))
        self._limits = limits

    def possible(self, sentence: str) -> bool:
        """Whether a keyword stands in the sentence itself, and not only in code beside it."""
        return any(word in sentence for word in self.literals.strings)

    def find_all(self, sentences: Sequence[str]) -> Sequence[Sequence[Told]]:
        """The matches in each of an episode's sentences."""
        return self._limits.find(self.rule.id, self.source, sentences)


class Antipattern:
    """What makes a rule silent where it stands. Most sentences hold none of its literals; it is understood and compiled on first use."""

    def __init__(self, source: str, *, timed: bool) -> None:
        self.source = source
        self._timed = timed
        self._last: tuple[str, list[tuple[int, int]]] = ("", [])  # the sentence it was last looked for in, and where it stands there

    @cached_property
    def literals(self) -> tuple[str, ...]:
        """One of these stands in each of its matches; "" where none is known."""
        literals = derive(parse(self.source).tree)
        return literals.strings if literals and not set(literals.strings) & set(MASKED) else ("",)

    @cached_property
    def compiled(self) -> re.Pattern[str] | Timed:
        """Compiled, once it is asked for."""
        return Timed(self.source) if self._timed else re.compile(self.source)

    def overlaps(self, sentence: str, start: int, end: int) -> bool:
        """Whether a match of it overlaps the span. Raises TimeoutError where it is timed and takes too long."""
        last, spans = self._last
        if last is not sentence:
            spans = []
            if any(map(sentence.__contains__, self.literals)):
                spans = [found.span() for found in self.compiled.finditer(sentence)]
            self._last = (sentence, spans)
        return any(low < end and start < high for low, high in spans)
