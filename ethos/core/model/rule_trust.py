"""Trust in a rule, by what people answered about its claims.

A Beta distribution over accepted and rejected answers. Before anybody answered, nine in ten of what a rule reads is taken to be right:
Beta(9, 1). The weight is the mean now over the mean then, at most 1, so that rejections lower a rule's confidence and acceptance makes up
for them. It is applied when a claim is resolved, never when it is extracted: what a rule reads in a text does not depend on the reader.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import NamedTuple

from ethos.core.model.errors import refuse
from ethos.core.model.records import Claim, Question

_PRIOR = (9.0, 1.0)  # accepted and rejected answers that each rule begins with
BEGINNING = _PRIOR[0] / sum(_PRIOR)
MISREAD = 2  # rejections that it counts as when a person says that the rule misread


class RuleTrust(NamedTuple):
    """Answers about a rule's claims. Where a person says that the rule misread, it counts as `MISREAD`."""

    accepted: int = 0
    rejected: int = 0

    @property
    def mean(self) -> float:
        """Return the estimated share of correct claims; 0..1."""
        return (_PRIOR[0] + self.accepted) / (sum(_PRIOR) + self.accepted + self.rejected)

    @property
    def weight(self) -> float:
        """Return the factor for the confidence of its claims; 0..1."""
        return min(1.0, round(self.mean / BEGINNING, 4))


def weights(answers: Mapping[str, RuleTrust]) -> Mapping[str, float]:
    """Return the factors below 1, by rule."""
    return {rule: trust.weight for rule, trust in answers.items() if trust.weight < 1.0}


def weighted(claim: Claim, weight: float) -> Claim:
    """Return the claim with the confidence that the trust in its rule allows, and a modifier that says so."""
    return replace(claim, confidence=round(claim.confidence * weight, 6), modifiers=(*claim.modifiers, f"standing x{weight:.4f}"))


def turned_down(question: Question) -> str:
    """Return the id of the fact that a person turned down. Refuses a question in which nothing was."""
    if question.action in {"keep-old", "reject"}:
        return question.new
    if question.action == "keep-new":
        return question.existing
    if question.action is None:
        raise refuse("usage", f"{question.id} was not answered", hint=f"ethos answer {question.id} keep-old, if the new claim is wrong")
    raise refuse("usage", f"in {question.id} nothing was turned down: {question.action}", hint="`ethos inbox --resolved` lists the answers")
