"""A turn with thousands of claims costs as much for each as a short one (H11)."""

from __future__ import annotations

import sys
from collections import Counter
from types import FrameType

import pytest

from ethos.core.model.records import Origin
from ethos.core.rules.matcher import Rules
from tests.support import proven

pytestmark = pytest.mark.no_cover  # calls are counted in its place


def calls(rules: Rules, text: str) -> int:
    """Return how many functions are called while a turn is read, in all."""
    made: Counter[str] = Counter()

    def count(_: FrameType, event: str, __: object) -> None:
        made[event] += 1

    sys.setprofile(count)
    try:
        rules.claims(text, role="user", speaker="Sam", origin=Origin.USER)
    finally:
        sys.setprofile(None)
    return made["call"] + made["c_call"]


@pytest.mark.parametrize(
    "piece",
    [
        "i drive to work on the A4\n\n",
        "Yusuf is doing his PhD in Delft. ",
        "We sold the canoe. ",
        "I love green tea. We use Postgres for storage. ",
        "we threw out SQLite, it's Postgres now; ",
    ],
)
def test_fault_h11_a_turn_of_many_claims_is_read_in_linear_time(piece: str) -> None:
    """Twice the text is twice the calls. Before, each claim was held against each other one, and all sentences were cut for each."""
    rules = proven.rules_by_default()
    rules.claims(piece * 300, role="user", speaker="Sam", origin=Origin.USER)  # what is kept by word is known then
    once, twice = (calls(rules, piece * count) for count in (150, 300))
    assert twice <= 2.3 * once
