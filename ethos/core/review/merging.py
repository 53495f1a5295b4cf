"""Merging: several versions of the review file as one, so that nobody's word in any of them is lost. Pure.

Their ticks are put together entry by entry (two that disagree are two choices, which decide nothing), their lines in the order of both.
What one version has and another has not is kept: with two versions alone nobody can tell an addition from a deletion.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from difflib import SequenceMatcher
from itertools import takewhile

from ethos.core.review.reading import Review

_MOST = 4_000_000  # pairs of lines that are compared in search of the best order; beyond it new lines just follow


def merge(first: Review, others: Iterable[Review]) -> Review:
    """The first version and what the others have beyond it."""
    merged = first
    for other in others:
        merged = replace(
            merged,
            preamble=_united(merged.preamble, other.preamble, first.newline),
            blocks=(*merged.blocks, *other.blocks),
            tail=_united(merged.tail, other.tail, first.newline),
            strays=tuple(dict.fromkeys((*merged.strays, *other.strays))),
            conflicted=merged.conflicted or other.conflicted,
        )
    return merged


def united(first: Sequence[str], second: Sequence[str]) -> list[str]:
    """The lines of both in an order that fits both; what both have, once."""
    head = sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], zip(first, second, strict=False)))
    left, right = first[head:], second[head:]
    foot = sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], zip(reversed(left), reversed(right), strict=False)))
    end = list(left[len(left) - foot :])
    left, right = left[: len(left) - foot], right[: len(right) - foot]
    if len(left) * len(right) > _MOST:
        known = frozenset(left)
        return [*first[:head], *left, *(line for line in right if line not in known), *end]
    lines = list(first[:head])
    for _, at, until, other_at, other_until in SequenceMatcher(None, left, right, autojunk=False).get_opcodes():
        lines += left[at:until]
        lines += right[other_at:other_until] if left[at:until] != right[other_at:other_until] else ()
    return lines + end


def _united(first: str, second: str, newline: str) -> str:
    """Texts, line by line; `newline` ends the lines of both."""
    second = second.replace("\r\n", "\n").replace("\n", newline)
    if not second or first == second or not first:
        return first or second
    lines = united(first.removesuffix("\n").split("\n"), second.removesuffix("\n").split("\n"))
    return "\n".join(lines) + ("\n" if first.endswith("\n") or second.endswith("\n") else "")
