"""Patterns of the portable subset: a parser, and the literals without which a pattern cannot match.

The subset is what `re` and `regex` read alike and RE2 could read: named groups only, no backreference, no flags, every repeat bounded
(RULES.md, Field notes). From its tree we derive a set of strings of which at least one stands in every match: the *prefix set* when each
match begins with one of them (then the pattern is tried there and nowhere else), else a *required set* from inside. The idea is that of
the literal extraction in RE2 and in Rust's regex crate; ours keeps only what a prefilter needs and picks the set that English text
hits least. A hand-written list is never trusted: three of 62 dropped true matches.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import product
from math import prod
from typing import Literal, NamedTuple

from ethos.core.sentences import FILLER, MASKED

MAX_PATTERN = 8_192  # characters, after fragments are put in
MAX_WIDTH = 1_000  # characters that a match may span
MAX_ALSO = 16  # literals of a further set
MAX_SET = 64  # literals of one pattern
MAX_LITERAL = 24  # characters of one literal
SEPARATOR_WIDTH = 16  # what an unbounded repeat of a separator counts for in a width
MAX_COUNT = 500  # upper bound of one repeat
MAX_STEPS = 20_000  # product of nested repeat bounds

Code = Literal["E-REGEX", "E-SUBSET", "E-CASE"]


class BadPattern(Exception):
    """A pattern outside the subset: `at` is the offset of what is wrong, `width` how many characters it spans."""

    def __init__(self, code: Code, what: str, at: int, width: int = 1, hint: str = "") -> None:
        super().__init__(what)
        self.code = code
        self.what = what
        self.at = at
        self.width = width
        self.hint = hint


@dataclass(frozen=True, slots=True)
class Chars:
    """One character out of `some`, or of too many to list (None)."""

    some: frozenset[str] | None


@dataclass(frozen=True, slots=True)
class Filler:
    """One character of what was masked: inline code or an address."""


@dataclass(frozen=True, slots=True)
class Zero:
    """An assertion: consumes nothing. `boundary`: it is the one at the edge of a word."""

    boundary: bool = False


@dataclass(frozen=True, slots=True)
class Sequence:
    """One after another."""

    parts: tuple[Node, ...]


@dataclass(frozen=True, slots=True)
class Choice:
    """One of several."""

    branches: tuple[Node, ...]


@dataclass(frozen=True, slots=True)
class Repeat:
    """`low` to `high` times; `high` None for a separator that repeats without bound."""

    part: Node
    low: int
    high: int | None


Node = Chars | Filler | Zero | Sequence | Choice | Repeat


@dataclass(frozen=True, slots=True)
class Parsed:
    """A pattern understood: its tree, its groups in order, and the fewest and most characters it matches."""

    tree: Node
    groups: tuple[str, ...]
    narrowest: int
    widest: int


class Literals(NamedTuple):
    """The strings of which one stands in every match, in sorted order.

    anchored: each match begins with one of them.  boundary: and stands at the beginning of a word.
    also: further sets of which one string each must stand in the masked sentence: a cheap look before the pattern is tried.
    """

    strings: tuple[str, ...]
    anchored: bool
    boundary: bool
    also: tuple[tuple[str, ...], ...] = ()


_MANY = frozenset("dwsDWS")
_ZERO = frozenset("bBA")
_CONTROL = {"n": "\n", "t": "\t"}
_META = frozenset(".^$*+?{}[]()|\\")


class _Parser:
    """A recursive descent over one pattern."""

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
            return Zero()
        if char == ".":
            return Chars(None)
        if char in "*+?{":
            raise BadPattern("E-REGEX", "nothing to repeat", self.at - 1)
        return Filler() if char == FILLER else Chars(frozenset({self._lower(char, self.at - 1)}))

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
            return Zero(boundary=char == "b")
        if char in _MANY:
            return Chars(None)
        if char in _CONTROL:
            return Chars(frozenset({_CONTROL[char]}))
        if char.isalnum():
            raise BadPattern("E-SUBSET", f"\\{char} is outside the portable subset", start, 2)
        return Chars(frozenset({char}))

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
                found.update(map(chr, range(ord(char), min(ord(end), ord(char) + MAX_SET) + 1)))
            else:
                found.add(self._lower(char, self.at - 1))
        self.at += 1
        return Chars(None if many or len(found) > 4 else frozenset(found))

    def _member(self) -> str | None:
        """One character of a class; None for a shorthand of many."""
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
            if high < low or high > MAX_COUNT:
                raise BadPattern("E-SUBSET", f"a repeat runs upwards, to at most {MAX_COUNT}", at, self.at - at)
        if self._peek("?"):
            self.at += 1
        if self.at < len(self.text) and self.text[self.at] in "+*?{":
            raise BadPattern("E-SUBSET", "a repeat of a repeat", self.at, 1, "put a group around the first")
        repeat = Repeat(part, low, None if bound is None else high)
        if _steps(repeat) > MAX_STEPS:
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
    """The fewest and the most characters a node matches."""
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
            return low * narrow, (SEPARATOR_WIDTH if high is None else high) * wide


def _steps(node: Node) -> int:
    """How many ways of counting the nested repeats allow: what backtracking could multiply."""
    inner = max((_steps(child) for child in _children(node)), default=1)
    if isinstance(node, Repeat):
        return inner * (SEPARATOR_WIDTH if node.high is None else max(1, node.high - node.low + 1))
    return inner


def parse(pattern: str) -> Parsed:
    """Read a pattern of the subset; raises `BadPattern` with the place and the code."""
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
    if high > MAX_WIDTH:
        what = f"a match could span {high} characters; {MAX_WIDTH} is the most"
        raise BadPattern("E-SUBSET", what, 0, len(pattern), "lower the upper bounds")
    return Parsed(tree, tuple(parser.groups), low, high)


@dataclass(slots=True)
class _Known:
    """What is known of a node's matches: all of them (`exact`), how they begin (`prefix`), what stands inside (`inner`)."""

    exact: frozenset[str] | None
    prefix: frozenset[str] | None
    inner: list[frozenset[str]]


_EMPTY = frozenset({""})


def _cross(left: frozenset[str], right: frozenset[str]) -> frozenset[str] | None:
    """Every left with every right; None when that is too many."""
    if len(left) * len(right) > MAX_SET:
        return None
    return frozenset(a + b for a, b in product(left, right))


def _know(node: Node) -> _Known:
    match node:
        case Chars(some):
            return _Known(some, some, [])
        case Filler():
            return _Known(None, None, [frozenset(MASKED)])
        case Zero():
            return _Known(_EMPTY, _EMPTY, [])
        case Sequence(parts):
            return _know_sequence([_know(part) for part in parts])
        case Choice(branches):
            return _know_choice([_know(branch) for branch in branches])
        case Repeat(part, low, high):
            return _know_repeat(_know(part), low, high)


def _know_sequence(parts: list[_Known]) -> _Known:
    run = _EMPTY  # what the exact parts up to here spell
    prefix: frozenset[str] | None = None
    inner: list[frozenset[str]] = []
    broken = False
    for part in parts:
        joined = None if part.exact is None else _cross(run, part.exact)
        if joined is not None:
            run = joined
            continue
        tail = _common_end(run)
        begun = (None if part.prefix is None else _cross(run, part.prefix)) or run
        if broken:
            inner.append(begun)
            inner.append((None if part.prefix is None else _cross(tail, part.prefix)) or begun)
        else:
            prefix, broken = begun, True
        inner.extend(part.inner)
        run = _EMPTY if part.exact is None else _cross(tail, part.exact) or part.exact
    if not broken:
        return _Known(run, run, inner)
    return _Known(None, prefix, [*inner, run])


def _common_end(strings: frozenset[str]) -> frozenset[str]:
    """The last character of all of them, where it is one and the same: mostly a blank."""
    ends = frozenset(string[-1:] for string in strings)
    return ends if len(ends) == 1 else _EMPTY


def _know_choice(branches: list[_Known]) -> _Known:
    exact = None
    if all(branch.exact is not None for branch in branches):
        exact = frozenset[str]().union(*(branch.exact or () for branch in branches))
        if len(exact) > MAX_SET:
            exact = None
    starts = [branch.prefix for branch in branches]
    prefix = None if None in starts else frozenset[str]().union(*(start or () for start in starts))
    best = [_cheapest(_sets(branch)) for branch in branches]
    inner = [] if None in best else [frozenset[str]().union(*(each or () for each in best))]
    return _Known(exact, prefix, inner)


def _know_repeat(part: _Known, low: int, high: int | None) -> _Known:
    if part.exact is not None and high is not None and high <= MAX_SET:
        powers, total = _EMPTY, set(_EMPTY if low == 0 else ())
        for times in range(1, high + 1):
            power = _cross(powers, part.exact)
            if power is None or len(total) + len(power) > MAX_SET:
                break
            powers = power
            if times >= low:
                total |= power
        else:
            exact = frozenset(total)
            return _Known(exact, exact, [])
    if low == 0:
        return _Known(None, None, [])
    return _Known(None, part.prefix, _sets(part))


def _sets(known: _Known) -> list[frozenset[str]]:
    return [each for each in (known.exact, known.prefix, *known.inner) if each]


# How often a character stands in English chat, about; a rare one makes a literal cheap.
_OFTEN = {
    " ": 0.19, "e": 0.1, "t": 0.075, "o": 0.068, "a": 0.065, "i": 0.062, "n": 0.056, "s": 0.052, "h": 0.046, "r": 0.046, "l": 0.034,
    "d": 0.031, "u": 0.026, "y": 0.022, "m": 0.022, "g": 0.02, "w": 0.02, "c": 0.02, "f": 0.017, "p": 0.015, "b": 0.013, "k": 0.01,
    "v": 0.009, "'": 0.009, ",": 0.01, "j": 0.002, "x": 0.0015, "q": 0.001, "z": 0.001,
}  # fmt: skip
_SELDOM = 0.002
_PER_LITERAL = 1e-7
_SEARCHED = 4.0  # a search in a sentence costs about this many anchored matches


# And words of chat by how many of a thousand they are, about: a letter count alone takes "i'm " for rare.
_COMMON = {
    word: times / 5_000
    for times, words in {
        40: "i the to and a",
        20: "you it of that is for in",
        10: "my on it's so be with we have this i'm was me but are your at",
        5: "just not like do all what if can about from or as they there get when out up know how he she them our use make an am",
        2: "really love great will been would good had one some more time i've don't has her his got go new think want did should too "
        "i'll we're were let's now see here him us no always never also need by who then take keep work thing things day help much "
        "still even way feel doing going back into thanks hey could any over made which team people best",
    }.items()
    for word in words.split()
}  # fmt: skip


def _often(literal: str) -> float:
    """How often a literal begins at a place of a chat text, about."""
    words = literal.split(" ")
    torn = (literal[:1] != " ") + (literal[-1:] != " ")  # ends at which it may be part of a longer word
    return 2.0**torn * prod(_COMMON.get(word) or prod(_OFTEN.get(char, _SELDOM) for char in word) for word in words if word)


def _trim(strings: frozenset[str], *, prefixes: bool) -> tuple[str, ...]:
    """Cut to length; drop a string where a shorter one of the set stands in it already (at its beginning, for prefixes)."""
    kept: list[str] = []
    for string in sorted({string[:MAX_LITERAL] for string in strings}, key=lambda s: (len(s), s)):
        if not any(string.startswith(short) if prefixes else short in string for short in kept):
            kept.append(string)
    return tuple(sorted(kept))


def _cost(strings: Iterable[str]) -> float:
    return sum(_often(string) + _PER_LITERAL for string in strings)


def _usable(strings: frozenset[str] | None) -> bool:
    return bool(strings) and all((len(string.strip()) >= 2 or string in MASKED) and "\n" not in string for string in strings or ())


def _cheapest(sets: list[frozenset[str]]) -> frozenset[str] | None:
    return min((each for each in sets if _usable(each)), key=lambda each: (_cost(each), sorted(each)), default=None)


def _leads(node: Node) -> Iterator[Node]:
    """The nodes that a match may begin with, assertions included."""
    match node:
        case Sequence(parts) if parts:
            yield from _leads(parts[0])
        case Choice(branches):
            for branch in branches:
                yield from _leads(branch)
        case _:
            yield node


def derive(tree: Node) -> Literals | None:
    """The literals to look for; None when the pattern has none of at least two visible characters."""
    known = _know(tree)
    prefix = known.prefix if _usable(known.prefix) else None
    inner = _cheapest(known.inner)
    if prefix is not None and (inner is None or _cost(prefix) <= _SEARCHED * _cost(inner)):
        strings = _trim(prefix, prefixes=True)
        boundary = all(isinstance(lead, Zero) and lead.boundary for lead in _leads(tree)) and all(string[0].isalnum() for string in strings)
        return Literals(strings, anchored=True, boundary=boundary)
    if inner is None:
        return None
    strings = _trim(inner, prefixes=False)
    return Literals(strings, anchored=False, boundary=False, also=_also(known, strings))


def _also(known: _Known, chosen: tuple[str, ...]) -> tuple[tuple[str, ...], ...]:
    """The cheapest other sets that say more than the chosen one does."""
    found: dict[tuple[str, ...], float] = {}
    for each in _sets(known):
        strings = (FILLER,) if each == frozenset(MASKED) else _trim(each, prefixes=False)
        implied = all(any(string in literal for string in strings) for literal in chosen)
        if "" not in strings and len(strings) <= MAX_ALSO and not implied:
            found[strings] = _cost(strings)
    return tuple(sorted(found, key=lambda strings: (found[strings], strings))[:2])
