"""The port of a store's file: what can be done with a store that is kept in a file of this machine."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol


class StoreFile(Protocol):
    """The file of a store, and what lies beside it."""

    def rewrite(self) -> None:
        """Make the file anew, so that no byte of what was forgotten is left in it or beside it. Takes time with the store's size.

        Raises `Refused("busy")` where a reader keeps the log from being folded back; to do it again is harmless.
        """
        ...

    def left_in_index(self, texts: Sequence[str]) -> int:
        """Return how many words of these texts the full-text index holds though no record does."""
        ...

    def back_up(self, path: str) -> None:
        """Copy the whole store to this path and check the copy; only its owner may read it. Raises `Refused`, OSError."""
        ...

    def compact(self) -> None:
        """Fold the write-ahead log back, if nobody is reading."""
        ...

    def slim(self) -> None:
        """Free the memory that caches pages of the file. Disturbs no reader and no writer."""
        ...
