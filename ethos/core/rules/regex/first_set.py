"""First patterns: a weaker pattern for the start of each match, which can be tried on a text before it is masked.

It refutes most places at which a literal of an anchored pattern occurs: "i'm " is in every fifth turn, "i'm " before a number hardly
ever. A first pattern extends as far as the pattern cannot match masked text, and leaves out look-arounds, so it matches wherever the
full pattern does. The idea is that of a lexer's first set, with a pattern in place of a character.
"""

from __future__ import annotations

import re

from ethos.core.rules.regex.syntax import Chars, Choice, Filler, Node, Repeat, Sequence, Zero
from ethos.core.text.sentences import FILLER

_MAX_LENGTH = 2_000  # characters
_MAX_TIMES = 8  # upper bound of a repeat that is copied
_MAX_REPEATS = 2  # repeats in one first pattern, so that a trial takes next to no time on any text


def first_pattern(tree: Node, literals: tuple[str, ...]) -> str:
    """Return a pattern that matches where each match starts, in the folded text too; "" if it filters no more than the literals do."""
    pattern, _ = _FirstPatterns().of(tree)
    if len(pattern) > _MAX_LENGTH:
        return ""
    compiled = re.compile(pattern)
    return "" if all(compiled.match(literal) for literal in literals) else pattern


class _FirstPatterns:
    """The first patterns of one tree. Each comes with a flag: true if it covers its whole node, so that the next one may follow."""

    def __init__(self) -> None:
        self._repeats = 0

    def of(self, node: Node) -> tuple[str, bool]:
        """Return the first pattern of a node, and whether it covers the whole node."""
        match node:
            case Chars(_, source):
                return ("", False) if re.fullmatch(source, FILLER) else (source, True)
            case Filler():
                return "", False
            case Zero():
                return "", True
            case Sequence(parts):
                return self._sequence(parts)
            case Choice(branches):
                return _either([self.of(branch) for branch in branches])
            case Repeat(part, low, high):
                pattern, complete = self._repeat(part, low, high)
                return ("" if low == 0 and not complete else pattern), complete

    def _sequence(self, parts: tuple[Node, ...]) -> tuple[str, bool]:
        found = ""
        for at, part in enumerate(parts):
            optional = isinstance(part, Repeat) and part.low == 0
            pattern, complete = self._repeat(part.part, part.low, part.high) if isinstance(part, Repeat) else self.of(part)
            if not complete:
                if optional:  # either the optional part comes next, or what follows it
                    pattern, _ = _either([(pattern, False), self._sequence(parts[at + 1 :])])
                return found + pattern, False
            found += pattern
        return found, True

    def _repeat(self, part: Node, low: int, high: int | None) -> tuple[str, bool]:
        """Return the first pattern of a repeat that is present: of all its iterations, or of the first alone."""
        pattern, complete = self.of(part)
        if complete and high == 1:
            return (f"(?:{pattern})?" if low == 0 else pattern), True
        if complete and high is not None and high <= _MAX_TIMES and self._repeats < _MAX_REPEATS:
            self._repeats += 1
            return f"(?:{pattern}){{{low},{high}}}", True
        return pattern, False


def _either(patterns: list[tuple[str, bool]]) -> tuple[str, bool]:
    """Return the alternation of the patterns; "" if one of the incomplete ones is empty."""
    complete = all(complete for _, complete in patterns)
    if not complete and any(not pattern for pattern, _ in patterns):
        return "", False
    return f"(?:{'|'.join(dict.fromkeys(pattern for pattern, _ in patterns))})", complete
