"""Time limits of rules, as the matcher sees them.

A pattern with a low cost estimate runs without a limit, and so do the shipped ones, which their tests have timed. The other patterns of
a user's packs run on `regex` with a time limit. A rule with `engine = "regex"`, of which nothing can be proved, runs in another process,
which can be ended. `edge` keeps the budgets and that process.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

import regex

RULE_SECONDS = 0.25  # for one rule in one episode
PASS_SECONDS = 5.0  # for all rules in another process, in one pass
MOST_OVERRUNS = 3  # a rule with so many is disabled


class Limits(Protocol):
    """The time budgets of a rule set."""

    @property
    def spent(self) -> bool:
        """Return whether the pass has used up its budget for the other process; the remaining episodes are left to the next pass."""
        ...

    def renew(self) -> None:
        """Start a pass with a new budget."""
        ...

    def find(self, rule: str, pattern: str, sentences: Sequence[str]) -> Sequence[Sequence[RemoteMatch]]:
        """Return the matches in each sentence of one episode, from left to right; none if the rule was stopped or is disabled."""
        ...

    def allows(self, rule: str) -> bool:
        """Return whether the rule is still enabled."""
        ...

    def overran(self, rule: str) -> None:
        """Record that a rule exceeded its limit and was stopped."""
        ...


@dataclass(frozen=True, slots=True)
class RemoteMatch:
    """A match found in another process, with what the matcher needs: the spans of its groups, the whole match first."""

    regs: tuple[tuple[int, int], ...]
    groupindex: Mapping[str, int]

    @property
    def re(self) -> RemoteMatch:
        """Return the object that has the names of the groups, as `re.Match.re` does."""
        return self

    def span(self, group: str | int = 0) -> tuple[int, int]:
        """Return the span of a group, by name or number; (-1, -1) if it took no part."""
        return self.regs[self.groupindex[group] if isinstance(group, str) else group]


Match = re.Match[str] | RemoteMatch


class TimedRegex:
    """A pattern with a time limit a sentence, with the part of `re.Pattern`'s interface that is needed. It raises TimeoutError."""

    def __init__(self, source: str) -> None:
        self._compiled = regex.compile(source)

    def match(self, sentence: str, at: int) -> Any:
        """Match at an offset, as in `re`."""
        return self._compiled.match(sentence, at, timeout=RULE_SECONDS)

    def search(self, sentence: str, at: int = 0) -> Any:
        """Search from an offset, as in `re`."""
        return self._compiled.search(sentence, at, timeout=RULE_SECONDS)

    def finditer(self, sentence: str) -> Any:
        """Find all matches, as in `re`."""
        return self._compiled.finditer(sentence, timeout=RULE_SECONDS)
