"""The static gate: how much work a pattern can make on the worst text, judged from the pattern alone (RULES.md, Safety in layers).

Every repeat of the subset is bounded, so no pattern runs for ever; but bounds multiply: `[a-z]{1,80}` three times over is half a million
ways to fail, and `(?:[a-z]{1,40} ?){1,40}` more than there are atoms. The estimate counts the tree that a backtracking matcher walks
before it gives up on the text that suits it least. Where a repeat may stop is where what follows can begin: a repeat followed by a mark
that it cannot contain has one place to stop, one followed by " for " has a place every four characters, one followed by itself has all.
So catastrophic (nested) and quadratic (adjacent) patterns fall out of one recursion, as do repeated alternations that overlap.
It errs on the high side, by far where several repeats would need the same words, because engines skip what cannot begin: so it decides
alone only where it finds very much or very little. In between a pattern is tried on the texts of `pumping.pumps`.
Static checkers (Weideman et al. 2016, "Analyzing matching time behavior of backtracking regular expression matchers") decide whether
ambiguity is exponential or polynomial; here all repeats are bounded, so we put a number on it instead.
"""

from __future__ import annotations

from functools import reduce
from operator import and_, or_

from ethos.core.rules.regex.charsets import LOOK_AHEAD, SEEN, Chain, Either, Look, Loop, Node, Rest, Text, unfold
from ethos.core.text.sentences import MAX_SENTENCE

MAX_WORK = 1e14  # steps on the worst sentence above which a pattern is refused unmeasured; the shipped ones stay under 1e13
SURE_WORK = 1e7  # steps up to which nothing needs to be measured: a fifth of a second at worst
WATCHED_WORK = 1e6  # steps up to which a pattern of a user's own runs without a time limit: some twenty milliseconds at worst
TOO_MUCH = 1e15  # where counting stops

_UNROLLED = 8  # turns of a loop that are counted one by one; what comes after is extrapolated
_MOST_HEADS = 400  # beginnings of what follows that are looked at one by one


def work(pattern: str) -> float:
    """Steps to search a sentence of the greatest length for a pattern of the subset, in vain, at worst; at most `TOO_MUCH`."""
    judge = Judge()
    try:
        start = judge.chain(unfold(pattern), None)
        return min(TOO_MUCH, judge.everywhere(start))
    except RecursionError:
        return TOO_MUCH


class Judge:
    """The recursion over one pattern, with what it found out before."""

    def __init__(self) -> None:
        self._rests: dict[tuple[Node, Rest | None], Rest] = {}
        self._loops: dict[tuple[int, int, int], Loop] = {}
        self._work: dict[Rest, float] = {}
        self._begun: dict[Rest, tuple[int, ...]] = {}

    def chain(self, nodes: Chain, after: Rest | None) -> Rest | None:
        """These nodes, then what comes after."""
        for node in reversed(nodes):
            key = (node, after)
            after = self._rests.get(key) or self._rests.setdefault(key, Rest(node, after))
        return after

    def _turn(self, loop: Loop, after: Rest | None) -> Rest | None:
        """One turn of a loop, then the turns that are left."""
        if loop.high > 1:
            key = (id(loop.body), max(0, loop.low - 1), loop.high - 1)
            after = self.chain((self._loops.setdefault(key, Loop(loop.body, key[1], key[2])),), after)
        return self.chain(loop.body, after)

    def heads(self, rest: Rest | None) -> list[Rest | None]:
        """The ways in which what is left may begin, each with characters in front; None where it may be over."""
        return self._ways(rest)[0]

    def _ways(self, rest: Rest | None) -> tuple[list[Rest | None], list[Rest]]:
        """The same, and the look-arounds on the way, which are tried wherever one of them may begin."""
        heads: dict[Rest | None, None] = {}
        looks: list[Rest] = []
        seen: set[Rest] = set()
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
                case Either(branches):
                    pending.extend(self.chain(branch, head.after) for branch in branches)
                case Loop() as loop if not loop.single:
                    pending.append(self._turn(loop, head.after))
                    if loop.low == 0:
                        pending.append(head.after)
                case Look(body, needed):
                    pending.append(self.chain((*body, SEEN), head.after) if needed and body else head.after)
                    if body and not needed:
                        looks.append(head)
                case _:
                    heads[head] = None
        return list(heads), looks

    def _looking(self, look: Rest) -> float:
        """The work of a look-around alone."""
        return self.work(self.chain(look.node.body, None)) if isinstance(look.node, Look) else 0.0

    def begun(self, rest: Rest | None) -> tuple[int, ...]:
        """The sets out of which the next characters must come, as far as that is certain."""
        if rest is None:
            return ()
        known = self._begun.get(rest)
        if known is None:
            known = self._begun[rest] = self._begin(rest)[:LOOK_AHEAD]
        return known

    def _begin(self, rest: Rest) -> tuple[int, ...]:
        match rest.node:
            case Text(sets):
                return sets if len(sets) >= LOOK_AHEAD else sets + self.begun(rest.after)
            case Either(branches):
                return _merged([self.begun(self.chain(branch, rest.after)) for branch in branches])
            case Loop() as loop if loop.single:
                run = loop.single * min(loop.low, LOOK_AHEAD)
                return run + self.begun(rest.after) if loop.low == loop.high else run
            case Loop() as loop:
                turned = self.begun(self._turn(loop, rest.after))
                return turned if loop.low else _merged([turned, self.begun(rest.after)])
            case Look(body, needed) if needed:
                return self.begun(self.chain(body, None))
        return self.begun(rest.after)

    def everywhere(self, start: Rest | None) -> float:
        """Steps to try it at every place of a sentence of the greatest length, in vain."""
        heads, looks = self._ways(start)
        tried = [(head, self.work(head)) for head in heads] + [(look, self._looking(look)) for look in looks]
        return MAX_SENTENCE + sum(MAX_SENTENCE / _period(self.begun(each)) * work for each, work in tried)

    def work(self, rest: Rest | None) -> float:
        """Steps to try everything that is left, from one place, in vain."""
        if rest is None:
            return 0.0
        known = self._work.get(rest)
        if known is None:
            known = self._work[rest] = min(TOO_MUCH, self._count(rest))
        return known

    def _count(self, rest: Rest) -> float:
        match rest.node:
            case Text(sets):
                return len(sets) + self.work(rest.after)
            case Look(body):
                return 1 + self.work(self.chain(body, None)) + self.work(rest.after)
            case Either(branches):
                return self._together([self.chain(branch, rest.after) for branch in branches])
            case Loop() as loop if loop.single:
                return self._stops(loop, rest.after)
            case Loop() as loop:
                return self._turns(loop, rest.after)

    def _together(self, ways: list[Rest | None]) -> float:
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

    def _stops(self, loop: Loop, after: Rest | None) -> float:
        """A repeated character: each place where it may stop, and what follows may begin, costs what follows costs."""
        heads, looks = self._ways(after)
        takes, spare = loop.single[0], loop.high - loop.low
        places = [_places(takes, spare, self.begun(head)) for head in heads]
        each = sum(place * self.work(head) for place, head in zip(places, heads, strict=True))
        if len(heads) <= _MOST_HEADS:
            each = min(each, max(places) * self._together(heads))
        each += sum(_places(takes, spare, self.begun(look)) * self._looking(look) for look in looks)
        return loop.high + each

    def _turns(self, loop: Loop, after: Rest | None) -> float:
        """A repeated group: turn by turn, and from there on as it grew."""
        if loop.high <= _UNROLLED:
            ways = [self._turn(loop, after)]
            return self._together(ways if loop.low else [*ways, after])
        half, full = (self.work(self.chain((Loop(loop.body, 0, turns),), after)) for turns in (_UNROLLED // 2, _UNROLLED))
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
