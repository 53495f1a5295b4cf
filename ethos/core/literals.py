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
from functools import lru_cache
from itertools import product
from math import prod
from typing import Any, Literal, NamedTuple

from ethos.core.sentences import FILLER, MASKED

MAX_PATTERN = 8_192  # characters, after fragments are put in
MAX_WIDTH = 1_000  # characters that a match may span
MAX_ALSO = 16  # literals of a further set
MAX_SET = 64  # strings that a run of a pattern may spell
MAX_GROWN = 256  # and with what stands beside it
MAX_LITERAL = 24  # characters of one literal
MAX_CONTEXT = 16  # characters that are known of what stands beside a literal
MAX_BESIDE = 48  # strings of which one stands there
SEPARATOR_WIDTH = 16  # what an unbounded repeat of a separator counts for in a width
MAX_COUNT = 500  # upper bound of one repeat
MAX_STEPS = 20_000  # product of nested repeat bounds

START = "\x02"  # in a string: here the sentence begins

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
    """An assertion: consumes nothing. `boundary`: the one at the edge of a word; `start`: the one at the beginning of the sentence."""

    boundary: bool = False
    start: bool = False


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
    """The strings of which one stands in every match, sorted, and what else must be there: cheap looks before the pattern is tried.

    anchored: each match begins with one of them.  boundary: and stands at the beginning of a word.
    also: further sets of which one string each must stand in the sentence.
    opening: those of the strings that count only where a sentence may begin.
    before, after: one of these stands directly before, and one directly behind (`START`: a sentence may begin here); (): not known.
    """

    strings: tuple[str, ...]
    anchored: bool
    boundary: bool
    also: tuple[tuple[str, ...], ...] = ()
    opening: tuple[str, ...] = ()
    before: tuple[str, ...] = ()
    after: tuple[str, ...] = ()

    @classmethod
    def restored(cls, values: Iterable[Any]) -> Literals:
        """From the lists that JSON makes of them; raises TypeError where the fields are others."""
        strings, anchored, boundary, also, *beside = values
        return cls(tuple(strings), anchored, boundary, tuple(map(tuple, also)), *map(tuple, beside))


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
            return Zero(start=char == "^")
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
            return Zero(boundary=char == "b", start=char == "A")
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


class Need(NamedTuple):
    """One of these strings stands in every match, directly behind one of `before` and directly in front of one of `after`."""

    strings: frozenset[str]
    before: frozenset[str]
    after: frozenset[str]


class _Known(NamedTuple):
    """What is known of a node's matches.

    exact: all of them. begin, end: how those that are not empty begin and end; a set with "" in it is open: nothing is known.
    nullable: a match may be empty. lead: what each match begins with. needs: what stands somewhere in each.
    """

    exact: frozenset[str] | None
    begin: frozenset[str]
    end: frozenset[str]
    nullable: bool
    lead: Need | None
    needs: list[Need]


_OPEN = frozenset({""})
_MASKED_BEGIN = frozenset({"`", "http", "ftp:", "file:", "ssh:", "www."})  # what stands in the folded text where filler begins


def _exactly(strings: frozenset[str]) -> _Known:
    visible = strings - _OPEN
    need = Need(strings, _OPEN, _OPEN)
    return _Known(strings, visible, visible, "" in strings, need, [] if "" in strings else [need])


def _cross(left: frozenset[str], right: frozenset[str], most: int = MAX_SET) -> frozenset[str] | None:
    """Every left with every right; None when that is too many. A sentence begins only where nothing was matched before."""
    if len(left) * len(right) > most:
        return None
    return frozenset(a + b if b[:1] != START else b for a, b in product(left, right) if b[:1] != START or a in ("", START)) or None


def _know(node: Node) -> _Known:
    match node:
        case Chars(some) if some and START not in some:
            return _exactly(some)
        case Chars():
            return _Known(None, _OPEN, _OPEN, nullable=False, lead=None, needs=[])
        case Filler():
            return _Known(None, _MASKED_BEGIN, _OPEN, nullable=False, lead=None, needs=[Need(frozenset(MASKED), _OPEN, _OPEN)])
        case Zero(_, start):
            return _exactly(frozenset({START}) if start else _OPEN)
        case Sequence(parts):
            return _know_sequence([_know(part) for part in parts])
        case Choice(branches):
            return _know_choice([_know(branch) for branch in branches])
        case Repeat(part, low, high):
            return _know_repeat(_know(part), low, high)


def _know_sequence(parts: list[_Known]) -> _Known:
    """A run is as many neighbours as spell at most `MAX_SET` strings. What stands beside a run is known from the parts beside it."""
    whole: frozenset[str] | None = _OPEN
    for part in parts:
        whole = None if whole is None or part.exact is None else _cross(whole, part.exact)
    if whole is not None:
        return _exactly(whole)
    behind, ahead = [_OPEN], [_OPEN]  # how what was matched up to a part ends; how what is matched from a part on begins
    for part in parts:
        behind.append(_joined(behind[-1], part.exact, part.end, nullable=part.nullable))
    for part in reversed(parts):
        ahead.append(_joined(ahead[-1], part.exact, part.begin, nullable=part.nullable, turned=True))
    ahead.reverse()
    needs: list[Need] = []
    lead: Need | None = None
    run, start = _OPEN, 0
    for at, part in enumerate(parts):
        joined = None if part.exact is None else _cross(run, part.exact)
        if joined is not None:
            run = joined
            continue
        spelt = _spelt(run, behind[start], ahead[at])
        needs.extend(spelt)
        needs.extend(part.needs)
        if part.lead is not None and not part.nullable and "" in part.lead.before:
            needs.extend(_spelt(part.lead.strings, behind[at], part.lead.after))
        if start == 0 and spelt:
            lead = lead or min(spelt, key=_cost)
        run, start = (_OPEN, at + 1) if part.exact is None else (part.exact, at)
    needs.extend(_spelt(run, behind[start], _OPEN))
    if lead is None and "" not in ahead[0] and ahead[0].isdisjoint(_MASKED_BEGIN):  # filler that a match begins with may be cut in two
        lead = Need(ahead[0], _OPEN, _OPEN)
    return _Known(None, ahead[0], behind[-1], all(part.nullable for part in parts), lead, needs)


def _joined(
    known: frozenset[str], exact: frozenset[str] | None, edge: frozenset[str], *, nullable: bool, turned: bool = False
) -> frozenset[str]:
    """How a text ends that ended with one of `known` before one more part was added to it; `turned`: how it begins, by a part in front."""
    joined = None if exact is None else _cross(exact, known) if turned else _cross(known, exact)
    if joined is None:
        joined = edge | known if nullable else edge
    return _few(joined, MAX_SET, before=not turned)


def _few(strings: frozenset[str], most: int, *, before: bool) -> frozenset[str]:
    """The strings that stand beside something, so much shorter that there are few of them."""
    if "" in strings:
        return _OPEN
    for length in (MAX_CONTEXT, MAX_CONTEXT // 2, MAX_CONTEXT // 4):
        kept: list[str] = []
        for string in sorted({s[-length:] if before else s[:length] for s in strings}, key=lambda s: (len(s), s)):
            if not any(string.endswith(short) if before else string.startswith(short) for short in kept):
                kept.append(string)
        if len(kept) <= most:
            return frozenset(kept)
    return _OPEN


def _spelt(run: frozenset[str], before: frozenset[str], after: frozenset[str]) -> list[Need]:
    """A run as a need, and as longer ones where few strings stand beside it."""
    if "" in run:
        return []
    whole = Need(run, before, after)
    needs = [whole]
    short = whole if len(run) < 2 else _trim(whole, prefixes=False)
    if "" not in short.after and (grown := _cross(short.strings, short.after, MAX_GROWN)) is not None:
        needs.append(Need(grown, short.before, _OPEN))
    if "" not in short.before and (grown := _cross(short.before, short.strings, MAX_GROWN)) is not None:
        needs.append(Need(grown, _OPEN, short.after))
    return needs


def _know_choice(branches: list[_Known]) -> _Known:
    exact = frozenset[str]().union(*(branch.exact or () for branch in branches))
    if len(exact) <= MAX_SET and all(branch.exact is not None for branch in branches):
        return _exactly(exact)
    begin = frozenset[str]().union(*(branch.begin for branch in branches))
    end = frozenset[str]().union(*(branch.end for branch in branches))
    lead = _either([branch.lead for branch in branches])
    best = _either([_cheapest(branch.needs) for branch in branches])
    return _Known(None, begin, end, any(branch.nullable for branch in branches), lead, [] if best is None else [best])


def _either(needs: list[Need | None]) -> Need | None:
    """What is needed where one of several is; nothing, where one of them is not known."""
    known = [need for need in needs if need is not None]
    if len(known) < len(needs):
        return None
    return Need(*(frozenset[str]().union(*sets) for sets in zip(*known, strict=True)))


def _know_repeat(part: _Known, low: int, high: int | None) -> _Known:
    if part.exact is not None and high is not None and high <= MAX_SET:
        powers, total = _OPEN, set(_OPEN if low == 0 else ())
        for times in range(1, high + 1):
            power = _cross(powers, part.exact)
            if power is None or len(total) + len(power) > MAX_SET:
                break
            powers = power
            if times >= low:
                total |= power
        else:
            return _exactly(frozenset(total or _OPEN))
    if low == 0:
        return _Known(None, part.begin, part.end, nullable=True, lead=None, needs=[])
    return _Known(None, part.begin, part.end, part.nullable, part.lead, part.needs)


# How often a character stands in English chat, about; a rare one makes a literal cheap.
_OFTEN = {
    " ": 0.19, "e": 0.1, "t": 0.075, "o": 0.068, "a": 0.065, "i": 0.062, "n": 0.056, "s": 0.052, "h": 0.046, "r": 0.046, "l": 0.034,
    "d": 0.031, "u": 0.026, "y": 0.022, "m": 0.022, "g": 0.02, "w": 0.02, "c": 0.02, "f": 0.017, "p": 0.015, "b": 0.013, "k": 0.01,
    "v": 0.009, "'": 0.009, ",": 0.01, "j": 0.002, "x": 0.0015, "q": 0.001, "z": 0.001,
}  # fmt: skip
_SELDOM = 0.002
_PER_LITERAL = 1e-7
_CODE = 2e-3  # how often masked text begins, about
_OPENS = 0.2  # how often a place is one at which a sentence begins
_TRIED = 8.0  # to mask a text, cut a sentence and try a pattern costs about this many hits that are refuted at once
_EVERYWHERE = 0.02  # how often a set stands that nearly every text has
_SEARCHED = 1.25  # and a search in a sentence this many anchored matches


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


@lru_cache(16_384)
def _often(literal: str) -> float:
    """How often a literal begins at a place of a chat text, about."""
    if literal in MASKED:
        return _CODE
    words = literal.strip(START).split(" ")
    torn = (literal[:1] != " ") + (literal[-1:] != " ")  # ends at which it may be part of a longer word
    return 2.0**torn * prod(_COMMON.get(word) or prod(_OFTEN.get(char, _SELDOM) for char in word) for word in words if word)


def _chance(beside: frozenset[str]) -> float:
    """How often one of these stands beside a literal, about: what belongs together stands together more often than its number says."""
    return 1.0 if "" in beside else min(1.0, sum(_OPENS if string == START else 8.0 * _often(string) for string in beside))


def _cost(need: Need) -> float:
    """What it costs to look for a set of strings: each hit a little, and each that is not refuted at once much more."""
    hits = sum(_often(string) + _PER_LITERAL for string in need.strings)
    tried = sum(_often(string) * (_OPENS if string[0] == START else 1.0) for string in need.strings)
    return hits + _TRIED * tried * _chance(need.before) * _chance(need.after)


def _usable(need: Need | None) -> bool:
    return need is not None and all(
        (len(string.strip(f" {START}")) >= 2 or string in MASKED) and "\n" not in string for string in need.strings
    )


def _cheapest(needs: Iterable[Need]) -> Need | None:
    return min((need for need in needs if _usable(need)), key=lambda need: (_cost(need), sorted(need.strings)), default=None)


def _trim(need: Need, *, prefixes: bool) -> Need:
    """Cut to length; drop a string where a shorter one of the set stands in it already (at its beginning, for prefixes).

    What was cut off or stood around the shorter one then stands beside the literal.
    """
    before, after = set(need.before), set(need.after)
    kept: set[str] = set()
    lengths: list[int] = []
    for string in sorted(need.strings, key=lambda s: (len(s), s)):
        opens = string[:1] == START
        starts = (0, 1)[: opens + 1] if prefixes else range(len(string))
        short = next((found for length in lengths for start in starts if (found := string[start : start + length]) in kept), None)
        if short is None:
            short = string[: MAX_LITERAL + opens]
            kept.add(short)
            if len(short) not in lengths:
                lengths.append(len(short))
        at = string.index(short)
        before.update([string[:at]] if at else ())
        after.update([string[at + len(short) :]] if string[at + len(short) :] else ())
    return Need(frozenset(kept), frozenset(before), frozenset(after))


def _beside(strings: frozenset[str], *, before: bool) -> tuple[str, ...]:
    """What must stand beside a literal, in as few strings as say it; () where nothing is known, or too much."""
    few = _few(frozenset(string.lstrip(START) or string for string in strings), MAX_BESIDE, before=before)
    return () if "" in few else tuple(sorted(few))


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
    lead = known.lead if _usable(known.lead) else None
    inner = _cheapest(known.needs)
    anchored = lead is not None and (inner is None or _cost(lead) <= _SEARCHED * _cost(inner))
    chosen = lead if anchored else inner
    if chosen is None:
        return None
    need = _trim(chosen, prefixes=anchored)
    strings = tuple(sorted({string.lstrip(START) for string in need.strings}))
    word = anchored and all(isinstance(lead, Zero) and lead.boundary for lead in _leads(tree)) and all(s[0].isalnum() for s in strings)
    return Literals(
        strings,
        anchored=anchored,
        boundary=word,
        also=_also(known, strings),
        opening=tuple(sorted(string[1:] for string in need.strings if string[0] == START)),
        before=() if anchored else _beside(need.before, before=True),
        after=_beside(need.after, before=False),
    )


def _also(known: _Known, chosen: tuple[str, ...]) -> tuple[tuple[str, ...], ...]:
    """The cheapest other sets that say more than the chosen one and what stands beside it."""
    found: dict[tuple[str, ...], float] = {}
    for need in known.needs:
        if len(need.strings) > MAX_SET + MAX_ALSO:  # cut short, they would still be too many
            continue
        strings = tuple(sorted(string.lstrip(START) for string in _trim(need, prefixes=False).strings))
        if "" in strings or len(strings) > MAX_ALSO or sum(map(_often, strings)) > _EVERYWHERE:
            continue
        implied = all(any(string in literal for string in strings) for literal in chosen)
        longer = all(any(literal in string for literal in chosen) for string in strings)
        if not implied and not longer:
            found[strings] = _cost(need)
    return tuple(sorted(found, key=lambda strings: (found[strings], strings))[:2])
