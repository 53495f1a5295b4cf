"""Counts of one rule over a corpus of turns."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Tally:
    """The numbers of one rule over a corpus."""

    rule: str
    claims: int = 0
    turns: int = 0  # turns in which it fires
    overlaps: int = 0  # claims that share words with another rule's
    conflicts: int = 0  # claims whose words another rule reads with the opposite polarity
    agreed: int = 0  # claims that the other reader (patterns, or clauses) makes, too, whether they count in the end or not
    sample: str = ""  # the first words it fired on
