"""The port of everything outside the store in which a memory has left something; forgetting looks there."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from contextlib import AbstractContextManager
from typing import Protocol

from ethos.core.history.erasure import ErasedRecords, ScanResult
from ethos.core.model.errors import Problem
from ethos.core.ports.store import Store


class Traces(Protocol):
    """Where else than in the store this memory has left something: copies of the store, the review file, exports."""

    def copies(self) -> Sequence[str]:
        """Return the paths of the proven copies of this store: what was kept from before an upgrade or a restoration, and backups."""
        ...

    def open(self, copy: str) -> AbstractContextManager[Store]:
        """Open one of them. What is changed in it counts when the block has ended. Raises `Refused`."""
        ...

    def scrub(self, gone: ErasedRecords, speaks: Callable[[str], bool]) -> tuple[Sequence[str], Sequence[Problem]]:
        """Take every line that `speaks` of what is gone out of the files of text that are proven ours, and the counter-examples that say
        a part of it. Return the files that were changed, and what could not be done.
        """
        ...

    def scan(self, sought: Collection[str], noted: Sequence[str]) -> ScanResult:
        """Look for these in the raw bytes of every file that we know of, the store's own included. noted: paths of older exports."""
        ...
