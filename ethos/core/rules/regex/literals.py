"""Literals of a pattern: strings of which at least one is in every match, so that the pattern need be tried nowhere else.

They are the *prefix set* if each match starts with one of them (then the pattern is tried only there), else a *required set* from
inside: of all sets of `required_literals` the one that is rarest in English text. A hand-written list is never trusted: three of 62
dropped true matches.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any, NamedTuple

from ethos.core.rules.regex.first_set import first_pattern
from ethos.core.rules.regex.frequency import START, frequency_of
from ethos.core.rules.regex.required_literals import Analysis, analyse, cheapest, cost, shortened, trimmed, usable
from ethos.core.rules.regex.syntax import Choice, Node, Sequence, Zero

_MAX_SMALL = 16  # literals of a small further set, which are searched for one by one
_MAX_RARE = 256  # literals of a large further set, which the automaton searches for
_MAX_ADJACENT = 48  # strings in `preceded_by` and `followed_by`

_EVERYWHERE = 0.02  # frequency of a set that is in nearly every text
_SOMEWHERE = 0.006  # frequency of a set that is in half of all texts
_WORTH = 20.0  # a large further set may be this much more frequent than the chosen one
_MET_OFTEN = 2e-5  # least frequency of the chosen set at which a large further set is worth its place
_SEARCHED = 1.25  # cost of a search in a sentence, in anchored matches


class Literals(NamedTuple):
    """The strings of which one is in every match, sorted, and cheap conditions that are checked before the pattern is tried.

    anchored: each match starts with one of them.
    boundary: and at the start of a word.
    required_small: further small sets; one string of each must be in the sentence.
    at_sentence_start: those of the strings that count only where a sentence may start.
    preceded_by, followed_by: one of these is directly before, and one directly after (`START`: a sentence may start here); (): unknown.
    first_pattern: a pattern that matches at the literals with which a match starts (`first_set`); "": none.
    required_rare: a larger set; one string of it must be in the text.
    """

    strings: tuple[str, ...]
    anchored: bool
    boundary: bool
    required_small: tuple[tuple[str, ...], ...] = ()
    at_sentence_start: tuple[str, ...] = ()
    preceded_by: tuple[str, ...] = ()
    followed_by: tuple[str, ...] = ()
    first_pattern: str = ""
    required_rare: tuple[str, ...] = ()

    @classmethod
    def restored(cls, values: Iterable[Any]) -> Literals:
        """Return the literals that JSON stored as lists; raise TypeError or ValueError if the fields differ."""
        strings, anchored, boundary, small, at_start, before, after, first, rare = values
        beside = (tuple(at_start), tuple(before), tuple(after))
        return cls(tuple(strings), anchored, boundary, tuple(map(tuple, small)), *beside, str(first), tuple(rare))


def _adjacent(strings: frozenset[str], *, before: bool) -> tuple[str, ...]:
    """Return the strings one of which must be next to a literal, shortened; () if nothing is known, or there are too many."""
    least = shortened(frozenset(string.lstrip(START) or string for string in strings), _MAX_ADJACENT, before=before)
    return () if "" in least else tuple(sorted(least))


def _first_nodes(node: Node) -> Iterator[Node]:
    """Yield the nodes that a match may start with, assertions included."""
    match node:
        case Sequence(parts) if parts:
            yield from _first_nodes(parts[0])
        case Choice(branches):
            for branch in branches:
                yield from _first_nodes(branch)
        case _:
            yield node


def derive(tree: Node) -> Literals | None:
    """Return the literals to search for; None if the pattern has none of at least two visible characters."""
    known = analyse(tree)
    prefix = known.prefix if usable(known.prefix) else None
    inner = cheapest(known.required_sets)
    anchored = prefix is not None and (inner is None or cost(prefix) <= _SEARCHED * cost(inner))
    chosen = prefix if anchored else inner
    if chosen is None:
        return None
    required_set = trimmed(chosen, prefixes=anchored)
    strings = tuple(sorted({string.lstrip(START) for string in required_set.strings}))
    further = _further_sets(known, strings)
    word = (
        anchored
        and all(isinstance(first, Zero) and first.boundary for first in _first_nodes(tree))
        and all(s[0].isalnum() for s in strings)
    )
    return Literals(
        strings,
        anchored=anchored,
        boundary=word,
        required_small=_required_small(further),
        at_sentence_start=tuple(sorted(string[1:] for string in required_set.strings if string[0] == START)),
        preceded_by=() if anchored else _adjacent(required_set.before, before=True),
        followed_by=_adjacent(required_set.after, before=False),
        first_pattern=first_pattern(tree, strings) if anchored else "",
        required_rare=_required_rare(further, strings),
    )


def _further_sets(known: Analysis, chosen: tuple[str, ...]) -> dict[tuple[str, ...], float]:
    """Return other sets that filter more than the chosen one and its neighbours, each with the estimated frequency of its strings."""
    found: dict[tuple[str, ...], float] = {}
    for required_set in known.required_sets:
        if len(required_set.strings) > 2 * _MAX_RARE:  # cut short, they would still be too many
            continue
        strings = tuple(sorted(string.lstrip(START) for string in trimmed(required_set, prefixes=False).strings))
        if "" in strings or len(strings) > _MAX_RARE:
            continue
        implied = all(any(string in literal for string in strings) for literal in chosen)
        longer = all(any(literal in string for literal in chosen) for string in strings)
        if not implied and not longer:
            found[strings] = sum(map(frequency_of, strings))
    return found


def _required_small(further: dict[tuple[str, ...], float]) -> tuple[tuple[str, ...], ...]:
    """Return the rarest two of the small sets."""
    small = [strings for strings, chance in further.items() if len(strings) <= _MAX_SMALL and chance <= _EVERYWHERE]
    return tuple(sorted(small, key=lambda strings: (further[strings], strings))[:2])


def _required_rare(further: dict[tuple[str, ...], float], chosen: tuple[str, ...]) -> tuple[str, ...]:
    """Return the rarest of the large sets if it is worth a place in the automaton, which searches every text; else ()."""
    met = sum(map(frequency_of, chosen))
    most = min(_SOMEWHERE, _WORTH * met) if met >= _MET_OFTEN else 0.0
    many = [strings for strings, chance in further.items() if len(strings) > _MAX_SMALL and chance <= most]
    return min(many, key=lambda strings: (further[strings], strings), default=())
