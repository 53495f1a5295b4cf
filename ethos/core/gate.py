"""The static gate: how much work a pattern can make on the worst text, judged from the pattern alone (RULES.md, Safety in layers).

Every repeat of the subset is bounded, so no pattern runs for ever; but bounds multiply: `[a-z]{1,80}` three times over is half a million
ways to fail, and `(?:[a-z]{1,40} ?){1,40}` more than there are atoms. The estimate counts the tree that a backtracking matcher walks
before it gives up on the text that suits it least. Where a repeat may stop is where what follows can begin: a repeat followed by a mark
that it cannot contain has one place to stop, one followed by " for " has a place every four characters, one followed by itself has all.
So catastrophic (nested) and quadratic (adjacent) patterns fall out of one recursion, as do repeated alternations that overlap.
It errs on the high side, by far where several repeats would need the same words, because engines skip what cannot begin: so it decides
alone only where it finds very much or very little. In between a pattern is tried on the texts of `pumps`.
Static checkers (Weideman et al. 2016, "Analyzing matching time behavior of backtracking regular expression matchers") decide whether
ambiguity is exponential or polynomial; here all repeats are bounded, so we put a number on it instead.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache, reduce
from operator import and_, or_

from ethos.core.sentences import FILLER, MAX_SENTENCE

MAX_WORK = 1e14  # steps on the worst sentence above which a pattern is refused unmeasured; the shipped ones stay under 1e13
SURE_WORK = 1e7  # steps up to which nothing needs to be measured: a fifth of a second at worst
WATCHED_WORK = 1e6  # steps up to which a pattern of a user's own runs without a time limit: some twenty milliseconds at worst
TOO_MUCH = 1e15  # where counting stops

_UNROLLED = 8  # turns of a loop that are counted one by one; what comes after is extrapolated
_LOOK_AHEAD = 12  # characters of what follows that decide where a repeat may stop
_SEPARATORS = 500  # what an unbounded repeat of a separator counts for
_MOST_UNITS = 6  # of which a pumped text is made
_STRETCH = 160  # characters of a run that is broken off and begun anew
_MOST_HEADS = 400  # beginnings of what follows that are looked at one by one

# A set of characters is a number with a bit for each of these: ASCII, and one for each kind of character that patterns tell apart.
_ALPHABET = [*map(chr, range(128)), "\u00e9", "\u00df", "\u4e00", "\u0663", "\u20ac", "\u2014", "\u2026", "\u00a0", "\u2028", FILLER]
_ALL = (1 << len(_ALPHABET)) - 1
_BIT = {char: 1 << number for number, char in enumerate(_ALPHABET)}
_LIKELY = "a " + "".join(char for char in _ALPHABET if char not in "a \x01")  # the order in which witnesses are chosen
_END = 1 << len(_ALPHABET)  # the end of the sentence, as a character that only `$` takes


@dataclass(frozen=True, slots=True, eq=False)
class _Text:
    """Characters one after another, each out of a set."""

    sets: tuple[int, ...]


@dataclass(frozen=True, slots=True, eq=False)
class _Either:
    """One of several."""

    branches: tuple[_Chain, ...]


@dataclass(frozen=True, slots=True, eq=False)
class _Loop:
    """A body, `low` to `high` times."""

    body: _Chain
    low: int
    high: int

    @property
    def single(self) -> tuple[int, ...]:
        """The set of a loop over one character, in a tuple; empty for any other."""
        first = self.body[0] if len(self.body) == 1 else None
        return first.sets if isinstance(first, _Text) and len(first.sets) == 1 else ()


@dataclass(frozen=True, slots=True, eq=False)
class _Look:
    """A look-around or another assertion: takes nothing. `needed`: it looks ahead, and what it finds must be there."""

    body: _Chain
    needed: bool


_Node = _Text | _Either | _Loop | _Look
_Chain = tuple[_Node, ...]
_SEEN = _Look((), needed=True)  # where a look ahead is over, and what follows begins over again


class _Rest:
    """What is still to be matched: a node and what comes after it. `None` in its place is the end of the pattern."""

    __slots__ = ("after", "node")

    def __init__(self, node: _Node, after: _Rest | None) -> None:
        self.node = node
        self.after = after


@lru_cache(maxsize=512)
def _set(source: str) -> int:
    """The characters of the alphabet that a class, an escape or a character of a pattern takes."""
    takes = re.compile(source).match
    return sum(1 << number for number, char in enumerate(_ALPHABET) if takes(char))


class _Reader:
    """A pattern that `literals.parse` has accepted, read again with its character sets: so nothing is checked here."""

    def __init__(self, pattern: str) -> None:
        self.text = pattern
        self.at = 0

    def chain(self) -> _Chain:
        branches = [self._sequence()]
        while self.text.startswith("|", self.at):
            self.at += 1
            branches.append(self._sequence())
        return branches[0] if len(branches) == 1 else (_Either(tuple(branches)),)

    def _sequence(self) -> _Chain:
        nodes: list[_Node] = []
        while self.at < len(self.text) and self.text[self.at] not in "|)":
            for node in self._repeated(self._atom()):
                if nodes and isinstance(last := nodes[-1], _Text) and isinstance(node, _Text):
                    nodes[-1] = _Text(last.sets + node.sets)
                else:
                    nodes.append(node)
        return tuple(nodes)

    def _atom(self) -> _Chain:
        start = self.at
        char = self.text[start]
        if char == "(":
            return self._group()
        self.at += 2 if char == "\\" else 1
        if char == "[":
            self._class()
        source = self.text[start : self.at]
        if source == "$":
            return (_Look((_Text((_END,)),), needed=True),)
        if source in {"^", r"\b", r"\B", r"\A"}:
            return (_Look((), needed=False),)
        return (_Text((_set(source),)),)

    def _class(self) -> None:
        self.at += self.text.startswith("^", self.at)
        first = True
        while first or self.text[self.at] != "]":
            first = False
            self.at += 2 if self.text[self.at] == "\\" else 1
        self.at += 1

    def _group(self) -> _Chain:
        look = next((each for each in ("(?=", "(?!", "(?<=", "(?<!") if self.text.startswith(each, self.at)), "")
        if look:
            self.at += len(look)
        else:
            self.at = self.text.index(":" if self.text.startswith("(?:", self.at) else ">", self.at) + 1
        inner = self.chain()
        self.at += 1
        return (_Look(inner, needed=look == "(?="),) if look else inner

    def _repeated(self, part: _Chain) -> _Chain:
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
        single = len(part) == 1 and isinstance(part[0], _Text) and len(part[0].sets) == 1
        if single and low == high <= _LOOK_AHEAD:
            return part * low
        if high == 0:
            return ()
        if single and low == 0:
            return (_Either(((_Loop(part, 1, high),), ())),)
        return (_Loop(part, low, high),)


class _Judge:
    """The recursion over one pattern, with what it found out before."""

    def __init__(self) -> None:
        self._rests: dict[tuple[_Node, _Rest | None], _Rest] = {}
        self._loops: dict[tuple[int, int, int], _Loop] = {}
        self._work: dict[_Rest, float] = {}
        self._begun: dict[_Rest, tuple[int, ...]] = {}

    def chain(self, nodes: _Chain, after: _Rest | None) -> _Rest | None:
        """These nodes, then what comes after."""
        for node in reversed(nodes):
            key = (node, after)
            after = self._rests.get(key) or self._rests.setdefault(key, _Rest(node, after))
        return after

    def _turn(self, loop: _Loop, after: _Rest | None) -> _Rest | None:
        """One turn of a loop, then the turns that are left."""
        if loop.high > 1:
            key = (id(loop.body), max(0, loop.low - 1), loop.high - 1)
            after = self.chain((self._loops.setdefault(key, _Loop(loop.body, key[1], key[2])),), after)
        return self.chain(loop.body, after)

    def heads(self, rest: _Rest | None) -> list[_Rest | None]:
        """The ways in which what is left may begin, each with characters in front; None where it may be over."""
        return self._ways(rest)[0]

    def _ways(self, rest: _Rest | None) -> tuple[list[_Rest | None], list[_Rest]]:
        """The same, and the look-arounds on the way, which are tried wherever one of them may begin."""
        heads: dict[_Rest | None, None] = {}
        looks: list[_Rest] = []
        seen: set[_Rest] = set()
        pending = [rest]
        while pending:
            head = pending.pop()
            if head is None:
                heads[None] = None
                continue
            if head in seen:
                continue
            seen.add(head)
            match head.node:
                case _Either(branches):
                    pending.extend(self.chain(branch, head.after) for branch in branches)
                case _Loop() as loop if not loop.single:
                    pending.append(self._turn(loop, head.after))
                    if loop.low == 0:
                        pending.append(head.after)
                case _Look(body, needed):
                    pending.append(self.chain((*body, _SEEN), head.after) if needed and body else head.after)
                    if body and not needed:
                        looks.append(head)
                case _:
                    heads[head] = None
        return list(heads), looks

    def _looking(self, look: _Rest) -> float:
        """The work of a look-around alone."""
        return self.work(self.chain(look.node.body, None)) if isinstance(look.node, _Look) else 0.0

    def begun(self, rest: _Rest | None) -> tuple[int, ...]:
        """The sets out of which the next characters must come, as far as that is certain."""
        if rest is None:
            return ()
        known = self._begun.get(rest)
        if known is None:
            known = self._begun[rest] = self._begin(rest)[:_LOOK_AHEAD]
        return known

    def _begin(self, rest: _Rest) -> tuple[int, ...]:
        match rest.node:
            case _Text(sets):
                return sets if len(sets) >= _LOOK_AHEAD else sets + self.begun(rest.after)
            case _Either(branches):
                return _merged([self.begun(self.chain(branch, rest.after)) for branch in branches])
            case _Loop() as loop if loop.single:
                run = loop.single * min(loop.low, _LOOK_AHEAD)
                return run + self.begun(rest.after) if loop.low == loop.high else run
            case _Loop() as loop:
                turned = self.begun(self._turn(loop, rest.after))
                return turned if loop.low else _merged([turned, self.begun(rest.after)])
            case _Look(body, needed) if needed:
                return self.begun(self.chain(body, None))
        return self.begun(rest.after)

    def everywhere(self, start: _Rest | None) -> float:
        """Steps to try it at every place of a sentence of the greatest length, in vain."""
        heads, looks = self._ways(start)
        tried = [(head, self.work(head)) for head in heads] + [(look, self._looking(look)) for look in looks]
        return MAX_SENTENCE + sum(MAX_SENTENCE / _period(self.begun(each)) * work for each, work in tried)

    def work(self, rest: _Rest | None) -> float:
        """Steps to try everything that is left, from one place, in vain."""
        if rest is None:
            return 0.0
        known = self._work.get(rest)
        if known is None:
            known = self._work[rest] = min(TOO_MUCH, self._count(rest))
        return known

    def _count(self, rest: _Rest) -> float:
        match rest.node:
            case _Text(sets):
                return len(sets) + self.work(rest.after)
            case _Look(body):
                return 1 + self.work(self.chain(body, None)) + self.work(rest.after)
            case _Either(branches):
                return self._together([self.chain(branch, rest.after) for branch in branches])
            case _Loop() as loop if loop.single:
                return self._stops(loop, rest.after)
            case _Loop() as loop:
                return self._turns(loop, rest.after)

    def _together(self, ways: list[_Rest | None]) -> float:
        """The work of those ways that one and the same text allows, at most."""
        works: dict[tuple[int, ...], float] = {}
        for way in ways:
            begun = self.begun(way)
            works[begun] = works.get(begun, 0.0) + self.work(way)
        most = 0.0
        for mine in works:
            likely = (each for each in works.items() if not mine or not each[0] or mine[0] & each[0][0])
            most = max(most, sum(work for other, work in likely if _agree(mine, other)))
        return 1 + most

    def _stops(self, loop: _Loop, after: _Rest | None) -> float:
        """A repeated character: each place where it may stop, and what follows may begin, costs what follows costs."""
        heads, looks = self._ways(after)
        takes, spare = loop.single[0], loop.high - loop.low
        places = [_places(takes, spare, self.begun(head)) for head in heads]
        each = sum(place * self.work(head) for place, head in zip(places, heads, strict=True))
        if len(heads) <= _MOST_HEADS:
            each = min(each, max(places) * self._together(heads))
        each += sum(_places(takes, spare, self.begun(look)) * self._looking(look) for look in looks)
        return loop.high + each

    def _turns(self, loop: _Loop, after: _Rest | None) -> float:
        """A repeated group: turn by turn, and from there on as it grew."""
        if loop.high <= _UNROLLED:
            ways = [self._turn(loop, after)]
            return self._together(ways if loop.low else [*ways, after])
        half, full = (self.work(self.chain((_Loop(loop.body, 0, turns),), after)) for turns in (_UNROLLED // 2, _UNROLLED))
        growth = full / max(1.0, half)
        left = loop.high / _UNROLLED
        if growth <= 5:  # up to quadratic
            return full * left**2
        return TOO_MUCH if (left - 1) * 2 > 40 else min(TOO_MUCH, full * growth ** ((left - 1) * 2))


def _merged(begun: list[tuple[int, ...]]) -> tuple[int, ...]:
    return tuple(reduce(or_, sets) for sets in zip(*begun, strict=False))


def _agree(left: tuple[int, ...], right: tuple[int, ...]) -> bool:
    """Whether one text can begin both ways."""
    return all(map(and_, left, right))


def _period(begun: tuple[int, ...]) -> int:
    """The fewest characters after which the same may begin again."""
    return next((shift for shift in range(1, len(begun)) if _agree(begun[shift:], begun)), max(1, len(begun)))


def _places(takes: int, spare: int, begun: tuple[int, ...]) -> int:
    """Where a repeat over `spare` characters may stop, at most, when what follows begins so."""
    if not all(takes & each for each in begun):
        return 1  # it cannot run over what follows
    return 1 + spare // _period(begun)


def work(pattern: str) -> float:
    """Steps to search a sentence of the greatest length for a pattern of the subset, in vain, at worst; at most `TOO_MUCH`."""
    judge = _Judge()
    try:
        start = judge.chain(_Reader(pattern).chain(), None)
        return min(TOO_MUCH, judge.everywhere(start))
    except RecursionError:
        return TOO_MUCH


def pumps(pattern: str) -> Iterator[str]:
    """Sentences that make a pattern of the subset work hard: up to each repeat as the pattern wants it, then over and over what may follow.

    None of them ends as the pattern wants. Not every bad pattern is found by them; what is found is bad.
    """
    judge = _Judge()
    nodes = _Reader(pattern).chain()
    end = "\x01" + _shortest(nodes)  # without the words that it cannot do without, an engine does not even begin
    seen: set[str] = set()
    for before, loop, after in _loops(judge, nodes, "", None):
        follow = [_witness(judge.begun(head)) for head in judge.heads(after)[:_MOST_UNITS]]
        body = _shortest(loop.body)
        for unit in dict.fromkeys((body, _mixed(loop.body), "".join(follow), *follow[:2], body + "".join(follow[:1]))):
            run = _filled(unit, min(MAX_SENTENCE, loop.high * len(body) * 2))
            for text in (before + run, _filled(before + run[:_STRETCH], MAX_SENTENCE), _filled(before + unit, MAX_SENTENCE)):
                text_with_end = text[: MAX_SENTENCE - len(end)] + end
                if unit and text_with_end not in seen:
                    seen.add(text_with_end)
                    yield text_with_end


def _filled(unit: str, length: int) -> str:
    """A text over and over, a little longer than `length`."""
    return unit * (length // len(unit) + 1) if unit else ""


def _loops(judge: _Judge, nodes: _Chain, before: str, after: _Rest | None) -> Iterator[tuple[str, _Loop, _Rest | None]]:
    """Each loop, with a text that leads to it and with what comes after it."""
    for number, node in enumerate(nodes):
        rest = judge.chain(nodes[number + 1 :], after)
        match node:
            case _Loop(body, _, high):
                if high > 1:
                    yield before, node, rest
                yield from _loops(judge, body, before, judge.chain((node,), rest))
            case _Either(branches):
                for branch in branches:
                    yield from _loops(judge, branch, before, rest)
        before += _shortest((node,))


def _shortest(nodes: _Chain) -> str:
    """A short text that these nodes match, but for what assertions forbid."""
    text = ""
    for node in nodes:
        match node:
            case _Text(sets):
                text += _witness(sets)
            case _Either(branches):
                text += min(map(_shortest, branches), key=len)
            case _Loop(body, low):
                text += _shortest(body) * low
            case _Look(body, needed) if needed:
                text += _shortest(body)
    return text


def _mixed(nodes: _Chain) -> str:
    """The branches of what these nodes choose from, one after another; else as `_shortest`."""
    return "".join(
        "".join(_mixed(branch) for branch in node.branches[:_MOST_UNITS]) if isinstance(node, _Either) else _shortest((node,))
        for node in nodes
    )


def _witness(begun: tuple[int, ...]) -> str:
    """A text that begins so: of each set the character that is met most often in texts."""
    return "".join(next((char for char in _LIKELY if each & _BIT[char]), "") for each in begun)
