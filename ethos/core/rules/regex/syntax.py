"""The portable subset of regular expressions, which `re` and `regex` match alike and RE2 could compile.

The subset has named groups only, no back-references and no flags, and every repeat is bounded, except a repeat of separators.
`parse` turns a pattern into a tree. It refuses what is outside the subset, with the offset and a stable code.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal

from ethos.core.text.sentences import FILLER

MAX_PATTERN = 8_192  # characters, after fragments are put in
_MAX_WIDTH = 1_000  # characters that a match may span
_SEPARATOR_WIDTH = 16  # assumed width of an unbounded repeat of a separator
_MAX_COUNT = 500  # upper bound of one repeat
_MAX_STEPS = 20_000  # product of nested repeat bounds
MANY = 64  # a range is listed up to this many characters

Code = Literal["E-REGEX", "E-SUBSET", "E-CASE"]


class BadPattern(Exception):
    """A pattern outside the subset. `at` is the offset of the error, `width` its length in characters."""

    def __init__(self, code: Code, what: str, at: int, width: int = 1, hint: str = "") -> None:
        super().__init__(what)
        self.code = code
        self.what = what
        self.at = at
        self.width = width
        self.hint = hint


@dataclass(frozen=True, slots=True)
class Chars:
    """One character out of the set `some`; None if the set is too large to list. `source`: the pattern's text for it."""

    some: frozenset[str] | None
    source: str


@dataclass(frozen=True, slots=True)
class Filler:
    """One character of masked text: inline code or an address."""


@dataclass(frozen=True, slots=True)
class Zero:
    """A zero-width assertion. `boundary`: a word boundary; `start`: the start of the sentence."""

    boundary: bool = False
    start: bool = False


@dataclass(frozen=True, slots=True)
class Sequence:
    """Concatenation: the parts, one after another."""

    parts: tuple[Node, ...]


@dataclass(frozen=True, slots=True)
class Choice:
    """Alternation: one of the branches."""

    branches: tuple[Node, ...]


@dataclass(frozen=True, slots=True)
class Repeat:
    """The part, `low` to `high` times; `high` is None for an unbounded repeat of a separator."""

    part: Node
    low: int
    high: int | None


Node = Chars | Filler | Zero | Sequence | Choice | Repeat


@dataclass(frozen=True, slots=True)
class Parsed:
    """A parsed pattern: its tree, its group names in order, and the smallest and largest number of characters it matches."""

    tree: Node
    groups: tuple[str, ...]
    narrowest: int
    widest: int


_MANY = frozenset("dwsDWS")
_ZERO = frozenset("bBA")
_CONTROL = {"n": "\n", "t": "\t"}


class _Parser:
    """A recursive descent parser for one pattern."""

    def __init__(self, pattern: str) -> None:
        self.text = pattern
        self.at = 0
        self.groups: list[str] = []

    def parse(self) -> Node:
        tree = self._choice()
        if self.at < len(self.text):
            raise BadPattern("E-REGEX", "a parenthesis is closed that was never opened", self.at)
        return tree

    def _peek(self, ahead: str) -> bool:
        return self.text.startswith(ahead, self.at)

    def _choice(self) -> Node:
        branches = [self._sequence()]
        while self._peek("|"):
            self.at += 1
            branches.append(self._sequence())
        return branches[0] if len(branches) == 1 else Choice(tuple(branches))

    def _sequence(self) -> Node:
        parts: list[Node] = []
        while self.at < len(self.text) and self.text[self.at] not in "|)":
            start = self.at
            parts.append(self._repeats(self._atom(), start))
        return parts[0] if len(parts) == 1 else Sequence(tuple(parts))

    def _atom(self) -> Node:
        char = self.text[self.at]
        if char == "(":
            return self._group()
        if char == "[":
            return self._class()
        if char == "\\":
            return self._escape()
        self.at += 1
        if char in "^$":
            return Zero(start=char == "^")
        if char == ".":
            return Chars(None, ".")
        if char in "*+?{":
            raise BadPattern("E-REGEX", "nothing to repeat", self.at - 1)
        return Filler() if char == FILLER else _one(self._lower(char, self.at - 1))

    def _lower(self, char: str, at: int) -> str:
        if char != char.lower():
            raise BadPattern("E-CASE", f"{char!r} can never match: text is folded to lower case first", at, 1, f"write {char.lower()!r}")
        return char

    def _group(self) -> Node:
        start = self.at
        assertion = False
        if self._peek("(?:"):
            self.at += 3
        elif self._peek("(?P<"):
            end = self.text.find(">", self.at)
            name = self.text[self.at + 4 : end] if end > 0 else ""
            if not name.isidentifier():
                raise BadPattern("E-REGEX", "a group name is a word", start, 4)
            if name in self.groups:
                raise BadPattern("E-REGEX", f"the group {name!r} is named twice", start, end - start + 1)
            self.groups.append(name)
            self.at = end + 1
        elif look := next((look for look in ("(?=", "(?!", "(?<=", "(?<!") if self._peek(look)), None):
            self.at += len(look)
            assertion = True
        elif self._peek("(?"):
            hint = "use (?:...), (?P<name>...) or a look-around"
            raise BadPattern("E-SUBSET", "this kind of group is outside the portable subset", start, 3, hint)
        else:
            raise BadPattern("E-SUBSET", "a group without a name", start, 1, "write (?:...) to group, (?P<name>...) to capture")
        before = len(self.groups)
        inner = self._choice()
        if not self._peek(")"):
            raise BadPattern("E-REGEX", "this parenthesis is never closed", start)
        self.at += 1
        if not assertion:
            return inner
        if len(self.groups) > before:
            raise BadPattern("E-SUBSET", "a group is captured inside a look-around", start, 3)
        if self.text.startswith("(?<", start):
            low, high = _width(inner)
            if low != high:
                raise BadPattern("E-SUBSET", "a look-behind of variable width", start, self.at - start, "give every branch the same length")
        return Zero()

    def _escape(self) -> Node:
        char = self.text[self.at + 1 : self.at + 2]
        if not char:
            raise BadPattern("E-REGEX", "a backslash at the end", self.at)
        start = self.at
        self.at += 2
        if char in _ZERO:
            return Zero(boundary=char == "b", start=char == "A")
        if char in _MANY:
            return Chars(None, f"\\{char}")
        if char in _CONTROL:
            return _one(_CONTROL[char])
        if char.isalnum():
            raise BadPattern("E-SUBSET", f"\\{char} is outside the portable subset", start, 2)
        return _one(char)

    def _class(self) -> Node:
        start = self.at
        self.at += 1
        negated = self._peek("^")
        self.at += negated
        found: set[str] = set()
        many = negated
        first = True
        while first or not self._peek("]"):
            if self.at >= len(self.text):
                raise BadPattern("E-REGEX", "this class is never closed", start)
            first = False
            char = self._member()
            if char is None or char == FILLER:
                many = True
            elif self._peek("-") and not self._peek("-]"):
                self.at += 1
                end = self._member()
                if end is None or end < char:
                    raise BadPattern("E-REGEX", "a range that does not run upwards", start, self.at - start)
                if char.isalpha() and char.lower() != char:
                    self._lower(char, start)
                found.update(map(chr, range(ord(char), min(ord(end), ord(char) + MANY) + 1)))
            else:
                found.add(self._lower(char, self.at - 1))
        self.at += 1
        return Chars(None if many or len(found) > 4 else frozenset(found), self.text[start : self.at])

    def _member(self) -> str | None:
        """Read one member of a class; return None for a shorthand that matches many characters."""
        char = self.text[self.at]
        if char == "[" or (char in "-&|~" and self.text.startswith(char * 2, self.at)):
            raise BadPattern("E-SUBSET", f"{char!r} here is read differently by different engines", self.at, 1, f"write \\{char}")
        self.at += 1
        if char != "\\":
            return char
        escaped = self.text[self.at : self.at + 1]
        self.at += 1
        if escaped in _MANY:
            return None
        if escaped in _CONTROL:
            return _CONTROL[escaped]
        if not escaped or escaped.isalnum():
            raise BadPattern("E-SUBSET", f"\\{escaped} is outside the portable subset inside a class", self.at - 2, 2)
        return escaped

    def _repeats(self, part: Node, start: int) -> Node:
        if self.at >= len(self.text):
            return part
        at = self.at
        char = self.text[at]
        low, high = 1, 1
        bound: int | None
        if char in "*+?":
            self.at += 1
            low, bound = {"*": (0, None), "+": (1, None), "?": (0, 1)}[char]
        elif char == "{":
            low, bound = self._bounds()
        else:
            return part
        if isinstance(part, Zero):
            raise BadPattern("E-SUBSET", "an assertion is repeated", start, self.at - start)
        if bound is None:
            if not (self.text[start:at] == r"\s" or (isinstance(part, Chars) and part.some and not any(c.isalnum() for c in part.some))):
                hint = "give it one, like {1,40}; only separators may repeat freely"
                raise BadPattern("E-SUBSET", "a repeat without an upper bound", at, self.at - at, hint)
        else:
            high = bound
            if high < low or high > _MAX_COUNT:
                raise BadPattern("E-SUBSET", f"a repeat runs upwards, to at most {_MAX_COUNT}", at, self.at - at)
        if self._peek("?"):
            self.at += 1
        if self.at < len(self.text) and self.text[self.at] in "+*?{":
            raise BadPattern("E-SUBSET", "a repeat of a repeat", self.at, 1, "put a group around the first")
        repeat = Repeat(part, low, None if bound is None else high)
        if _steps(repeat) > _MAX_STEPS:
            raise BadPattern("E-SUBSET", "repeats inside repeats that multiply to too many", at, self.at - at, "lower the bounds")
        return repeat

    def _bounds(self) -> tuple[int, int]:
        start = self.at
        end = self.text.find("}", start)
        low, comma, high = self.text[start + 1 : end].partition(",") if end > 0 else ("", "", "")
        if not low.isdecimal() or (comma and high and not high.isdecimal()) or not low.isascii() or not high.isascii():
            raise BadPattern("E-REGEX", "a repeat is written {m}, or {m,n}", start, 1, "write \\{ for the character")
        self.at = end + 1
        if comma and not high:
            raise BadPattern("E-SUBSET", "a repeat without an upper bound", start, end - start + 1, f"give it one, like {{{low},40}}")
        return int(low), int(high) if comma else int(low)


def _one(char: str) -> Chars:
    return Chars(frozenset({char}), re.escape(char))


def _children(node: Node) -> Iterable[Node]:
    match node:
        case Sequence(parts):
            return parts
        case Choice(branches):
            return branches
        case Repeat(part):
            return (part,)
        case _:
            return ()


def _width(node: Node) -> tuple[int, int]:
    """Return the smallest and the largest number of characters that a node matches."""
    match node:
        case Chars() | Filler():
            return 1, 1
        case Zero():
            return 0, 0
        case Sequence(parts):
            widths = [_width(part) for part in parts]
            return sum(low for low, _ in widths), sum(high for _, high in widths)
        case Choice(branches):
            widths = [_width(branch) for branch in branches]
            return min(low for low, _ in widths), max(high for _, high in widths)
        case Repeat(part, low, high):
            narrow, wide = _width(part)
            return low * narrow, (_SEPARATOR_WIDTH if high is None else high) * wide


def _steps(node: Node) -> int:
    """Return the product of the nested repeat ranges: a bound on the number of ways that backtracking can count them."""
    inner = max((_steps(child) for child in _children(node)), default=1)
    if isinstance(node, Repeat):
        return inner * (_SEPARATOR_WIDTH if node.high is None else max(1, node.high - node.low + 1))
    return inner


def parse(pattern: str) -> Parsed:
    """Parse a pattern of the subset; raise `BadPattern` with the offset and the code if it is outside."""
    if len(pattern) > MAX_PATTERN:
        raise BadPattern("E-SUBSET", f"a pattern has at most {MAX_PATTERN} characters", MAX_PATTERN)
    parser = _Parser(pattern)
    try:
        tree = parser.parse()
    except RecursionError:
        raise BadPattern("E-SUBSET", "groups are nested too deeply", 0) from None
    low, high = _width(tree)
    if low == 0:
        raise BadPattern("E-SUBSET", "the pattern matches the empty text", 0, max(1, len(pattern)))
    if high > _MAX_WIDTH:
        what = f"a match could span {high} characters; {_MAX_WIDTH} is the most"
        raise BadPattern("E-SUBSET", what, 0, len(pattern), "lower the upper bounds")
    return Parsed(tree, tuple(parser.groups), low, high)
