"""Character sets: read a pattern as a tree of texts, alternatives, loops and look-arounds, in which each character is a set.

`cost` and `attack_strings` work on this tree.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache

from ethos.core.text.sentences import FILLER

LOOK_AHEAD = 12  # characters after a repeat that decide where it may stop
_SEPARATORS = 500  # assumed upper bound of an unbounded repeat of a separator

# A set of characters is an integer with one bit for each of these: ASCII, and one character for each class that patterns distinguish.
_ALPHABET = [*map(chr, range(128)), "\u00e9", "\u00df", "\u4e00", "\u0663", "\u20ac", "\u2014", "\u2026", "\u00a0", "\u2028", FILLER]
BIT = {char: 1 << number for number, char in enumerate(_ALPHABET)}
LIKELY = "a " + "".join(char for char in _ALPHABET if char not in "a \x01")  # the order in which sample characters are chosen
_END = 1 << len(_ALPHABET)  # the end of the sentence, as a character that only `$` matches


@dataclass(frozen=True, slots=True, eq=False)
class Text:
    """Consecutive characters, each out of a set."""

    sets: tuple[int, ...]


@dataclass(frozen=True, slots=True, eq=False)
class Either:
    """Alternation: one of the branches."""

    branches: tuple[Chain, ...]


@dataclass(frozen=True, slots=True, eq=False)
class Loop:
    """A body, `low` to `high` times."""

    body: Chain
    low: int
    high: int

    @property
    def single(self) -> tuple[int, ...]:
        """Return the set of a loop over one character, in a tuple; an empty tuple for any other loop."""
        first = self.body[0] if len(self.body) == 1 else None
        return first.sets if isinstance(first, Text) and len(first.sets) == 1 else ()


@dataclass(frozen=True, slots=True, eq=False)
class Look:
    """A look-around or another assertion: matches no characters. `needed`: a positive look-ahead, so its body must follow."""

    body: Chain
    needed: bool


Node = Text | Either | Loop | Look
Chain = tuple[Node, ...]
SEEN = Look((), needed=True)  # the end of a look-ahead: what follows starts again at the same place


class Rest:
    """What is still to be matched: a node and what follows it. None in its place is the end of the pattern."""

    __slots__ = ("after", "node")

    def __init__(self, node: Node, after: Rest | None) -> None:
        self.node = node
        self.after = after


@lru_cache(maxsize=512)
def _set(source: str) -> int:
    """Return the set of alphabet characters that a class, an escape or a plain character of a pattern matches."""
    takes = re.compile(source).match
    return sum(1 << number for number, char in enumerate(_ALPHABET) if takes(char))


class _Parser:
    """A parser of patterns that `syntax.parse` has accepted. It checks nothing again."""

    def __init__(self, pattern: str) -> None:
        self.text = pattern
        self.at = 0

    def chain(self) -> Chain:
        branches = [self._sequence()]
        while self.text.startswith("|", self.at):
            self.at += 1
            branches.append(self._sequence())
        return branches[0] if len(branches) == 1 else (Either(tuple(branches)),)

    def _sequence(self) -> Chain:
        nodes: list[Node] = []
        while self.at < len(self.text) and self.text[self.at] not in "|)":
            for node in self._repeated(self._atom()):
                if nodes and isinstance(last := nodes[-1], Text) and isinstance(node, Text):
                    nodes[-1] = Text(last.sets + node.sets)
                else:
                    nodes.append(node)
        return tuple(nodes)

    def _atom(self) -> Chain:
        start = self.at
        char = self.text[start]
        if char == "(":
            return self._group()
        self.at += 2 if char == "\\" else 1
        if char == "[":
            self._class()
        source = self.text[start : self.at]
        if source == "$":
            return (Look((Text((_END,)),), needed=True),)
        if source in {"^", r"\b", r"\B", r"\A"}:
            return (Look((), needed=False),)
        return (Text((_set(source),)),)

    def _class(self) -> None:
        self.at += self.text.startswith("^", self.at)
        first = True
        while first or self.text[self.at] != "]":
            first = False
            self.at += 2 if self.text[self.at] == "\\" else 1
        self.at += 1

    def _group(self) -> Chain:
        look = next((each for each in ("(?=", "(?!", "(?<=", "(?<!") if self.text.startswith(each, self.at)), "")
        if look:
            self.at += len(look)
        else:
            self.at = self.text.index(":" if self.text.startswith("(?:", self.at) else ">", self.at) + 1
        inner = self.chain()
        self.at += 1
        return (Look(inner, needed=look == "(?="),) if look else inner

    def _repeated(self, part: Chain) -> Chain:
        char = self.text[self.at : self.at + 1]
        if not char or char not in "*+?{":
            return part
        self.at += 1
        if char == "{":
            end = self.text.index("}", self.at)
            least, _, most = self.text[self.at : end].partition(",")
            low, high = int(least), int(most or least)
            self.at = end + 1
        else:
            low, high = {"*": (0, _SEPARATORS), "+": (1, _SEPARATORS), "?": (0, 1)}[char]
        self.at += self.text.startswith("?", self.at)
        single = len(part) == 1 and isinstance(part[0], Text) and len(part[0].sets) == 1
        if single and low == high <= LOOK_AHEAD:
            return part * low
        if high == 0:
            return ()
        if single and low == 0:
            return (Either(((Loop(part, 1, high),), ())),)
        return (Loop(part, low, high),)


def unfold(pattern: str) -> Chain:
    """Return the tree of character sets of a pattern of the subset."""
    return _Parser(pattern).chain()
