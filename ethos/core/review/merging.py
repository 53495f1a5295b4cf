"""Merge several versions of the review file, so that no words of a person in any of them are lost. Pure.

Ticks are merged entry by entry (two that disagree are two choices, which decide nothing), lines in the order of both versions.
A line that only one version has is kept: two versions alone cannot distinguish an addition from a deletion.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from difflib import SequenceMatcher
from itertools import takewhile

from ethos.core.review.reading import Review

_MOST = 4_000_000  # pairs of lines compared for the best order; with more, new lines are appended


def merge(first: Review, others: Iterable[Review]) -> Review:
    """Return the first version with the additions of the others."""
    merged = first
    for other in others:
        merged = replace(
            merged,
            preamble=_merge_text(merged.preamble, other.preamble, first.newline),
            blocks=(*merged.blocks, *other.blocks),
            tail=_merge_text(merged.tail, other.tail, first.newline),
            strays=tuple(dict.fromkeys((*merged.strays, *other.strays))),
            conflicted=merged.conflicted or other.conflicted,
        )
    return merged


def merge_lines(first: Sequence[str], second: Sequence[str]) -> list[str]:
    """Return the lines of both in an order that fits both; common lines once."""
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


def _merge_text(first: str, second: str, newline: str) -> str:
    """Merge two texts line by line; `newline` ends the lines of both."""
    second = second.replace("\r\n", "\n").replace("\n", newline)
    if not second or first == second or not first:
        return first or second
    lines = merge_lines(first.removesuffix("\n").split("\n"), second.removesuffix("\n").split("\n"))
    return "\n".join(lines) + ("\n" if first.endswith("\n") or second.endswith("\n") else "")
