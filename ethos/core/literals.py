"""The literals of a pattern: strings of which at least one stands in every match, so that it need be tried nowhere else.

They are the *prefix set* when each match begins with one of them (then the pattern is tried there and nowhere else), else a *required
set* from inside: of all sets of `needs.py` the one that English text hits least. A hand-written list is never trusted: three of 62
dropped true matches.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any, NamedTuple

from ethos.core.frequency import START, often
from ethos.core.needs import MAX_SET, Known, cheapest, cost, few, known_of, trimmed, usable
from ethos.core.subset import Choice, Node, Sequence, Zero

MAX_ALSO = 16  # literals of a further set
MAX_BESIDE = 48  # strings of which one stands there

_EVERYWHERE = 0.02  # how often a set stands that nearly every text has
_SEARCHED = 1.25  # what a search in a sentence costs, in anchored matches


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


def _beside(strings: frozenset[str], *, before: bool) -> tuple[str, ...]:
    """What must stand beside a literal, in as few strings as say it; () where nothing is known, or too much."""
    least = few(frozenset(string.lstrip(START) or string for string in strings), MAX_BESIDE, before=before)
    return () if "" in least else tuple(sorted(least))


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
    known = known_of(tree)
    lead = known.lead if usable(known.lead) else None
    inner = cheapest(known.needs)
    anchored = lead is not None and (inner is None or cost(lead) <= _SEARCHED * cost(inner))
    chosen = lead if anchored else inner
    if chosen is None:
        return None
    need = trimmed(chosen, prefixes=anchored)
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


def _also(known: Known, chosen: tuple[str, ...]) -> tuple[tuple[str, ...], ...]:
    """The cheapest other sets that say more than the chosen one and what stands beside it."""
    found: dict[tuple[str, ...], float] = {}
    for need in known.needs:
        if len(need.strings) > MAX_SET + MAX_ALSO:  # cut short, they would still be too many
            continue
        strings = tuple(sorted(string.lstrip(START) for string in trimmed(need, prefixes=False).strings))
        if "" in strings or len(strings) > MAX_ALSO or sum(map(often, strings)) > _EVERYWHERE:
            continue
        implied = all(any(string in literal for string in strings) for literal in chosen)
        longer = all(any(literal in string for literal in chosen) for string in strings)
        if not implied and not longer:
            found[strings] = cost(need)
    return tuple(sorted(found, key=lambda strings: (found[strings], strings))[:2])
