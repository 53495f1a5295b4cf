"""Required literals: sets of strings of which one each is in every match of a pattern, and the strings next to them.

The idea is that of the literal extraction in RE2 and in Rust's regex crate. This version keeps only what a prefilter needs, weighs a set
by its frequency in English chat, and follows the neighbours of a string across the borders of groups and branches.
"""

from __future__ import annotations

from collections.abc import Iterable
from itertools import product
from typing import NamedTuple

from ethos.core.rules.regex.frequency import START, frequency_of
from ethos.core.rules.regex.syntax import Chars, Choice, Filler, Node, Repeat, Sequence, Zero
from ethos.core.text.sentences import MASKED

_MAX_SET = 64  # strings that a run of a pattern may spell
MAX_GROWN = 256  # strings of a run together with its neighbours
_MAX_CONTEXT = 16  # characters of a neighbour of a literal
_MAX_LITERAL = 24  # characters of one literal

_PER_LITERAL = 1e-7
_OPENS = 0.2  # share of places at which a sentence may start
_TRIED = 8.0  # cost of masking, cutting a sentence and trying a pattern, in hits that are refuted at once


class RequiredSet(NamedTuple):
    """A set of strings: each match has one of them, directly after one of `before` and directly before one of `after`."""

    strings: frozenset[str]
    before: frozenset[str]
    after: frozenset[str]


class Analysis(NamedTuple):
    """The result of the analysis of a node.

    exact: all its matches, if they are few. begin, end: how the non-empty matches begin and end; a set that contains "" means unknown.
    nullable: a match may be empty. prefix: the set that each match starts with. required_sets: the sets that are anywhere in each match.
    """

    exact: frozenset[str] | None
    begin: frozenset[str]
    end: frozenset[str]
    nullable: bool
    prefix: RequiredSet | None
    required_sets: list[RequiredSet]


_OPEN = frozenset({""})
_MASKED_BEGIN = frozenset({"`", "http", "ftp:", "file:", "ssh:", "www."})  # how the text under filler begins in the folded text


def _exact(strings: frozenset[str]) -> Analysis:
    """Return the analysis of a node whose matches are exactly these strings."""
    visible = strings - _OPEN
    required_set = RequiredSet(strings, _OPEN, _OPEN)
    return Analysis(strings, visible, visible, "" in strings, required_set, [] if "" in strings else [required_set])


def _cross(left: frozenset[str], right: frozenset[str], most: int = _MAX_SET) -> frozenset[str] | None:
    """Concatenate every left string with every right one; None if that is too many. `START` only follows an empty match or `START`."""
    if len(left) * len(right) > most:
        return None
    return frozenset(a + b if b[:1] != START else b for a, b in product(left, right) if b[:1] != START or a in ("", START)) or None


def analyse(node: Node) -> Analysis:
    """Return the analysis of a node, computed from its parts."""
    match node:
        case Chars(some=some) if some and START not in some:
            return _exact(some)
        case Chars():
            return Analysis(None, _OPEN, _OPEN, nullable=False, prefix=None, required_sets=[])
        case Filler():
            return Analysis(
                None, _MASKED_BEGIN, _OPEN, nullable=False, prefix=None, required_sets=[RequiredSet(frozenset(MASKED), _OPEN, _OPEN)]
            )
        case Zero(_, start):
            return _exact(frozenset({START}) if start else _OPEN)
        case Sequence(parts):
            return _analyse_sequence([analyse(part) for part in parts])
        case Choice(branches):
            return _analyse_choice([analyse(branch) for branch in branches])
        case Repeat(part, low, high):
            return _analyse_repeat(analyse(part), low, high)


def _analyse_sequence(parts: list[Analysis]) -> Analysis:
    """Analyse a concatenation.

    A run is as many adjacent parts as spell at most `_MAX_SET` strings. The parts next to it give its neighbours.
    """
    total: frozenset[str] | None = _OPEN
    for part in parts:
        total = None if total is None or part.exact is None else _cross(total, part.exact)
    if total is not None:
        return _exact(total)
    behind, ahead = [_OPEN], [_OPEN]  # how the match up to a part ends; how the match from a part on begins
    for part in parts:
        behind.append(_joined(behind[-1], part.exact, part.end, nullable=part.nullable))
    for part in reversed(parts):
        ahead.append(_joined(ahead[-1], part.exact, part.begin, nullable=part.nullable, turned=True))
    ahead.reverse()
    required_sets: list[RequiredSet] = []
    prefix: RequiredSet | None = None
    run, start = _OPEN, 0
    for at, part in enumerate(parts):
        joined = None if part.exact is None else _cross(run, part.exact)
        if joined is not None:
            run = joined
            continue
        spelt = _sets_of_run(run, behind[start], ahead[at])
        required_sets.extend(spelt)
        required_sets.extend(part.required_sets)
        if part.prefix is not None and not part.nullable and "" in part.prefix.before:
            required_sets.extend(_sets_of_run(part.prefix.strings, behind[at], part.prefix.after))
        if start == 0 and spelt:
            prefix = prefix or _prefix_of_run(run, ahead[at])
        run, start = (_OPEN, at + 1) if part.exact is None else (part.exact, at)
    required_sets.extend(_sets_of_run(run, behind[start], _OPEN))
    if prefix is None and "" not in ahead[0] and ahead[0].isdisjoint(_MASKED_BEGIN):  # leading filler of a match may be cut in two
        prefix = RequiredSet(ahead[0], _OPEN, _OPEN)
    return Analysis(None, ahead[0], behind[-1], all(part.nullable for part in parts), prefix, required_sets)


def _joined(
    known: frozenset[str], exact: frozenset[str] | None, edge: frozenset[str], *, nullable: bool, turned: bool = False
) -> frozenset[str]:
    """Return how a text ends after one more part, if it ended with one of `known` before it.

    turned: return how it begins after one more part in front.
    """
    joined = None if exact is None else _cross(exact, known) if turned else _cross(known, exact)
    if joined is None:
        joined = edge | known if nullable else edge
    return shortened(joined, _MAX_SET, before=not turned)


def shortened(strings: frozenset[str], most: int, *, before: bool) -> frozenset[str]:
    """Return the neighbouring strings, cut until at most `most` differ; the open set if that is impossible."""
    if "" in strings:
        return _OPEN
    for length in (_MAX_CONTEXT, _MAX_CONTEXT // 2, _MAX_CONTEXT // 4):
        kept: list[str] = []
        for string in sorted({s[-length:] if before else s[:length] for s in strings}, key=lambda s: (len(s), s)):
            if not any(string.endswith(short) if before else string.startswith(short) for short in kept):
                kept.append(string)
        if len(kept) <= most:
            return frozenset(kept)
    return _OPEN


def _sets_of_run(run: frozenset[str], before: frozenset[str], after: frozenset[str]) -> list[RequiredSet]:
    """Return a run as a required set, and as sets of longer strings where its neighbours are few."""
    if "" in run:
        return []
    whole = RequiredSet(run, before, after)
    required_sets = [whole]
    short = whole if len(run) < 2 else trimmed(whole, prefixes=False)
    if "" not in short.after and (grown := _cross(short.strings, short.after, MAX_GROWN)) is not None:
        required_sets.append(RequiredSet(grown, short.before, _OPEN))
    if "" not in short.before and (grown := _cross(short.before, short.strings, MAX_GROWN)) is not None:
        required_sets.append(RequiredSet(grown, _OPEN, short.after))
    return required_sets


def _prefix_of_run(run: frozenset[str], after: frozenset[str]) -> RequiredSet:
    """Return the set that a match starts with: the run, or longer strings if they cost less.

    It is not trimmed, because a shorter string could be further inside.
    """
    whole = RequiredSet(run, _OPEN, after)
    grown = None if "" in after else _cross(run, after, MAX_GROWN)
    return whole if grown is None else min(whole, RequiredSet(grown, _OPEN, _OPEN), key=cost)


def _analyse_choice(branches: list[Analysis]) -> Analysis:
    exact = frozenset[str]().union(*(branch.exact or () for branch in branches))
    if len(exact) <= _MAX_SET and all(branch.exact is not None for branch in branches):
        return _exact(exact)
    begin = frozenset[str]().union(*(branch.begin for branch in branches))
    end = frozenset[str]().union(*(branch.end for branch in branches))
    prefix = _either([branch.prefix for branch in branches])
    best = _either([cheapest(branch.required_sets) for branch in branches])
    return Analysis(None, begin, end, any(branch.nullable for branch in branches), prefix, [] if best is None else [best])


def _either(required_sets: list[RequiredSet | None]) -> RequiredSet | None:
    """Return the union of the sets; None if one of them is unknown."""
    known = [required_set for required_set in required_sets if required_set is not None]
    if len(known) < len(required_sets):
        return None
    return RequiredSet(*(frozenset[str]().union(*sets) for sets in zip(*known, strict=True)))


def _analyse_repeat(part: Analysis, low: int, high: int | None) -> Analysis:
    if part.exact is not None and high is not None and high <= _MAX_SET:
        powers, total = _OPEN, set(_OPEN if low == 0 else ())
        for times in range(1, high + 1):
            power = _cross(powers, part.exact)
            if power is None or len(total) + len(power) > _MAX_SET:
                break
            powers = power
            if times >= low:
                total |= power
        else:
            return _exact(frozenset(total or _OPEN))
    if low == 0:
        return Analysis(None, part.begin, part.end, nullable=True, prefix=None, required_sets=[])
    return Analysis(None, part.begin, part.end, part.nullable, part.prefix, part.required_sets)


def _adjacent_chance(beside: frozenset[str]) -> float:
    """Return the estimated probability that one of these is next to a literal, higher than independence predicts."""
    return 1.0 if "" in beside else min(1.0, sum(_OPENS if string == START else 8.0 * frequency_of(string) for string in beside))


def cost(required_set: RequiredSet) -> float:
    """Return the cost of searching for a set: a little for each hit, and much more for each hit that is not refuted at once."""
    hits = sum(frequency_of(string) + _PER_LITERAL for string in required_set.strings)
    tried = sum(frequency_of(string) * (_OPENS if string[0] == START else 1.0) for string in required_set.strings)
    return hits + _TRIED * tried * _adjacent_chance(required_set.before) * _adjacent_chance(required_set.after)


def usable(required_set: RequiredSet | None) -> bool:
    """Return whether a text can be searched for the set: no string is a single letter or contains a line break."""
    return required_set is not None and all(
        (len(string.strip(f" {START}")) >= 2 or string in MASKED) and "\n" not in string for string in required_set.strings
    )


def cheapest(required_sets: Iterable[RequiredSet]) -> RequiredSet | None:
    """Return the usable set of least cost; None if there is none."""
    return min(
        (required_set for required_set in required_sets if usable(required_set)),
        key=lambda required_set: (cost(required_set), sorted(required_set.strings)),
        default=None,
    )


def trimmed(required_set: RequiredSet, *, prefixes: bool) -> RequiredSet:
    """Cut the strings to length, and drop each that contains a shorter one of the set (at its start, for prefixes).

    What was cut off, or was around the shorter string, becomes a neighbour.
    """
    before, after = set(required_set.before), set(required_set.after)
    kept: set[str] = set()
    lengths: list[int] = []
    for string in sorted(required_set.strings, key=lambda s: (len(s), s)):
        opens = string[:1] == START
        starts = (0, 1)[: opens + 1] if prefixes else range(len(string))
        short = next((found for length in lengths for start in starts if (found := string[start : start + length]) in kept), None)
        if short is None:
            short = string[: _MAX_LITERAL + opens]
            kept.add(short)
            if len(short) not in lengths:
                lengths.append(len(short))
        at = string.index(short)
        before.update([string[:at]] if at else ())
        after.update([string[at + len(short) :]] if string[at + len(short) :] else ())
    return RequiredSet(frozenset(kept), frozenset(before), frozenset(after))
