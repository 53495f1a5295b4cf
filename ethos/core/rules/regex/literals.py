"""The literals of a pattern: strings of which at least one stands in every match, so that it need be tried nowhere else.

They are the *prefix set* when each match begins with one of them (then the pattern is tried there and nowhere else), else a *required
set* from inside: of all sets of `needs.py` the one that English text hits least. A hand-written list is never trusted: three of 62
dropped true matches.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any, NamedTuple

from ethos.core.rules.regex.first_set import head_of
from ethos.core.rules.regex.frequency import START, often
from ethos.core.rules.regex.required_literals import Known, cheapest, cost, few, known_of, trimmed, usable
from ethos.core.rules.regex.syntax import Choice, Node, Sequence, Zero

MAX_ALSO = 16  # literals of a small further set, which are looked for one by one
MAX_SELDOM = 256  # and of a large one, which the automaton looks for
MAX_BESIDE = 48  # strings of which one stands there

_EVERYWHERE = 0.02  # how often a set stands that nearly every text has
_SOMEWHERE = 0.006  # how often one stands that half of all texts have
_WORTH = 20.0  # how much more often than the chosen one a large further set may stand
_MET_OFTEN = 2e-5  # how often the chosen one stands, at least, for a large further set to be worth its place
_SEARCHED = 1.25  # what a search in a sentence costs, in anchored matches


class Literals(NamedTuple):
    """The strings of which one stands in every match, sorted, and what else must be there: cheap looks before the pattern is tried.

    anchored: each match begins with one of them.  boundary: and stands at the beginning of a word.
    also: further sets of which one string each must stand in the sentence. seldom: a larger set of which one must stand in the text.
    opening: those of the strings that count only where a sentence may begin.
    before, after: one of these stands directly before, and one directly behind (`START`: a sentence may begin here); (): not known.
    head: a pattern that matches at the literals with which a match begins (`heads.py`); "": none.
    """

    strings: tuple[str, ...]
    anchored: bool
    boundary: bool
    also: tuple[tuple[str, ...], ...] = ()
    opening: tuple[str, ...] = ()
    before: tuple[str, ...] = ()
    after: tuple[str, ...] = ()
    head: str = ""
    seldom: tuple[str, ...] = ()

    @classmethod
    def restored(cls, values: Iterable[Any]) -> Literals:
        """From the lists that JSON makes of them; raises TypeError or ValueError where the fields are others."""
        strings, anchored, boundary, also, opening, before, after, head, seldom = values
        beside = (tuple(opening), tuple(before), tuple(after))
        return cls(tuple(strings), anchored, boundary, tuple(map(tuple, also)), *beside, str(head), tuple(seldom))


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
    further = _further(known, strings)
    word = anchored and all(isinstance(lead, Zero) and lead.boundary for lead in _leads(tree)) and all(s[0].isalnum() for s in strings)
    return Literals(
        strings,
        anchored=anchored,
        boundary=word,
        also=_also(further),
        opening=tuple(sorted(string[1:] for string in need.strings if string[0] == START)),
        before=() if anchored else _beside(need.before, before=True),
        after=_beside(need.after, before=False),
        head=head_of(tree, strings) if anchored else "",
        seldom=_seldom(further, strings),
    )


def _further(known: Known, chosen: tuple[str, ...]) -> dict[tuple[str, ...], float]:
    """Other sets that say more than the chosen one and what stands beside it, and how often one of their strings stands, about."""
    found: dict[tuple[str, ...], float] = {}
    for need in known.needs:
        if len(need.strings) > 2 * MAX_SELDOM:  # cut short, they would still be too many
            continue
        strings = tuple(sorted(string.lstrip(START) for string in trimmed(need, prefixes=False).strings))
        if "" in strings or len(strings) > MAX_SELDOM:
            continue
        implied = all(any(string in literal for string in strings) for literal in chosen)
        longer = all(any(literal in string for literal in chosen) for string in strings)
        if not implied and not longer:
            found[strings] = sum(map(often, strings))
    return found


def _also(further: dict[tuple[str, ...], float]) -> tuple[tuple[str, ...], ...]:
    """The rarest two of the small sets."""
    few = [strings for strings, chance in further.items() if len(strings) <= MAX_ALSO and chance <= _EVERYWHERE]
    return tuple(sorted(few, key=lambda strings: (further[strings], strings))[:2])


def _seldom(further: dict[tuple[str, ...], float], chosen: tuple[str, ...]) -> tuple[str, ...]:
    """The rarest of the large sets, where knowing of it is worth that the automaton looks for it in every text; else ()."""
    met = sum(map(often, chosen))
    most = min(_SOMEWHERE, _WORTH * met) if met >= _MET_OFTEN else 0.0
    many = [strings for strings, chance in further.items() if len(strings) > MAX_ALSO and chance <= most]
    return min(many, key=lambda strings: (further[strings], strings), default=())
