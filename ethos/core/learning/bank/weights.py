"""Learn what a project's signals are worth (R-15 to R-17).

Each kind of signal has a Beta distribution over "it foretold what a person said". When somebody says whether a memory helped, each of
the other kinds that the memory has recent signals of predicted it: positive where one of them was positive, else negative. A kind
without recent signals predicted nothing, so it learns nothing (X-R3). What is said explicitly is the measure, and never learns.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import NamedTuple

from ethos.core.model.memories import ProjectTrust, SignalKind

Recent = Mapping[SignalKind, tuple[int, int]]  # positive and negative signals of a memory within the window


class Weights(NamedTuple):
    """What a signal of each kind adds to a belief. They sum to 1."""

    explicit: float
    usage: float
    outcome: float

    def of(self, kind: SignalKind) -> float:
        """Return the weight of a kind."""
        return self[list(SignalKind).index(kind)]


def weights_of(trust: ProjectTrust) -> Weights:
    """Return the means of the distributions, scaled so that they sum to 1."""
    deps = (
        trust.explicit_alpha / (trust.explicit_alpha + trust.explicit_beta),
        trust.usage_alpha / (trust.usage_alpha + trust.usage_beta),
        trust.outcome_alpha / (trust.outcome_alpha + trust.outcome_beta),
    )
    return Weights(*(mean / sum(deps) for mean in deps))


def learned(trust: ProjectTrust, recent: Recent, *, helpful: bool) -> ProjectTrust:
    """Return the trust after somebody said whether a memory with these recent signals helped."""
    for kind in (SignalKind.USAGE, SignalKind.OUTCOME):
        positive, negative = recent.get(kind, (0, 0))
        if positive or negative:
            field = f"{kind}_alpha" if (positive > 0) == helpful else f"{kind}_beta"
            trust = replace(trust, **{field: getattr(trust, field) + 1})
    return trust
