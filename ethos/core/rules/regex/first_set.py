"""The head of a pattern: how each of its matches begins, as a weaker pattern that can be tried on a text before it is masked.

Where a literal of an anchored pattern stands, its head refutes most places at once: "i'm " stands in every fifth turn, "i'm " with a
number behind it hardly ever. A head goes on as long as what it reads can be no masked text, and leaves out the look-arounds on its way,
so it matches wherever its pattern does. The idea is that of a lexer's first set, with a pattern in place of a character.
"""

from __future__ import annotations

import re

from ethos.core.rules.regex.syntax import Chars, Choice, Filler, Node, Repeat, Sequence, Zero
from ethos.core.text.sentences import FILLER

MAX_HEAD = 2_000  # characters
_MOST_TURNS = 8  # of one repeat, and
_MOST_REPEATS = 2  # repeats in one head: so that trying it takes next to no time on any text


def head_of(tree: Node, literals: tuple[str, ...]) -> str:
    """A pattern that matches where each match begins, in the folded text too; "" where it says no more than the literals do."""
    head, _ = _Heads().of(tree)
    if len(head) > MAX_HEAD:
        return ""
    compiled = re.compile(head)
    return "" if all(compiled.match(literal) for literal in literals) else head


class _Heads:
    """The heads of one pattern's nodes, each with whether it is all of its node, so that the head of what follows may follow it."""

    def __init__(self) -> None:
        self._repeats = 0

    def of(self, node: Node) -> tuple[str, bool]:
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
                head, whole = self._turns(part, low, high)
                return ("" if low == 0 and not whole else head), whole

    def _sequence(self, parts: tuple[Node, ...]) -> tuple[str, bool]:
        found = ""
        for at, part in enumerate(parts):
            optional = isinstance(part, Repeat) and part.low == 0
            head, whole = self._turns(part.part, part.low, part.high) if isinstance(part, Repeat) else self.of(part)
            if not whole:
                if optional:  # it stands there, or what comes after it does
                    head, _ = _either([(head, False), self._sequence(parts[at + 1 :])])
                return found + head, False
            found += head
        return found, True

    def _turns(self, part: Node, low: int, high: int | None) -> tuple[str, bool]:
        """The head of a repeat where it does stand: all its turns, or the first alone."""
        head, whole = self.of(part)
        if whole and high == 1:
            return (f"(?:{head})?" if low == 0 else head), True
        if whole and high is not None and high <= _MOST_TURNS and self._repeats < _MOST_REPEATS:
            self._repeats += 1
            return f"(?:{head}){{{low},{high}}}", True
        return head, False


def _either(heads: list[tuple[str, bool]]) -> tuple[str, bool]:
    """One of several; nothing, where one of them says nothing and goes no further."""
    whole = all(whole for _, whole in heads)
    if not whole and any(not head for head, _ in heads):
        return "", False
    return f"(?:{'|'.join(dict.fromkeys(head for head, _ in heads))})", whole
