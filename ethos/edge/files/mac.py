"""A keyed hash (HMAC) to recognise what was forgotten. Without the key, its content cannot be found by trial."""

from __future__ import annotations

import hmac
from functools import cached_property
from pathlib import Path

from ethos.edge.files import keys

FILE = "forgetting.key"
_HINT = "put it back from a copy of the state folder; without it, what was forgotten can come back when it is captured again"


class Sealing:
    """Compute HMAC-SHA-256 in hexadecimal: `sealing(text)`. The key is read, or created, at first use."""

    def __init__(self, state: Path) -> None:
        self._state = state

    def __call__(self, words: str) -> str:
        """Return the keyed hash of a text. Raises Refused."""
        return hmac.digest(self._key, words.encode("utf-8", "surrogatepass"), "sha256").hex()

    @cached_property
    def _key(self) -> bytes:
        return keys.key(self._state, FILE, hint=_HINT)
