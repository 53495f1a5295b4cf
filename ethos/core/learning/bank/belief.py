"""Believe a memory: a Beta distribution over the signals that it got (R-13, R-14, R-18 to R-20).

alpha = 2 c + sum of weights of positive signals, beta = 2 (1 - c) + the same of negative ones; the belief is alpha / (alpha + beta), and
c is the initial confidence. After the design, with one deviation (X-R2): its prior is Beta(1, 1) whatever c is, so that the first
"helpful" lowers a memory recorded at .8. A prior of strength 2 equals it at c = .5.

A signal moves the stored belief its own way or not at all: learning moves the weights of a project, and so what older signals are worth,
and a "helpful" must not lower what it was said of. The nightly recalculation computes the belief from the counts alone.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from datetime import datetime, timedelta
from typing import NamedTuple

from ethos.core.learning.bank.weights import Weights
from ethos.core.model.memories import Outcome, Signal, SignalCount, SignalKind, Tally
from ethos.core.model.settings import BankSettings

_PRIOR_STRENGTH = 2.0  # signals that the initial confidence counts as


Counts = Counter[tuple[SignalKind, bool]]  # how many signals of each kind and sign; True: positive


class Belief(NamedTuple):
    """A Beta distribution."""

    alpha: float
    beta: float

    @property
    def mean(self) -> float:
        """Return the probability that the memory helps; 0..1."""
        return self.alpha / (self.alpha + self.beta)


def initial_confidence(outcome: Outcome, settings: BankSettings, *, recorded: bool) -> float:
    """Return what a memory is believed before any signal: recorded by a call, or distilled from a session (R-12)."""
    if recorded:
        return settings.recorded_confidence
    distilled = {Outcome.SUCCESS: settings.success_confidence, Outcome.FAILURE: settings.failure_confidence}
    return distilled.get(outcome, settings.other_confidence)


def believed(initial: float, counts: Counts, weights: Weights) -> Belief:
    """Return the belief of a memory. initial: 0..1; counts: all its signals, rolled up and recent."""
    alpha, beta = _PRIOR_STRENGTH * initial, _PRIOR_STRENGTH * (1 - initial)
    for kind in SignalKind:
        positive, negative = of_kind(counts, kind)
        alpha += weights.of(kind) * positive
        beta += weights.of(kind) * negative
    return Belief(alpha, beta)


def moved(before: float, after: float, *, positive: bool) -> float:
    """Return the belief after a signal, never moved against it."""
    return max(before, after) if positive else min(before, after)


def of_kind(counts: Counts, kind: SignalKind) -> tuple[int, int]:
    """Return the positive and the negative signals of a kind."""
    return counts[kind, True], counts[kind, False]


def proved(counts: Counts) -> int:
    """Return how often a memory helped: what succeeded with it, and what people said for it."""
    return counts[SignalKind.EXPLICIT, True] + counts[SignalKind.OUTCOME, True]


def counted(signals: Iterable[Signal]) -> Counts:
    """Return how many signals there are of each kind."""
    return Counter((signal.kind, signal.positive) for signal in signals)


def summed(found: Iterable[SignalCount]) -> Counts:
    """Return the counts of a memory as the store has them."""
    return Counter({(each.kind, each.positive): each.signals for each in found})


def recent(signals: Iterable[Signal], now: datetime, window: timedelta) -> tuple[Signal, ...]:
    """Return the signals of the window that ends now."""
    return tuple(signal for signal in signals if now - signal.at <= window)


_FIELDS = {(kind, positive): f"{kind}_{'positive' if positive else 'negative'}" for kind in SignalKind for positive in (True, False)}


def tallied(tally: Tally | None) -> Counts:
    """Return the counts of what was rolled up; none without a tally."""
    return Counter() if tally is None else Counter({of: getattr(tally, field) for of, field in _FIELDS.items()})


def rolled_up(memory: str, tally: Tally | None, old: Iterable[Signal], now: datetime) -> Tally:
    """Return the tally of a memory with these signals counted in; the caller deletes them (R-20)."""
    counts = tallied(tally) + counted(old)
    return Tally(memory, now, *(counts[of] for of in _FIELDS))
