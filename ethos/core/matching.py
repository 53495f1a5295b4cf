"""The matcher: a compiled set of rules, and what it reads in a text."""

from __future__ import annotations

from collections.abc import Sequence

from ethos.core.records import Claim, Role

Hits = Sequence[tuple[int, int]]


class Rules:
    """A loaded, compiled, immutable rule set."""

    hash: str  # of everything that can change what is extracted: packs, modifiers, classes, engine version

    def hits(self, text: str) -> Hits:
        """(literal number, position) of every literal of the prefilter that stands in the folded text; empty: no rule can match."""
        raise NotImplementedError

    def claims(self, text: str, *, role: Role, speaker: str, origin: int, hits: Hits | None = None) -> tuple[Claim, ...]:
        """What the rules read in one turn, in order of position. `hits` are those of this text, if already known."""
        raise NotImplementedError

    def class_of(self, name: str) -> str:
        """The class that a folded object belongs to ("databases"), or ""; from rules/classes.toml."""
        raise NotImplementedError
