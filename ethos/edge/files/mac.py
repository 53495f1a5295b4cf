"""Sealing: a keyed hash under which this memory knows again what it forgot. Without the key nobody can try out what it was."""

from __future__ import annotations

import hmac
from functools import cached_property
from pathlib import Path

from ethos.edge.files import keys

FILE = "forgetting.key"
_HINT = "put it back from a copy of the state folder; without it, what was forgotten can come back when it is captured again"


class Sealing:
    """`sealing(words)` is HMAC-SHA-256 in hexadecimal. The key is read, and made, when it is first needed."""

    def __init__(self, state: Path) -> None:
        self._state = state

    def __call__(self, words: str) -> str:
        """The keyed hash. Raises Refused."""
        return hmac.digest(self._key, words.encode("utf-8", "surrogatepass"), "sha256").hex()

    @cached_property
    def _key(self) -> bytes:
        return keys.key(self._state, FILE, hint=_HINT)
