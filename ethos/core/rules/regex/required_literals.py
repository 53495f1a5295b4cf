"""What stands in every match of a pattern: sets of strings of which one each must be there, and what stands beside them.

The idea is that of the literal extraction in RE2 and in Rust's regex crate. Ours keeps only what a prefilter needs, weighs a set by how
often English chat has it, and follows what stands beside a string over the borders of groups and branches.
"""

from __future__ import annotations

from collections.abc import Iterable
from itertools import product
from typing import NamedTuple

from ethos.core.rules.regex.frequency import START, often
from ethos.core.rules.regex.syntax import Chars, Choice, Filler, Node, Repeat, Sequence, Zero
from ethos.core.text.sentences import MASKED

MAX_SET = 64  # strings that a run of a pattern may spell
MAX_GROWN = 256  # and with what stands beside it
MAX_CONTEXT = 16  # characters that are known of what stands beside a literal
MAX_LITERAL = 24  # characters of one literal

_PER_LITERAL = 1e-7
_OPENS = 0.2  # how often a place is one at which a sentence begins
_TRIED = 8.0  # to mask a text, cut a sentence and try a pattern costs about this many hits that are refuted at once


class Need(NamedTuple):
    """One of these strings stands in every match, directly behind one of `before` and directly in front of one of `after`."""

    strings: frozenset[str]
    before: frozenset[str]
    after: frozenset[str]


class Known(NamedTuple):
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


def _exactly(strings: frozenset[str]) -> Known:
    visible = strings - _OPEN
    need = Need(strings, _OPEN, _OPEN)
    return Known(strings, visible, visible, "" in strings, need, [] if "" in strings else [need])


def _cross(left: frozenset[str], right: frozenset[str], most: int = MAX_SET) -> frozenset[str] | None:
    """Every left with every right; None when that is too many. A sentence begins only where nothing was matched before."""
    if len(left) * len(right) > most:
        return None
    return frozenset(a + b if b[:1] != START else b for a, b in product(left, right) if b[:1] != START or a in ("", START)) or None


def known_of(node: Node) -> Known:
    """What is known of a node's matches, from what is known of its parts."""
    match node:
        case Chars(some=some) if some and START not in some:
            return _exactly(some)
        case Chars():
            return Known(None, _OPEN, _OPEN, nullable=False, lead=None, needs=[])
        case Filler():
            return Known(None, _MASKED_BEGIN, _OPEN, nullable=False, lead=None, needs=[Need(frozenset(MASKED), _OPEN, _OPEN)])
        case Zero(_, start):
            return _exactly(frozenset({START}) if start else _OPEN)
        case Sequence(parts):
            return _know_sequence([known_of(part) for part in parts])
        case Choice(branches):
            return _know_choice([known_of(branch) for branch in branches])
        case Repeat(part, low, high):
            return _know_repeat(known_of(part), low, high)


def _know_sequence(parts: list[Known]) -> Known:
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
            lead = lead or _leading(run, ahead[at])
        run, start = (_OPEN, at + 1) if part.exact is None else (part.exact, at)
    needs.extend(_spelt(run, behind[start], _OPEN))
    if lead is None and "" not in ahead[0] and ahead[0].isdisjoint(_MASKED_BEGIN):  # filler that a match begins with may be cut in two
        lead = Need(ahead[0], _OPEN, _OPEN)
    return Known(None, ahead[0], behind[-1], all(part.nullable for part in parts), lead, needs)


def _joined(
    known: frozenset[str], exact: frozenset[str] | None, edge: frozenset[str], *, nullable: bool, turned: bool = False
) -> frozenset[str]:
    """How a text ends that ended with one of `known` before one more part was added to it; `turned`: how it begins, by a part in front."""
    joined = None if exact is None else _cross(exact, known) if turned else _cross(known, exact)
    if joined is None:
        joined = edge | known if nullable else edge
    return few(joined, MAX_SET, before=not turned)


def few(strings: frozenset[str], most: int, *, before: bool) -> frozenset[str]:
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
    short = whole if len(run) < 2 else trimmed(whole, prefixes=False)
    if "" not in short.after and (grown := _cross(short.strings, short.after, MAX_GROWN)) is not None:
        needs.append(Need(grown, short.before, _OPEN))
    if "" not in short.before and (grown := _cross(short.before, short.strings, MAX_GROWN)) is not None:
        needs.append(Need(grown, _OPEN, short.after))
    return needs


def _leading(run: frozenset[str], after: frozenset[str]) -> Need:
    """What a match begins with: the run, or longer strings where that is cheaper. Whole, because what is cut stands further inside."""
    whole = Need(run, _OPEN, after)
    grown = None if "" in after else _cross(run, after, MAX_GROWN)
    return whole if grown is None else min(whole, Need(grown, _OPEN, _OPEN), key=cost)


def _know_choice(branches: list[Known]) -> Known:
    exact = frozenset[str]().union(*(branch.exact or () for branch in branches))
    if len(exact) <= MAX_SET and all(branch.exact is not None for branch in branches):
        return _exactly(exact)
    begin = frozenset[str]().union(*(branch.begin for branch in branches))
    end = frozenset[str]().union(*(branch.end for branch in branches))
    lead = _either([branch.lead for branch in branches])
    best = _either([cheapest(branch.needs) for branch in branches])
    return Known(None, begin, end, any(branch.nullable for branch in branches), lead, [] if best is None else [best])


def _either(needs: list[Need | None]) -> Need | None:
    """What is needed where one of several is; nothing, where one of them is not known."""
    known = [need for need in needs if need is not None]
    if len(known) < len(needs):
        return None
    return Need(*(frozenset[str]().union(*sets) for sets in zip(*known, strict=True)))


def _know_repeat(part: Known, low: int, high: int | None) -> Known:
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
        return Known(None, part.begin, part.end, nullable=True, lead=None, needs=[])
    return Known(None, part.begin, part.end, part.nullable, part.lead, part.needs)


def _chance(beside: frozenset[str]) -> float:
    """How often one of these stands beside a literal, about: what belongs together stands together more often than its number says."""
    return 1.0 if "" in beside else min(1.0, sum(_OPENS if string == START else 8.0 * often(string) for string in beside))


def cost(need: Need) -> float:
    """What it costs to look for a set of strings: each hit a little, and each that is not refuted at once much more."""
    hits = sum(often(string) + _PER_LITERAL for string in need.strings)
    tried = sum(often(string) * (_OPENS if string[0] == START else 1.0) for string in need.strings)
    return hits + _TRIED * tried * _chance(need.before) * _chance(need.after)


def usable(need: Need | None) -> bool:
    """Whether a text can be looked through for it: no string is a single letter or reaches over a line."""
    return need is not None and all(
        (len(string.strip(f" {START}")) >= 2 or string in MASKED) and "\n" not in string for string in need.strings
    )


def cheapest(needs: Iterable[Need]) -> Need | None:
    """The usable one that costs least; None where there is none."""
    return min((need for need in needs if usable(need)), key=lambda need: (cost(need), sorted(need.strings)), default=None)


def trimmed(need: Need, *, prefixes: bool) -> Need:
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
