"""Limits: the time that rules may take, as the matcher sees it (TRUST, Security: ReDoS).

A pattern that the gate is sure of runs unwatched, and so do the shipped ones, which their tests have tried. Of a user's own packs the
others run on `regex` with a time limit; and a rule with `engine = "regex"`, of which nothing can be proved, runs in another process, which
can be ended. Who keeps the time, and that process, is at the edge.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

import regex

RULE_SECONDS = 0.25  # for one rule in one episode
PASS_SECONDS = 5.0  # for all rules in another process, in one pass
MOST_OVERRUNS = 3  # then a rule is set aside


class Limits(Protocol):
    """Who keeps the time."""

    @property
    def spent(self) -> bool:
        """Whether what the pass may spend in the other process is used up: what is left to read is for the next pass."""
        ...

    def renew(self) -> None:
        """A pass begins."""
        ...

    def find(self, rule: str, pattern: str, sentences: Sequence[str]) -> Sequence[Sequence[Told]]:
        """The matches in each sentence of one episode, from left to right; empty where the rule was stopped or is set aside."""
        ...

    def allows(self, rule: str) -> bool:
        """Whether the rule is not set aside."""
        ...

    def overran(self, rule: str) -> None:
        """A rule took longer than it may, and was stopped."""
        ...


@dataclass(frozen=True, slots=True)
class Told:
    """A match that was found in another process, as far as the matcher asks: the spans of its groups, the whole first."""

    regs: tuple[tuple[int, int], ...]
    groupindex: Mapping[str, int]

    @property
    def re(self) -> Told:
        """As of a match, for the names of the groups."""
        return self

    def span(self, group: str | int = 0) -> tuple[int, int]:
        """Of a group, by name or number; (-1, -1) where it took no part."""
        return self.regs[self.groupindex[group] if isinstance(group, str) else group]


Match = re.Match[str] | Told


class Timed:
    """A pattern that is stopped when it takes too long over a sentence; raises TimeoutError then. As much of `re.Pattern` as is needed."""

    def __init__(self, source: str) -> None:
        self._compiled = regex.compile(source)

    def match(self, sentence: str, at: int) -> Any:
        """See `re`."""
        return self._compiled.match(sentence, at, timeout=RULE_SECONDS)

    def search(self, sentence: str, at: int = 0) -> Any:
        """See `re`."""
        return self._compiled.search(sentence, at, timeout=RULE_SECONDS)

    def finditer(self, sentence: str) -> Any:
        """See `re`."""
        return self._compiled.finditer(sentence, timeout=RULE_SECONDS)
