"""Conditions: what is worth asking of the features of a group. Only the earlier observations decide what is asked."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence

from ethos.core.learning.lessons.columns import Columns
from ethos.core.learning.lessons.observation import Condition, Value

_VALUES_AT_MOST = 12  # of a field of words, the most frequent
_CUTS = (0.25, 0.5, 0.75)  # of a field of numbers: quartiles


def conditions(columns: Columns, least: int) -> Iterator[Condition]:
    """Give every condition of which at least `least` earlier observations are on each side, field after field by name."""
    end = columns.early.end
    for field in sorted(set().union(*(row.features for row in columns.rows[:end]))):
        values = [value for value in columns.values(field)[:end] if value is not None]
        numbers = [value for value in values if type(value) is float]
        if set(values) == {True}:  # a field that is only ever true is a mark: where it is missing, it is not so
            if least <= len(values) <= end - least:
                yield Condition(field, "has", value=True)
        elif len(numbers) * 2 > len(values) and len(set(numbers)) > 2:
            yield from (Condition(field, "above", cut) for cut in _cuts(sorted(numbers), least))
        else:
            yield from (Condition(field, "is", value) for value in _words(values, least))


def _words(values: Sequence[Value], least: int) -> Iterator[Value]:
    """Give the values to ask for. Of two that exclude each other one is enough: the same table read the other way round is no new test."""
    counts = Counter((type(value), value) for value in values)
    common = [value for (_, value), _ in sorted(counts.items(), key=lambda each: (-each[1], str(each[0][1])))]
    if len(common) == 2:
        common = [True] if True in common else common[1:]
    for value in common[:_VALUES_AT_MOST]:
        if min(count := counts[type(value), value], len(values) - count) >= least:
            yield value


def _cuts(numbers: Sequence[float], least: int) -> Iterator[float]:
    """Give the quartiles, each as the shortest number that parts the values in the same way."""
    before: set[int] = set()
    for share in _CUTS:
        at = round(len(numbers) * share)
        while 0 < at < len(numbers) and numbers[at] == numbers[at - 1]:
            at += 1
        if least <= at <= len(numbers) - least and at not in before:
            before.add(at)
            yield _between(numbers[at - 1], numbers[at])


def _between(low: float, high: float) -> float:
    """Return the shortest decimal number from `low` up to but without `high`."""
    for digits in range(1, 17):
        for number in (high, (low + high) / 2, low):
            short = float(f"{number:.{digits}g}")
            if low <= short < high:
                return short
    return low
