"""The receipt of a forgetting."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime

from ethos.core.history.erasure import ScanResult
from ethos.core.model.errors import Problem


@dataclass(frozen=True, slots=True)
class Forgotten:
    """Hold the receipt. It has no word of what was forgotten; only a rehearsal says what would go (`shown`).

    found: in which files something still stands, and how often; problems: what could not be done, and what to do; seal: a keyed hash
    over the rest, so that a receipt can be told from one that somebody made up.
    """

    run: str
    at: datetime
    dry_run: bool = False
    counts: Mapping[str, int] = field(default_factory=dict)  # episodes, facts, questions forgotten; facts rescored, revived
    tombstones: int = 0
    copies: int = 0  # other stores (backups) that were made anew
    changed: tuple[str, ...] = ()  # files of text from which something was taken
    sought: int = 0  # pieces of text and ids that were looked for
    scan: ScanResult = field(default_factory=ScanResult)
    index: int = 0  # words that the index still held
    problems: tuple[Problem, ...] = ()
    shown: tuple[str, ...] = ()
    seal: str = ""

    @property
    def proven(self) -> bool:
        """Return True if something was looked for, nothing was found, and nothing was left undone."""
        return bool(self.sought) and not (self.scan.found or self.index or self.problems)
