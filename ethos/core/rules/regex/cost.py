"""Static cost estimate: an upper bound on the work of a pattern on the worst text, from the pattern alone.

Every repeat of the subset is bounded, so every pattern ends; but bounds multiply. `[a-z]{1,80}` three times in a row can fail in half a
million ways, and `(?:[a-z]{1,40} ?){1,40}` in more ways than there are atoms. The estimate counts the tree that a backtracking matcher
walks before it fails on the worst text. A repeat can stop only where what follows can begin: before a mark that it cannot contain there
is one place, before " for " there is one every four characters, before itself every character is one. So one recursion finds
catastrophic (nested) and quadratic (adjacent) repeats, and repeated alternations that overlap.

The estimate is too high, by far where several repeats would need the same words, because engines skip impossible starts. So it decides
alone only if it is very high or very low. In between, the pattern is timed on the texts of `attack_strings`.
Static checkers (Weideman et al. 2016, "Analyzing matching time behavior of backtracking regular expression matchers") decide whether
ambiguity is exponential or polynomial. Here all repeats are bounded, so the result is a number.
"""

from __future__ import annotations

from functools import reduce
from operator import and_, or_

from ethos.core.rules.regex.charsets import LOOK_AHEAD, SEEN, Chain, Either, Look, Loop, Node, Rest, Text, unfold
from ethos.core.text.sentences import MAX_SENTENCE

MAX_WORK = 1e14  # a pattern with more steps on the worst sentence is refused without timing; the shipped ones stay under 1e13
SURE_WORK = 1e7  # a pattern with at most these steps is accepted without timing: a fifth of a second at worst
WATCHED_WORK = 1e6  # a user's pattern with at most these steps runs without a time limit: some twenty milliseconds at worst
_TOO_MUCH = 1e15  # counting stops here

_UNROLLED = 8  # iterations of a loop that are counted one by one; the rest is extrapolated
_MAX_STARTS = 400  # starts of the rest that are compared one by one


def work(pattern: str) -> float:
    """Return the steps of a failing search of the longest sentence for a pattern of the subset, at worst; at most `_TOO_MUCH`."""
    estimator = Estimator()
    try:
        rest = estimator.chain(unfold(pattern), None)
        return min(_TOO_MUCH, estimator.search_work(rest))
    except RecursionError:
        return _TOO_MUCH


class Estimator:
    """The recursion over one pattern, with a cache of its results."""

    def __init__(self) -> None:
        self._rests: dict[tuple[Node, Rest | None], Rest] = {}
        self._loops: dict[tuple[int, int, int], Loop] = {}
        self._work: dict[Rest, float] = {}
        self._first_sets: dict[Rest, tuple[int, ...]] = {}

    def chain(self, nodes: Chain, after: Rest | None) -> Rest | None:
        """Return these nodes, then what follows."""
        for node in reversed(nodes):
            key = (node, after)
            after = self._rests.get(key) or self._rests.setdefault(key, Rest(node, after))
        return after

    def _iterate(self, loop: Loop, after: Rest | None) -> Rest | None:
        """Return one iteration of a loop, then the remaining ones."""
        if loop.high > 1:
            key = (id(loop.body), max(0, loop.low - 1), loop.high - 1)
            after = self.chain((self._loops.setdefault(key, Loop(loop.body, key[1], key[2])),), after)
        return self.chain(loop.body, after)

    def starts(self, rest: Rest | None) -> list[Rest | None]:
        """Return the continuations that the rest may begin with, each with a character in front; None if the rest may be empty."""
        return self._starts_and_looks(rest)[0]

    def _starts_and_looks(self, rest: Rest | None) -> tuple[list[Rest | None], list[Rest]]:
        """Return the continuations of `starts`, and the look-arounds on the way, which are tried wherever one of them may begin."""
        starts: dict[Rest | None, None] = {}
        looks: list[Rest] = []
        seen: set[Rest] = set()
        pending = [rest]
        while pending:
            start = pending.pop()
            if start is None:
                starts[None] = None
                continue
            if start in seen:
                continue
            seen.add(start)
            match start.node:
                case Either(branches):
                    pending.extend(self.chain(branch, start.after) for branch in branches)
                case Loop() as loop if not loop.single:
                    pending.append(self._iterate(loop, start.after))
                    if loop.low == 0:
                        pending.append(start.after)
                case Look(body, needed):
                    pending.append(self.chain((*body, SEEN), start.after) if needed and body else start.after)
                    if body and not needed:
                        looks.append(start)
                case _:
                    starts[start] = None
        return list(starts), looks

    def _look_work(self, look: Rest) -> float:
        """Return the work of a look-around alone."""
        return self.work(self.chain(look.node.body, None)) if isinstance(look.node, Look) else 0.0

    def first_sets(self, rest: Rest | None) -> tuple[int, ...]:
        """Return the sets of the next characters, as far as they are certain."""
        if rest is None:
            return ()
        known = self._first_sets.get(rest)
        if known is None:
            known = self._first_sets[rest] = self._find_first_sets(rest)[:LOOK_AHEAD]
        return known

    def _find_first_sets(self, rest: Rest) -> tuple[int, ...]:
        match rest.node:
            case Text(sets):
                return sets if len(sets) >= LOOK_AHEAD else sets + self.first_sets(rest.after)
            case Either(branches):
                return _merged([self.first_sets(self.chain(branch, rest.after)) for branch in branches])
            case Loop() as loop if loop.single:
                run = loop.single * min(loop.low, LOOK_AHEAD)
                return run + self.first_sets(rest.after) if loop.low == loop.high else run
            case Loop() as loop:
                turned = self.first_sets(self._iterate(loop, rest.after))
                return turned if loop.low else _merged([turned, self.first_sets(rest.after)])
            case Look(body, needed) if needed:
                return self.first_sets(self.chain(body, None))
        return self.first_sets(rest.after)

    def search_work(self, rest: Rest | None) -> float:
        """Return the steps of failing trials at every place of the longest sentence."""
        starts, looks = self._starts_and_looks(rest)
        tried = [(start, self.work(start)) for start in starts] + [(look, self._look_work(look)) for look in looks]
        return MAX_SENTENCE + sum(MAX_SENTENCE / _period(self.first_sets(each)) * work for each, work in tried)

    def work(self, rest: Rest | None) -> float:
        """Return the steps of a failing trial of the rest at one place."""
        if rest is None:
            return 0.0
        known = self._work.get(rest)
        if known is None:
            known = self._work[rest] = min(_TOO_MUCH, self._count(rest))
        return known

    def _count(self, rest: Rest) -> float:
        match rest.node:
            case Text(sets):
                return len(sets) + self.work(rest.after)
            case Look(body):
                return 1 + self.work(self.chain(body, None)) + self.work(rest.after)
            case Either(branches):
                return self._overlap_work([self.chain(branch, rest.after) for branch in branches])
            case Loop() as loop if loop.single:
                return self._character_work(loop, rest.after)
            case Loop() as loop:
                return self._group_work(loop, rest.after)

    def _overlap_work(self, ways: list[Rest | None]) -> float:
        """Return the largest total work of alternatives that one text allows."""
        works: dict[tuple[int, ...], float] = {}
        for way in ways:
            first_sets = self.first_sets(way)
            works[first_sets] = works.get(first_sets, 0.0) + self.work(way)
        most = 0.0
        for mine in works:
            likely = (each for each in works.items() if not mine or not each[0] or mine[0] & each[0][0])
            most = max(most, sum(work for other, work in likely if _agree(mine, other)))
        return 1 + most

    def _character_work(self, loop: Loop, after: Rest | None) -> float:
        """Return the work of a repeated character: for each place where it may stop and the rest may begin, the work of the rest."""
        starts, looks = self._starts_and_looks(after)
        takes, spare = loop.single[0], loop.high - loop.low
        places = [_places(takes, spare, self.first_sets(start)) for start in starts]
        each = sum(place * self.work(start) for place, start in zip(places, starts, strict=True))
        if len(starts) <= _MAX_STARTS:
            each = min(each, max(places) * self._overlap_work(starts))
        each += sum(_places(takes, spare, self.first_sets(look)) * self._look_work(look) for look in looks)
        return loop.high + each

    def _group_work(self, loop: Loop, after: Rest | None) -> float:
        """Return the work of a repeated group: the first iterations are counted, the others extrapolated."""
        if loop.high <= _UNROLLED:
            ways = [self._iterate(loop, after)]
            return self._overlap_work(ways if loop.low else [*ways, after])
        half, full = (self.work(self.chain((Loop(loop.body, 0, turns),), after)) for turns in (_UNROLLED // 2, _UNROLLED))
        growth = full / max(1.0, half)
        left = loop.high / _UNROLLED
        if growth <= 5:  # up to quadratic
            return full * left**2
        return _TOO_MUCH if (left - 1) * 2 > 40 else min(_TOO_MUCH, full * growth ** ((left - 1) * 2))


def _merged(first_sets: list[tuple[int, ...]]) -> tuple[int, ...]:
    return tuple(reduce(or_, sets) for sets in zip(*first_sets, strict=False))


def _agree(left: tuple[int, ...], right: tuple[int, ...]) -> bool:
    """Return whether one text can begin both ways."""
    return all(map(and_, left, right))


def _period(first_sets: tuple[int, ...]) -> int:
    """Return the smallest shift at which these first sets agree with themselves: the least distance between two starts."""
    return next((shift for shift in range(1, len(first_sets)) if _agree(first_sets[shift:], first_sets)), max(1, len(first_sets)))


def _places(takes: int, spare: int, first_sets: tuple[int, ...]) -> int:
    """Return the largest number of places where a repeat over `spare` characters may stop, if what follows begins with these sets."""
    if not all(takes & each for each in first_sets):
        return 1  # it cannot run over what follows
    return 1 + spare // _period(first_sets)
